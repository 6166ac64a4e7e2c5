// SPDX-License-Identifier: Apache-2.0
#include "network/reference/reference.h"

#include <algorithm>
#include <catch2/catch.hpp>

#include "arith/requantise.h"
#include "base/random.h"
#include "network/reference/recurrent.h"

namespace fansim::reference_test {

using namespace network;

namespace {

constexpr arith::QuantiserFormat kWide{32, 32, arith::Rounding::half_up};

using Bytes = std::vector<std::int8_t>;

network::Tensor tensor(network::Shape shape, const Bytes& bytes, int zero_point = 0, bool is_unsigned = false) {
  return {shape, NumberFormat::codes(8, is_unsigned, zero_point), {bytes.begin(), bytes.end()}};
}

Bytes bytes_of(const network::Tensor& tensor) { return {tensor.bytes.begin(), tensor.bytes.end()}; }

// Returns a layer whose sums are passed on unchanged.
network::Layer layer(network::LayerType type, network::Shape in, network::Shape out) {
  network::Layer layer;
  layer.name = "layer";
  layer.type = type;
  layer.in = in;
  layer.out = out;
  layer.scale = {1};
  layer.shift = {0};
  return layer;
}

}  // namespace

TEST_CASE("a padded convolution computed by hand") {
  network::Layer conv = layer(network::LayerType::conv, network::Shape::map(1, 2, 2), network::Shape::map(1, 2, 2));
  conv.filters = 1;
  conv.kernel = 2;
  conv.padding = {0, 0, 1, 1};
  conv.weights = {1, 2, 3, 4};
  conv.bias = {-20};
  const network::Tensor in = tensor(conv.in, {1, 2, 3, 4});
  CHECK(bytes_of(run_reference(conv, kWide, in).out) == Bytes{10, -6, -9, -16});
  conv.activation = network::Activation::relu;
  conv.out_format.zero_point = -12;
  CHECK(bytes_of(run_reference(conv, kWide, in).out) == Bytes{-2, -12, -12, -12});
  const network::Statistics statistics = run_reference(conv, kWide, in).statistics;
  CHECK(statistics.values == 4);
  CHECK(statistics.zeros == 0);
  CHECK(statistics.informative() == 1);
}

TEST_CASE("products use the input less its zero point and padding counts as zero") {
  network::Layer conv = layer(network::LayerType::conv, network::Shape::map(1, 1, 1), network::Shape::map(1, 1, 1));
  conv.filters = 1;
  conv.kernel = 3;
  conv.padding = {1, 1, 1, 1};
  conv.weights = {9, 9, 9, 9, 2, 9, 9, 9, 9};
  conv.bias = {0};
  CHECK(bytes_of(run_reference(conv, kWide, tensor(conv.in, {static_cast<std::int8_t>(200)}, 190, true)).out) ==
        Bytes{20});
}

TEST_CASE("a fully connected layer computed by hand") {
  network::Layer fc = layer(network::LayerType::fc, network::Shape::map(3, 1, 1), network::Shape::map(2, 1, 1));
  fc.units = 2;
  fc.weights = {1, 2, 3, -1, -2, -3};
  fc.bias = {0, 5};
  fc.scale = {1, 2};
  CHECK(bytes_of(run_reference(fc, kWide, tensor(fc.in, {4, 5, 6})).out) == Bytes{32, -54});
}

TEST_CASE("sums that do not fit the accumulator wrap and are counted") {
  network::Layer fc = layer(network::LayerType::fc, network::Shape::map(2, 1, 1), network::Shape::map(1, 1, 1));
  fc.units = 1;
  fc.weights = {127, 127};
  fc.bias = {1 << 19};
  const network::Result result = run_reference(fc, {20, 16, arith::Rounding::truncate}, tensor(fc.in, {1, 1}));
  CHECK(bytes_of(result.out) == Bytes{-128});
  CHECK(result.statistics.accumulator_overflows == 1);
  CHECK(result.statistics.saturated == 1);
  CHECK(run_reference(fc, kWide, tensor(fc.in, {1, 1})).statistics.accumulator_overflows == 0);
}

TEST_CASE("sums of more products than 32 bits hold are exact") {
  network::Layer fc = layer(network::LayerType::fc, network::Shape::map(200'000, 1, 1), network::Shape::map(1, 1, 1));
  fc.units = 1;
  fc.weights.assign(200'000, -128);
  fc.bias = {0};
  const network::Result result =
      run_reference(fc, kWide, tensor(fc.in, Bytes(200'000, static_cast<std::int8_t>(255)), 0, true));
  CHECK(result.statistics.sum_rms() == 200'000.0 * 128 * 255);
  CHECK(result.statistics.accumulator_overflows == 1);
}

TEST_CASE("pooling computed by hand") {
  network::Layer pool = layer(network::LayerType::maxpool, network::Shape::map(1, 3, 3), network::Shape::map(1, 1, 1));
  pool.kernel = 2;
  pool.stride = 2;
  const network::Tensor in = tensor(pool.in, {-9, -8, -7, -6, -5, -4, -3, -2, -1});
  CHECK(bytes_of(run_reference(pool, kWide, in).out) == Bytes{-5});
  pool.out = network::Shape::map(1, 2, 2);  // ceil_mode: windows reach past the edge, where nothing is larger
  CHECK(bytes_of(run_reference(pool, kWide, in).out) == Bytes{-5, -4, -2, -1});

  pool.type = network::LayerType::avgpool;
  pool.kernel = 3;
  pool.out = network::Shape::map(1, 1, 1);
  CHECK(bytes_of(run_reference(pool, kWide, in).out) == Bytes{-5});
  CHECK(bytes_of(run_reference(pool, kWide, tensor(pool.in, {0, 0, 0, 0, 14, 0, 0, 0, 0})).out) == Bytes{2});
  pool.kernel = 1;
  pool.stride = 1;
  pool.out = pool.in;
  CHECK(run_reference(pool, kWide, in).out.bytes == in.bytes);
  pool.kernel = 3;
  pool.out = network::Shape::map(1, 1, 1);
  pool.out_format.zero_point = 10;  // mean of (q - 10) is -15
  CHECK(bytes_of(run_reference(pool, kWide, tensor(pool.in, bytes_of(in), 10)).out) == Bytes{-5});
}

TEST_CASE("a sum of two formats weighs and wraps and saturates and scales and rounds and clamps as done by hand") {
  network::Layer add = layer(network::LayerType::add, network::Shape::map(5, 1, 1), network::Shape::map(5, 1, 1));
  add.sum_weights = {3, 5};
  add.scale = {7};
  add.shift = {4};
  add.out_format.zero_point = -2;
  const network::Tensor a = tensor(add.in, {11, -6, 127, -128, 11}, 10), b = tensor(add.in, {1, 2, 127, -128, -1});
  const auto of = [&](const arith::QuantiserFormat& format) { return bytes_of(run_reference(add, format, a, &b).out); };
  // 3 (a - 10) + 5 b: 8, -38, 986, -1054, -2; by 7 / 16: 3.5, -16.625, 431, -461, -0.875.
  CHECK(of(kWide) == Bytes{2, -19, 127, -128, -3});
  CHECK(of({32, 32, arith::Rounding::truncate}) == Bytes{1, -19, 127, -128, -3});
  // An operand of 6 bits ends at -32 and 31, which are -14 and 13.5625.
  CHECK(of({32, 6, arith::Rounding::half_up}) == Bytes{2, -16, 12, -16, -3});
  // An accumulator of 6 bits holds 26 of -38, which is 11.375.
  CHECK(of({6, 32, arith::Rounding::half_up})[1] == 9);
  add.activation = network::Activation::relu;
  CHECK(of(kWide) == Bytes{2, -2, 127, -2, -2});
}

TEST_CASE("add saturates and relu clamps at the zero point and flatten keeps the bytes") {
  network::Layer add = layer(network::LayerType::add, network::Shape::map(4, 1, 1), network::Shape::map(4, 1, 1));
  const network::Tensor a = tensor(add.in, {100, -100, 5, -5});
  const network::Tensor b = tensor(add.in, {100, -100, 6, 4});
  CHECK(bytes_of(run_reference(add, kWide, a, &b).out) == Bytes{127, -128, 11, -1});
  add.activation = network::Activation::relu;
  CHECK(bytes_of(run_reference(add, kWide, a, &b).out) == Bytes{127, 0, 11, 0});

  network::Layer relu = layer(network::LayerType::relu, add.in, add.in);
  relu.out_format.zero_point = -7;
  CHECK(bytes_of(run_reference(relu, kWide, tensor(add.in, {100, -100, 5, -5}, -7)).out) == Bytes{100, -7, 5, -5});
  const network::Layer flatten =
      layer(network::LayerType::flatten, network::Shape::map(1, 2, 2), network::Shape::map(4, 1, 1));
  CHECK(bytes_of(run_reference(flatten, kWide, tensor(flatten.in, {1, 2, 3, 4})).out) == Bytes{1, 2, 3, 4});
}

TEST_CASE("an LSTM takes features then hidden state and its gates in the order i f g o") {
  network::Layer lstm = layer(network::LayerType::lstm, network::Shape::series(2, 1), network::Shape::series(2, 1));
  lstm.hidden = 1;
  lstm.steps = 2;
  lstm.weights = {1, 2, 3, 4, 5, 6, 7, 8};
  lstm.bias = {100, 200, 300, 400};
  lstm.scale = {16};
  const network::Result result = run_reference(lstm, kWide, tensor(lstm.in, {50, -60}));
  const auto pre = [](int x, int h) {
    return network::LstmGates{16 * (x + 2 * h + 100), 16 * (3 * x + 4 * h + 200), 16 * (5 * x + 6 * h + 300),
                              16 * (7 * x + 8 * h + 400)};
  };
  const network::LstmState first = network::lstm_unit(pre(50, 0), 0);
  const network::LstmState second = network::lstm_unit(pre(-60, first.h), first.c);
  CHECK(first.h != 0);
  CHECK(bytes_of(result.out) == Bytes{static_cast<std::int8_t>(first.h), static_cast<std::int8_t>(second.h)});
  CHECK(result.statistics.values == 8);
}

TEST_CASE("a GRU takes its gates in the order r z n and both biases") {
  network::Layer gru = layer(network::LayerType::gru, network::Shape::series(2, 1), network::Shape::series(2, 1));
  gru.hidden = 1;
  gru.steps = 2;
  gru.weights = {1, 2, 3, 4, 5, 6};
  gru.bias = {100, 200, 300, 10, 20, 30};
  gru.scale = {16};
  const network::Result result = run_reference(gru, kWide, tensor(gru.in, {50, -60}));
  const auto pre = [](int x, int h) {
    return network::GruGates{16 * (x + 2 * h + 110), 16 * (3 * x + 4 * h + 220), 16 * (5 * x + 300), 16 * (6 * h + 30)};
  };
  const int first = network::gru_unit(pre(50, 0), 0);
  const int second = network::gru_unit(pre(-60, first), first);
  CHECK(first != 0);
  CHECK(bytes_of(result.out) == Bytes{static_cast<std::int8_t>(first), static_cast<std::int8_t>(second)});
}

namespace {

// Computes with seven loops, one product at a time.
Bytes naive_convolution(const network::Layer& conv, const arith::QuantiserFormat& format, const network::Tensor& in) {
  Bytes out;
  const int channels = conv.in.channels / conv.groups;
  for (int f = 0; f < conv.filters; ++f) {
    for (int oy = 0; oy < conv.out.height; ++oy) {
      for (int ox = 0; ox < conv.out.width; ++ox) {
        std::int64_t sum = conv.bias[static_cast<std::size_t>(f)];
        for (int c = 0; c < channels; ++c) {
          for (int kr = 0; kr < conv.kernel; ++kr) {
            for (int kc = 0; kc < conv.kernel; ++kc) {
              const int y = oy * conv.stride + kr - conv.padding[0];
              const int x = ox * conv.stride + kc - conv.padding[1];
              if (y < 0 || x < 0 || y >= conv.in.height || x >= conv.in.width) continue;
              const int channel = f / (conv.filters / conv.groups) * channels + c;
              const int q = in.at(static_cast<std::size_t>((channel * conv.in.height + y) * conv.in.width + x));
              const int w =
                  conv.weights[static_cast<std::size_t>(((f * channels + c) * conv.kernel + kr) * conv.kernel + kc)];
              sum += w * (q - in.format.zero_point);
            }
          }
        }
        const int y = arith::requantise(sum, conv.requantise(f), format);
        out.push_back(static_cast<std::int8_t>(
            conv.activation == network::Activation::relu ? std::max(y, conv.out_format.zero_point) : y));
      }
    }
  }
  return out;
}

network::Layer random_convolution(base::Random& random) {
  network::Layer conv = layer(network::LayerType::conv, {}, {});
  conv.groups = random.uniform(1, 3);
  conv.filters = conv.groups * random.uniform(1, 5);
  conv.kernel = random.uniform(1, 5);
  conv.stride = random.uniform(1, 3);
  for (int& side : conv.padding) side = random.uniform(0, 3);
  const auto extent = [&] { return conv.kernel + random.uniform(0, 40); };
  conv.in = network::Shape::map(conv.groups * random.uniform(1, 7), extent(), extent());
  const auto windows = [&](int padded) { return (padded - conv.kernel) / conv.stride + 1; };
  conv.out = network::Shape::map(conv.filters, windows(conv.in.height + conv.padding[0] + conv.padding[2]),
                                 windows(conv.in.width + conv.padding[1] + conv.padding[3]));
  conv.activation = random.chance(50) ? network::Activation::relu : network::Activation::none;
  const bool is_unsigned = random.chance(50);
  conv.out_format = NumberFormat::codes(8, is_unsigned, random.uniform(0, 100));
  conv.scale.clear();
  conv.shift.clear();
  for (int f = 0; f < conv.filters; ++f) {
    conv.scale.push_back(random.uniform(1, 100));
    conv.shift.push_back(random.uniform(8, 16));
    conv.bias.push_back(random.uniform(-1000, 1000));
  }
  conv.weights.resize(static_cast<std::size_t>(conv.weight_count()));
  random.fill(conv.weights.data(), conv.weights.size(), -128, 127);
  return conv;
}

}  // namespace

TEST_CASE("random convolutions equal the seven naive loops") {
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    base::Random random(seed);
    const network::Layer conv = random_convolution(random);
    network::Tensor in = tensor(conv.in, {}, random.uniform(0, 127), random.chance(50));
    Bytes bytes(static_cast<std::size_t>(conv.in.elements()));
    random.fill(bytes.data(), bytes.size(), -128, 127);
    in.bytes.assign(bytes.begin(), bytes.end());
    const arith::QuantiserFormat format{random.uniform(16, 32), random.uniform(12, 32),
                                        random.chance(50) ? arith::Rounding::half_up : arith::Rounding::truncate};
    INFO("seed " << seed << ", in " << conv.in.text() << ", kernel " << conv.kernel << ", groups " << conv.groups);
    REQUIRE(bytes_of(run_reference(conv, format, in).out) == naive_convolution(conv, format, in));
  }
}

}  // namespace fansim::reference_test
