// SPDX-License-Identifier: Apache-2.0
#include "platform/shell.h"

#include <catch2/catch.hpp>
#include <vector>

#include "axi/job_registers.h"
#include "axi/port_streams.h"
#include "contract/job_steps.h"
#include "platform/clocked_machine.h"
#include "sim/violation.h"
#include "timing/host_clock.h"

namespace fansim::shell_test {

namespace {

// A job works for as many edges as its first register says.
constexpr std::size_t kRegisters = 2;

const contract::Counted kJobs{"jobs", "jobs", "jobs done", "jobs done", contract::Aggregation::sum, {"jobs"}};
const contract::Counted kLongest{
    "longest", "edges", "edges of the longest job", "edges", contract::Aggregation::largest, {"edges"}};

const contract::Account& account_of_workers() {
  static const contract::Account kAccount{{{"work", "a job was under way"}, {"host", "none was"}}, {kJobs, kLongest}};
  return kAccount;
}

struct Config {
  base::Rational clock_mhz{250, 1};
  contract::HostConfig host;
  int workers = 1;  // the second needs twice as long
};

class Worker final : public sim::Module {
 public:
  sim::StreamIn<std::int64_t> start{"start"};

  Worker(const sc_core::sc_module_name& name, int times) : Module(name), times_(times) {}

  const sim::Reg<std::int64_t>& done() const { return done_; }
  std::int64_t worked() const { return worked_.value(); }
  std::int64_t longest() const { return longest_; }

 private:
  void step() override {
    if (left_ == 0) {
      if (start.empty()) return sleep();
      if (!start.can_pop()) return;
      left_ = times_ * start.pop();
      longest_ = std::max(longest_, left_);
    }
    ++worked_;
    if (--left_ == 0) done_.set(done_.next() + 1);
  }

  const int times_;
  std::int64_t left_ = 0, longest_ = 0;
  sim::Reg<std::int64_t> done_{*this, "done"};
  sim::Counter worked_{*this, "worked", "edges", "edges of jobs"};
};

class Registers final : public axi::JobStarter<std::int64_t> {
 public:
  Registers(const sc_core::sc_module_name& name, Ended ended)
      : JobStarter(name, contract::JobRegisters(kRegisters), ended, ended.size()) {}

 private:
  void start() override { give(registers().words[0]); }
};

class Workers final : public platform::Shell {
 public:
  Workers(const sc_core::sc_module_name& name, const Config& config, Frame& frame)
      : Shell(name, frame, {"ddr"}, contract::DdrConfig{}, contract::AxiConfig{}),
        second_(config.workers == 2 ? std::make_unique<Worker>("second", 2) : nullptr),
        registers_("registers", second_ ? axi::JobRegisters::Ended{&first_.done(), &second_->done()}
                                        : axi::JobRegisters::Ended{&first_.done()}) {
    port_.join(ddr());
    registers_.starts(first_);
    if (second_) registers_.starts(*second_);
    control_by(config.host, registers_);
  }

 private:
  const contract::Account& account() const override { return account_of_workers(); }
  void count(contract::LayerResult& result) const override {
    result.bytes_read = 10 * first_.worked();
    kJobs.set(result, registers_.jobs_done());
    kLongest.set(result, first_.longest());
    result.stages = {{"work", registers_.jobs_done(), 0, first_.worked()}};
  }
  std::vector<base::Cycles> buckets() const override { return {first_.worked()}; }

  Worker first_{"first", 1};
  std::unique_ptr<Worker> second_;
  Registers registers_;
  axi::PortStreams port_{"axi"};
};

using Machine = platform::MachineOf<Workers, Config>;

// One layer for each list of jobs.
contract::Program program_of(const Config& config, const std::vector<std::vector<std::uint32_t>>& layers) {
  contract::Program program;
  program.memory = contract::MemoryImage(4096);
  contract::JobSteps steps(config.host);
  for (std::size_t i = 0; i < layers.size(); ++i) {
    program.layers.emplace_back();
    program.layers.back().name = "layer" + std::to_string(i);
    steps.begin_layer(static_cast<int>(i));
    for (const std::uint32_t edges : layers[i]) {
      contract::JobRegisters job(kRegisters);
      job.words = {edges, 1};
      steps.job(job);
    }
    steps.end_layer(static_cast<int>(i));
  }
  program.ops = steps.take();
  return program;
}

// The same machine as recurrences.
struct Fast final : timing::JobHost {
  Fast(const Config& config, int slowest) : JobHost(config.host, registers), times(slowest) {}
  // The start is popped an edge after it is taken, at the job's first edge.
  timing::Edge run_job(const contract::JobRegisters& job, timing::Edge taken) override {
    worked += job.words[0];
    return taken + times * job.words[0];
  }
  void count(contract::LayerResult& result) override { result.buckets = {worked}; }

  const int times;
  contract::JobRegisters registers{kRegisters};
  base::Cycles worked = 0;
};

std::vector<contract::LayerResult> fast(const Config& config, const contract::Program& program, int times) {
  std::vector<contract::LayerResult> results;
  contract::LayerSteps layer;
  for (std::size_t at = 0; contract::next_layer(program, at, layer);)
    results.push_back(Fast(config, times).run(program, layer));
  return results;
}

void check_same(const std::vector<contract::LayerResult>& clocked, const std::vector<contract::LayerResult>& fast) {
  REQUIRE(clocked.size() == fast.size());
  for (std::size_t i = 0; i < clocked.size(); ++i) {
    CHECK(clocked[i].cycles == fast[i].cycles);
    CHECK(clocked[i].buckets == fast[i].buckets);
  }
}

}  // namespace

TEST_CASE("a machine in a shell takes the cycles that a host's clock says") {
  const Config config;
  const contract::Program program = program_of(config, {{100, 1, 600}, {7}});
  Machine machine(config, program, {});
  machine.run();
  check_same(machine.layers(), fast(config, program, 1));
}

TEST_CASE("a host without costs still takes two edges for a register and one for an interrupt") {
  Config config;
  config.host.register_write = config.host.interrupt = config.host.layer_setup = 0;
  const contract::Program program = program_of(config, {{5, 1}});
  Machine machine(config, program, {});
  machine.run();
  check_same(machine.layers(), fast(config, program, 1));
  // Two writes of two edges, the second taken an edge before its end; five edges of work, seen an edge later. So again.
  CHECK(machine.layers()[0].cycles == (3 + 5 + 1) + (3 + 1 + 1));
}

TEST_CASE("what the blocks count on is a layer's own once the layers before are subtracted") {
  const Config config;
  Machine machine(config, program_of(config, {{30, 40}, {20}}), {});
  machine.run();
  const std::vector<contract::LayerResult>& layers = machine.layers();
  CHECK(layers[0].bytes_read == 700);
  CHECK(layers[1].bytes_read == 200);
  CHECK(kJobs.of(layers[0]) == 2);
  CHECK(kJobs.of(layers[1]) == 1);
  CHECK(kLongest.of(layers[1]) == 40);  // a largest value is left as it is
  CHECK(layers[1].stages.at(0).tiles == 1);
  CHECK(layers[1].stages.at(0).cycles == 20);
}

TEST_CASE("the last bucket of a layer has the cycles that no other has") {
  const Config config;
  Machine machine(config, program_of(config, {{30, 40}}), {});
  machine.run();
  const contract::LayerResult& layer = machine.layers()[0];
  CHECK(layer.buckets == std::vector<base::Cycles>{70, layer.cycles - 70});
}

TEST_CASE("an interrupt of two registers comes once both have counted") {
  Config config;
  config.workers = 2;
  const contract::Program program = program_of(config, {{300, 2}});
  Machine machine(config, program, {});
  machine.run();
  check_same(machine.layers(), fast(config, program, 2));
}

TEST_CASE("a wait for a line that the machine does not have hangs with the host's name") {
  const Config config;
  contract::Program program = program_of(config, {{5}});
  program.ops.insert(program.ops.end() - 1, {contract::HostOp::Kind::wait_job});
  Machine machine(config, program, {});
  CHECK_THROWS_WITH(machine.run(), Catch::Contains("host waits for the job interrupt"));
}

}  // namespace fansim::shell_test
