// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

#include "base/file.h"
#include "base/npy.h"
#include "network/float/float_network.h"
#include "support/user_error.h"

namespace fansim::run_float_test {

using namespace network;

namespace {

const std::string kMap = "version: 1\nname: n\ninput: {shape: [1, 3, 3], type: float32}\nlayers:\n";

struct Floats : test::ScratchDirectory {
  FloatNetwork load(const std::string& text) const {
    base::write_file(*this / "n.yaml", text);
    return load_float_network(*this / "n.yaml");
  }
  void write(const std::string& name, const base::NpyShape& shape, const std::vector<float>& values) const {
    base::write_npy(*this / name, shape, values);
  }
};

Tensor tensor(const Shape& shape, const std::vector<float>& values) {
  Tensor result{shape, NumberFormat::of(DataType::float32), {}};
  result.resize(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) result.set_real(i, values[i]);
  return result;
}

std::vector<float> reals(const Tensor& tensor) {
  std::vector<float> values;
  for (std::size_t i = 0; i < tensor.size(); ++i) values.push_back(tensor.real(i));
  return values;
}

using Reals = std::vector<float>;

}  // namespace

TEST_CASE("a convolution with poolings and an addition and a fully connected layer in floats are as computed by hand") {
  const Floats floats;
  floats.write("w.npy", {1, 1, 2, 2}, {1, -0.5f, 0, 2});
  floats.write("b.npy", {1}, {-4});
  floats.write("f.npy", {2, 4}, {1, 1, 1, 1, 0, 0.25f, 0, -1});
  const FloatNetwork network =
      floats.load(kMap +
                  "- {name: c, type: conv, filters: 1, kernel: 2, activation: relu, weights: w.npy, bias: b.npy}\n"
                  "- {name: m, type: maxpool, kernel: 2, input_from: input, stride: 1}\n"
                  "- {name: s, type: add, with: c}\n"
                  "- {name: a, type: avgpool, kernel: 2}\n"
                  "- {name: f, type: fc, units: 2, weights: f.npy, input_from: s}\n"
                  "- {name: r, type: relu}\n");
  // The map is 1 2 3 / 4 5 6 / 7 8 9, and each window x y / c d gives x - y / 2 + 2 d - 4.
  const std::vector<Tensor> out = run_float(network, tensor(Shape::map(1, 3, 3), {1, 2, 3, 4, 5, 6, 7, 8, 9}));
  CHECK(reals(out[0]) == Reals{6, 8.5f, 13.5f, 16});
  CHECK(reals(out[1]) == Reals{5, 6, 8, 9});
  CHECK(reals(out[2]) == Reals{11, 14.5f, 21.5f, 25});
  CHECK(reals(out[3]) == Reals{18});
  CHECK(reals(out[4]) == Reals{72, 14.5f / 4 - 25});
  CHECK(reals(out[5]) == Reals{72, 0});
  CHECK(out[4].format == NumberFormat::of(DataType::float32));
}

TEST_CASE("padding is zero in a float convolution and no candidate of a maximum") {
  const Floats floats;
  floats.write("w.npy", {1, 1, 3, 3}, Reals(9, 1));
  const FloatNetwork network =
      floats.load(kMap +
                  "- {name: c, type: conv, filters: 1, kernel: 3, padding: 1, weights: w.npy}\n"
                  "- {name: m, type: maxpool, kernel: 2, stride: 2, padding: 1, input_from: input}\n");
  const std::vector<Tensor> out = run_float(network, tensor(Shape::map(1, 3, 3), Reals(9, -1)));
  CHECK(reals(out[0]) == Reals{-4, -6, -4, -6, -9, -6, -4, -6, -4});
  CHECK(reals(out[1]) == Reals{-1, -1, -1, -1});
}

TEST_CASE("recurrent layers in floats follow their definitions step by step") {
  const Floats floats;
  const std::string head = "version: 1\nname: n\ninput: {steps: 2, features: 1, type: float32}\nlayers:\n";
  const Reals x{0.5f, -1};
  const auto sigma = [](double v) { return 1 / (1 + std::exp(-v)); };

  floats.write("l.npy", {4, 2}, {1, 0.5f, -1, 0.25f, 2, -0.5f, 0.5f, 1});
  floats.write("lb.npy", {4}, {0.1f, 0.2f, -0.1f, 0});
  const Tensor lstm =
      run_float(floats.load(head + "- {name: l, type: lstm, hidden: 1, weights: l.npy, bias: lb.npy}\n"),
                tensor(Shape::series(2, 1), x))[0];
  double h = 0, c = 0;
  for (std::size_t t = 0; t < 2; ++t) {
    const double i = sigma(x[t] + 0.5 * h + 0.1), f = sigma(-x[t] + 0.25 * h + 0.2);
    const double g = std::tanh(2 * x[t] - 0.5 * h - 0.1), o = sigma(0.5 * x[t] + h);
    c = f * c + i * g;
    h = o * std::tanh(c);
    CHECK(lstm.real(t) == Approx(h).epsilon(1e-6));
  }

  floats.write("g.npy", {3, 2}, {1, 0.5f, -1, 0.25f, 2, -0.5f});
  floats.write("gb.npy", {6}, {0.1f, 0.2f, -0.1f, 0, 0.3f, 0.4f});
  const Tensor gru = run_float(floats.load(head + "- {name: l, type: gru, hidden: 1, weights: g.npy, bias: gb.npy}\n"),
                               tensor(Shape::series(2, 1), x))[0];
  h = 0;
  for (std::size_t t = 0; t < 2; ++t) {
    const double r = sigma(x[t] + 0.1 + 0.5 * h), z = sigma(-x[t] + 0.2 + 0.25 * h + 0.3);
    h = (1 - z) * std::tanh(2 * x[t] - 0.1 + r * (-0.5 * h + 0.4)) + z * h;
    CHECK(gru.real(t) == Approx(h).epsilon(1e-6));
  }
}

TEST_CASE("a float network that is none is refused with its line and rule") {
  const Floats floats;
  const auto message = [&](const std::string& text) { return test::message_of([&] { floats.load(text); }); };
  const std::string path = floats / "n.yaml";
  CHECK(message("version: 1\nname: n\ninput: {shape: [1, 3, 3]}\nlayers:\n- {name: r, type: relu}\n") ==
        path + ":3:8: input: type: expected float32, a network of floats; found int8");
  CHECK(message(kMap + "- {name: f, type: fc, units: 2}\n") == path + ":5:3: f: key 'weights' is missing");
  CHECK(message(kMap + "- {name: f, type: fc, units: 2, quant: {scale: 1, shift: 1}}\n") ==
        path + ":5:40: f: quant: floats are not requantised");

  floats.write("w.npy", {1, 9}, Reals{0, 0, std::numeric_limits<float>::quiet_NaN(), 0, 0, 0, 0, 0, 0});
  CHECK(message(kMap + "- {name: f, type: fc, units: 1, weights: w.npy}\n") ==
        path + ":5:42: f: " + (floats / "w.npy") + ": value 2 is nan; expected finite numbers");
  base::write_npy(floats / "w.npy", {1, 9}, std::vector<std::int8_t>(9));
  CHECK(message(kMap + "- {name: f, type: fc, units: 1, weights: w.npy}\n") ==
        path + ":5:42: f: " + (floats / "w.npy") + ": expected float32, found int8");
}

}  // namespace fansim::run_float_test
