// SPDX-License-Identifier: Apache-2.0
#include "subject.h"

#include <fmt/format.h>

#include "accelerators/stream/replay/stream_engine.h"
#include "accelerators/tiled/replay/replayed_layer.h"
#include "timing/run_program.h"

namespace fansim::test {
namespace {

timing::EngineOptions timing_only() {
  timing::EngineOptions options;
  options.values = false;
  return options;
}

constexpr auto kNoValues = [](const contract::LayerSteps&, const contract::ProgressCallback&, contract::LayerResult&) {
};

}  // namespace

using explore::Effort;
using explore::Metric;

std::vector<contract::LayerResult> run_fast(const stream::Config& config, const contract::Program& program) {
  timing::Edge gap = timing::kLongAgo;
  const auto time = [&](const contract::LayerSteps& layer, const contract::ProgressCallback& progress) {
    return stream::run_stream_layer(config, program, layer, gap, true, progress);
  };
  return timing::run_program(program, timing_only(), time, kNoValues);
}

std::vector<contract::LayerResult> run_fast(const tiled::Config& config, const contract::Program& program) {
  tiled::TiledGaps gaps;
  tiled::PathTables tables;
  const auto time = [&](const contract::LayerSteps& layer, const contract::ProgressCallback& progress) {
    contract::LayerResult result = tiled::replay_tiled_layer(config, program, layer, gaps, tables, progress);
    // The next layer begins where the clocks meet.
    const timing::Edge idle = base::round_up(result.cycles, timing::Edge{layer.align}) - result.cycles;
    gaps = {gaps.inputs - idle, gaps.weights - idle};
    return result;
  };
  return timing::run_program(program, timing_only(), time, kNoValues);
}

explore::Box box_around(const explore::Point& point, const explore::Space& space, base::Random& random) {
  explore::Box box = explore::box_of(point);
  for (std::size_t i = 0; i < point.size(); ++i) {
    if (random.chance(40)) continue;
    box.sides[i].first = random.uniform(0, point[i]);
    box.sides[i].last = random.uniform(point[i], space.parameters[i].size() - 1);
  }
  return box;
}

explore::Point random_point(const explore::Space& space, base::Random& random) {
  explore::Point point;
  for (const explore::Parameter& parameter : space.parameters) {
    const int last = parameter.size() - 1;
    point.push_back(random.uniform(0, random.chance(70) ? std::min(last, 32 + last / 16) : last));
  }
  return point;
}

void check_bounds(const explore::Space& space, const explore::Model& model, int points, std::uint64_t seed) {
  base::Random random(seed);
  int scored = 0;
  for (int trial = 0; trial < points; ++trial) {
    const explore::Point point = random_point(space, random);
    CAPTURE(seed, trial, space.text(point));
    const explore::Outcome outcome = model.evaluate(point);
    const bool counts =
        outcome.kind == explore::Outcome::Kind::scored && of(outcome.metrics, Metric::dsp_percent) <= 100;
    scored += counts ? 1 : 0;
    for (int i = 0; i < 6; ++i) {
      const explore::Box box = i == 0 ? explore::box_of(point) : box_around(point, space, random);
      for (const Effort effort : {0, 1, 3, 1000}) {
        if (!counts) continue;
        const explore::Bounds bounds = model.bounds(box, effort);
        REQUIRE(bounds.possible);
        for (std::size_t m = 0; m < explore::kMetrics; ++m) {
          CAPTURE(i, explore::metric_names()[m], bounds.metrics[m].low, bounds.metrics[m].high, outcome.metrics[m]);
          REQUIRE(bounds.metrics[m].contains(outcome.metrics[m]));
        }
      }
    }
  }
  CHECK(scored > points / 8);
}

namespace {

bool is_counted(const base::FieldRow& row) { return row.type == "int" || row.type == "cost"; }

std::string other_value(const base::FieldRow& row) {
  if (row.type == "bool") return row.fallback == "true" ? "false" : "true";
  if (!is_counted(row)) return row.fallback;
  if (!row.counted.empty()) return fmt::format("{} + 7 cycles", row.fallback.substr(0, row.fallback.find(" - ")));
  return std::to_string(std::stoi(row.fallback) * 2 + (row.fallback == "0" ? 1 : 0));
}

}  // namespace

std::vector<std::string> other_values(const base::FieldRow& row) {
  if (is_counted(row)) {
    const int value = std::stoi(row.counted.empty() ? row.fallback : row.counted);
    return {other_value(row), std::to_string(std::max(1, value / 2))};
  }
  if (row.type != "choice") return {other_value(row)};
  std::vector<std::string> words;
  for (std::size_t from = 0; from < row.allowed.size();) {
    const std::size_t to = std::min(row.allowed.find(" | ", from), row.allowed.size());
    words.push_back(row.allowed.substr(from, to - from));
    from = to + 3;
  }
  return words;
}

}  // namespace fansim::test
