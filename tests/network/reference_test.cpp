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
network::Layer layer(network::Operation operation, network::Shape in, network::Shape out) {
  network::Layer layer;
  layer.name = "layer";
  layer.operation = std::move(operation);
  layer.in = in;
  layer.out = out;
  if (layer.computes()) layer.scales() = {{1}, {0}, true};
  return layer;
}

}  // namespace

TEST_CASE("a padded convolution computed by hand") {
  network::Layer conv = layer(network::Convolution{}, network::Shape::map(1, 2, 2), network::Shape::map(1, 2, 2));
  conv.conv().filters = 1;
  conv.conv().window.kernel = 2;
  conv.conv().window.padding = {0, 0, 1, 1};
  conv.parameters().weights = {1, 2, 3, 4};
  conv.parameters().bias = {-20};
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
  network::Layer conv = layer(network::Convolution{}, network::Shape::map(1, 1, 1), network::Shape::map(1, 1, 1));
  conv.conv().filters = 1;
  conv.conv().window.kernel = 3;
  conv.conv().window.padding = {1, 1, 1, 1};
  conv.parameters().weights = {9, 9, 9, 9, 2, 9, 9, 9, 9};
  conv.parameters().bias = {0};
  CHECK(bytes_of(run_reference(conv, kWide, tensor(conv.in, {static_cast<std::int8_t>(200)}, 190, true)).out) ==
        Bytes{20});
}

TEST_CASE("a fully connected layer computed by hand") {
  network::Layer fc = layer(network::FullyConnected{}, network::Shape::map(3, 1, 1), network::Shape::map(2, 1, 1));
  fc.fc().units = 2;
  fc.parameters().weights = {1, 2, 3, -1, -2, -3};
  fc.parameters().bias = {0, 5};
  fc.scales().scale = {1, 2};
  CHECK(bytes_of(run_reference(fc, kWide, tensor(fc.in, {4, 5, 6})).out) == Bytes{32, -54});
}

TEST_CASE("sums that do not fit the accumulator wrap and are counted") {
  network::Layer fc = layer(network::FullyConnected{}, network::Shape::map(2, 1, 1), network::Shape::map(1, 1, 1));
  fc.fc().units = 1;
  fc.parameters().weights = {127, 127};
  fc.parameters().bias = {1 << 19};
  const network::Result result = run_reference(fc, {20, 16, arith::Rounding::truncate}, tensor(fc.in, {1, 1}));
  CHECK(bytes_of(result.out) == Bytes{-128});
  CHECK(result.statistics.accumulator_overflows == 1);
  CHECK(result.statistics.saturated == 1);
  CHECK(run_reference(fc, kWide, tensor(fc.in, {1, 1})).statistics.accumulator_overflows == 0);
}

TEST_CASE("sums of more products than 32 bits hold are exact") {
  network::Layer fc =
      layer(network::FullyConnected{}, network::Shape::map(200'000, 1, 1), network::Shape::map(1, 1, 1));
  fc.fc().units = 1;
  fc.parameters().weights.assign(200'000, -128);
  fc.parameters().bias = {0};
  const network::Result result =
      run_reference(fc, kWide, tensor(fc.in, Bytes(200'000, static_cast<std::int8_t>(255)), 0, true));
  CHECK(result.statistics.sum_rms() == 200'000.0 * 128 * 255);
  CHECK(result.statistics.accumulator_overflows == 1);
}

TEST_CASE("pooling computed by hand") {
  network::Layer pool = layer(network::Pooling{}, network::Shape::map(1, 3, 3), network::Shape::map(1, 1, 1));
  pool.pooling().window.kernel = 2;
  pool.pooling().window.stride = 2;
  const network::Tensor in = tensor(pool.in, {-9, -8, -7, -6, -5, -4, -3, -2, -1});
  CHECK(bytes_of(run_reference(pool, kWide, in).out) == Bytes{-5});
  pool.out = network::Shape::map(1, 2, 2);  // ceil_mode: windows reach past the edge, where nothing is larger
  CHECK(bytes_of(run_reference(pool, kWide, in).out) == Bytes{-5, -4, -2, -1});

  pool.pooling().average = true;
  pool.pooling().window.kernel = 3;
  pool.out = network::Shape::map(1, 1, 1);
  CHECK(bytes_of(run_reference(pool, kWide, in).out) == Bytes{-5});
  CHECK(bytes_of(run_reference(pool, kWide, tensor(pool.in, {0, 0, 0, 0, 14, 0, 0, 0, 0})).out) == Bytes{2});
  pool.pooling().window.kernel = 1;
  pool.pooling().window.stride = 1;
  pool.out = pool.in;
  CHECK(run_reference(pool, kWide, in).out.bytes == in.bytes);
  pool.pooling().window.kernel = 3;
  pool.out = network::Shape::map(1, 1, 1);
  pool.out_format.zero_point = 10;  // mean of (q - 10) is -15
  CHECK(bytes_of(run_reference(pool, kWide, tensor(pool.in, bytes_of(in), 10)).out) == Bytes{-5});
}

TEST_CASE("a sum of two formats weighs and wraps and saturates and scales and rounds and clamps as done by hand") {
  network::Layer add = layer(network::Addition{}, network::Shape::map(5, 1, 1), network::Shape::map(5, 1, 1));
  add.addition() = {{3, 5}, {{7}, {4}, true}};
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
  network::Layer add = layer(network::Addition{}, network::Shape::map(4, 1, 1), network::Shape::map(4, 1, 1));
  const network::Tensor a = tensor(add.in, {100, -100, 5, -5});
  const network::Tensor b = tensor(add.in, {100, -100, 6, 4});
  CHECK(bytes_of(run_reference(add, kWide, a, &b).out) == Bytes{127, -128, 11, -1});
  add.activation = network::Activation::relu;
  CHECK(bytes_of(run_reference(add, kWide, a, &b).out) == Bytes{127, 0, 11, 0});

  network::Layer relu = layer(network::Relu{}, add.in, add.in);
  relu.out_format.zero_point = -7;
  CHECK(bytes_of(run_reference(relu, kWide, tensor(add.in, {100, -100, 5, -5}, -7)).out) == Bytes{100, -7, 5, -5});
  const network::Layer flatten = layer(network::Flatten{}, network::Shape::map(1, 2, 2), network::Shape::map(4, 1, 1));
  CHECK(bytes_of(run_reference(flatten, kWide, tensor(flatten.in, {1, 2, 3, 4})).out) == Bytes{1, 2, 3, 4});
}

TEST_CASE("an LSTM takes features then hidden state and its gates in the order i f g o") {
  network::Layer lstm = layer(network::Recurrent{}, network::Shape::series(2, 1), network::Shape::series(2, 1));
  lstm.recurrent().hidden = 1;
  lstm.recurrent().steps = 2;
  lstm.parameters().weights = {1, 2, 3, 4, 5, 6, 7, 8};
  lstm.parameters().bias = {100, 200, 300, 400};
  lstm.scales().scale = {16};
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
  network::Layer gru = layer(network::Recurrent{}, network::Shape::series(2, 1), network::Shape::series(2, 1));
  gru.recurrent().gru = true;
  gru.recurrent().hidden = 1;
  gru.recurrent().steps = 2;
  gru.parameters().weights = {1, 2, 3, 4, 5, 6};
  gru.parameters().bias = {100, 200, 300, 10, 20, 30};
  gru.scales().scale = {16};
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
  const network::Window& window = conv.window();
  const network::Parameters& parameters = conv.parameters();
  const int channels = conv.in.channels / conv.groups();
  for (int f = 0; f < conv.outputs(); ++f) {
    for (int oy = 0; oy < conv.out.height; ++oy) {
      for (int ox = 0; ox < conv.out.width; ++ox) {
        std::int64_t sum = parameters.bias[static_cast<std::size_t>(f)];
        for (int c = 0; c < channels; ++c) {
          for (int kr = 0; kr < window.kernel; ++kr) {
            for (int kc = 0; kc < window.kernel; ++kc) {
              const int y = oy * window.stride + kr - window.padding[0];
              const int x = ox * window.stride + kc - window.padding[1];
              if (y < 0 || x < 0 || y >= conv.in.height || x >= conv.in.width) continue;
              const int channel = f / (conv.outputs() / conv.groups()) * channels + c;
              const int q = in.at(static_cast<std::size_t>((channel * conv.in.height + y) * conv.in.width + x));
              const int at = ((f * channels + c) * window.kernel + kr) * window.kernel + kc;
              const int w = parameters.weights[static_cast<std::size_t>(at)];
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
  network::Layer conv = layer(network::Convolution{}, {}, {});
  conv.conv().groups = random.uniform(1, 3);
  conv.conv().filters = conv.groups() * random.uniform(1, 5);
  network::Window& window = conv.conv().window;
  window.kernel = random.uniform(1, 5);
  window.stride = random.uniform(1, 3);
  for (int& side : window.padding) side = random.uniform(0, 3);
  const auto extent = [&] { return window.kernel + random.uniform(0, 40); };
  conv.in = network::Shape::map(conv.groups() * random.uniform(1, 7), extent(), extent());
  const auto windows = [&](int padded) { return (padded - window.kernel) / window.stride + 1; };
  conv.out = network::Shape::map(conv.outputs(), windows(conv.in.height + window.padding[0] + window.padding[2]),
                                 windows(conv.in.width + window.padding[1] + window.padding[3]));
  conv.activation = random.chance(50) ? network::Activation::relu : network::Activation::none;
  const bool is_unsigned = random.chance(50);
  conv.out_format = NumberFormat::codes(8, is_unsigned, random.uniform(0, 100));
  network::Parameters& parameters = conv.parameters();
  parameters.scales = {};
  for (int f = 0; f < conv.outputs(); ++f) {
    parameters.scales.scale.push_back(random.uniform(1, 100));
    parameters.scales.shift.push_back(random.uniform(8, 16));
    parameters.bias.push_back(random.uniform(-1000, 1000));
  }
  parameters.weights.resize(static_cast<std::size_t>(conv.weight_count()));
  random.fill(parameters.weights.data(), parameters.weights.size(), -128, 127);
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
    INFO("seed " << seed << ", in " << conv.in.text() << ", kernel " << conv.window().kernel << ", groups "
                 << conv.groups());
    REQUIRE(bytes_of(run_reference(conv, format, in).out) == naive_convolution(conv, format, in));
  }
}

}  // namespace fansim::reference_test
