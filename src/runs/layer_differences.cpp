// SPDX-License-Identifier: Apache-2.0
#include "runs/layer_differences.h"

#include <fmt/format.h>

#include <algorithm>

namespace fansim::runs {
namespace {

using contract::LayerResult;
using contract::StageResult;

class Comparison {
 public:
  Comparison(const contract::Account& account, const EnginePair& engines) : account_(account), engines_(engines) {}

  void layers(const LayerResult& first, const LayerResult& second) {
    layer_ = first.name;
    if (first.name != second.name) differ("layer names", first.name, second.name);
    figures(first, second, true);
    buckets(first, second);
    figures(first, second, false);
    stages(first, second);
    saturation(first, second);
  }

  std::vector<std::string> lines;

 private:
  template <class T>
  void differ(const std::string& what, const T& first, const T& second) {
    lines.push_back(fmt::format("{} differ: {} {}, {} {}", what, engines_.first, first, engines_.second, second));
  }
  void compare(const std::string& what, std::int64_t first, std::int64_t second) {
    if (first != second) differ(layer_ + ": " + what, first, second);
  }

  // Reports the cycles before the buckets, which explain them, and all other figures after the buckets.
  void figures(const LayerResult& first, const LayerResult& second, bool cycles) {
    for (const contract::Counted* row : account_.counted()) {
      const bool is_cycles = row->member == &LayerResult::cycles;
      if (row->of_engines && is_cycles == cycles) compare(row->spoken, row->of(first), row->of(second));
    }
  }

  void buckets(const LayerResult& first, const LayerResult& second) {
    const auto of = [](const LayerResult& layer, std::size_t b) {
      return b < layer.buckets.size() ? layer.buckets[b] : 0;
    };
    for (std::size_t b = 0; b < account_.buckets.size(); ++b)
      compare(fmt::format("cycles of {}", account_.buckets[b].name), of(first, b), of(second, b));
  }

  void stages(const LayerResult& first, const LayerResult& second) {
    compare("stages", static_cast<std::int64_t>(first.stages.size()), static_cast<std::int64_t>(second.stages.size()));
    for (std::size_t i = 0; i < std::min(first.stages.size(), second.stages.size()); ++i) {
      const StageResult &a = first.stages[i], &b = second.stages[i];
      if (a.name != b.name) differ(fmt::format("{}: names of stage {}", layer_, i), a.name, b.name);
      compare(a.name + ": tiles", a.tiles, b.tiles);
      compare(a.name + ": beats", a.beats, b.beats);
      compare(a.name + ": cycles", a.cycles, b.cycles);
    }
  }

  void saturation(const LayerResult& first, const LayerResult& second) {
    const arith::Saturation a = first.saturation.value_or(arith::Saturation()), b = second.saturation.value_or(a);
    const auto both = [this](const char* what, const arith::Beyond& one, const arith::Beyond& other) {
      compare(what, one.count, other.count);
      compare(std::string(what) + ", overshoot", one.overshoot, other.overshoot);
    };
    both("sums that wrapped", a.accumulator, b.accumulator);
    both("saturated operands", a.operand, b.operand);
    both("saturated outputs", a.output, b.output);
    compare("results changed by saturation", a.changed, b.changed);
  }

  const contract::Account& account_;
  const EnginePair& engines_;
  std::string layer_;
};

}  // namespace

std::vector<std::string> layer_differences(const contract::Account& account, const std::vector<LayerResult>& first,
                                           const std::vector<LayerResult>& second, const EnginePair& engines) {
  Comparison comparison(account, engines);
  if (first.size() != second.size())
    comparison.lines.push_back(fmt::format("the {} engine ran {} layers, the {} one {}", engines.first, first.size(),
                                           engines.second, second.size()));
  for (std::size_t i = 0; i < std::min(first.size(), second.size()); ++i) comparison.layers(first[i], second[i]);
  return std::move(comparison.lines);
}

}  // namespace fansim::runs
