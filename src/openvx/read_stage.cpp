// SPDX-License-Identifier: Apache-2.0
#include "openvx/read_stage.h"

#include <fmt/format.h>

#include <algorithm>

namespace fansim::openvx {
namespace {

constexpr int kLargestScale = 1 << 15;
constexpr int kLowest = -128, kHighest = 127;  // range of a coefficient

void read_border(base::YamlMap& map, Stage& stage) {
  const std::size_t border = map.has("border") ? map.choice("border", {"replicate", "constant", "valid"}) : 0;
  stage.border = static_cast<Border>(border);
  if (stage.border == Border::constant)
    stage.border_value = map.integer("border_value", 0, UINT8_MAX, 0);
  else if (map.has("border_value"))
    map.fail("border_value", "border_value: only 'border: constant' has one");
}

int integer_of(const base::YamlNode& item, const char* what, int lowest, int highest) {
  base::YamlNode one;
  one.kind = base::YamlNode::Kind::map;
  one.where = item.where;
  one.entries.push_back({what, item.where, item});
  return base::YamlMap(one, what).integer(what, lowest, highest);
}

// Returns the size of a window's side, given by a list of rows or of coefficients.
int read_size(base::YamlMap& map, const char* key, const char* what) {
  const base::YamlNode& list = map.at(key);
  const std::size_t size = list.items.size();
  if (list.kind != base::YamlNode::Kind::list || size < 3 || size > 7 || size % 2 == 0)
    map.fail(key, fmt::format("{}: expected 3, 5 or 7 {}, found {}", key, what,
                              list.kind == base::YamlNode::Kind::list ? std::to_string(size) : list.found()));
  return static_cast<int>(size);
}

void read_matrix(base::YamlMap& map, Stage& stage) {
  stage.kernel = read_size(map, "coefficients", "rows");
  for (const base::YamlNode& row : map.at("coefficients").items) {
    if (row.kind != base::YamlNode::Kind::list || row.items.size() != static_cast<std::size_t>(stage.kernel))
      map.fail(row.where,
               fmt::format("coefficients: expected a row of {} integers, as many as there are rows", stage.kernel));
    for (const base::YamlNode& item : row.items)
      stage.weights.push_back(integer_of(item, "coefficient", kLowest, kHighest));
  }
}

// Reads a separable filter: the outer product of a column and a row.
void read_outer_product(base::YamlMap& map, Stage& stage) {
  if (!map.has("row") || !map.has("column"))
    map.fail(map.has("row") ? "row" : "column", "a separable filter has a 'row' and a 'column'");
  if (map.has("coefficients")) map.fail("coefficients", "coefficients: the product of row and column has them");
  stage.kernel = read_size(map, "row", "coefficients");
  if (read_size(map, "column", "coefficients") != stage.kernel)
    map.fail("column", fmt::format("column: expected {} coefficients as the row has, found {}", stage.kernel,
                                   map.at("column").items.size()));
  for (const base::YamlNode& below : map.at("column").items)
    for (const base::YamlNode& beside : map.at("row").items) {
      const int down = integer_of(below, "coefficient", kLowest, kHighest),
                across = integer_of(beside, "coefficient", kLowest, kHighest);
      if (down * across < kLowest || down * across > kHighest)
        map.fail(below.where,
                 fmt::format("column: {} x {} is out of range; allowed: {}..{}", down, across, kLowest, kHighest));
      stage.weights.push_back(down * across);
    }
}

// OpenVX rotates its matrix by half a turn before it lies over the window.
void read_coefficients(base::YamlMap& map, Stage& stage) {
  if (map.has("row") || map.has("column"))
    read_outer_product(map, stage);
  else
    read_matrix(map, stage);
  std::reverse(stage.weights.begin(), stage.weights.end());
}

void read_convolution(base::YamlMap& map, StageEntry& entry) {
  Stage& stage = entry.stage;
  if (map.has("preset")) {
    std::vector<std::string> names;
    for (const Preset& preset : presets()) names.emplace_back(preset.name);
    for (const char* key : {"coefficients", "row", "column"})
      if (map.has(key)) map.fail(key, fmt::format("{}: the preset has the coefficients", key));
    const Preset& preset = presets()[map.choice("preset", names)];
    stage.kernel = preset.kernel;
    stage.weights = preset.weights;
    stage.divisor = preset.divisor;
  } else {
    read_coefficients(map, stage);
  }
  stage.divisor = map.integer("scale", 1, kLargestScale, stage.divisor);
  if ((stage.divisor & (stage.divisor - 1)) != 0 && map.has("scale"))
    map.fail("scale", fmt::format("scale {} is no power of two", stage.divisor));
}

void read_result(base::YamlMap& map, StageEntry& entry) {
  entry.wide_result = map.has("result") && map.choice("result", {"uint8", "int16"}) == 1;
}

void read_policy(base::YamlMap& map, Stage& stage) {
  stage.wraps = map.has("policy") && map.choice("policy", {"saturate", "wrap"}) == 1;
}

void read_threshold(base::YamlMap& map, Stage& stage) {
  stage.range = map.has("lower");
  if (stage.range) {
    stage.lower = map.integer("lower", INT16_MIN, UINT16_MAX);
    stage.upper = map.integer("upper", INT16_MIN, UINT16_MAX);
    if (stage.lower > stage.upper)
      map.fail("upper", fmt::format("upper {} is below lower {}", stage.upper, stage.lower));
  } else {
    stage.upper = map.integer("value", INT16_MIN, UINT16_MAX);
  }
  stage.true_value = map.integer("true_value", 0, UINT8_MAX, UINT8_MAX);
  stage.false_value = map.integer("false_value", 0, UINT8_MAX, 0);
}

void set_filter(Stage& stage, std::vector<int> weights, int divisor) {
  stage.kernel = 3;
  stage.weights = std::move(weights);
  stage.divisor = divisor;
}

}  // namespace

const std::vector<Preset>& presets() {
  static const std::vector<Preset> kPresets{
      {"laplacian", 3, {0, 1, 0, 1, -4, 1, 0, 1, 0}, 1},
      {"laplacian8", 3, {1, 1, 1, 1, -8, 1, 1, 1, 1}, 1},
      {"sharpen", 3, {0, -1, 0, -1, 5, -1, 0, -1, 0}, 1},
      {"sobel_x", 3, {-1, 0, 1, -2, 0, 2, -1, 0, 1}, 1},
      {"sobel_y", 3, {-1, -2, -1, 0, 0, 0, 1, 2, 1}, 1},
      {"scharr_x", 3, {-3, 0, 3, -10, 0, 10, -3, 0, 3}, 1},
      {"scharr_y", 3, {-3, -10, -3, 0, 0, 0, 3, 10, 3}, 1},
      {"gaussian5x5", 5, {1, 4, 6, 4, 1, 4, 16, 24, 16, 4, 6, 24, 36, 24, 6, 4, 16, 24, 16, 4, 1, 4, 6, 4, 1}, 256},
  };
  return kPresets;
}

StageEntry read_stage(base::YamlMap& map) {
  StageEntry entry;
  Stage& stage = entry.stage;
  std::vector<std::string> names;
  for (const Facts& function : functions()) names.emplace_back(function.name);
  stage.function = functions()[map.choice("function", names)].function;
  const Facts& function = facts(stage.function);
  if (function.windowed()) {
    stage.kernel = stage.function == Function::median5x5 ? 5 : 3;
    read_border(map, stage);
  }
  switch (stage.function) {
    case Function::box3x3:
      set_filter(stage, std::vector<int>(9, 1), 9);
      break;
    case Function::gaussian3x3:
      set_filter(stage, {1, 2, 1, 2, 4, 2, 1, 2, 1}, 16);
      break;
    case Function::sobel3x3:
      set_filter(stage, {-1, 0, 1, -2, 0, 2, -1, 0, 1, -1, -2, -1, 0, 0, 0, 1, 2, 1}, 1);
      break;
    case Function::convolution:
      read_convolution(map, entry);
      read_result(map, entry);
      break;
    case Function::add:
    case Function::subtract:
      read_policy(map, stage);
      read_result(map, entry);
      break;
    case Function::multiply:
      read_policy(map, stage);
      read_result(map, entry);
      stage.shift = map.integer("shift", 0, 15, 0);
      break;
    case Function::accumulate_square:
      stage.shift = map.integer("shift", 0, 15, 0);
      break;
    case Function::accumulate_weighted: {
      stage.alpha = static_cast<int>(map.number("alpha", 0, 1) * 256 + 0.5);
      break;
    }
    case Function::threshold:
      read_threshold(map, stage);
      break;
    case Function::channel_extract:
      stage.channel = map.integer("channel", 0, 3);
      break;
    case Function::color_convert:
      stage.format = map.text("to", "gray");
      if (stage.format != "gray") map.fail("to", fmt::format("to '{}': only gray is computed, of RGB", stage.format));
      break;
    default:
      break;
  }
  return entry;
}

}  // namespace fansim::openvx
