// SPDX-License-Identifier: Apache-2.0
#include "accelerators/stream/compile/compile.h"

#include <algorithm>
#include <catch2/catch.hpp>

#include "accelerators/stream/compile/check.h"
#include "accelerators/stream/compile/interpreter.h"
#include "network/reference/reference.h"

namespace fansim::test::compile_test {

namespace {

using Kind = contract::HostOp::Kind;

const char* const kOneConv =
    "input: {shape: [16, 20, 20]}\nlayers:\n  - {name: conv, type: conv, filters: 32, kernel: 3, padding: 1}\n";

// The layer's part of the program without what depends on where things lie in memory.
std::vector<std::pair<Kind, std::uint32_t>> shape_of(const contract::Program& program, int layer) {
  std::vector<std::pair<Kind, std::uint32_t>> shape;
  bool inside = false;
  for (const contract::HostOp& op : program.ops) {
    if (op.kind == Kind::begin_layer) inside = program.layers[op.value].layer == layer;
    if (inside) shape.emplace_back(op.kind, op.address);
  }
  return shape;
}

}  // namespace

TEST_CASE("A layer compiled alone computes the same with the same steps as in the whole network") {
  const std::string name = GENERATE("tiny_conv", "tiny_mobile", "tiny_residual", "tiny_uint8", "tiny_gru");
  const network::Network network = model(name);
  const stream::Config config = config_of({3, 3, 8, 8});
  const auto results = network::run_reference(network, config.quantiser);
  const contract::Program whole = compiled(network, config);
  for (int layer = 0; layer < static_cast<int>(network.layers.size()); ++layer) {
    CAPTURE(name, layer);
    compile::Options options;
    options.layers = {layer};
    for (int other = 0; other < layer; ++other) options.tensors[other] = results[static_cast<std::size_t>(other)].out;
    REQUIRE(disagreement(network, config, options) == "");
    const contract::Program alone = compiled(network, config, options);
    for (const contract::LayerPlan& plan : alone.layers)
      REQUIRE(shape_of(alone, plan.layer) == shape_of(whole, plan.layer));
  }
}

TEST_CASE("A convolution and its pooling are chosen together and only the pooling has an output") {
  const network::Network network = model("tiny_conv");
  compile::Options options;
  options.layers = {1};
  const contract::Program program = compiled(network, config_of({3, 3, 8, 8}), options);
  REQUIRE(program.layers.size() == 2);
  CHECK(program.layers[0].fused_into == 1);
  CHECK(program.layers[0].passes > 0);
  CHECK(program.layers[1].fused_into == -1);
  CHECK(program.layers[1].passes == 0);
  CHECK(place_of(program.layers[1]).channels == 12);
  CHECK(std::count_if(program.ops.begin(), program.ops.end(),
                      [](const contract::HostOp& op) { return op.kind == Kind::begin_layer; }) == 1);
}

TEST_CASE("Without values the program is the same and its memory has the same size but holds nothing") {
  const network::Network network = model("tiny_residual");
  const stream::Config config = config_of({3, 3, 8, 8});
  const contract::Program with = compiled(network, config);
  compile::Options options;
  options.values = false;
  const contract::Program without = compiled(model("tiny_residual", false), config, options);
  CHECK(without.memory == contract::MemoryImage(with.memory.size()));
  REQUIRE(without.ops.size() == with.ops.size());
  for (std::size_t i = 0; i < with.ops.size(); ++i) {
    REQUIRE(without.ops[i].kind == with.ops[i].kind);
    REQUIRE(without.ops[i].address == with.ops[i].address);
  }
}

TEST_CASE("While a job runs the next one's transfers are made") {
  stream::Config config = config_of({3, 3, 8, 8}, stream::LoopOrder::thesis);
  const contract::Program program = compiled(network_of(kOneConv), config);
  int transfers = 0, jobs = 0;
  bool first = true;
  for (const contract::HostOp& op : program.ops) {
    if (op.kind == Kind::poll_mm2s) ++transfers;
    if (op.kind != Kind::wait_job) continue;
    // There are 20 rows of 2 input groups: bias, weights and two inputs are transferred before the first wait, then one
    // input per job.
    CHECK(transfers == (first ? 4 : ++jobs < 39 ? 1 : 0));
    first = false;
    transfers = 0;
  }
  CHECK(jobs == 39);
}

TEST_CASE("A layer that does not fit says which resource and what it needs and what there is") {
  stream::Config config = config_of({3, 3, 8, 8});
  CHECK(reason(network_of(kOneConv), config) == "");

  stream::Config small = config;
  small.buffers.input_kib = 2;
  CHECK(reason(network_of(kOneConv), small) == "");
  small.array.line_columns = 20;
  CHECK(reason(network_of(kOneConv), small) == "conv: array.line_columns 20: 22 columns are read");

  const std::string wide =
      "input: {shape: [8, 11, 600]}\nlayers:\n  - {name: conv, type: conv, filters: 8, kernel: 11}\n";
  stream::Config long_lines = config;
  long_lines.array.line_columns = 4096;
  CHECK(reason(network_of(wide), long_lines) ==
        "conv: buffers.input_kib 48, two halves: 11 rows of 600 words need 52,800 B of 24,576");

  small = config;
  small.array.accumulator_depth = 16;
  CHECK(reason(network_of(kOneConv), small) ==
        "conv: array.accumulator_depth 16: 1 groups of 1 x 20 sums need 20 entries of 16");

  const std::string lstm = "input: {steps: 4, features: 8}\nlayers:\n  - {name: cell, type: lstm, hidden: 512}\n";
  CHECK(reason(network_of(lstm), config) ==
        "cell: buffers.resident_kib 288: recurrent weights of 512 units need 1,179,648 B of 294,912");

  small = config;
  small.dma.length_bits = 12;
  const std::string cell = "input: {steps: 4, features: 8}\nlayers:\n  - {name: cell, type: lstm, hidden: 64}\n";
  CHECK(reason(network_of(cell), config) == "");
  CHECK(reason(network_of(cell), small) ==
        "cell: dma.length_bits 12: recurrent weights of 64 units need 18,432 B of 4,095");
  CHECK(reason(network_of(wide), [&] {
          stream::Config short_transfers = long_lines;
          short_transfers.buffers.input_kib = 1024;
          short_transfers.dma.length_bits = 14;
          return short_transfers;
        }()) == "conv: dma.length_bits 14: 11 rows of 600 words need 52,800 B of 16,376");

  const std::string kernel =
      "input: {shape: [8, 300, 300]}\nlayers:\n  - {name: pool, type: maxpool, kernel: 200, stride: 1}\n";
  CHECK(reason(network_of(kernel), long_lines) == "pool: pooling.kernel: windows of 200 x 200 need 200 of 3");
  stream::Config large = long_lines;
  large.pooling = {200, 200, 1024};
  large.buffers.input_kib = large.buffers.output_kib = 4096;
  CHECK(reason(network_of(kernel), large) == "pool: command field pool_kernel: 200 does not fit its 7 bits");

  const std::string overlapping =
      "input: {shape: [64, 70, 70]}\nlayers:\n  - {name: pool, type: maxpool, kernel: 7, stride: 1}\n";
  stream::Config pools = config;
  pools.pooling = {7, 6, 1024};
  CHECK(reason(network_of(overlapping), pools) == "pool: pooling.lines: windows of 7 x 7 at stride 1 need 7 of 6");
  pools.pooling = {7, 7, 63};
  CHECK(reason(network_of(overlapping), pools) ==
        "pool: pooling.line_words: 1 groups of 64 pooled columns need 64 of 63");
  pools.pooling.line_words = 64;  // for one group after another
  CHECK(reason(network_of(overlapping), pools) == "");

  const std::string flat =
      "input: {shape: [2, 3, 3]}\nlayers:\n  - {name: flat, type: flatten}\n"
      "  - {name: conv, type: conv, filters: 4, kernel: 1}\n";
  CHECK(reason(network_of(flat), config) == "conv: flatten: (18, 1, 1) is read, (2, 3, 3) lies in memory");

  CHECK(reason(network_of(kOneConv), config_of({3, 3, 8, 12})) ==
        ": array: output_channels 12 is no multiple of input_channels 8");
}

TEST_CASE("A quantiser too narrow for what passes it unscaled is named") {
  const auto layer = [](const std::string& type, const std::string& what) {
    return "input: {shape: [8, 6, 6], " + type + "}\nlayers:\n  - {name: l, type: " + what + "}\n";
  };
  stream::Config config = config_of({3, 3, 8, 8});
  config.quantiser.operand_bits = 8;
  const std::string operand = "l: quantiser.operand_bits 8: values of ";
  for (const char* what : {"maxpool, kernel: 2", "relu", "add, with: input", "avgpool, kernel: 1"}) {
    CAPTURE(what);
    CHECK(reason(network_of(layer("type: int8", what)), config) == "");
    CHECK(reason(network_of(layer("type: uint8", what)), config) ==
          operand + "0..255 pass it unscaled and take 9 bits");
    CHECK(reason(network_of(layer("type: uint8, zero_point: 128", what)), config) == "");
    CHECK(reason(network_of(layer("type: int8, zero_point: 3", what)), config) ==
          operand + "-131..124 pass it unscaled and take 9 bits");
  }
  // The mean's rule knows the quantiser's widths; so do a convolution's sums.
  CHECK(reason(network_of(layer("type: uint8", "avgpool, kernel: 2")), config) == "");
  CHECK(reason(network_of(layer("type: uint8", "conv, filters: 2, kernel: 3")), config) == "");

  config.quantiser.operand_bits = 9;
  config.quantiser.accumulator_bits = 9;
  CHECK(reason(network_of(layer("type: uint8", "relu")), config) == "");
  CHECK(reason(network_of(layer("type: uint8", "add, with: input")), config) ==
        "l: quantiser.accumulator_bits 9: values of 0..510 pass it unscaled and take 10 bits");
  config.quantiser.accumulator_bits = 10;
  CHECK(reason(network_of(layer("type: uint8", "add, with: input")), config) == "");
}

TEST_CASE("The networks of the papers fit the published accelerator") {
  const std::string name = GENERATE("vgg16", "alexnet", "alexnet_grouped", "lstm256");
  const auto order = GENERATE(stream::LoopOrder::thesis, stream::LoopOrder::least_traffic);
  compile::Options options;
  options.values = false;
  const network::Network network = model(name, false);
  const contract::Program program = compiled(network, config_of({3, 3, 8, 8}, order), options);
  CHECK(program.layers.size() == network.layers.size());
}

TEST_CASE("a network that is larger than the memory is refused with both sizes") {
  stream::Config config = config_of({3, 3, 8, 8});
  config.ddr.part.row_bits = 1;  // 2 rows of 128 KiB
  CHECK(reason(network_of(kOneConv), config) == "");
  config.ddr.fidelity = contract::DdrFidelity::banked;
  CHECK_THAT(reason(network_of(kOneConv), config),
             Catch::Contains("DDR: the network needs") && Catch::Contains("262,144"));
}

}  // namespace fansim::test::compile_test
