// SPDX-License-Identifier: Apache-2.0
#include "axi/job_registers.h"

#include <catch2/catch.hpp>
#include <vector>

#include "support/stream_bench.h"

namespace fansim::job_registers_test {

namespace {

using axi::LiteRequest;

constexpr std::size_t kWords = 3;  // two that describe a job, and the start
constexpr std::uint32_t kStart = 8;

struct Start {
  std::uint32_t first = 0, second = 0;
};

// Takes `edges` edges for a job, from the pop of its start to the edge at which it counts the job.
class Worker final : public sim::Module {
 public:
  sim::StreamIn<Start> start{"start"};

  Worker(const sc_core::sc_module_name& name, sim::Edge edges) : Module(name), edges_(edges) {}

  const sim::Reg<std::int64_t>& done() const { return done_; }
  std::vector<Start> jobs;
  std::vector<sim::Edge> popped;

 private:
  void step() override {
    if (start.can_pop()) {
      jobs.push_back(start.pop());
      popped.push_back(now());
    }
    if (!popped.empty() && now() == popped.back() + edges_) done_.set(done_.next() + 1);
  }

  const sim::Edge edges_;
  sim::Reg<std::int64_t> done_{*this, "done"};
};

class Registers final : public axi::JobStarter<Start> {
 public:
  Registers(const sc_core::sc_module_name& name, Ended ended)
      : JobStarter(name, contract::JobRegisters(kWords), ended, ended.size()) {}

 private:
  void start() override { give({registers().words[0], registers().words[1]}); }
};

struct Rig {
  explicit Rig(int stall_percent = 0) : host("host", {}, stall_percent), answers("answers", stall_percent) {
    host.out(request);
    registers.request(request);
    registers.response(response);
    answers.in(response);
    registers.starts(quick);
    registers.starts(slow);
  }
  void write(sim::Edge edge, std::uint32_t address, std::uint32_t value) { host.add({true, address, value}, edge); }
  void read(sim::Edge edge, std::uint32_t address) { host.add({false, address, 0}, edge); }

  test::Bench bench;
  sim::Stream<LiteRequest> request{"request"};
  sim::Stream<axi::LiteResponse> response{"response"};
  test::Source<LiteRequest> host;
  test::Sink<axi::LiteResponse> answers;
  Worker quick{"quick", 2}, slow{"slow", 7};
  Registers registers{"registers", {&quick.done(), &slow.done()}};
};

}  // namespace

TEST_CASE("one access per cycle is answered at the edge at which it is popped") {
  Rig rig;
  rig.write(1, 0, 5);
  rig.write(2, 4, 6);
  rig.read(3, 0);
  rig.read(4, 4);
  rig.bench.run(12);
  // Pushed at n, popped and answered at n + 1, the answer popped at n + 2.
  CHECK(rig.answers.edges() == std::vector<sim::Edge>{3, 4, 5, 6});
  CHECK(rig.answers.items()[2].value == 5);
  CHECK(rig.answers.items()[3].value == 6);
  CHECK(test::counter(rig.registers, "accesses") == 4);
}

TEST_CASE("a write of the last register starts the job in every block at once") {
  Rig rig;
  rig.write(1, 0, 5);
  rig.write(2, 4, 6);
  rig.write(5, kStart, 1);
  rig.bench.run(20);
  for (const Worker* worker : {&rig.quick, &rig.slow}) {
    REQUIRE(worker->popped == std::vector<sim::Edge>{7});  // pushed at 6, with the answer
    CHECK(worker->jobs[0].first == 5);
    CHECK(worker->jobs[0].second == 6);
  }
}

TEST_CASE("a job has ended once all of its blocks have counted it") {
  Rig rig;
  rig.write(1, kStart, 1);
  std::vector<std::int64_t> done;
  rig.bench.at_each_edge([&](sim::Edge) { done.push_back(rig.registers.jobs_done()); });
  rig.bench.run(14);
  // Popped at 3, counted at 5 and at 10, where it is seen from the next edge on.
  REQUIRE(done.size() > 10);
  CHECK(done[9] == 0);
  CHECK(done[10] == 1);
  CHECK(rig.registers.ended().size() == 2);
}

TEST_CASE("a register behind the last is a violation") {
  Rig rig;
  rig.write(1, 12, 1);
  CHECK_THROWS_WITH(rig.bench.run(5), "registers: no register at 0xc, cycle 2");
}

TEST_CASE("an address between two registers is a violation") {
  Rig rig;
  rig.read(1, 2);
  CHECK_THROWS_WITH(rig.bench.run(5), "registers: no register at 0x2, cycle 2");
}

TEST_CASE("a job that is started before the one before has ended is a violation") {
  Rig rig;
  rig.write(1, kStart, 1);
  rig.write(8, kStart, 1);  // popped at 9; the slow worker counts at 10
  CHECK_THROWS_WITH(rig.bench.run(20), "registers: a job is started before the one before has ended, cycle 9");
}

TEST_CASE("a job can be started once the one before is seen to have ended") {
  Rig rig;
  rig.write(1, kStart, 1);
  rig.write(10, kStart, 1);  // popped at 11
  rig.bench.run(30);
  CHECK(rig.registers.jobs_done() == 2);
}

TEST_CASE("accesses keep their order and values under random stalls") {
  Rig rig(40);
  base::Random random(7, "accesses");
  std::vector<std::uint32_t> words(kWords), expected;
  for (int i = 0; i < 200; ++i) {
    const std::size_t word = random.chance(50) ? 1 : 0;
    const bool write = random.chance(50);
    const auto value = static_cast<std::uint32_t>(random.uniform(0, 1000));
    expected.push_back(write ? 0 : words[word]);
    if (write) words[word] = value;
    rig.host.add({write, static_cast<std::uint32_t>(4 * word), value});
  }
  REQUIRE(rig.bench.run_until([&] { return rig.answers.count() == expected.size(); }, 5000));
  for (std::size_t i = 0; i < expected.size(); ++i) REQUIRE(rig.answers.items()[i].value == expected[i]);
}

}  // namespace fansim::job_registers_test
