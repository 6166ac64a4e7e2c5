// SPDX-License-Identifier: Apache-2.0
// These tests compare the definitions with OpenCV's functions of the same name, where both round the same way. OpenCV's
// own box and Gaussian round to nearest, so their sums are compared, and divided as OpenVX does.
#include <catch2/catch.hpp>
#include <opencv2/imgproc.hpp>

#include "base/random.h"
#include "openvx/image_type.h"
#include "openvx/read_stage.h"

namespace fansim::opencv_test {

using namespace openvx;

namespace {

constexpr std::uint64_t kSeed = 17;
constexpr int kSizes[][2] = {{1, 1}, {5, 3}, {33, 17}, {64, 48}};

cv::Mat random_mat(base::Random& random, int width, int height) {
  cv::Mat mat(height, width, CV_8UC1);
  const bool extreme = random.chance(30);
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      mat.at<std::uint8_t>(y, x) =
          static_cast<std::uint8_t>(extreme ? 255 * random.uniform(0, 1) : random.uniform(0, 255));
  return mat;
}

Image image_of(const cv::Mat& mat) {
  Image image({mat.cols, mat.rows, 1, mat.type() == CV_8UC1 ? base::DataType::uint8 : base::DataType::int16});
  cv::Mat wide;
  mat.convertTo(wide, CV_32S);
  for (int y = 0; y < mat.rows; ++y)
    for (int x = 0; x < mat.cols; ++x) image.at(0, y, x) = wide.at<std::int32_t>(y, x);
  return image;
}

Image computed(const Stage& stage, const cv::Mat& in, const cv::Mat* with = nullptr, bool wide = false) {
  const Image first = image_of(in), second = with ? image_of(*with) : Image();
  const Inferred inferred = infer(stage, first.of, with ? &second.of : nullptr, wide);
  REQUIRE(inferred.refused == "");
  Image out(inferred.out);
  compute(stage, first, with ? &second : nullptr, out);
  return out;
}

void check_channel(const Image& image, int channel, const cv::Mat& expected) {
  const Image values = image_of(expected);
  REQUIRE(image.of.width == values.of.width);
  REQUIRE(image.of.height == values.of.height);
  for (int y = 0; y < image.of.height; ++y)
    for (int x = 0; x < image.of.width; ++x) {
      CAPTURE(x, y, image.of.width, image.of.height);
      REQUIRE(image.at(channel, y, x) == values.at(0, y, x));
    }
}

// Applies a window function of OpenCV to the image with its border, so that OpenCV's own border does not matter.
template <class F>
cv::Mat bordered(const cv::Mat& in, const Stage& stage, F&& function) {
  const int r = stage.radius();
  cv::Mat larger, result;
  if (stage.border == Border::constant)
    cv::copyMakeBorder(in, larger, r, r, r, r, cv::BORDER_CONSTANT, stage.border_value);
  else
    cv::copyMakeBorder(in, larger, r, r, r, r, cv::BORDER_REPLICATE);
  function(larger, result);
  return result(cv::Rect(r, r, in.cols, in.rows)).clone();
}

// Calls f(image, a stage with a border of each kind) for images of several sizes.
template <class F>
void for_pictures(F&& f) {
  base::Random random(kSeed, "opencv");
  for (const auto& [width, height] : kSizes)
    for (int i = 0; i < 6; ++i) {
      Stage stage;
      stage.border = i % 2 == 0 ? Border::replicate : Border::constant;
      stage.border_value = random.uniform(0, 255);
      f(random, random_mat(random, width, height), stage);
    }
}

Stage with_weights(Stage stage, Function function, int kernel, std::vector<int> weights, int divisor = 1) {
  stage.function = function;
  stage.kernel = kernel;
  stage.weights = std::move(weights);
  stage.divisor = divisor;
  return stage;
}

cv::Mat correlated(const cv::Mat& in, const Stage& stage, std::size_t first, int depth) {
  cv::Mat kernel(stage.kernel, stage.kernel, CV_32F);
  for (int i = 0; i < stage.kernel * stage.kernel; ++i)
    kernel.at<float>(i / stage.kernel, i % stage.kernel) =
        static_cast<float>(stage.weights[first + static_cast<std::size_t>(i)]);
  return bordered(in, stage, [&](const cv::Mat& from, cv::Mat& to) { cv::filter2D(from, to, depth, kernel); });
}

}  // namespace

TEST_CASE("convolutions of 8 and of 16 bits are OpenCV's filter2D") {
  for_pictures([](base::Random& random, const cv::Mat& in, Stage stage) {
    for (const int kernel : {3, 5, 7}) {
      std::vector<int> weights;
      for (int i = 0; i < kernel * kernel; ++i) weights.push_back(random.uniform(-20, 20));
      stage = with_weights(stage, Function::convolution, kernel, weights);
      check_channel(computed(stage, in), 0, correlated(in, stage, 0, CV_8U));
      check_channel(computed(stage, in, nullptr, true), 0, correlated(in, stage, 0, CV_16S));
    }
  });
}

TEST_CASE("the presets are OpenCV's Laplacian and Sobel and Scharr") {
  for_pictures([](base::Random&, const cv::Mat& in, Stage stage) {
    for (const Preset& preset : presets()) {
      const std::string name = preset.name;
      stage = with_weights(stage, Function::convolution, preset.kernel, preset.weights, preset.divisor);
      const auto check = [&](auto&& function) {
        INFO(name);
        check_channel(computed(stage, in, nullptr, true), 0, bordered(in, stage, function));
      };
      using M = cv::Mat;
      if (name == "laplacian") check([](const M& from, M& to) { cv::Laplacian(from, to, CV_16S, 1); });
      if (name == "sobel_x") check([](const M& from, M& to) { cv::Sobel(from, to, CV_16S, 1, 0, 3); });
      if (name == "sobel_y") check([](const M& from, M& to) { cv::Sobel(from, to, CV_16S, 0, 1, 3); });
      if (name == "scharr_x") check([](const M& from, M& to) { cv::Scharr(from, to, CV_16S, 1, 0); });
      if (name == "scharr_y") check([](const M& from, M& to) { cv::Scharr(from, to, CV_16S, 0, 1); });
    }
  });
}

TEST_CASE("both gradients of sobel3x3 are OpenCV's and box and Gaussian are its sums") {
  for_pictures([](base::Random&, const cv::Mat& in, const Stage& border) {
    const Stage sobel =
        with_weights(border, Function::sobel3x3, 3, {-1, 0, 1, -2, 0, 2, -1, 0, 1, -1, -2, -1, 0, 0, 0, 1, 2, 1});
    const Image gradients = computed(sobel, in);
    check_channel(gradients, 0, correlated(in, sobel, 0, CV_16S));
    check_channel(gradients, 1, correlated(in, sobel, 9, CV_16S));

    const auto divided = [&](const Stage& stage, auto&& sums) {
      cv::Mat result = bordered(in, stage, sums);
      for (int y = 0; y < result.rows; ++y)
        for (int x = 0; x < result.cols; ++x) {
          std::int16_t& sum = result.at<std::int16_t>(y, x);
          sum = static_cast<std::int16_t>(sum / stage.divisor);
        }
      return result;
    };
    const Stage box = with_weights(border, Function::box3x3, 3, std::vector<int>(9, 1), 9);
    check_channel(computed(box, in), 0, divided(box, [](const cv::Mat& from, cv::Mat& to) {
                    cv::boxFilter(from, to, CV_16S, {3, 3}, {-1, -1}, false);
                  }));
    const Stage gaussian = with_weights(border, Function::gaussian3x3, 3, {1, 2, 1, 2, 4, 2, 1, 2, 1}, 16);
    check_channel(computed(gaussian, in), 0, divided(gaussian, [](const cv::Mat& from, cv::Mat& to) {
                    const cv::Mat row = (cv::Mat_<float>(1, 3) << 1, 2, 1);
                    cv::sepFilter2D(from, to, CV_16S, row, row);
                  }));
  });
}

TEST_CASE("medians and dilation and erosion are OpenCV's") {
  for_pictures([](base::Random&, const cv::Mat& in, Stage stage) {
    const auto check = [&](Function function, int kernel, auto&& opencv) {
      stage.function = function;
      stage.kernel = kernel;
      check_channel(computed(stage, in), 0, bordered(in, stage, opencv));
    };
    check(Function::median3x3, 3, [](const cv::Mat& from, cv::Mat& to) { cv::medianBlur(from, to, 3); });
    check(Function::median5x5, 5, [](const cv::Mat& from, cv::Mat& to) { cv::medianBlur(from, to, 5); });
    const cv::Mat square = cv::Mat::ones(3, 3, CV_8U);
    check(Function::dilate3x3, 3, [&](const cv::Mat& from, cv::Mat& to) { cv::dilate(from, to, square); });
    check(Function::erode3x3, 3, [&](const cv::Mat& from, cv::Mat& to) { cv::erode(from, to, square); });
  });
}

TEST_CASE("functions of one pixel of one or two images are OpenCV's") {
  for_pictures([](base::Random& random, const cv::Mat& in, Stage stage) {
    const cv::Mat with = random_mat(random, in.cols, in.rows);
    cv::Mat expected;
    const auto check = [&](Function function, bool wide = false) {
      stage.function = function;
      INFO(facts(function).name);
      check_channel(computed(stage, in, facts(function).two_inputs ? &with : nullptr, wide), 0, expected);
    };
    cv::absdiff(in, with, expected);
    check(Function::absdiff);
    cv::add(in, with, expected);
    check(Function::add);
    cv::subtract(in, with, expected);
    check(Function::subtract);
    cv::add(in, with, expected, cv::noArray(), CV_16S);
    check(Function::add, true);
    cv::subtract(in, with, expected, cv::noArray(), CV_16S);
    check(Function::subtract, true);
    cv::multiply(in, with, expected);
    check(Function::multiply);
    cv::min(in, with, expected);
    check(Function::minimum);
    cv::max(in, with, expected);
    check(Function::maximum);
    cv::bitwise_and(in, with, expected);
    check(Function::bitwise_and);
    cv::bitwise_or(in, with, expected);
    check(Function::bitwise_or);
    cv::bitwise_xor(in, with, expected);
    check(Function::bitwise_xor);
    cv::bitwise_not(in, expected);
    check(Function::bitwise_not);
    stage.lower = stage.upper = random.uniform(0, 255);
    stage.true_value = random.uniform(0, 255);
    cv::threshold(in, expected, stage.upper, stage.true_value, cv::THRESH_BINARY);
    check(Function::threshold);
  });
}

}  // namespace fansim::opencv_test
