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
  explicit Comparison(const contract::Account& account) : account_(account) {}

  void layers(const LayerResult& clocked, const LayerResult& fast) {
    layer_ = clocked.name;
    if (clocked.name != fast.name)
      lines.push_back(fmt::format("layer names differ: clocked {}, fast {}", clocked.name, fast.name));
    figures(clocked, fast, true);
    buckets(clocked, fast);
    figures(clocked, fast, false);
    stages(clocked, fast);
  }

  std::vector<std::string> lines;

 private:
  void compare(const std::string& what, std::int64_t clocked, std::int64_t fast) {
    if (clocked != fast)
      lines.push_back(fmt::format("{}: {} differ: clocked {}, fast {}", layer_, what, clocked, fast));
  }

  // Reports the cycles before the buckets, which explain them, and all other figures after the buckets.
  void figures(const LayerResult& clocked, const LayerResult& fast, bool cycles) {
    for (const contract::Counted* row : account_.counted()) {
      const bool is_cycles = row->member == &LayerResult::cycles;
      if (row->of_engines && is_cycles == cycles) compare(row->spoken, row->of(clocked), row->of(fast));
    }
  }

  void buckets(const LayerResult& clocked, const LayerResult& fast) {
    const auto of = [](const LayerResult& layer, std::size_t b) {
      return b < layer.buckets.size() ? layer.buckets[b] : 0;
    };
    for (std::size_t b = 0; b < account_.buckets.size(); ++b)
      compare(fmt::format("cycles of {}", account_.buckets[b].name), of(clocked, b), of(fast, b));
  }

  void stages(const LayerResult& clocked, const LayerResult& fast) {
    compare("stages", static_cast<std::int64_t>(clocked.stages.size()), static_cast<std::int64_t>(fast.stages.size()));
    for (std::size_t i = 0; i < std::min(clocked.stages.size(), fast.stages.size()); ++i) {
      const StageResult &a = clocked.stages[i], &b = fast.stages[i];
      if (a.name != b.name)
        lines.push_back(fmt::format("{}: names of stage {} differ: clocked {}, fast {}", layer_, i, a.name, b.name));
      compare(a.name + ": tiles", a.tiles, b.tiles);
      compare(a.name + ": beats", a.beats, b.beats);
      compare(a.name + ": cycles", a.cycles, b.cycles);
    }
  }

  const contract::Account& account_;
  std::string layer_;
};

}  // namespace

std::vector<std::string> layer_differences(const contract::Account& account, const std::vector<LayerResult>& clocked,
                                           const std::vector<LayerResult>& fast) {
  Comparison comparison(account);
  if (clocked.size() != fast.size())
    comparison.lines.push_back(
        fmt::format("the clocked engine ran {} layers, the fast one {}", clocked.size(), fast.size()));
  for (std::size_t i = 0; i < std::min(clocked.size(), fast.size()); ++i) comparison.layers(clocked[i], fast[i]);
  return std::move(comparison.lines);
}

}  // namespace fansim::runs
