// SPDX-License-Identifier: Apache-2.0
#include "network/read_function.h"

#include <fmt/format.h>

#include <algorithm>

namespace fansim::network {
namespace {

constexpr double kLargest = 1e6;

double number_or(base::YamlMap& map, const char* key, double fallback) {
  return map.has(key) ? map.number(key, -kLargest, kLargest) : fallback;
}

// Reads one integer for both, or [rows, columns].
RowsColumns read_both(base::YamlMap& map, const char* key) {
  if (map.at(key).kind != base::YamlNode::Kind::list) {
    const int both = map.integer(key, 1, kLargestKernel);
    return {both, both};
  }
  const std::vector<int> each = map.integers(key, 1, kLargestKernel);
  if (each.size() != 2) map.fail(key, fmt::format("{}: expected one integer or [rows, columns]", key));
  return {each[0], each[1]};
}

void read_windows(base::YamlMap& map, FunctionStage& stage) {
  stage.kernel = read_both(map, "kernel");
  stage.stride = map.has("stride") ? read_both(map, "stride") : stage.kernel;
  stage.padding = read_padding(map);
  stage.ceil_mode = map.boolean("ceil_mode", false);
  if (stage.function == Function::window_mean) stage.count_padding = map.boolean("count_padding", false);
}

}  // namespace

void read_function(base::YamlMap& map, FunctionStage& stage) {
  switch (stage.function) {
    case Function::hard_sigmoid:
      stage.alpha = number_or(map, "alpha", 0.2);
      stage.beta = number_or(map, "beta", 0.5);
      break;
    case Function::leaky_relu:
      stage.slopes = {0.01};
      if (map.has("alpha")) stage.slopes = map.numbers("alpha", -kLargest, kLargest);
      break;
    case Function::clip:
      stage.low = map.number("low", -kLargest, kLargest);
      stage.high = map.number("high", stage.low, kLargest);
      break;
    case Function::lrn:
      stage.size = map.integer("size", 1, kLargestKernel);
      stage.alpha = number_or(map, "alpha", 1e-4);
      stage.beta = number_or(map, "beta", 0.75);
      stage.bias = map.has("bias") ? map.number("bias", 1e-6, kLargest) : 1;
      break;
    case Function::slice:
      stage.first = map.integer("first", 0, kLargestExtent, 0);
      stage.channels = map.integer("channels", 1, kLargestExtent);
      break;
    case Function::resize:
    case Function::stretch:
    case Function::space_to_depth:
      stage.factor = read_both(map, "factor");
      break;
    case Function::bilinear:
      stage.factor = read_both(map, "factor");
      if (map.has("corners")) stage.corners = static_cast<Corners>(map.choice("corners", corner_words()));
      break;
    case Function::window_max:
    case Function::window_mean:
      read_windows(map, stage);
      break;
    default:
      break;
  }
}

std::array<int, 4> read_padding(base::YamlMap& map) {
  std::array<int, 4> padding{};
  const base::YamlNode* node = map.find("padding");
  if (node == nullptr) return padding;
  if (node->kind != base::YamlNode::Kind::list) {
    padding.fill(map.integer("padding", 0, kLargestKernel));
    return padding;
  }
  const std::vector<int> sides = map.integers("padding", 0, kLargestKernel);
  if (sides.size() != 4) map.fail("padding", "padding: expected one integer or [top, left, bottom, right]");
  std::copy(sides.begin(), sides.end(), padding.begin());
  return padding;
}

}  // namespace fansim::network
