// SPDX-License-Identifier: Apache-2.0
#include "network/function.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "network/reference/reference.h"
#include "support/network_text.h"

namespace fansim::function_test {

using network::Function;
using network::FunctionStage;
using network::Network;
using network::Shape;
using network::Tensor;

namespace {

constexpr arith::QuantiserFormat kExact{32, 32, arith::Rounding::half_up};

FunctionStage stage(Function function) {
  FunctionStage stage;
  stage.function = function;
  return stage;
}

std::vector<double> of(const FunctionStage& stage, const Shape& in, const std::vector<double>& values,
                       const std::vector<double>& others = {}) {
  return apply(stage, in, values, others);
}

std::string error_of(const std::string& text) {
  try {
    test::network_of(text);
  } catch (const base::UserError& error) {
    const std::string what = error.what();
    return what.substr(what.find(": ") + 2);
  }
  return "";
}

}  // namespace

TEST_CASE("functions of an element are their formulas") {
  const Shape row = Shape::map(1, 1, 5);
  const std::vector<double> x{-4, -1, 0, 1, 4};
  CHECK(of(stage(Function::hard_swish), row, x) == std::vector<double>{0, -1.0 / 3, 0, 2.0 / 3, 4});
  FunctionStage hard = stage(Function::hard_sigmoid);
  hard.alpha = 0.25;
  hard.beta = 0.5;
  CHECK(of(hard, row, x) == std::vector<double>{0, 0.25, 0.5, 0.75, 1});
  FunctionStage leaky = stage(Function::leaky_relu);
  leaky.slopes = {0.5};
  CHECK(of(leaky, row, x) == std::vector<double>{-2, -0.5, 0, 1, 4});
  FunctionStage clip = stage(Function::clip);
  clip.low = -1;
  clip.high = 2;
  CHECK(of(clip, row, x) == std::vector<double>{-1, -1, 0, 1, 2});
  CHECK(of(stage(Function::sigmoid), row, x)[3] == Approx(1 / (1 + std::exp(-1.0))));
  CHECK(of(stage(Function::tanh), row, x)[1] == Approx(std::tanh(-1.0)));
}

TEST_CASE("maps are joined and cut and enlarged and multiplied and normalised channel by channel") {
  const Shape two = Shape::map(2, 1, 2);
  const std::vector<double> a{1, 2, 3, 4};
  CHECK(of(stage(Function::concat), two, a, {5, 6}) == std::vector<double>{1, 2, 3, 4, 5, 6});
  FunctionStage slice = stage(Function::slice);
  slice.first = 1;
  slice.channels = 1;
  CHECK(of(slice, two, a) == std::vector<double>{3, 4});
  FunctionStage resize = stage(Function::resize);
  resize.factor = {2, 2};
  CHECK(of(resize, two, a) == std::vector<double>{1, 1, 2, 2, 1, 1, 2, 2, 3, 3, 4, 4, 3, 3, 4, 4});
  resize.function = Function::stretch;
  CHECK(of(resize, two, a) == std::vector<double>{1, 0, 2, 3, 0, 4});
  CHECK(of(stage(Function::multiply), two, a, {10, 100}) == std::vector<double>{10, 20, 300, 400});
  CHECK(of(stage(Function::multiply), two, a, a) == std::vector<double>{1, 4, 9, 16});
  CHECK(of(stage(Function::sum), two, a, {1, 1, 1, 1}) == std::vector<double>{2, 3, 4, 5});
  CHECK(of(stage(Function::subtract), two, a, {1, 1, 1, 1}) == std::vector<double>{0, 1, 2, 3});
  FunctionStage lrn = stage(Function::lrn);  // over a channel and the one above it
  lrn.size = 2;
  lrn.alpha = 2;
  lrn.beta = 1;
  lrn.bias = 1;
  const std::vector<double> normal = of(lrn, two, a);
  CHECK(normal[0] == Approx(1 / (1 + 1.0 + 9)));
  CHECK(normal[3] == Approx(4 / (1 + 16.0)));
}

TEST_CASE("blocks of a map become channels with the elements of all channels side by side") {
  FunctionStage blocks = stage(Function::space_to_depth);
  blocks.factor = {1, 2};
  const Shape two = Shape::map(2, 1, 4);
  const std::vector<double> x{1, 2, 3, 4, 5, 6, 7, 8};
  CHECK(of(blocks, two, x) == std::vector<double>{1, 3, 5, 7, 2, 4, 6, 8});
  CHECK(shape_of(blocks, two, two).out == Shape::map(4, 1, 2));
  blocks.factor = {2, 2};
  CHECK(of(blocks, Shape::map(1, 4, 2), x) == std::vector<double>{1, 5, 2, 6, 3, 7, 4, 8});
  CHECK(shape_of(blocks, two, two).refusal == "of blocks of 2 x 2; the map is 1 x 4");
  CHECK(!shape_of(blocks, Shape::series(2, 4), {}).refusal.empty());
}

TEST_CASE("a slope is one for all or one for each channel") {
  FunctionStage leaky = stage(Function::leaky_relu);
  leaky.slopes = {0.5, -2};
  CHECK(of(leaky, Shape::map(2, 1, 2), {-1, 2, -3, 4}) == std::vector<double>{-0.5, 2, 6, 4});
}

TEST_CASE("windows of any shape and strides take the largest or the mean of what lies in the map") {
  const Shape square = Shape::map(1, 3, 3);
  const std::vector<double> x{1, 2, 3, 4, 5, 6, 7, 8, 9};
  FunctionStage window = stage(Function::window_max);
  window.kernel = {1, 2};
  window.stride = {2, 1};
  CHECK(of(window, square, x) == std::vector<double>{2, 3, 8, 9});
  window.kernel = {1, 1};
  window.stride = {2, 1};
  CHECK(of(window, square, x) == std::vector<double>{1, 2, 3, 7, 8, 9});
  window.function = Function::window_mean;
  window.kernel = {2, 2};
  window.stride = {2, 2};
  window.padding = {1, 1, 0, 0};
  CHECK(of(window, square, x) == std::vector<double>{1, 2.5, 5.5, 7});
  CHECK(values_read(window, square) == 16);
  window.count_padding = true;
  CHECK(of(window, square, x) == std::vector<double>{0.25, 1.25, 2.75, 7});
  window.count_padding = false;
  window.ceil_mode = true;
  window.padding = {};
  CHECK(of(window, square, x) == std::vector<double>{3, 4.5, 7.5, 9});
  window.ceil_mode = false;
  CHECK(of(window, square, x) == std::vector<double>{3});
  // A largest value below 0 beats the padding.
  window.function = Function::window_max;
  window.padding = {1, 1, 1, 1};
  CHECK(of(window, Shape::map(1, 1, 1), {-5}) == std::vector<double>{-5});
}

TEST_CASE("a map is enlarged along lines between its elements") {
  FunctionStage lines = stage(Function::bilinear);
  lines.factor = {1, 2};
  const Shape row = Shape::map(1, 1, 3);
  CHECK(of(lines, row, {0, 4, 8}) == std::vector<double>{0, 1, 3, 5, 7, 8});
  lines.corners = network::Corners::asymmetric;
  CHECK(of(lines, row, {0, 4, 8}) == std::vector<double>{0, 2, 4, 6, 8, 8});
  lines.corners = network::Corners::align;
  CHECK(of(lines, row, {0, 5, 10}) == std::vector<double>{0, 2, 4, 6, 8, 10});
  lines.factor = {2, 1};
  CHECK(of(lines, Shape::map(1, 2, 1), {0, 3}) == std::vector<double>{0, 1, 2, 3});
  FunctionStage apart = stage(Function::stretch);
  apart.factor = {1, 3};
  CHECK(of(apart, Shape::map(1, 2, 2), {1, 2, 3, 4}) == std::vector<double>{1, 0, 0, 2, 3, 0, 0, 4});
}

TEST_CASE("a function of codes is that of what they stand for in the nearest codes and saturates") {
  network::Network net = test::network_of(
      "input: {shape: [1, 1, 4], zero_point: -10, step: 0.5}\nlayers:\n"
      "  - {name: s, type: hard_swish, step: 0.25, quant: {type: uint8, zero_point: 3}}\n"
      "  - {name: t, type: tanh}\n  - {name: m, type: multiply, input_from: s, with: s}\n");
  CHECK(net.layers[0].step == 0.25);
  CHECK(net.layers[1].step == 1.0 / 253);  // -1..1 in codes above 3
  CHECK(net.layers[1].out_format.type == network::DataType::uint8);
  CHECK(net.layers[2].step == 0.25);
  for (std::size_t i = 0; i < 4; ++i) net.input.set(i, std::vector<int>{-10, -8, -14, 127}[i]);
  const std::vector<network::Result> results = network::run_reference(net, kExact);
  // 0, 1, -2 and 68.5: 0, 2/3, -1/3 and 68.5; codes of 0.25 about 3.
  CHECK(results[0].out.at(0) == 3);
  CHECK(results[0].out.at(1) == 6);
  CHECK(results[0].out.at(2) == 2);
  CHECK(results[0].out.at(3) == 255);
  CHECK(results[1].out.at(1) == 3 + std::lround(std::tanh(0.75) * 253));
  CHECK(results[2].out.at(1) == 3 + 2);  // 0.75^2 = 0.5625: 2.25 steps
}

TEST_CASE("softmax of codes is of what they stand for") {
  network::Network net = test::network_of(
      "input: {shape: [3, 1, 1], step: 0.5}\nlayers:\n  - {name: s, type: softmax, quant: {type: uint8}}\n");
  CHECK(net.layers[0].step == 1.0 / 256);
  for (std::size_t i = 0; i < 3; ++i) net.input.set(i, std::vector<int>{0, 2, 4}[i]);
  const double sum = 1 + std::exp(1) + std::exp(2);
  const std::vector<network::Result> results = network::run_reference(net, kExact);
  for (int i = 0; i < 3; ++i)
    CHECK(results[0].out.at(static_cast<std::size_t>(i)) == std::lround(256 * std::exp(i) / sum));
}

TEST_CASE("functions that cannot be are refused with the key at fault") {
  const std::string input = "input: {shape: [4, 3, 3]}\nlayers:\n";
  CHECK(error_of(input + "  - {name: s, type: sigmoid}\n") ==
        "s: sigmoid needs to know what it reads stands for: input has no 'step'");
  CHECK(error_of(input + "  - {name: s, type: resize}\n").find("key 'factor' is missing") != std::string::npos);
  CHECK(error_of(input + "  - {name: s, type: resize, factor: 0}\n").find("allowed: an integer 1..") !=
        std::string::npos);
  CHECK(error_of(input + "  - {name: s, type: resize, factor: 1024}\n") == "");
  CHECK(error_of(input + "  - {name: s, type: slice, first: 2, channels: 3}\n") == "s: slice of channels 2..4 of 4");
  CHECK(error_of(input + "  - {name: p, type: maxpool, kernel: 3}\n  - {name: s, type: concat, with: input}\n")
            .find("concat of shapes that do not meet") != std::string::npos);
  CHECK(error_of("input: {shape: [4, 3, 3], step: 1}\nlayers:\n  - {name: s, type: clip, low: 2, high: 1}\n")
            .find("high") != std::string::npos);
  CHECK(error_of("input: {steps: 4, features: 3, step: 1}\nlayers:\n  - {name: s, type: lrn, size: 2}\n") ==
        "s: lrn of a sequence; a map is needed");
  const std::string with_step = "input: {shape: [4, 3, 3], step: 1}\nlayers:\n  - {name: s, type: ";
  CHECK(error_of(with_step + "leaky_relu, alpha: [1, 2]}\n") == "s: leaky_relu of 2 slopes for 4 channels");
  CHECK(error_of(with_step + "leaky_relu, alpha: []}\n").find("found an empty list") != std::string::npos);
  CHECK(error_of(with_step + "window_max, kernel: [1, 2, 3]}\n").find("expected one integer or [rows, columns]") !=
        std::string::npos);
  CHECK(error_of(with_step + "window_mean, kernel: [2, 4]}\n") ==
        "s: window_mean with a window of 4, larger than its padded input, 3");
  CHECK(error_of(with_step + "window_max, kernel: 2, padding: [0, 2, 0, 0]}\n") ==
        "s: window_max with padding 2 of a window of 2");
  CHECK(error_of(with_step + "window_max, kernel: 2, count_padding: true}\n").find("count_padding") !=
        std::string::npos);
  CHECK(error_of(with_step + "bilinear, factor: 2, corners: aling}\n").find("did you mean 'align'") !=
        std::string::npos);
  CHECK(error_of(input + "  - {name: s, type: sigmiod}\n").find("did you mean 'sigmoid'") != std::string::npos);
  CHECK(error_of(input + "  - {name: s, type: slice, channels: 2, alpha: 1}\n").find("alpha") != std::string::npos);
}

TEST_CASE("what moves elements brings them to its own step where both are known") {
  const std::string layers =
      "layers:\n  - {name: h, type: slice, channels: 1, step: 0.25}\n"
      "  - {name: k, input_from: input, type: concat, with: h}\n";
  const auto codes = [&](const std::string& input) {
    Network net = test::network_of("input: {shape: [1, 1, 3]" + input + "}\n" + layers);
    net.input.bytes = {3, static_cast<std::uint8_t>(-3), 100};
    const Tensor out = run_reference(net, kExact)[1].out;
    std::vector<int> all;
    for (std::size_t i = 0; i < out.size(); ++i) all.push_back(out.at(i));
    return all;
  };
  CHECK(codes(", step: 0.5") == std::vector<int>{3, -3, 100, 3, -3, 64});  // 6, -6 and 127 quarters: 63.5 is rounded up
  CHECK(codes("") == std::vector<int>{3, -3, 100, 3, -3, 100});
}

TEST_CASE("what keeps codes has no step of its own") {
  const std::string input = "input: {shape: [2, 2, 2], step: 0.5}\nlayers:\n  - {name: p, type: ";
  CHECK(error_of(input + "maxpool, kernel: 2, step: 0.25}\n") ==
        "p: step 0.25: maxpool keeps the codes of input, and so their step, 0.5");
  for (const char* type : {"avgpool, kernel: 2", "relu", "flatten"})
    CHECK(error_of(input + type + ", step: 0.25}\n").find("and so their step, 0.5") != std::string::npos);
  CHECK(error_of(input + "relu, step: 0.5}\n").empty());
}

}  // namespace fansim::function_test
