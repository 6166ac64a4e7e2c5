// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "arith/requantise.h"
#include "base/random.h"
#include "network/reference/reference.h"
#include "support/quantisation.h"

namespace fansim::reference_coded_test {

using namespace network;

namespace {

constexpr arith::QuantiserFormat kWide{48, 48, arith::Rounding::half_up};

network::Tensor random_tensor(base::Random& random, const network::Shape& shape, int bits, bool is_unsigned = false,
                              int zero_point = 0) {
  network::Tensor tensor{shape, NumberFormat::codes(bits, is_unsigned, zero_point), {}};
  tensor.resize(static_cast<std::size_t>(shape.elements()));
  for (std::size_t i = 0; i < tensor.size(); ++i)
    tensor.set(i, random.uniform(tensor.format.lowest(), tensor.format.highest()));
  return tensor;
}

network::Layer conv_3x3(int weight_bits, int bits) {
  network::Layer conv;
  conv.name = "conv";
  conv.operation = network::Convolution{};
  conv.conv().filters = 4;
  conv.conv().window.kernel = 3;
  conv.conv().groups = 2;
  conv.conv().window.padding = {1, 1, 1, 1};
  conv.in = network::Shape::map(6, 7, 5);
  conv.out = network::Shape::map(4, 7, 5);
  conv.in_format = conv.out_format = NumberFormat::codes(bits);
  conv.parameters().weight_bits = weight_bits;
  conv.parameters().bias = {1000, -1000, 77, 0};
  conv.scales().scale = {23000};
  conv.scales().shift = {31};
  return conv;
}

network::Layer fc_of(const network::Layer& conv) {
  network::Layer fc = conv;
  fc.operation = network::FullyConnected{4, conv.parameters()};
  fc.out = network::Shape::map(4, 1, 1);
  return fc;
}

void give_codes(network::Layer& layer, base::Random& random, const std::shared_ptr<const arith::WeightCodec>& codec) {
  network::Parameters& parameters = layer.parameters();
  parameters.codec = codec;
  parameters.weights.resize(static_cast<std::size_t>(layer.weight_bytes()));
  for (std::size_t i = 0; i < static_cast<std::size_t>(layer.weight_count()); ++i) {
    const int code = random.uniform(0, static_cast<int>(codec->codes()) - 1);
    const bool wide = parameters.weight_bits > 8;
    if (wide) parameters.weights[2 * i + 1] = static_cast<std::int8_t>(code >> 8);
    parameters.weights[wide ? 2 * i : i] = static_cast<std::int8_t>(code);
  }
}

std::shared_ptr<const arith::WeightCodec> dorefa(int bits) {
  return arith::QuantisationMethods().find("dorefa")->fit(test::bell(100, 1), bits);
}

// The exact sum of output i of an fc or conv_3x3.
std::int64_t exact_sum(const network::Layer& layer, const network::Tensor& in, int i) {
  const bool conv = layer.type() == network::LayerType::conv;
  const int f = conv ? i / 35 : i;
  std::int64_t sum = layer.parameters().bias[static_cast<std::size_t>(f)];
  for (int e = 0; e < layer.fan_in(); ++e) {
    const auto weight = static_cast<std::size_t>(f * layer.fan_in() + e);
    int from = e;
    if (conv) {
      const int row = i % 35 / 5 + e / 3 % 3 - 1, column = i % 5 + e % 3 - 1;
      if (row < 0 || row > 6 || column < 0 || column > 4) continue;
      from = (f / 2 * 3 + e / 9) * 35 + row * 5 + column;
    }
    sum += std::int64_t{layer.parameters().integer(weight)} *
           (in.at(static_cast<std::size_t>(from)) - in.format.zero_point);
  }
  return sum;
}

}  // namespace

TEST_CASE("codes that are int8 integers give what int8 weights give") {
  base::Random random(1);
  for (int round = 0; round < 10; ++round) {
    network::Layer conv = conv_3x3(8, 8);
    conv.scales().shift = {23};
    give_codes(conv, random, dorefa(8));
    const network::Tensor in = random_tensor(random, conv.in, 8, round % 2 == 1, 3);
    for (network::Layer coded : {conv, fc_of(conv)}) {
      if (coded.type() == network::LayerType::fc) give_codes(coded, random, dorefa(8));
      const network::Result found = run_reference(coded, kWide, in);
      coded.parameters().codec = nullptr;
      CHECK(found.out.bytes == run_reference(coded, kWide, in).out.bytes);
      if (coded.type() == network::LayerType::conv) CHECK(found.statistics.informative() > 0.5);
    }
  }
}

TEST_CASE("sums of every width are exact in 16-bit extremes too") {
  base::Random random(2);
  for (const auto& [weight_bits, bits] : {std::pair{1, 1}, {3, 2}, {8, 12}, {12, 8}, {9, 9}, {16, 16}, {8, 16}}) {
    for (const bool is_unsigned : {false, true}) {
      network::Layer conv = conv_3x3(weight_bits, bits);
      conv.out_format = NumberFormat::codes(bits, is_unsigned);
      give_codes(conv, random, dorefa(weight_bits));
      const network::Tensor in =
          random_tensor(random, conv.in, bits, is_unsigned, is_unsigned ? 0 : 1 - (1 << (bits - 1)));
      network::Layer fc = fc_of(conv);
      give_codes(fc, random, conv.parameters().codec);
      for (const network::Layer* layer : {&conv, &fc}) {
        const network::Tensor out = run_reference(*layer, kWide, in).out;
        INFO(weight_bits << " by " << bits << " bits, " << type_name(layer->type()));
        for (std::size_t i = 0; i < out.size(); ++i) {
          const std::int64_t sum = exact_sum(*layer, in, static_cast<int>(i));
          const int plane = layer->type() == network::LayerType::conv ? 35 : 1;
          REQUIRE(out.at(i) == arith::requantise(sum, layer->requantise(static_cast<int>(i) / plane), kWide));
        }
      }
    }
  }
}

TEST_CASE("the accumulator wraps at its width and overflows are counted") {
  base::Random random(3);
  network::Layer fc = fc_of(conv_3x3(16, 16));
  give_codes(fc, random, dorefa(16));
  const network::Tensor in = random_tensor(random, fc.in, 16);
  fc.scales().scale = {32767};
  fc.scales().shift = {31};
  const arith::QuantiserFormat narrow{24, 24, arith::Rounding::half_up};
  const network::Result result = run_reference(fc, narrow, in);
  for (int i = 0; i < 4; ++i) {
    const std::int64_t wrapped = arith::wrap(exact_sum(fc, in, i), 24);
    CHECK(result.out.at(static_cast<std::size_t>(i)) == arith::round_shift(wrapped * 32767, 31));
  }
  CHECK(result.statistics.accumulator_overflows > 0);
}

TEST_CASE("pooling and add and relu work on every width") {
  for (const int bits : {2, 4, 12, 16}) {
    INFO(bits << " bits");
    network::Layer layer;
    layer.name = "layer";
    layer.in = network::Shape::map(1, 2, 2);
    layer.out = network::Shape::map(1, 1, 1);
    layer.in_format = layer.out_format = NumberFormat::codes(bits);
    network::Tensor in{layer.in, layer.in_format, {}};
    in.resize(4);
    const int low = in.format.lowest(), high = in.format.highest();
    in.set(0, low);
    in.set(1, high);
    in.set(2, high);
    in.set(3, high);
    layer.operation = network::Pooling{false, {2, 2}};
    CHECK(run_reference(layer, kWide, in).out.at(0) == high);
    layer.operation = network::Pooling{true, {2, 2}};
    CHECK(run_reference(layer, kWide, in).out.at(0) == arith::round_shift(low + 3 * high, 2));
    layer.out = layer.in;
    layer.operation = network::Addition{};
    CHECK(run_reference(layer, kWide, in, &in).out.at(0) == low);
    CHECK(run_reference(layer, kWide, in, &in).out.at(1) == high);
    layer.operation = network::Relu{};
    CHECK(run_reference(layer, kWide, in).out.at(0) == 0);
    CHECK(run_reference(layer, kWide, in).out.at(1) == high);
    layer.operation = network::Flatten{};
    CHECK(run_reference(layer, kWide, in).out.bytes == in.bytes);
  }
}

TEST_CASE("an input of another width is a mistake of the caller") {
  network::Layer conv = conv_3x3(8, 8);
  base::Random random(4);
  give_codes(conv, random, dorefa(8));
  CHECK_THROWS_AS(run_reference(conv, kWide, random_tensor(random, conv.in, 9)), std::invalid_argument);
  conv.in_format = NumberFormat::codes(17);
  CHECK_THROWS_AS(run_reference(conv, kWide, random_tensor(random, conv.in, 17)), std::invalid_argument);
}

}  // namespace fansim::reference_coded_test
