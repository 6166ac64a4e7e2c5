// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>

#include "accelerators/stream/compile/check.h"
#include "base/random.h"

namespace fansim::test::random_test {

namespace {

constexpr ArrayShape kShapes[] = {{3, 3, 8, 8}, {5, 5, 4, 8}, {2, 2, 8, 8}, {1, 1, 8, 16}, {3, 4, 2, 6}, {6, 3, 4, 4}};

stream::Config random_config(base::Random& random) {
  stream::Config config = config_of(kShapes[random.uniform(0, 5)]);
  config.schedule.loop_order = random.chance(50) ? stream::LoopOrder::thesis : stream::LoopOrder::least_traffic;
  if (random.chance(50)) {
    // Buffers are tight, so there are several subsets, chunks and blocks, and weights are fetched or resident.
    config.buffers.input_kib = random.uniform(8, 16);
    config.buffers.weight_kib = random.uniform(16, 64);
    config.buffers.resident_kib = random.chance(50) ? 0 : random.uniform(1, 32);
    config.buffers.bias_kib = 2;
    config.buffers.output_kib = random.uniform(2, 8);
    config.array.accumulator_depth = 16 * random.uniform(1, 12);
    config.pooling.line_words = random.uniform(16, 40);
  }
  config.axi.data_bits = random.chance(50) ? 64 : 128;
  if (random.chance(30)) config.quantiser = {24, 18, arith::Rounding::truncate};
  return config;
}

std::string input(base::Random& random, int channels, int height, int width) {
  const bool is_unsigned = random.chance(50);
  return fmt::format("input: {{shape: [{}, {}, {}], type: {}, zero_point: {}}}\nlayers:\n", channels, height, width,
                     is_unsigned ? "uint8" : "int8", is_unsigned ? random.uniform(0, 255) : random.uniform(-128, 127));
}

std::string quant(base::Random& random) {
  const bool is_unsigned = random.chance(50);
  return fmt::format("quant: {{type: {}, zero_point: {}}}", is_unsigned ? "uint8" : "int8",
                     is_unsigned ? random.uniform(0, 255) : random.uniform(-100, 100));
}

std::string activation(base::Random& random) { return random.chance(50) ? ", activation: relu" : ""; }

std::string random_conv(base::Random& random) {
  const int kernel = random.chance(60) ? random.uniform(1, 4) : random.uniform(1, 11);
  const int groups = random.chance(60) ? 1 : random.uniform(1, 6);
  const bool depthwise = random.chance(20);
  const int channels = depthwise ? random.uniform(1, 24) : groups * random.uniform(1, 20 / groups);
  const int filters = depthwise ? channels * random.uniform(1, 2) : groups * random.uniform(1, 40 / groups);
  const auto pad = [&] { return random.uniform(0, kernel / 2); };
  std::string yaml = input(random, channels, random.uniform(kernel, 14), random.uniform(kernel, 14));
  yaml += fmt::format(
      "  - {{name: conv, type: conv, filters: {}, kernel: {}, stride: {}, groups: {}, padding: [{}, {}, {}, {}], "
      "{}{}}}\n",
      filters, kernel, random.uniform(1, 3), depthwise ? channels : groups, pad(), pad(), pad(), pad(), quant(random),
      activation(random));
  return yaml;
}

// A case whose buffers are too small is drawn again, so that every case computes something.
template <class Draw>
void check(int cases, const char* stream, Draw draw) {
  int fitting = 0;
  for (std::uint64_t seed = 1; fitting < cases; ++seed) {
    REQUIRE(seed < 10 * static_cast<std::uint64_t>(cases));
    base::Random random(seed, stream);
    const stream::Config config = random_config(random);
    const std::string yaml = draw(random);
    CAPTURE(seed, yaml, config.array.rows, config.array.cols, config.array.input_channels, config.array.output_channels,
            static_cast<int>(config.schedule.loop_order));
    const network::Network network = network_of(yaml, seed);
    if (!reason(network, config).empty()) continue;
    ++fitting;
    REQUIRE(disagreement(network, config) == "");
  }
}

}  // namespace

TEST_CASE("Random convolutions compute what the reference computes") { check(150, "conv", random_conv); }

TEST_CASE("Random convolutions with pooling behind compute what the reference computes") {
  check(100, "pooled", [](base::Random& random) {
    const int kernel = random.uniform(1, 3);
    // The first pooling may find a single pixel; the padding of the second convolution makes room for the next.
    return random_conv(random) +
           fmt::format(
               "  - {{name: pool1, type: maxpool, kernel: 1, stride: {}}}\n"
               "  - {{name: conv2, type: conv, filters: 9, kernel: 3, padding: 3}}\n",
               random.uniform(1, 3)) +
           fmt::format("  - {{name: pool2, type: maxpool, kernel: {}, stride: {}, padding: {}, ceil_mode: {}}}\n",
                       kernel, random.uniform(1, 3), random.uniform(0, kernel / 2), random.chance(50));
  });
}

TEST_CASE("Random channelwise layers compute what the reference computes") {
  check(60, "channelwise", [](base::Random& random) {
    const int kernel = random.uniform(1, 4);
    std::string yaml = input(random, random.uniform(1, 20), random.uniform(5, 12), random.uniform(5, 12));
    yaml += fmt::format("  - {{name: pool, type: maxpool, kernel: {}, stride: {}, padding: {}, ceil_mode: {}}}\n",
                        kernel, random.uniform(1, 3), random.uniform(0, kernel / 2), random.chance(50));
    yaml += "  - {name: rectified, type: relu}\n";
    yaml += "  - {name: sum, type: add, with: pool" + activation(random) + "}\n";
    yaml += fmt::format("  - {{name: weighed, type: add, with: pool, quant: {{weights: [{}, {}], shift: 6}}{}}}\n",
                        random.uniform(1, 127), random.uniform(1, 127), activation(random));
    yaml += "  - {name: flat, type: flatten}\n  - {name: again, type: relu}\n";
    yaml += fmt::format("  - {{name: fc, type: fc, units: {}, {}}}\n", random.uniform(1, 30), quant(random));
    return yaml;
  });
}

TEST_CASE("Random average poolings compute what the reference computes") {
  check(60, "average", [](base::Random& random) {
    const int kernel = random.uniform(1, 5);
    return input(random, random.uniform(1, 20), random.uniform(5, 12), random.uniform(5, 12)) +
           fmt::format("  - {{name: pool, type: avgpool, kernel: {}, stride: {}, padding: {}, ceil_mode: {}}}\n",
                       kernel, random.uniform(1, 3), random.uniform(0, kernel / 2), random.chance(50));
  });
}

TEST_CASE("Random fully connected layers compute what the reference computes") {
  check(60, "fc", [](base::Random& random) {
    std::string yaml = input(random, random.uniform(1, 40), random.uniform(1, 8), random.uniform(1, 8));
    yaml += fmt::format("  - {{name: fc1, type: fc, units: {}, {}{}}}\n", random.uniform(1, 200), quant(random),
                        activation(random));
    yaml += fmt::format("  - {{name: fc2, type: fc, units: {}}}\n", random.uniform(1, 50));
    // Its padding puts a border around the input of fc1.
    yaml += "  - {name: conv, type: conv, filters: 3, kernel: 3, padding: 2, input_from: input}\n";
    return yaml;
  });
}

TEST_CASE("Random recurrent layers compute what the reference computes") {
  check(60, "recurrent", [](base::Random& random) {
    const bool is_unsigned = random.chance(50);
    std::string yaml =
        fmt::format("input: {{steps: {}, features: {}, type: {}, zero_point: {}}}\nlayers:\n", random.uniform(1, 12),
                    random.uniform(1, 60), is_unsigned ? "uint8" : "int8", random.uniform(0, 100));
    const char* type = random.chance(50) ? "lstm" : "gru";
    yaml += fmt::format("  - {{name: r1, type: {}, hidden: {}}}\n", type, random.uniform(1, 30));
    yaml += fmt::format("  - {{name: r2, type: {}, hidden: {}}}\n", random.chance(50) ? "lstm" : "gru",
                        random.uniform(1, 20));
    yaml += "  - {name: relu, type: relu}\n  - {name: sum, type: add, with: r2}\n";
    yaml += fmt::format("  - {{name: fc, type: fc, units: {}}}\n", random.uniform(1, 20));
    return yaml;
  });
}

TEST_CASE("A block of time steps that fills the input half is read no further than the half") {
  stream::Config config = config_of({3, 3, 8, 8});
  config.buffers.input_kib = 2;  // 16 steps of 64 features; a column block is 72
  const std::string yaml = "input: {steps: 20, features: 60}\nlayers:\n  - {name: r, type: lstm, hidden: 8}\n";
  CHECK(disagreement(network_of(yaml), config) == "");
}

}  // namespace fansim::test::random_test
