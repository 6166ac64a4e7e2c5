// SPDX-License-Identifier: Apache-2.0
#include "network/definitions.h"

#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <climits>
#include <string>

#include "base/random.h"
#include "network/reference/reference.h"
#include "support/network_text.h"

namespace fansim::definitions_test {

namespace {

using base::Random;
using network::Layer;
using network::Network;
using network::NumberFormat;
using network::Tensor;

// Both ends of a range are as likely as all that lies between.
int anywhere(Random& random, int lowest, int highest) {
  const int kind = random.uniform(0, 3);
  return kind == 0 ? lowest : kind == 1 ? highest : random.uniform(lowest, highest);
}

std::string format_text(Random& random) {
  const bool is_unsigned = random.chance(50);
  const int low = is_unsigned ? 0 : -128;
  return fmt::format("type: {}, zero_point: {}", is_unsigned ? "uint8" : "int8",
                     random.chance(40) ? 0 : anywhere(random, low, low + 255));
}

// Steps are powers of two, so that halves are exact.
double step(Random& random) { return 1.0 / (1 << random.uniform(2, 7)); }

std::string windows_text(Random& random, int rows, int columns, bool square) {
  const int height = random.uniform(1, std::min(rows, 4)),
            width = square ? height : random.uniform(1, std::min(columns, 4));
  const auto side = [&](int kernel) { return random.uniform(0, kernel - 1); };
  const int top = side(height), left = side(width), bottom = side(height), right = side(width);
  const std::string common = fmt::format("padding: [{}, {}, {}, {}], ceil_mode: {}", top, left, bottom, right,
                                         random.chance(50) ? "true" : "false");
  if (square) return fmt::format("kernel: {}, stride: {}, {}", height, random.uniform(1, 3), common);
  return fmt::format("kernel: [{}, {}], stride: [{}, {}], {}", height, width, random.uniform(1, 3),
                     random.uniform(1, 3), common);
}

std::string convolution_text(Random& random, int channels) {
  int groups = 1;
  if (random.chance(50)) groups = random.chance(50) ? channels : random.uniform(1, channels);
  while (channels % groups != 0) --groups;
  const int kernel = random.uniform(1, 3);
  return fmt::format("type: conv, filters: {}, kernel: {}, stride: {}, groups: {}, padding: [{}, {}, {}, {}]",
                     groups * random.uniform(1, 3), kernel, random.uniform(1, 3), groups, random.uniform(0, 3),
                     random.uniform(0, 3), random.uniform(0, 3), random.uniform(0, 3));
}

struct Map {
  int channels, height, width;
};

// Returns the keys of a layer of the kind that reads a map, and another one of its shape, 'other'.
std::string keys_of(Random& random, const std::string& type, const Map& map) {
  const std::string activation = random.chance(50) ? ", activation: relu" : "";
  const auto quant = [&] { return fmt::format(", quant: {{{}}}", format_text(random)); };
  if (type == "conv") return convolution_text(random, map.channels) + activation + quant();
  if (type == "fc") return fmt::format("type: fc, units: {}{}{}", random.uniform(1, 5), activation, quant());
  const std::string own = fmt::format(", step: {}", step(random)) + (random.chance(50) ? quant() : "");
  const std::string begin = "type: " + type;
  if (type == "maxpool" || type == "avgpool") return begin + ", " + windows_text(random, map.height, map.width, true);
  if (type == "window_max") return begin + ", " + windows_text(random, map.height, map.width, false);
  if (type == "window_mean")
    return begin + ", " + windows_text(random, map.height, map.width, false) +
           (random.chance(50) ? ", count_padding: true" : "") + own;
  if (type == "weighted add")
    return fmt::format("type: add, with: other{}, quant: {{weights: [{}, {}], scale: {}, shift: {}, {}}}", activation,
                       anywhere(random, 1, 32767), anywhere(random, 1, 32767), anywhere(random, 1, 32767),
                       anywhere(random, 0, 31), format_text(random));
  if (type == "add") return begin + ", with: input" + activation;
  if (type == "concat") return fmt::format("{}, with: other, step: {}", begin, step(random));
  if (type == "multiply" || type == "sum" || type == "subtract") return begin + ", with: other" + own;
  if (type == "slice") {
    const int channels = random.uniform(1, map.channels);
    return fmt::format("{}, channels: {}, first: {}", begin, channels, random.uniform(0, map.channels - channels));
  }
  if (type == "space_to_depth")
    return fmt::format("{}, factor: [{}, {}]", begin, map.height % 2 == 0 ? 2 : 1, map.width % 3 == 0 ? 3 : 1);
  if (type == "resize" || type == "stretch")
    return fmt::format("{}, factor: [{}, {}]", begin, random.uniform(1, 3), random.uniform(1, 3));
  if (type == "bilinear") {
    // Aligned corners divide by numbers that are no powers of two; a step of 0.0371 leaves hardly any halves.
    const char* const corners[] = {"half_pixel", "asymmetric", "align"};
    const int kind = random.uniform(0, 2);
    return fmt::format("{}, factor: [{}, {}], corners: {}{}", begin, 1 << random.uniform(0, 2),
                       1 << random.uniform(0, 2), corners[kind], kind == 2 ? ", step: 0.0371" : own);
  }
  if (type == "lrn") return fmt::format("{}, size: {}, alpha: 0.5, bias: 2{}", begin, random.uniform(1, 6), own);
  if (type == "clip")
    return fmt::format("{}, low: {}, high: {}{}", begin, -random.uniform(0, 3), random.uniform(0, 3), own);
  if (type == "leaky_relu") {
    std::string slopes = "0.25";
    for (int more = random.chance(50) ? map.channels - 1 : 0; more > 0; --more)
      slopes += fmt::format(", {}", random.uniform(-20, 20) / 8.0);
    return fmt::format("{}, alpha: [{}]{}", begin, slopes, own);
  }
  return begin + (type == "relu" || type == "flatten" ? "" : own);
}

// A network of two layers: another operand, and the layer.
Network network_of(Random& random, const std::string& type) {
  if (type == "lstm" || type == "gru") {
    std::string hidden;
    if (type == "lstm" && random.chance(50))
      hidden =
          fmt::format(", hidden_quant: {{scale: {}, shift: {}}}", anywhere(random, 1, 32767), anywhere(random, 0, 31));
    return test::network_of(fmt::format(
        "input: {{steps: {}, features: {}, {}}}\nlayers:\n  - {{name: l, type: {}, hidden: {}{}}}\n",
        random.uniform(1, 4), random.uniform(1, 6), format_text(random), type, random.uniform(1, 5), hidden));
  }
  const Map map{random.uniform(1, 6), random.uniform(1, 6), random.uniform(1, 6)};
  // Operands of a concatenation have one format.
  const std::string format = format_text(random), of_other = type == "concat" ? format : format_text(random);
  return test::network_of(
      fmt::format("input: {{shape: [{}, {}, {}], {}, step: {}}}\nlayers:\n"
                  "  - {{name: other, type: conv, filters: {}, kernel: 1, quant: {{{}}}, step: {}}}\n"
                  "  - {{name: l, input_from: input, {}}}\n",
                  map.channels, map.height, map.width, format, step(random), map.channels, of_other, step(random),
                  keys_of(random, type, map)));
}

NumberFormat widened(const NumberFormat& format, int bits) {
  return NumberFormat::codes(bits, format.is_unsigned(), format.zero_point * (1 << (bits - 8)));
}

// Gives every tensor codes of so many bits.
void widen(Network& network, int bits) {
  network.input.format = widened(network.input.format, bits);
  for (Layer& layer : network.layers) {
    layer.in_format = widened(layer.in_format, bits);
    layer.out_format = widened(layer.out_format, bits);
  }
}

// Gives the network values from anywhere in the range of their types.
void fill(Random& random, Network& network) {
  Tensor& input = network.input;
  input.resize(static_cast<std::size_t>(input.shape.elements()));
  for (std::size_t i = 0; i < input.size(); ++i)
    input.set(i, anywhere(random, input.format.lowest(), input.format.highest()));
  for (Layer& layer : network.layers) {
    if (!layer.computes()) continue;
    network::Parameters& parameters = layer.parameters();
    for (std::int8_t& weight : parameters.weights) weight = static_cast<std::int8_t>(anywhere(random, -128, 127));
    const bool large = random.chance(50);
    for (std::int64_t& bias : parameters.bias)
      bias = large ? anywhere(random, INT_MIN, INT_MAX) : random.uniform(-100000, 100000);
    const auto outputs = static_cast<std::size_t>(layer.recurs() || random.chance(50) ? 1 : layer.outputs());
    parameters.scales.scale.resize(outputs);
    parameters.scales.shift.resize(outputs);
    for (int& scale : parameters.scales.scale) scale = anywhere(random, 1, 32767);
    for (int& shift : parameters.scales.shift) shift = large ? anywhere(random, 0, 31) : random.uniform(8, 24);
  }
}

arith::QuantiserFormat format_of(Random& random) {
  return {random.chance(30) ? random.uniform(8, 48) : 32, random.chance(30) ? random.uniform(8, 48) : 32,
          random.chance(50) ? arith::Rounding::half_up : arith::Rounding::truncate};
}

std::vector<int> codes_of(const Tensor& tensor) {
  std::vector<int> codes;
  for (std::size_t i = 0; i < tensor.size(); ++i) codes.push_back(tensor.at(i));
  return codes;
}

constexpr std::uint64_t kNetworks = 150;  // of each type and width

// Compares networks whose last layer has this type with the definition.
void check(const std::string& type, int bits) {
  int values = 0;
  for (std::uint64_t seed = 1; seed <= kNetworks; ++seed) {
    Random random(seed, type);
    Network network;
    try {
      network = network_of(random, type);
    } catch (const base::UserError&) {
      continue;  // a window larger than its map
    }
    if (bits > 8) widen(network, bits);
    fill(random, network);
    const arith::QuantiserFormat format = format_of(random);
    const std::vector<network::Result> results = run_reference(network, format);
    const auto tensor = [&](int producer) -> const Tensor& {
      return producer < 0 ? network.input : results[static_cast<std::size_t>(producer)].out;
    };
    for (std::size_t i = 0; i < network.layers.size(); ++i) {
      const Layer& layer = network.layers[i];
      INFO("seed " << seed << ", " << type << ", layer " << i << ", accumulator " << format.accumulator_bits
                   << ", operand " << format.operand_bits << ", " << bits << " bits");
      REQUIRE(codes_of(results[i].out) ==
              definitions::output_of(layer, format, tensor(layer.source), tensor(layer.with)));
      values += static_cast<int>(results[i].out.size());
    }
  }
  CHECK(values > 500);
}

}  // namespace

TEST_CASE("layers with weights equal their definition over all values of 8 bits") {
  for (const char* type : {"conv", "fc", "lstm", "gru"}) check(type, 8);
}

TEST_CASE("poolings and sums and what keeps codes equal their definition over all values of 8 bits") {
  for (const char* type : {"maxpool", "avgpool", "add", "weighted add", "relu", "flatten"}) check(type, 8);
}

TEST_CASE("functions equal their definition over all values of 8 bits") {
  check("softmax", 8);
  for (const std::string& type : network::function_names()) check(type, 8);
}

TEST_CASE("layers equal their definition over all values of 12 and 16 bits") {
  for (const int bits : {12, 16}) {
    for (const char* type : {"conv", "fc", "maxpool", "avgpool", "add", "weighted add", "relu", "flatten"})
      check(type, bits);
    for (const std::string& type : network::function_names()) check(type, bits);
  }
}

TEST_CASE("a mean that counts padding counts nothing beyond it") {
  // Windows begin at 0 and 2 of four cells; the last one reaches past the edge, where there is no padding.
  const Network network = test::network_of(
      "input: {shape: [1, 1, 4], step: 1}\nlayers:\n"
      "  - {name: m, type: window_mean, kernel: [1, 3], stride: 2, ceil_mode: true, count_padding: true}\n");
  Tensor in{network.layers[0].in, network.input.format, {10, 20, 30, 90}};
  CHECK(codes_of(run_reference(network.layers[0], {}, in).out) == std::vector<int>{20, 60});
}

}  // namespace fansim::definitions_test
