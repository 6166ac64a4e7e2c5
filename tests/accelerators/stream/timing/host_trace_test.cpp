// SPDX-License-Identifier: Apache-2.0
#include "accelerators/stream/timing/host_trace.h"

#include <catch2/catch.hpp>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "contract/dma_map.h"

namespace fansim::script_test {

using contract::HostOp;
using stream::Act;

namespace {

// Register writes take 25 cycles and two until they are answered.
constexpr std::uint32_t kWrite = 27;

stream::Config config() {
  return stream::Config::read(std::string(FANSIM_SOURCE_DIR) + "/configs/systems/tiny_stream.yaml",
                              {"host.register_write=25"});
}

class Steps {
 public:
  Steps& software(std::uint32_t cycles) { return op(HostOp::Kind::software, 0, cycles); }
  Steps& prepare(std::uint32_t cycles) { return op(HostOp::Kind::prepare_dma, 0, cycles); }
  Steps& command(const stream::Command& command) {
    return op(HostOp::Kind::write_core, stream::register_offset(1), stream::encode(command).reg1);
  }
  Steps& ask(std::uint32_t address, std::uint32_t bytes) {
    op(HostOp::Kind::write_dma, contract::dma_map::kMm2sSa, address);
    return op(HostOp::Kind::write_dma, contract::dma_map::kMm2sLength, bytes);
  }
  Steps& poll() { return op(HostOp::Kind::poll_mm2s); }
  Steps& wait_job() { return op(HostOp::Kind::wait_job); }

  std::size_t count() const { return ops_.size(); }

  stream::HostTrace read(const stream::LeftOuts& left_out = {}) const {
    contract::Program program;
    program.ops = ops_;
    contract::LayerSteps layer;
    layer.last = ops_.size();
    return stream::host_trace(program, layer, config(), left_out);
  }

 private:
  Steps& op(HostOp::Kind kind, std::uint32_t address = 0, std::uint32_t value = 0) {
    ops_.push_back({kind, address, value});
    return *this;
  }
  std::vector<HostOp> ops_;
};

stream::Command receive_weights() {
  stream::Command command;
  command.receive_weights = 1;
  return command;
}

stream::Command job(int select) {
  stream::Command command;
  command.start_conv = 1;
  command.input_select = command.output_select = select;
  return command;
}

// A job, and what the next one reads.
void round(Steps& steps, int number, std::uint32_t address) {
  steps.command(job(number % 2)).prepare(1000).command(receive_weights()).ask(address, 256).poll().wait_job();
}

std::vector<std::uint32_t> transfers(const stream::HostTrace& trace) {
  std::vector<std::uint32_t> addresses;
  trace.each([&](const Act& act) {
    if (act.kind == Act::Kind::transfer) addresses.push_back(act.address);
  });
  return addresses;
}

}  // namespace

TEST_CASE("a trace has what the host does and its cycles before") {
  Steps steps;
  steps.software(2500).prepare(1000).command(receive_weights()).ask(4096, 640).poll();
  steps.command(job(1)).wait_job().software(7);
  const stream::HostTrace trace = steps.read();
  REQUIRE(trace.acts.size() == 4);
  const Act& transfer = trace.acts[0];
  CHECK(transfer.kind == Act::Kind::transfer);
  CHECK(transfer.weights);
  CHECK(transfer.address == 4096);
  CHECK(transfer.bytes == 640);
  CHECK(transfer.works == 2500);
  CHECK(transfer.prepares == 1000 + 3 * kWrite);
  CHECK(transfer.armed == 2 * kWrite);
  CHECK(trace.acts[1].kind == Act::Kind::job);
  CHECK(trace.acts[1].half == 1);
  CHECK(trace.acts[1].works == kWrite);
  CHECK(trace.acts[2].kind == Act::Kind::wait_job);
  CHECK(trace.acts[3].kind == Act::Kind::nothing);
  CHECK(trace.acts[3].works == 7);
}

TEST_CASE("jobs that differ in halves and addresses share a command while others do not") {
  Steps steps;
  for (const int select : {0, 1, 0}) steps.command(job(select)).wait_job();
  stream::Command other = job(0);
  other.last_round = 1;
  steps.command(other).wait_job();
  for (int i = 0; i < 40; ++i) steps.command(i % 2 == 0 ? job(1) : other).wait_job();
  const stream::HostTrace trace = steps.read();
  CHECK(trace.commands.size() == 2);
  CHECK(trace.acts[4].command == trace.acts[0].command);
  CHECK(trace.acts[6].command != trace.acts[0].command);
}

TEST_CASE("rounds that differ in addresses by one step are one and are alike where these lie as far into a beat") {
  Steps steps;
  const std::vector<std::uint32_t> addresses{0, 64, 128, 4096, 8192, 12292, 12300, 12308, 12309, 12310};
  for (const std::uint32_t address : addresses) round(steps, 0, address);
  steps.command(job(0)).wait_job();
  const stream::HostTrace trace = steps.read();
  REQUIRE(config().axi.beat_bytes() == 8);
  struct Expected {
    std::uint32_t acts, times, address, step;
    bool alike;
  };
  const std::vector<Expected> expected{{3, 3, 0, 64, true},
                                       {3, 2, 4096, 4096, true},
                                       {3, 3, 12292, 8, true},
                                       {3, 2, 12309, 1, false},
                                       {2, 1, 0, 0, true}};
  REQUIRE(trace.rounds.size() == expected.size());
  std::size_t transfer = 1;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    CAPTURE(i);
    CHECK(trace.rounds[i].acts == expected[i].acts);
    CHECK(trace.rounds[i].times == expected[i].times);
    CHECK(trace.rounds[i].alike == expected[i].alike);
    if (expected[i].acts < 3) continue;
    CHECK(trace.acts[transfer].address == expected[i].address);
    CHECK(trace.acts[transfer].step == expected[i].step);
    transfer += expected[i].acts;
  }
  CHECK(transfers(trace) == addresses);
}

TEST_CASE("rounds of jobs with other halves of the output buffer are not one") {
  Steps steps;
  for (int i = 0; i < 4; ++i) round(steps, i, 64U * static_cast<std::uint32_t>(i));
  CHECK(steps.read().rounds.size() == 4);
}

TEST_CASE("rounds that are left out come again as far on as the ones before") {
  Steps all, some;
  for (std::uint32_t i = 0; i < 9; ++i) round(all, 0, 4096 + 72 * i);
  for (const std::uint32_t i : {0U, 1U, 2U}) round(some, 0, 4096 + 72 * i);
  const std::size_t step = some.count();
  round(some, 0, 4096 + 72 * 8);
  const stream::HostTrace trace = some.read({{step, 5}});
  REQUIRE(trace.rounds.size() == 1);
  CHECK(trace.rounds.front().times == 9);
  CHECK(transfers(trace) == transfers(all.read()));
  CHECK_THROWS_AS(some.read({{step - 1, 5}}), std::logic_error);
  Steps one;
  round(one, 0, 64);
  CHECK_THROWS_AS(one.read({{one.count(), 1}}), std::logic_error);
}

TEST_CASE("software that is too long for one act goes on in the next") {
  Steps steps;
  const stream::HostTrace trace = steps.software(0xffffffff).software(5).command(job(0)).wait_job().read();
  REQUIRE(trace.acts.size() == 3);
  CHECK(trace.acts[0].kind == Act::Kind::nothing);
  CHECK(trace.acts[0].works == 0xffffffff);
  CHECK(trace.acts[1].works == 5 + kWrite);
}

TEST_CASE("a transfer without receiver and one that is not waited for and a job in between are no trace") {
  CHECK_THROWS_AS(Steps().ask(0, 64).poll().read(), std::logic_error);
  CHECK_THROWS_AS(Steps().poll().read(), std::logic_error);
  CHECK_THROWS_AS(Steps().command(receive_weights()).ask(0, 64).wait_job().read(), std::logic_error);
  CHECK_THROWS_AS(Steps().command(receive_weights()).ask(0, 64).read(), std::logic_error);
  CHECK_THROWS_AS(Steps().command(receive_weights()).ask(0, 64).command(job(0)).poll().read(), std::logic_error);
  CHECK_THROWS_AS(Steps().command(receive_weights()).command(job(0)).wait_job().read(), std::logic_error);
}

}  // namespace fansim::script_test
