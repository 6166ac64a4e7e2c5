// SPDX-License-Identifier: Apache-2.0
#include "timing/host_clock.h"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "contract/job_steps.h"

namespace fansim::host_clock_test {

namespace {

using timing::Edge;
using timing::HostClock;
using timing::HostSpan;
using timing::HostState;
using Kind = contract::HostOp::Kind;

contract::HostConfig host() {
  contract::HostConfig config;
  config.register_write = 25;
  config.register_read = 35;
  config.interrupt = 500;
  return config;
}

std::string text_of(const std::vector<HostSpan>& spans) {
  static const char* const kStates[]{"works", "prepares", "waits"};
  std::string text;
  for (const HostSpan& span : spans)
    text += std::string(kStates[static_cast<int>(span.state)]) + " " + std::to_string(span.span.from) + ".." +
            std::to_string(span.span.to) + " ";
  return text;
}

// Two words of a job and a start; a job takes 100 edges.
struct Host : timing::JobHost {
  explicit Host(contract::JobRegisters& registers) : JobHost(host(), registers) {}
  Edge run_job(const contract::JobRegisters& registers, Edge taken) override {
    jobs.push_back(registers.words);
    starts.push_back(taken);
    return taken + 100;
  }

  void count(contract::LayerResult& result) override {
    result.buckets = {100 * static_cast<base::Cycles>(jobs.size())};
  }

  std::vector<std::vector<std::uint32_t>> jobs;
  std::vector<Edge> starts;
};

}  // namespace

TEST_CASE("a register write is taken an edge after its cost and answered another edge later") {
  HostClock clock(host());
  clock.software(10);
  CHECK(clock.write() == 10 + 25 + 1);
  CHECK(clock.now() == 10 + 25 + 2);
  CHECK(clock.taken() == 36);
  CHECK(clock.write() == 37 + 25 + 1);
}

TEST_CASE("a poll reads until one read finds what the register shows from some edge on") {
  const auto polled = [](Edge shown) {
    HostClock clock(host());
    clock.poll(shown);
    return clock.now();
  };
  CHECK(polled(0) == 37);
  CHECK(polled(35) == 37);  // the first read leaves at 35
  CHECK(polled(36) == 2 * 37);
  CHECK(polled(35 + 37) == 2 * 37);
  CHECK(polled(35 + 37 + 1) == 3 * 37);
}

TEST_CASE("an interrupt is seen an edge after its line rises or as soon as the host looks") {
  HostClock waits(host());
  waits.interrupt(99);
  CHECK(waits.now() == 100 + 500);
  HostClock late(host());
  late.software(200);
  late.interrupt(99);
  CHECK(late.now() == 200 + 500);
}

TEST_CASE("what the host is at makes spans of which those of one state are joined") {
  std::vector<HostSpan> spans;
  HostClock clock(host(), &spans);
  clock.software(10);
  clock.write();
  clock.software(5, true);
  clock.write(HostState::prepares_dma);
  clock.poll(0);
  clock.interrupt(200, false);  // a wait for a job is in no span
  clock.interrupt(1000);
  CHECK(text_of(spans) == "works 0..37 prepares 37..69 works 69..106 works 201..701 waits 701..1001 works 1001..1501 ");
}

TEST_CASE("a copy of a host's clock goes on by itself and leaves no spans") {
  std::vector<HostSpan> spans;
  HostClock clock(host(), &spans);
  clock.software(10);
  HostClock ahead = clock;
  ahead.write();
  CHECK(ahead.now() == 37);
  CHECK(clock.now() == 10);
  CHECK(text_of(spans) == "works 0..10 ");
}

TEST_CASE("a host of jobs starts what its registers describe and waits for the end") {
  contract::Program program;
  program.layers.resize(1);
  contract::JobSteps steps(host());
  steps.begin_layer(0, 10);
  contract::JobRegisters first(3), second(3), held(3);
  first.words = {7, 8, 1}, second.words = {7, 9, 1};
  steps.job(first);
  steps.job(second, &first);
  steps.end_layer(0);
  program.ops = steps.take();
  contract::LayerSteps layer;
  std::size_t at = 0;
  REQUIRE(contract::next_layer(program, at, layer));

  Host host(held);
  const contract::LayerResult result = host.run(program, layer);
  CHECK(host.jobs == std::vector<std::vector<std::uint32_t>>{{7, 8, 1}, {7, 9, 1}});
  const Edge start = 10 + 3 * 27 - 1;      // three writes
  const Edge end = start + 100 + 1 + 500;  // and the interrupt
  const Edge again = end + 2 * 27 - 1;     // the register that differs, and the start
  CHECK(host.starts == std::vector<Edge>{start, again});
  CHECK(host.now() == again + 100 + 1 + 500);
  CHECK(result.cycles == host.now());
  CHECK(result.buckets ==
        std::vector<base::Cycles>{200, host.now() - 200});  // and those that the machine does not count

  // What the steps start is the same without a clock.
  contract::JobRegisters registers(3);
  std::vector<std::vector<std::uint32_t>> jobs;
  contract::each_job(program, layer, registers, [&] { jobs.push_back(registers.words); });
  CHECK(jobs == host.jobs);
}

TEST_CASE("registers that hold what a job needs are written if it is asked for") {
  contract::JobSteps steps(host());
  contract::JobRegisters job(4);
  job.words = {1, 2, 3, 1};
  steps.job(job, &job, 2);
  const std::vector<contract::HostOp> ops = steps.take();
  REQUIRE(ops.size() == 4);
  CHECK(ops[0].address == 0);
  CHECK(ops[1].address == 4);
  CHECK(ops[2].address == job.start_offset());
  CHECK(ops[3].kind == Kind::wait_output);
}

TEST_CASE("a write behind the registers of a job is refused") {
  contract::JobRegisters registers(2);
  CHECK_FALSE(registers.write(0, 5));
  CHECK(registers.write(4, 1));
  CHECK_THROWS_AS(registers.write(8, 1), std::out_of_range);
}

}  // namespace fansim::host_clock_test
