// SPDX-License-Identifier: Apache-2.0
#include "accelerators/stream/hardware/command_registers.h"

#include "sim/memory_port.h"
#include "sim/violation.h"
#include "support/blocks.h"

namespace fansim::command_registers_test {

using axi::LiteRequest;
using axi::LiteResponse;
using axi::ReceiveCommand;
using stream::CommandRegisters;

namespace {

constexpr std::uint64_t kSeed = 31;

LiteRequest write(int reg, std::uint32_t value) { return {true, stream::register_offset(reg), value}; }
LiteRequest read(int reg) { return {false, stream::register_offset(reg), 0}; }

// The register block with everything it drives.
struct Rig {
  explicit Rig(const std::string& n, std::vector<LiteRequest> requests = {}, test::Stalls stalls = {0, 0},
               bool code_table = false)
      : request((n + "_request").c_str()),
        response((n + "_response").c_str()),
        input((n + "_input").c_str()),
        weights((n + "_weights").c_str()),
        bias((n + "_bias").c_str()),
        job((n + "_job").c_str()),
        table((n + "_table").c_str()),
        source((n + "_source").c_str(), std::move(requests), stalls.in),
        sink((n + "_sink").c_str(), stalls.out),
        inputs((n + "_inputs").c_str(), stalls.out),
        weight_sets((n + "_weight_sets").c_str(), stalls.out),
        biases((n + "_biases").c_str(), stalls.out),
        jobs((n + "_jobs").c_str(), stalls.out),
        tables((n + "_tables").c_str(), stalls.out),
        block((n + "_block").c_str(), code_table) {
    source.out(request);
    block.request(request);
    block.response(response);
    sink.in(response);
    block.receive_input(input);
    inputs.in(input);
    block.receive_weights(weights);
    weight_sets.in(weights);
    block.receive_bias(bias);
    biases.in(bias);
    block.job(job);
    jobs.in(job);
    block.table(table);
    tables.in(table);
  }
  void add(const stream::Command& command) {
    const stream::RegisterImage image = encode(command);
    source.add(write(2, image.reg2));
    for (int w = 0; w < stream::RegisterImage::kGeometryWords; ++w)
      source.add(write(3, stream::geometry_value(w, image.geometry[static_cast<std::size_t>(w)])));
    source.add(write(4, image.reg4));
    source.add(write(5, image.reg5));
    source.add(write(6, image.reg6));
    source.add(write(1, image.reg1));
  }

  sim::Stream<LiteRequest> request;
  sim::Stream<LiteResponse> response;
  sim::Stream<ReceiveCommand> input, weights, bias;
  sim::Stream<stream::Command> job;
  sim::Stream<stream::TableWrite> table;
  test::Source<LiteRequest> source;
  test::Sink<LiteResponse> sink;
  test::Sink<ReceiveCommand> inputs, weight_sets, biases;
  test::Sink<stream::Command> jobs;
  test::Sink<stream::TableWrite> tables;
  CommandRegisters block;
};

stream::Command random_command(base::Random& random) {
  stream::Command c;
  c.receive_input = random.uniform(0, 1);
  c.receive_weights = random.uniform(0, 1);
  c.receive_bias = random.uniform(0, 1);
  c.input_select = random.uniform(0, 1);
  c.weight_select = random.uniform(0, 1);
  c.bias_select = random.uniform(0, 1);
  c.receive_resident = random.uniform(0, 1);
  (random.chance(50) ? c.start_conv : c.start_recurrent) = random.uniform(0, 1);
  c.rows = random.uniform(1, 16383);
  c.kernel = random.uniform(1, 11);
  c.shift = random.uniform(0, 31);
  c.plane_pitch = random.uniform(0, 1 << 27);
  c.weight_base = random.uniform(0, (1 << 27) - 1);
  c.bias_base = random.uniform(0, (1 << 17) - 1);
  c.hidden_shift = random.uniform(0, 31);
  c.hidden_scale = random.uniform(0, 32767);
  c.output_base = static_cast<std::uint32_t>(random.next());
  return c;
}

}  // namespace

TEST_CASE("a write to register 1 arms the receivers of the halves not read and starts jobs under random stalls") {
  INFO("seed " << kSeed);
  base::Random random(kSeed);
  test::Bench bench;
  std::vector<stream::Command> commands;
  for (int k = 0; k < 60; ++k) commands.push_back(random_command(random));
  std::vector<std::unique_ptr<Rig>> rigs;
  for (const test::Stalls& stalls : test::kStallGrid) {
    rigs.push_back(std::make_unique<Rig>(fmt::format("rig{}", rigs.size()), std::vector<LiteRequest>{}, stalls));
    for (const stream::Command& command : commands) rigs.back()->add(command);
  }
  std::vector<int> inputs, weights, biases;
  std::vector<stream::Command> jobs;
  for (const stream::Command& c : commands) {
    if (c.receive_input) inputs.push_back(1 - c.input_select);
    if (c.receive_weights) weights.push_back(c.receive_resident ? 2 : 1 - c.weight_select);
    if (c.receive_bias) biases.push_back(1 - c.bias_select);
    if (c.start_conv || c.start_recurrent) jobs.push_back(c);
  }
  int quiet = 0;
  REQUIRE(bench.run_until([&] {
    for (auto& rig : rigs)
      if (rig->sink.count() < 21 * commands.size()) return false;
    return ++quiet > 100;
  }));
  const auto targets = [](const test::Sink<ReceiveCommand>& sink) {
    std::vector<int> all;
    for (const ReceiveCommand& command : sink.items()) all.push_back(command.target);
    return all;
  };
  for (auto& rig : rigs) {
    REQUIRE(targets(rig->inputs) == inputs);
    REQUIRE(targets(rig->weight_sets) == weights);
    REQUIRE(targets(rig->biases) == biases);
    REQUIRE(rig->jobs.count() == jobs.size());
    for (std::size_t k = 0; k < jobs.size(); ++k) REQUIRE(print(rig->jobs.items()[k]) == print(jobs[k]));
    REQUIRE(test::count(rig->block, "writes") == static_cast<std::int64_t>(21 * commands.size()));
  }
}

TEST_CASE("response and commands are pushed at the edge that takes the request at one request per cycle") {
  test::Bench bench;
  Rig rig("rig");
  stream::Command command;
  command.receive_input = command.receive_weights = command.receive_bias = command.start_conv = 1;
  for (int k = 0; k < 150; ++k) rig.source.add(write(1, encode(command).reg1));
  REQUIRE(bench.run_until([&] { return rig.sink.count() == 150; }));
  for (std::size_t k = 0; k < 150; ++k) {
    REQUIRE(rig.sink.edges()[k] == rig.source.edges()[k] + 2);
    REQUIRE(rig.inputs.edges()[k] == rig.sink.edges()[k]);
    REQUIRE(rig.weight_sets.edges()[k] == rig.sink.edges()[k]);
    REQUIRE(rig.biases.edges()[k] == rig.sink.edges()[k]);
    REQUIRE(rig.jobs.edges()[k] == rig.sink.edges()[k]);
  }
  CHECK(test::back_to_back(rig.sink.edges()));
}

TEST_CASE("with a code table register 7 passes on its entries and reads 0 under random stalls") {
  INFO("seed " << kSeed);
  base::Random random(kSeed);
  test::Bench bench;
  std::vector<LiteRequest> requests{read(7)};
  std::vector<stream::TableWrite> entries;
  for (int k = 0; k < 200; ++k) {
    entries.push_back(
        {random.uniform(0, 127), static_cast<std::uint8_t>(random.next()), static_cast<std::uint8_t>(random.next())});
    requests.push_back(write(7, entries.back().value() | static_cast<std::uint32_t>(random.uniform(0, 511)) << 23));
  }
  std::vector<std::unique_ptr<Rig>> rigs;
  for (const test::Stalls& stalls : test::kStallGrid)
    rigs.push_back(std::make_unique<Rig>(fmt::format("rig{}", rigs.size()), requests, stalls, true));
  REQUIRE(bench.run_until([&] {
    for (auto& rig : rigs)
      if (rig->tables.count() < entries.size() || rig->sink.count() < requests.size()) return false;
    return true;
  }));
  for (auto& rig : rigs) {
    CHECK(rig->sink.items().front().value == 0);
    for (std::size_t k = 0; k < entries.size(); ++k) REQUIRE(rig->tables.items()[k].value() == entries[k].value());
  }
}

TEST_CASE("without a code table a write to register 7 is a violation") {
  test::Bench bench;
  Rig without("without", {write(7, 0)});
  CHECK_THROWS_AS(bench.run_until([] { return false; }), sim::Violation);
}

TEST_CASE("registers read back what was written except the write-only window of register 3") {
  test::Bench bench;
  Rig rig("rig", {write(2, 0x12345678), write(3, 0xf1234567), write(4, 4), write(5, 5), write(6, 0xffffffff),
                  write(1, 8), read(1), read(2), read(3), read(4), read(5), read(6)});
  REQUIRE(bench.run_until([&] { return rig.sink.count() == 12; }));
  std::vector<std::uint32_t> values;
  for (std::size_t k = 6; k < 12; ++k) values.push_back(rig.sink.items()[k].value);
  CHECK(values == std::vector<std::uint32_t>{8, 0x12345678, 0, 4, 5, 0xffffffff});
  CHECK(rig.jobs.count() == 0);
  CHECK(test::count(rig.block, "writes") == 6);
}

TEST_CASE("a request waits only for the commands it causes: a full job queue does not hold up a receiver") {
  test::Bench bench;
  stream::Command start, receive;
  start.start_conv = 1;
  receive.receive_input = 1;
  const std::uint32_t starts = encode(start).reg1, receives = encode(receive).reg1;
  Rig rig("rig", {write(1, starts), write(1, starts), write(1, receives), write(1, starts), write(1, receives)});
  rig.jobs.not_before = 100;
  REQUIRE(bench.run_until([&] { return rig.sink.count() == 5; }));
  CHECK(rig.inputs.edges()[0] < 20);
  CHECK(rig.sink.edges()[2] < 20);
  CHECK(rig.sink.edges()[3] > 100);  // the third job waited for room
  CHECK(rig.inputs.count() == 2);
  CHECK(rig.jobs.count() == 3);
}

TEST_CASE("a write to an unknown register is a violation") {
  test::Bench bench;
  Rig rig("rig", {write(7, 1)});
  REQUIRE_THROWS_WITH(bench.run(20), Catch::Contains("rig_block: write to unknown register at 0x18, cycle 2"));
}

TEST_CASE("a read of an unknown register is a violation") {
  test::Bench bench;
  Rig rig("rig", {read(8)});
  REQUIRE_THROWS_WITH(bench.run(20), Catch::Contains("rig_block: read of unknown register at 0x1c"));
}

TEST_CASE("a write between two registers is a violation") {
  test::Bench bench;
  Rig rig("rig", {LiteRequest{true, 2, 1}});
  REQUIRE_THROWS_WITH(bench.run(20), Catch::Contains("write to unknown register at 0x2"));
}

}  // namespace fansim::command_registers_test
