// SPDX-License-Identifier: Apache-2.0
#include "network/function.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace fansim::network {
namespace {

constexpr FunctionFacts kFacts[] = {
    {"sigmoid", false, false, true, true},      {"tanh", false, false, true, true},
    {"hard_sigmoid", false, false, true, true}, {"hard_swish", false, false, false, true},
    {"leaky_relu", false, false, false, true},  {"clip", false, false, false, true},
    {"lrn", false, false, false, false},        {"multiply", true, false, false, false},
    {"sum", true, false, false, false},         {"subtract", true, false, false, false},
    {"concat", true, true, false, false},       {"slice", false, true, false, false},
    {"resize", false, true, false, false},      {"stretch", false, true, false, false},
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
    case Function::leaky_relu:
      return x < 0 ? stage.alpha * x : x;
    case Function::clip:
      return std::clamp(x, stage.low, stage.high);
    default:
      return x;
  }
}

// Over `size` channels about each, half of the others below (ONNX, LRN).
std::vector<double> normalised(const FunctionStage& stage, const Shape& in, const std::vector<double>& values) {
  std::vector<double> out(values.size());
  const std::int64_t plane = std::int64_t{in.height} * in.width;
  for (int c = 0; c < in.channels; ++c) {
    const int first = std::max(0, c - (stage.size - 1) / 2), last = std::min(in.channels - 1, c + stage.size / 2);
    for (std::int64_t i = 0; i < plane; ++i) {
      double squares = 0;
      for (int other = first; other <= last; ++other) {
        const double value = values[static_cast<std::size_t>(other * plane + i)];
        squares += value * value;
      }
      const auto at = static_cast<std::size_t>(c * plane + i);
      out[at] = values[at] / std::pow(stage.bias + stage.alpha / stage.size * squares, stage.beta);
    }
  }
  return out;
}

std::vector<double> combined(const FunctionStage& stage, const std::vector<double>& values,
                             const std::vector<double>& others) {
  std::vector<double> out(values.size());
  const std::size_t each = values.size() / others.size();  // of a channel, if the second has a number for each
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double other = others[i / each];
    out[i] = stage.function == Function::multiply ? values[i] * other
             : stage.function == Function::sum    ? values[i] + other
                                                  : values[i] - other;
  }
  return out;
}

// A larger map of rows that repeat, or with zeros between the elements.
std::vector<double> enlarged(const FunctionStage& stage, const Shape& in, const std::vector<double>& values) {
  const Shape out = shape_of(stage, in, in).out;
  const int factor = stage.factor;
  std::vector<double> all;
  all.reserve(static_cast<std::size_t>(out.elements()));
  for (int c = 0; c < out.channels; ++c)
    for (int row = 0; row < out.height; ++row)
      for (int column = 0; column < out.width; ++column) {
        const bool between = stage.function == Function::stretch && (row % factor != 0 || column % factor != 0);
        const std::int64_t at = (std::int64_t{c} * in.height + row / factor) * in.width + column / factor;
        all.push_back(between ? 0 : values[static_cast<std::size_t>(at)]);
      }
  return all;
}

std::string wide(std::int64_t extent) {
  constexpr std::int64_t kMost = 1 << 20;
  return extent > kMost ? fmt::format("an extent of {}; at most {}", extent, kMost) : "";
}

FunctionShape enlarged_shape(const FunctionStage& stage, const Shape& in) {
  const auto extent = [&](std::int64_t size) {
    return stage.function == Function::resize ? size * stage.factor : (size - 1) * stage.factor + 1;
  };
  const std::int64_t height = extent(in.height), width = extent(in.width);
  const std::string refusal = wide(std::max(height, width));
  if (!refusal.empty()) return {in, refusal};
  return {Shape::map(in.channels, static_cast<int>(height), static_cast<int>(width)), ""};
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

std::vector<std::pair<std::string, double>> keys_of(const FunctionStage& stage) {
  switch (stage.function) {
    case Function::hard_sigmoid:
      return {{"alpha", stage.alpha}, {"beta", stage.beta}};
    case Function::leaky_relu:
      return {{"alpha", stage.alpha}};
    case Function::clip:
      return {{"low", stage.low}, {"high", stage.high}};
    case Function::lrn:
      return {{"size", stage.size}, {"alpha", stage.alpha}, {"beta", stage.beta}, {"bias", stage.bias}};
    case Function::slice:
      return {{"first", stage.first}, {"channels", stage.channels}};
    case Function::resize:
    case Function::stretch:
      return {{"factor", stage.factor}};
    default:
      return {};
  }
}

FunctionShape shape_of(const FunctionStage& stage, const Shape& in, const Shape& with) {
  const auto differ = [&] { return fmt::format("of shapes that do not meet: {} and {}", in.text(), with.text()); };
  const bool needs_map =
      stage.function == Function::lrn || (facts(stage.function).moves && stage.function != Function::concat);
  if (in.sequence && needs_map) return {in, "of a sequence; a map is needed"};
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
    case Function::resize:
    case Function::stretch:
      return enlarged_shape(stage, in);
    default:
      return {in, ""};
  }
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
    case Function::resize:
    case Function::stretch:
      return enlarged(stage, in, values);
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
