// SPDX-License-Identifier: Apache-2.0
#include "network/function.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "network/function_maps.h"

namespace fansim::network {
namespace {

constexpr FunctionFacts kFacts[] = {
    {"sigmoid", false, false, true, true},       {"tanh", false, false, true, true},
    {"hard_sigmoid", false, false, true, true},  {"hard_swish", false, false, false, true},
    {"leaky_relu", false, false, false, true},   {"clip", false, false, false, true},
    {"lrn", false, false, false, false},         {"multiply", true, false, false, false},
    {"sum", true, false, false, false},          {"subtract", true, false, false, false},
    {"concat", true, true, false, false},        {"slice", false, true, false, false},
    {"resize", false, true, false, false},       {"stretch", false, true, false, false},
    {"bilinear", false, false, false, false},    {"window_max", false, true, false, false},
    {"window_mean", false, false, false, false}, {"space_to_depth", false, true, false, false},
};

double element(const FunctionStage& stage, double x) {
  switch (stage.function) {
    case Function::sigmoid:
      return 1 / (1 + std::exp(-x));
    case Function::tanh:
      return std::tanh(x);
    case Function::hard_sigmoid:
      return std::clamp(stage.alpha * x + stage.beta, 0.0, 1.0);
    case Function::hard_swish:
      return x * std::clamp(x + 3, 0.0, 6.0) / 6;
    case Function::clip:
      return std::clamp(x, stage.low, stage.high);
    default:
      return x;
  }
}

std::vector<double> leaky(const FunctionStage& stage, const std::vector<double>& values) {
  std::vector<double> out(values.size());
  const std::size_t each = values.size() / stage.slopes.size();  // values per slope
  for (std::size_t i = 0; i < values.size(); ++i)
    out[i] = values[i] < 0 ? stage.slopes[i / each] * values[i] : values[i];
  return out;
}

std::vector<double> combined(const FunctionStage& stage, const std::vector<double>& values,
                             const std::vector<double>& others) {
  std::vector<double> out(values.size());
  // Values per channel, if the second operand has one number per channel.
  const std::size_t each = values.size() / others.size();
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double other = others[i / each];
    out[i] = stage.function == Function::multiply ? values[i] * other
             : stage.function == Function::sum    ? values[i] + other
                                                  : values[i] - other;
  }
  return out;
}

std::string wide(std::int64_t extent) {
  constexpr std::int64_t kMost = 1 << 20;
  return extent > kMost ? fmt::format("an extent of {}; at most {}", extent, kMost) : "";
}

FunctionShape enlarged_shape(const FunctionStage& stage, const Shape& in) {
  const auto extent = [&](std::int64_t size, int factor) {
    return stage.function == Function::stretch ? (size - 1) * factor + 1 : size * factor;
  };
  const std::int64_t height = extent(in.height, stage.factor[0]), width = extent(in.width, stage.factor[1]);
  const std::string refusal = wide(std::max(height, width));
  if (!refusal.empty()) return {in, refusal};
  return {Shape::map(in.channels, static_cast<int>(height), static_cast<int>(width)), ""};
}

FunctionShape deepened_shape(const FunctionStage& stage, const Shape& in) {
  const auto [down, across] = stage.factor;
  if (in.height % down != 0 || in.width % across != 0)
    return {in, fmt::format("of blocks of {} x {}; the map is {} x {}", down, across, in.height, in.width)};
  const std::string refusal = wide(std::int64_t{in.channels} * down * across);
  if (!refusal.empty()) return {in, refusal};
  return {Shape::map(in.channels * down * across, in.height / down, in.width / across), ""};
}

FunctionShape pooled_shape(const FunctionStage& stage, const Shape& in) {
  const RowsColumns sizes{in.height, in.width};
  RowsColumns out{};
  for (std::size_t axis = 0; axis < 2; ++axis) {
    const int before = stage.padding[axis], after = stage.padding[axis + 2], kernel = stage.kernel[axis];
    const int padded = sizes[axis] + before + after;
    if (std::max(before, after) >= kernel)
      return {in, fmt::format("with padding {} of a window of {}", std::max(before, after), kernel)};
    if (kernel > padded)
      return {in, fmt::format("with a window of {}, larger than its padded input, {}", kernel, padded)};
    out[axis] = windows(padded, kernel, stage.stride[axis], stage.ceil_mode, sizes[axis] + before);
  }
  return {Shape::map(in.channels, out[0], out[1]), ""};
}

bool needs_map(const FunctionStage& stage) {
  switch (stage.function) {
    case Function::lrn:
    case Function::slice:
    case Function::resize:
    case Function::stretch:
    case Function::bilinear:
    case Function::window_max:
    case Function::window_mean:
    case Function::space_to_depth:
      return true;
    case Function::leaky_relu:
      return stage.slopes.size() > 1;
    default:
      return false;
  }
}

std::string text(double number) { return fmt::format("{:.9g}", number); }
std::string text(const std::vector<double>& numbers) {
  if (numbers.size() == 1) return text(numbers[0]);
  std::string all;
  for (const double number : numbers) all += (all.empty() ? "" : ", ") + text(number);
  return "[" + all + "]";
}
std::string text(const RowsColumns& both) {
  return both[0] == both[1] ? std::to_string(both[0]) : fmt::format("[{}, {}]", both[0], both[1]);
}

using Keys = std::vector<std::pair<std::string, std::string>>;
Keys window_keys(const FunctionStage& stage) {
  const auto [top, left, bottom, right] = stage.padding;
  Keys keys{{"kernel", text(stage.kernel)},
            {"stride", text(stage.stride)},
            {"padding", fmt::format("[{}, {}, {}, {}]", top, left, bottom, right)},
            {"ceil_mode", stage.ceil_mode ? "true" : "false"}};
  if (stage.function == Function::window_mean)
    keys.emplace_back("count_padding", stage.count_padding ? "true" : "false");
  return keys;
}

}  // namespace

const FunctionFacts& facts(Function function) { return kFacts[static_cast<std::size_t>(function)]; }

std::optional<Function> function_named(const std::string& name) {
  for (std::size_t i = 0; i < std::size(kFacts); ++i)
    if (kFacts[i].name == name) return static_cast<Function>(i);
  return std::nullopt;
}

std::vector<std::string> function_names() {
  std::vector<std::string> names;
  for (const FunctionFacts& one : kFacts) names.emplace_back(one.name);
  return names;
}

const std::vector<std::string>& corner_words() {
  static const std::vector<std::string> words{"half_pixel", "asymmetric", "align"};
  return words;
}

std::vector<std::pair<std::string, std::string>> keys_of(const FunctionStage& stage) {
  switch (stage.function) {
    case Function::hard_sigmoid:
      return {{"alpha", text(stage.alpha)}, {"beta", text(stage.beta)}};
    case Function::leaky_relu:
      return {{"alpha", text(stage.slopes)}};
    case Function::clip:
      return {{"low", text(stage.low)}, {"high", text(stage.high)}};
    case Function::lrn:
      return {{"size", std::to_string(stage.size)},
              {"alpha", text(stage.alpha)},
              {"beta", text(stage.beta)},
              {"bias", text(stage.bias)}};
    case Function::slice:
      return {{"first", std::to_string(stage.first)}, {"channels", std::to_string(stage.channels)}};
    case Function::resize:
    case Function::stretch:
    case Function::space_to_depth:
      return {{"factor", text(stage.factor)}};
    case Function::bilinear:
      return {{"factor", text(stage.factor)}, {"corners", corner_words()[static_cast<std::size_t>(stage.corners)]}};
    case Function::window_max:
    case Function::window_mean:
      return window_keys(stage);
    default:
      return {};
  }
}

FunctionShape shape_of(const FunctionStage& stage, const Shape& in, const Shape& with) {
  const auto differ = [&] { return fmt::format("of shapes that do not meet: {} and {}", in.text(), with.text()); };
  if (in.sequence && needs_map(stage)) return {in, "of a sequence; a map is needed"};
  switch (stage.function) {
    case Function::multiply:
      if (in != with && (in.sequence || with != Shape::map(in.channels, 1, 1))) return {in, differ()};
      return {in, ""};
    case Function::sum:
    case Function::subtract:
      return {in, in != with ? differ() : ""};
    case Function::concat:
      if (in.sequence || with.sequence || in.height != with.height || in.width != with.width) return {in, differ()};
      return {Shape::map(in.channels + with.channels, in.height, in.width),
              wide(std::int64_t{in.channels} + with.channels)};
    case Function::slice:
      if (stage.first + stage.channels > in.channels)
        return {in,
                fmt::format("of channels {}..{} of {}", stage.first, stage.first + stage.channels - 1, in.channels)};
      return {Shape::map(stage.channels, in.height, in.width), ""};
    case Function::leaky_relu:
      if (stage.slopes.size() > 1 && stage.slopes.size() != static_cast<std::size_t>(in.channels))
        return {in, fmt::format("of {} slopes for {} channels", stage.slopes.size(), in.channels)};
      return {in, ""};
    case Function::resize:
    case Function::stretch:
    case Function::bilinear:
      return enlarged_shape(stage, in);
    case Function::window_max:
    case Function::window_mean:
      return pooled_shape(stage, in);
    case Function::space_to_depth:
      return deepened_shape(stage, in);
    default:
      return {in, ""};
  }
}

std::int64_t values_read(const FunctionStage& stage, const Shape& in) {
  if (stage.function != Function::window_max && stage.function != Function::window_mean) return in.elements();
  return shape_of(stage, in, in).out.elements() * stage.kernel[0] * stage.kernel[1];
}

std::vector<double> apply(const FunctionStage& stage, const Shape& in, const std::vector<double>& values,
                          const std::vector<double>& others) {
  std::vector<double> out;
  switch (stage.function) {
    case Function::lrn:
      return normalised(stage, in, values);
    case Function::multiply:
    case Function::sum:
    case Function::subtract:
      return combined(stage, values, others);
    case Function::leaky_relu:
      return leaky(stage, values);
    case Function::resize:
    case Function::stretch:
      return enlarged(stage, in, shape_of(stage, in, in).out, values);
    case Function::bilinear:
      return interpolated(stage, in, shape_of(stage, in, in).out, values);
    case Function::window_max:
    case Function::window_mean:
      return pooled(stage, in, shape_of(stage, in, in).out, values);
    case Function::space_to_depth:
      return deepened(stage, in, shape_of(stage, in, in).out, values);
    case Function::concat:
      out = values;
      out.insert(out.end(), others.begin(), others.end());
      return out;
    case Function::slice: {
      const std::ptrdiff_t plane = std::ptrdiff_t{in.height} * in.width;
      return {values.begin() + stage.first * plane, values.begin() + (stage.first + stage.channels) * plane};
    }
    default:
      out.reserve(values.size());
      for (const double value : values) out.push_back(element(stage, value));
      return out;
  }
}

}  // namespace fansim::network
