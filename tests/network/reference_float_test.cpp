// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <cmath>

#include "base/random.h"
#include "network/reference/reference.h"
#include "support/quantisation.h"

namespace fansim::reference_float_test {

using namespace network;

namespace {

constexpr arith::QuantiserFormat kWide{48, 48, arith::Rounding::half_up};

// Has operands of any value, from a table.
class Table final : public arith::WeightCodec {
 public:
  explicit Table(std::vector<float> values) : WeightCodec(8), values_(std::move(values)) {}
  unsigned project(float) const override { return 0; }
  float inverse(unsigned code) const override { return values_[code]; }
  int integer(unsigned) const override { return 0; }
  float step() const override { return 0; }
  float operand(unsigned code) const override { return values_[code]; }
  float product(unsigned code, int activation) const override { return values_[code] * static_cast<float>(activation); }

 private:
  std::vector<float> values_;
};

// Returns an fc of one unit, whose input is all ones and whose operands are `values`; its sums are 16-bit integers.
network::Layer fc_of(const std::vector<float>& values, int lanes, int steps) {
  network::Layer fc;
  fc.name = "fc";
  fc.operation = network::FullyConnected{};
  fc.fc().units = 1;
  fc.in = network::Shape::map(static_cast<int>(values.size()), 1, 1);
  fc.out = network::Shape::map(1, 1, 1);
  fc.out_format = NumberFormat::codes(16);
  for (std::size_t i = 0; i < values.size(); ++i) fc.parameters().weights.push_back(static_cast<std::int8_t>(i));
  fc.parameters().codec = std::make_shared<Table>(values);
  fc.parameters().bias = {0};
  fc.parameters().float_sums = network::FloatSums{1, lanes, steps};
  return fc;
}

int sum_of(const std::vector<float>& values, int lanes, int steps) {
  const network::Layer fc = fc_of(values, lanes, steps);
  const network::Tensor ones{fc.in, fc.in_format, std::vector<std::uint8_t>(values.size(), 1)};
  return run_reference(fc, kWide, ones).out.at(0);
}

// One output's sum as the contract words it, element by element.
float sum_in_order(const std::vector<float>& operands, const std::vector<int>& values, const network::Layer& layer) {
  const network::FloatSums& sums = *layer.parameters().float_sums;
  const auto lanes = static_cast<std::size_t>(sums.lanes), steps = static_cast<std::size_t>(sums.steps);
  float sum = 0;
  for (std::size_t t = 0; t * lanes * steps < operands.size(); ++t) {
    for (std::size_t k = 0; k < steps; ++k) {
      std::vector<float> level;
      for (std::size_t lane = 0; lane < lanes; ++lane) {
        const std::size_t e = (t * lanes + lane) * steps + k;
        level.push_back(e < operands.size() ? operands[e] * static_cast<float>(values[e]) : 0.0f);
      }
      while (level.size() > 1) {
        std::vector<float> next;
        for (std::size_t i = 0; i + 1 < level.size(); i += 2) next.push_back(level[i] + level[i + 1]);
        if (level.size() % 2 != 0) next.push_back(level.back());
        level = next;
      }
      sum += level[0];
    }
  }
  return sum;
}

// Draws a convolution with random geometry, weights and order.
network::Layer random_conv(base::Random& random) {
  network::Convolution own;
  own.groups = random.uniform(1, 2);
  own.filters = own.groups * random.uniform(1, 3);
  own.window.kernel = random.uniform(1, 3);
  own.window.stride = random.uniform(1, 2);
  for (int& side : own.window.padding) side = random.uniform(0, 2);
  network::Layer conv;
  conv.name = "conv";
  conv.in = network::Shape::map(own.groups * random.uniform(1, 7), random.uniform(3, 8), random.uniform(3, 8));
  const auto windows = [&own](int padded) { return (padded - own.window.kernel) / own.window.stride + 1; };
  conv.out = network::Shape::map(own.filters, windows(conv.in.height + own.window.padding[0] + own.window.padding[2]),
                                 windows(conv.in.width + own.window.padding[1] + own.window.padding[3]));
  conv.operation = own;
  conv.in_format.zero_point = random.uniform(-20, 20);
  conv.out_format.zero_point = random.uniform(-20, 20);
  network::Parameters& parameters = conv.parameters();
  const int lanes = random.uniform(1, 9);
  parameters.float_sums = network::FloatSums{1.7f, lanes, random.chance(50) ? own.window.area() : random.uniform(1, 4)};
  std::vector<float> table = test::bell(256, random.next(), 0.1);
  parameters.codec = std::make_shared<Table>(table);
  parameters.weights.resize(static_cast<std::size_t>(conv.weight_count()));
  random.fill(parameters.weights.data(), parameters.weights.size(), -128, 127);
  for (int f = 0; f < own.filters; ++f) parameters.bias.push_back(random.uniform(-30, 30));
  return conv;
}

network::Tensor random_tensor(base::Random& random, const network::Shape& shape, const NumberFormat& format) {
  network::Tensor tensor{shape, format, {}};
  tensor.resize(static_cast<std::size_t>(shape.elements()));
  for (std::size_t i = 0; i < tensor.size(); ++i) tensor.set(i, random.uniform(format.lowest(), format.highest()));
  return tensor;
}

// Lists the products of output (f, row, column): operands and centred values, [channel][kr][kc].
void window(const network::Layer& conv, const network::Tensor& in, int f, int row, int column,
            std::vector<float>& operands, std::vector<int>& values) {
  const int channels = conv.in.channels / conv.groups(), group = f / (conv.outputs() / conv.groups());
  const network::Window& own = conv.window();
  for (int c = 0; c < channels; ++c) {
    for (int kr = 0; kr < own.kernel; ++kr) {
      for (int kc = 0; kc < own.kernel; ++kc) {
        const int weight = ((f * channels + c) * own.kernel + kr) * own.kernel + kc;
        operands.push_back(conv.parameters().operand(static_cast<std::size_t>(weight)));
        const int y = row * own.stride + kr - own.padding[0], x = column * own.stride + kc - own.padding[1];
        const bool inside = y >= 0 && y < conv.in.height && x >= 0 && x < conv.in.width;
        const int at = ((group * channels + c) * conv.in.height + y) * conv.in.width + x;
        values.push_back(inside ? in.at(static_cast<std::size_t>(at)) - in.format.zero_point : 0);
      }
    }
  }
}

}  // namespace

TEST_CASE("the order of a float sum computed by hand") {
  constexpr float kBig = 33554432;  // 2^25: adding 1 rounds it away
  const std::vector<float> values{kBig, 1, -kBig, 1};
  CHECK(sum_of(values, 1, 1) == 1);  // ((big + 1) - big) + 1
  CHECK(sum_of(values, 2, 1) == 0);  // (big + 1), then (-big + 1)
  CHECK(sum_of(values, 2, 2) == 2);  // (big - big), then (1 + 1)
  CHECK(sum_of(values, 3, 1) == 1);  // (big + 1) - big, then (1 + 0) + 0
  CHECK(sum_of(values, 4, 1) == 0);  // (big + 1) + (-big + 1)
  CHECK(sum_of(values, 1, 4) == 1);
  CHECK(sum_of({kBig, 1, -kBig, 1, 1}, 5, 1) == 1);  // the fifth joins last
}

TEST_CASE("random convolutions in random orders equal the contract's loops") {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    base::Random random(seed);
    const network::Layer conv = random_conv(random);
    const network::Tensor in = random_tensor(random, conv.in, conv.in_format);
    const network::Tensor out = run_reference(conv, kWide, in).out;
    std::size_t at = 0;
    for (int f = 0; f < conv.outputs(); ++f) {
      for (int row = 0; row < conv.out.height; ++row) {
        for (int column = 0; column < conv.out.width; ++column, ++at) {
          std::vector<float> operands;
          std::vector<int> values;
          window(conv, in, f, row, column, operands, values);
          const float sum = sum_in_order(operands, values, conv) +
                            static_cast<float>(conv.parameters().bias[static_cast<std::size_t>(f)]);
          const int value = conv.out_format.zero_point +
                            static_cast<int>(std::floor(sum * conv.parameters().float_sums->scale + 0.5f));
          INFO("seed " << seed << ", output " << f << " " << row << " " << column);
          REQUIRE(out.at(at) == std::max(-128, std::min(value, 127)));
        }
      }
    }
  }
}

TEST_CASE("a product is rounded before it is added") {
  // (1 + 2^-12) 4097 is 4098 + 2^-12, which a float rounds to 4098; fused with the sum it would leave 2^-12.
  network::Layer fc = fc_of({-4098, 1 + 1.0f / 4096}, 1, 1);
  fc.in_format = NumberFormat::codes(16);
  fc.parameters().float_sums->scale = 4096;
  network::Tensor in{fc.in, fc.in_format, {}};
  in.resize(2);
  in.set(0, 1);
  in.set(1, 4097);
  CHECK(run_reference(fc, kWide, in).out.at(0) == 0);
}

TEST_CASE("the bias joins last and halves round up and types saturate") {
  network::Layer fc = fc_of({0.5f}, 1, 1);
  const network::Tensor one{fc.in, fc.in_format, {1}};
  CHECK(run_reference(fc, kWide, one).out.at(0) == 1);
  fc.parameters().bias = {-1};
  CHECK(run_reference(fc, kWide, one).out.at(0) == 0);  // -0.5
  fc.parameters().bias = {-2};
  CHECK(run_reference(fc, kWide, one).out.at(0) == -1);  // -1.5
  fc.parameters().bias = {1000000000};
  CHECK(run_reference(fc, kWide, one).out.at(0) == 32767);
  fc.parameters().float_sums->scale = -1e30f;
  CHECK(run_reference(fc, kWide, one).out.at(0) == -32768);
  fc.out_format = NumberFormat::codes(3, true, 2);
  fc.parameters().float_sums->scale = 1;
  CHECK(run_reference(fc, kWide, one).out.at(0) == 7);
  fc.parameters().bias = {-5};
  fc.activation = network::Activation::relu;
  CHECK(run_reference(fc, kWide, one).out.at(0) == 2);
}

TEST_CASE("coarse and fine layers put out the same while floats are exact") {
  const arith::QuantisationMethods methods;
  test::for_every_codec([&](const arith::QuantisationMethod& method, const arith::WeightCodec& codec) {
    if (!method.supports(arith::Grain::coarse) || codec.bits() > 9) return;
    network::Layer fc = fc_of(std::vector<float>(60), 7, 1);
    fc.parameters().weight_bits = codec.bits();
    fc.parameters().weights.resize(static_cast<std::size_t>(fc.weight_bytes()));
    base::Random random(17);
    for (std::int8_t& code : fc.parameters().weights)
      code = static_cast<std::int8_t>(random.uniform(0, codec.bits() > 8 ? 1 : static_cast<int>(codec.codes()) - 1));
    fc.parameters().codec = std::shared_ptr<const arith::WeightCodec>(&codec, [](const arith::WeightCodec*) {});
    fc.scales().scale = {1};
    fc.scales().shift = {4};
    fc.parameters().float_sums->scale = 1.0f / 16;
    const network::Tensor in = random_tensor(random, fc.in, fc.in_format);
    const network::Tensor fine = run_reference(fc, kWide, in).out;
    fc.parameters().float_sums.reset();
    INFO(method.name() << " of " << codec.bits() << " bits");
    CHECK(run_reference(fc, kWide, in).out.at(0) == fine.at(0));
  });
}

}  // namespace fansim::reference_float_test
