// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "openvx/image_type.h"

namespace fansim::compute_test {

using namespace openvx;

namespace {

using base::DataType;

Image image(int width, int height, std::vector<std::int32_t> values, DataType type = DataType::uint8) {
  Image image({width, height, static_cast<int>(values.size()) / (width * height), type});
  image.values = std::move(values);
  return image;
}

std::vector<std::int32_t> computed(const Stage& stage, const Image& in, const Image* with = nullptr,
                                   bool wide = false) {
  const Inferred inferred = infer(stage, in.of, with ? &with->of : nullptr, wide);
  REQUIRE(inferred.refused.empty());
  Image out(inferred.out);
  compute(stage, in, with, out);
  return out.values;
}

Stage filter(Function function, std::vector<int> weights, int divisor, Border border = Border::replicate) {
  Stage stage;
  stage.function = function;
  stage.kernel = 3;
  stage.weights = std::move(weights);
  stage.divisor = divisor;
  stage.border = border;
  return stage;
}

using Values = std::vector<std::int32_t>;

}  // namespace

TEST_CASE("a box of nine divides towards zero with each border") {
  const Image in = image(3, 3, {10, 20, 30, 40, 50, 60, 70, 80, 91});
  const std::vector<int> ones(9, 1);
  CHECK(computed(filter(Function::box3x3, ones, 9, Border::valid), in) == Values{50});  // 451 / 9
  Stage constant = filter(Function::box3x3, ones, 9, Border::constant);
  constant.border_value = 255;
  CHECK(computed(constant, in)[0] == (10 + 20 + 40 + 50 + 5 * 255) / 9);
  // 4 x 10, 2 x 20, 2 x 40 and 50.
  CHECK(computed(filter(Function::box3x3, ones, 9), in)[0] == (40 + 40 + 80 + 50) / 9);
}

TEST_CASE("a convolution is truncated towards zero and brought to its type") {
  const Image in = image(3, 3, {0, 0, 0, 0, 7, 0, 0, 0, 0});
  const std::vector<int> minus{0, 0, 0, 0, -1, 0, 0, 0, 0};
  CHECK(computed(filter(Function::convolution, minus, 4, Border::valid), in) == Values{0});
  CHECK(computed(filter(Function::convolution, minus, 4, Border::valid), in, nullptr, true) == Values{-1});
  const std::vector<int> large{0, 0, 0, 0, 127, 0, 0, 0, 0};
  CHECK(computed(filter(Function::convolution, large, 1, Border::valid), in) == Values{255});
}

TEST_CASE("gradients are two channels and their length and angle follow") {
  Stage sobel =
      filter(Function::sobel3x3, {-1, 0, 1, -2, 0, 2, -1, 0, 1, -1, -2, -1, 0, 0, 0, 1, 2, 1}, 1, Border::valid);
  const Image in = image(3, 3, {0, 0, 30, 0, 0, 30, 0, 0, 30});
  const Values gradients = computed(sobel, in);
  CHECK(gradients == Values{120, 0});
  Stage length;
  length.function = Function::magnitude;
  CHECK(computed(length, image(1, 1, {300, -400}, DataType::int16)) == Values{500});
  CHECK(computed(length, image(1, 1, {-32768, -32768}, DataType::int16)) == Values{32767});
  Stage angle;
  angle.function = Function::phase;
  CHECK(computed(angle, image(1, 1, {5, 0}, DataType::int16)) == Values{0});
  CHECK(computed(angle, image(1, 1, {0, 5}, DataType::int16)) == Values{64});
  CHECK(computed(angle, image(1, 1, {-5, 0}, DataType::int16)) == Values{128});
  CHECK(computed(angle, image(1, 1, {0, -5}, DataType::int16)) == Values{192});
}

TEST_CASE("the median and the smallest and the largest of a window") {
  const Image in = image(3, 3, {9, 1, 8, 2, 7, 3, 6, 4, 5});
  Stage stage;
  stage.kernel = 3;
  stage.border = Border::valid;
  for (const auto& [function, expected] :
       {std::pair{Function::median3x3, 5}, std::pair{Function::erode3x3, 1}, std::pair{Function::dilate3x3, 9}}) {
    stage.function = function;
    CHECK(computed(stage, in) == Values{expected});
  }
}

TEST_CASE("sums and differences of 8 or 16 bits are the nearest value or wrap") {
  const Image a = image(2, 1, {200, 10}), b = image(2, 1, {100, 20});
  Stage stage;
  stage.function = Function::add;
  CHECK(computed(stage, a, &b) == Values{255, 30});
  CHECK(computed(stage, a, &b, true) == Values{300, 30});
  stage.wraps = true;
  CHECK(computed(stage, a, &b) == Values{44, 30});
  stage.function = Function::subtract;
  CHECK(computed(stage, a, &b) == Values{100, 246});
  stage.wraps = false;
  CHECK(computed(stage, a, &b) == Values{100, 0});
  CHECK(computed(stage, a, &b, true) == Values{100, -10});
  stage.function = Function::absdiff;
  CHECK(computed(stage, a, &b) == Values{100, 10});
  const Image low = image(1, 1, {-32768}, DataType::int16), high = image(1, 1, {32767}, DataType::int16);
  CHECK(computed(stage, low, &high) == Values{32767});
  stage.function = Function::multiply;
  stage.shift = 4;
  CHECK(computed(stage, a, &b) == Values{255, 12});
}

TEST_CASE("accumulations add to an image of 16 bits or mix two of 8") {
  const Image a = image(2, 1, {200, 10}), sum = image(2, 1, {32700, -5}, DataType::int16);
  Stage stage;
  stage.function = Function::accumulate;
  CHECK(computed(stage, a, &sum) == Values{32767, 5});
  stage.function = Function::accumulate_square;
  stage.shift = 2;
  CHECK(computed(stage, a, &sum) == Values{32767, 20});
  stage.function = Function::accumulate_weighted;
  stage.alpha = 64;
  const Image old = image(2, 1, {100, 255});
  CHECK(computed(stage, a, &old) == Values{125, (192 * 255 + 64 * 10) / 256});
}

TEST_CASE("thresholds and logic and channels and gray") {
  Stage stage;
  stage.function = Function::threshold;
  stage.upper = 100;
  CHECK(computed(stage, image(3, 1, {99, 100, 101})) == Values{0, 0, 255});
  stage.range = true;
  stage.lower = 99;
  CHECK(computed(stage, image(4, 1, {98, 99, 100, 101})) == Values{0, 255, 255, 0});
  stage.function = Function::bitwise_not;
  CHECK(computed(stage, image(2, 1, {0, 0xa5})) == Values{255, 0x5a});
  const Image a = image(1, 1, {0xf0}), b = image(1, 1, {0x3c});
  for (const auto& [function, expected] :
       {std::pair{Function::bitwise_and, 0x30}, std::pair{Function::bitwise_or, 0xfc},
        std::pair{Function::bitwise_xor, 0xcc}}) {
    stage.function = function;
    CHECK(computed(stage, a, &b) == Values{expected});
  }
  const Image rgb = image(1, 1, {255, 255, 255});
  stage.function = Function::color_convert;
  CHECK(computed(stage, rgb) == Values{255});
  stage.function = Function::channel_extract;
  stage.channel = 2;
  CHECK(computed(stage, image(1, 1, {1, 2, 3})) == Values{3});
  stage.function = Function::channel_combine;
  CHECK(computed(stage, image(1, 1, {1, 2}), &a) == Values{1, 2, 0xf0});
  stage.function = Function::half_scale;
  CHECK(computed(stage, image(3, 3, {1, 2, 3, 4, 5, 6, 7, 8, 9})) == Values{1, 3, 7, 9});
}

TEST_CASE("every function has facts in its place and OpenVX's names are its own") {
  std::vector<std::string> names;
  for (const Facts& one : functions()) {
    CHECK(&facts(one.function) == &one);
    CHECK(std::count(names.begin(), names.end(), one.name) == 0);
    names.emplace_back(one.name);
    CHECK(std::string(one.how).size() > 3);
  }
  CHECK(names.size() == static_cast<std::size_t>(Function::picture) + 1);
}

}  // namespace fansim::compute_test
