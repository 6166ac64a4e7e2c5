// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <cmath>

#include "base/file.h"
#include "base/npy.h"
#include "post_training/calibrate.h"
#include "support/user_error.h"

namespace fansim::calibrate_test {

using namespace post_training;
using network::Tensor;

namespace {

Tensor tensor(const network::Shape& shape, const std::vector<float>& values) {
  Tensor result{shape, network::NumberFormat::of(network::DataType::float32), {}};
  result.resize(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) result.set_real(i, values[i]);
  return result;
}

std::vector<int> codes(const Activation& activation, const std::vector<float>& values) {
  std::vector<int> found;
  for (const float value : values) found.push_back(activation.code(value));
  return found;
}

using Ints = std::vector<int>;

}  // namespace

TEST_CASE("values of even steps keep the whole range and 0 is a code") {
  const std::vector<float> positive{0, 0.5f, 1, 1.5f};
  const Activation two = fit_activation(positive, 0, 1.5f, 2);
  CHECK(two.step == 0.5);
  CHECK(two.format == network::NumberFormat::codes(2, true));
  CHECK(codes(two, {0, 0.5f, 1, 1.5f, 9, -9}) == Ints{0, 1, 2, 3, 3, 0});

  const std::vector<float> both{-1, 0, 1, 2};
  const Activation signed_range = fit_activation(both, -1, 2, 2);
  CHECK(signed_range.step == 1);
  CHECK(signed_range.format.zero_point == 1);
  CHECK(codes(signed_range, both) == Ints{0, 1, 2, 3});
  CHECK(signed_range.value(0) == -1);
}

TEST_CASE("a range that leaves 0 out is widened to it and one of nothing has a step of 1") {
  CHECK(fit_activation({2, 3}, 2, 3, 8).format.zero_point == 0);
  CHECK(fit_activation({-3, -2}, -3, -2, 8).format.zero_point == 255);
  CHECK(fit_activation({0, 0}, 0, 0, 8).step == 1);
}

TEST_CASE("few bits narrow the range where that leaves less squared error") {
  // The sample has 999 values of 1 and one of 4, in two bits. Steps of 4/3 would miss every 1 by a third; steps of 1
  // miss the 4 by 1.
  std::vector<float> values(999, 1);
  values.push_back(4);
  const Activation fit = fit_activation(values, 0, 4, 2);
  CHECK(fit.step == 1);
  CHECK(codes(fit, {1, 4}) == Ints{1, 3});
}

TEST_CASE("16 bits are signed about 0") {
  const Activation fit = fit_activation({-1, 32767}, -1, 32767, 16);
  CHECK(fit.step == 1);
  CHECK(fit.format == network::NumberFormat::codes(16));
  CHECK(codes(fit, {-1, 0, 32767}) == Ints{-1, 0, 32767});
}

TEST_CASE("one bit has no codes below 0") {
  const Activation fit = fit_activation({-1, 1}, -1, 1, 1);
  CHECK(fit.format.zero_point == 0);
  CHECK(codes(fit, {-1, 1}) == Ints{0, 1});
}

TEST_CASE("tensors that meet unscaled share a format and every input counts") {
  const test::ScratchDirectory folder;
  base::write_npy(folder / "w.npy", {1, 1, 1, 1}, std::vector<float>{-3});
  base::write_npy(folder / "v.npy", {2, 1, 1, 1}, std::vector<float>{-3, -3});
  base::write_file(folder / "n.yaml",
                   "version: 1\nname: n\ninput: {shape: [1, 1, 2], type: float32}\nlayers:\n"
                   "- {name: c, type: conv, filters: 1, kernel: 1, weights: w.npy}\n"
                   "- {name: s, type: concat, with: input}\n"
                   "- {name: d, type: conv, filters: 2, kernel: 1, groups: 2, weights: v.npy}\n");
  const network::FloatNetwork network = network::load_float_network(folder / "n.yaml");
  const network::Shape shape = network::Shape::map(1, 1, 2);
  const Calibration found = calibrate(network, observe(network, {tensor(shape, {1, 0}), tensor(shape, {-51, 34})}), 8);
  // The input, c and both together lie in -102..153; d, of them, in -459..306.
  for (int producer : {-1, 0, 1}) CHECK(found.of(producer).step == 1);
  CHECK(found.of(0).format.zero_point == 102);
  CHECK(found.of(2).step == 3);
  CHECK(found.window_sums[0] == Approx((1 + 0 - 51 + 34) / 4.0));
}

TEST_CASE("calibration data of another shape or type or not finite or empty is refused by file and rule") {
  const test::ScratchDirectory folder;
  network::Network network;
  network.input = tensor(network::Shape::map(1, 2, 2), {});
  const std::string file = folder / "x.npy";
  const auto message = [&](const base::NpyShape& shape, const std::vector<float>& values) {
    base::write_npy(file, shape, values);
    return test::message_of([&] { read_inputs(file, network); });
  };
  CHECK(message({1, 2, 2}, {1, 2, 3, 4}).empty());
  CHECK(message({2, 1, 2, 2}, {1, 2, 3, 4, 5, 6, 7, 8}).empty());
  CHECK(read_inputs(file, network).size() == 2);
  CHECK(read_inputs(file, network)[1].real(0) == 5);
  CHECK(message({4}, {1, 2, 3, 4}) == file + ": expected shape (1, 2, 2), or a batch (N, 1, 2, 2); found (4,)");
  CHECK(message({2, 1, 2, 1}, {1, 2, 3, 4}) ==
        file + ": expected shape (1, 2, 2), or a batch (N, 1, 2, 2); found (2, 1, 2, 1)");
  CHECK(message({0, 1, 2, 2}, {}) == file + ": an empty batch: expected at least one tensor");
  CHECK(message({1, 2, 2}, {1, NAN, 3, 4}) == file + ": value 1 is nan; expected finite numbers");
  CHECK(message({1, 2, 2}, {1, 2, 3, -INFINITY}) == file + ": value 3 is -inf; expected finite numbers");
  base::write_npy(file, {1, 2, 2}, std::vector<std::int16_t>{1, 2, 3, 4});
  CHECK(test::message_of([&] { read_inputs(file, network); }) == file + ": expected float32, found int16");
}

}  // namespace fansim::calibrate_test
