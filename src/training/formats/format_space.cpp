// SPDX-License-Identifier: Apache-2.0
#include "training/formats/format_space.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/file.h"
#include "base/yaml.h"

namespace fansim::training::formats {
namespace {

const std::vector<base::YamlNode>& items_of(base::YamlMap& map, const char* key) {
  const base::YamlNode& list = map.at(key);
  if (list.kind != base::YamlNode::Kind::list || list.items.empty())
    map.fail(key, fmt::format("{}: expected a list, found {}", key, list.found()));
  return list.items;
}

std::vector<std::string> words_of(base::YamlMap& map, const char* key) {
  std::vector<std::string> words;
  for (const base::YamlNode& item : items_of(map, key)) {
    if (item.kind != base::YamlNode::Kind::scalar) map.fail(item.where, fmt::format("{}: expected a word", key));
    words.push_back(item.scalar);
  }
  return words;
}

void read_layers(base::YamlMap& map, FormatSpace& space) {
  for (const base::YamlNode& item : items_of(map, "layers")) {
    base::YamlMap entry(item, "layer");
    Layer layer;
    layer.name = entry.text("name");
    layer.words = words_of(entry, "words");
    if (entry.has("sums")) layer.sums = words_of(entry, "sums");
    entry.finish();
    space.layers.push_back(std::move(layer));
  }
}

std::string key(const std::string& word, const char* part) {
  return fmt::format("{}{}{}", word, word.find('.') == std::string::npos ? "." : "_", part);
}

}  // namespace

std::vector<std::string> FormatSpace::overrides(const Combination& combination) const {
  std::vector<std::string> all = set;
  const auto add = [&](const std::string& word, int exponent, int mantissa) {
    all.push_back(fmt::format("{}={}", key(word, "exponent"), exponent));
    all.push_back(fmt::format("{}={}", key(word, "mantissa"), mantissa));
  };
  for (std::size_t i = 0; i < layers.size(); ++i) {
    const Format& format = combination.at(i);
    for (const std::string& word : layers[i].words) add(word, format.exponent, format.mantissa);
    for (const std::string& word : layers[i].sums) add(word, format.exponent, std::max(format.mantissa, sum_mantissa));
  }
  return all;
}

std::string FormatSpace::text(const Combination& combination) const {
  std::string all;
  for (std::size_t i = 0; i < layers.size();) {
    const Format& format = combination.at(i);
    const auto same = [&](std::size_t k) {
      return combination[k].exponent == format.exponent && combination[k].mantissa == format.mantissa;
    };
    std::size_t end = i + 1;
    while (end < layers.size() && same(end)) ++end;
    const bool whole = i == 0 && end == layers.size();
    for (std::size_t k = i; k < end && !whole; ++k) all += layers[k].name + (k + 1 < end ? ", " : " ");
    all += fmt::format("{}.{}{}", format.exponent, format.mantissa, end < layers.size() ? "; " : "");
    i = end;
  }
  return all;
}

std::string FormatSpace::identity() const {
  return fmt::format("data '{}' images {} test {} epochs {}", data, images, test, epochs);
}

bool is_format_space(const std::string& path) { return base::YamlMap(base::load_yaml(path)).has("formats"); }

FormatSpace load_format_space(const std::string& path) {
  base::YamlMap top(base::load_yaml(path));
  FormatSpace space;
  top.integer("version", 1, 1);
  space.name = top.text("name");
  space.config = base::beside(path, top.text("config"));
  if (!base::exists(space.config)) top.fail("config", fmt::format("config '{}' does not exist", space.config));
  if (top.has("set")) {
    const base::YamlNode& set = top.at("set");
    if (set.kind != base::YamlNode::Kind::map)
      top.fail("set", fmt::format("set: expected a map, found {}", set.found()));
    for (const base::YamlEntry& entry : set.entries) {
      if (entry.value.kind != base::YamlNode::Kind::scalar)
        top.fail(entry.where, fmt::format("{}: expected a value, found {}", entry.key, entry.value.found()));
      space.set.push_back(entry.key + "=" + entry.value.scalar);
    }
  }
  base::YamlMap formats = top.child("formats");
  space.least_bits = formats.integer("least_bits", Format::kLeastBits, Format::kMostBits, space.least_bits);
  space.most_bits = formats.integer("most_bits", space.least_bits, Format::kMostBits, space.most_bits);
  space.first_exponent = formats.integer("first_exponent", 2, std::min(Format::kMostExponent, space.least_bits - 2),
                                         std::min(space.first_exponent, space.least_bits - 2));
  space.sum_mantissa = formats.integer("sum_mantissa", 0, Format::kMostMantissa, 0);
  space.target_percent =
      formats.has("target_percent") ? formats.number("target_percent", 0, 100) : space.target_percent;
  read_layers(formats, space);
  formats.finish();
  if (top.has("training")) {
    base::YamlMap training = top.child("training");
    if (training.has("data")) space.data = base::beside(path, training.text("data"));
    space.images = training.integer("images", 1, 1'000'000, space.images);
    space.test = training.integer("test", 1, 1'000'000, space.test);
    space.epochs = training.integer("epochs", 1, 10'000, space.epochs);
    training.finish();
  }
  top.finish();
  return space;
}

}  // namespace fansim::training::formats
