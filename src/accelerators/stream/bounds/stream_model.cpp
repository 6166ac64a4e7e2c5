// SPDX-License-Identifier: Apache-2.0
#include "accelerators/stream/bounds/stream_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "accelerators/shape_hull.h"

namespace fansim::stream {
namespace {

using explore::Bounds;
using explore::Box;
using explore::Effort;
using explore::Interval;
using explore::Metric;

using Resources = base::Effect::Resources;

Resources effect(const std::string& path) { return contract::effect_of<Config>(path).resources; }

// Returns the bytes of weights that a layer's array needs, each loaded at least once.
double weight_bytes(const network::Layer& layer, const ArrayConfig& array) {
  return static_cast<double>(layer.weight_count() * array.weight_bytes());
}

}  // namespace

StreamModel::StreamModel(const explore::Space& space, Config base, const std::string& network)
    : ConfiguredModel(space, std::move(base), network), shapes_(accelerators::shapes_of<Config>(space, base_.device)) {}

accelerators::Scheduled StreamModel::all_scheduled(const Config& config, const network::Network& network,
                                                   const std::vector<int>& layers) const {
  const Keys keys(config);
  return one_by_one(
      layers, [&](int layer, const accelerators::Gaps& gaps) { return scheduled(config, keys, network, layer, gaps); });
}

accelerators::Scheduled StreamModel::scheduled(const Config& config, const Keys& keys, const network::Network& network,
                                               int layer, const accelerators::Gaps& gaps) const {
  const auto known = programs_.of(config, keys.program, network, layer);
  if (!known->refusal.empty()) return known->refusal;
  const std::string key = timing_key(keys.machine, keys.slots.with(known->largest_write), known->steps, gaps);
  if (const auto time = times_.find(key)) return *time;
  const auto simulate = [&](const TimedProgram& program) {
    return times_.simulate(config, program, gaps, key, seen_, keys.known);
  };
  if (known->program) return simulate(*known->program);
  return simulate(std::get<TimedProgram>(timed_program(network, layer, config)));
}

Bounds StreamModel::bounds(const Box& box, Effort effort) const {
  if (!one_fusion_) return {};
  const Bounds formula = by_formula(box);
  return formula.possible && plain_ && box.is_point() ? of_point(box.first(), formula, effort) : formula;
}

Bounds StreamModel::by_formula(const Box& box) const {
  std::vector<int> key;
  for (const Box::Side& side : box.sides) {
    key.push_back(side.first);
    key.push_back(side.last);
  }
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto found = known_.find(key);
    if (found != known_.end()) return found->second;
  }
  const Bounds bounds = hull(box);
  const std::lock_guard<std::mutex> lock(mutex_);
  return known_[key] = bounds;
}

// Bounds a point: the first layers are simulated, the others are bounded by their programs.
Bounds StreamModel::of_point(const explore::Point& point, const Bounds& formula, Effort effort) const {
  const auto configured = configuration(point);
  const auto* config = std::get_if<Config>(&configured);
  if (!config) return {false, false, {}};
  // If gaps extend into the next layer, layers cannot be simulated separately.
  const std::size_t pieces = gaps_reach(*config) ? 0 : std::min(layers_.size(), static_cast<std::size_t>(effort));
  const auto network = network_of(*config);
  const Keys keys(*config);
  accelerators::LayerTime time;
  for (std::size_t i = 0; i < layers_.size(); ++i) {
    const auto program = programs_.of(*config, keys.program, *network, layers_[i]);
    if (!program->refusal.empty()) return {false, false, {}};
    time.macs += network->layers[static_cast<std::size_t>(layers_[i])].macs();
    time.cycles += i < pieces
                       ? std::get<accelerators::LayerTime>(scheduled(*config, keys, *network, layers_[i], {})).cycles
                       : program->least(*config);
  }
  Bounds bounds = formula;
  bounds.refinable = !gaps_reach(*config) && pieces < layers_.size();
  const double power_w = of(formula.metrics, Metric::power_w).low;
  const explore::Metrics best = accelerators::metrics_of(time, config->clock_hz(), config->device, {}, power_w, 0);
  for (const Metric metric : {Metric::cycles, Metric::latency_ms, Metric::energy_mj}) {
    double& low = of(bounds.metrics, metric).low;
    low = std::max(low, of(best, metric));
  }
  for (const Metric metric : {Metric::frames_per_s, Metric::gops}) {
    double& high = of(bounds.metrics, metric).high;
    high = std::min(high, of(best, metric));
  }
  return bounds;
}

// Bounds a box by the bounds of all shapes in it.
Bounds StreamModel::hull(const Box& box) const {
  return accelerators::shape_hull(box, shapes_, [this](const Box& shape) { return corner(shape); });
}

// Sets the smallest value of everything in the box. Returns false if a derived key has no smallest value, or if a field
// does not accept it.
bool StreamModel::set_least(Config& config, const Box& box) const {
  std::vector<Interval> numbers;
  for (std::size_t i = 0; i < box.sides.size(); ++i) {
    const explore::Parameter& parameter = space_.parameters[i];
    const auto index = static_cast<std::size_t>(box.sides[i].first);
    if (!contract::set_field(config, parameter.path, parameter.values[index].text).empty()) return false;
    numbers.push_back(space_.range(i, box));
  }
  for (const explore::Derived& derived : space_.derived) {
    const Interval range = derived.expression.range(numbers);
    if (!range.fixed() && effect(derived.path) == Resources::shape) return false;
    const double number = std::floor(range.low);
    if (!std::isfinite(number)) return false;
    const std::string text = range.fixed() ? fmt::format("{:.15g}", number) : fmt::format("{:.0f}", number);
    if (!contract::set_field(config, derived.path, text).empty()) return false;
  }
  return true;
}

// Returns whether the accelerator accepts no point of the box. It may refuse one value and accept the next, so all
// points are tried, the greatest first, until one is accepted. If there are too many, it returns false, and the box is
// divided.
bool StreamModel::refused_whole(const Box& box) const {
  constexpr double kMostTried = 64;
  if (!plain_ || box.points() > kMostTried) return false;
  explore::Point point = box.last();
  while (true) {
    if (std::holds_alternative<Config>(configuration(point))) return false;
    std::size_t i = 0;
    for (; i < point.size() && point[i] == box.sides[i].first; ++i) point[i] = box.sides[i].last;
    if (i == point.size()) return true;
    --point[i];
  }
}

// Bounds a box with a single shape; returns nothing if the accelerator does not accept it.
std::optional<Bounds> StreamModel::corner(const Box& box) const {
  if (refused_whole(box)) return std::nullopt;
  Config low = base_;
  if (!set_least(low, box)) return Bounds{};
  accelerators::LayerTime time;
  time.cycles = std::max<base::Cycles>(1, static_cast<base::Cycles>(least_cycles(low)));
  for (const int layer : layers_) time.macs += network().layers[static_cast<std::size_t>(layer)].macs();
  const estimate::Estimate cost = cost_of(low);
  const explore::Metrics best =
      accelerators::metrics_of(time, low.clock_hz(), low.device, cost.total, cost.power.total_w(), cost.fmax.hz);
  return accelerators::bounds_from(best);
}

// Returns a lower bound of the cycles: the host prepares each layer, then the array needs a cycle for its number of
// products, or the port a cycle for its number of weights.
double StreamModel::least_cycles(const Config& c) const {
  double cycles = 0;
  for (const int index : layers_) {
    const network::Layer& layer = network().layers[static_cast<std::size_t>(index)];
    if (layer.joins()) continue;  // it may be a placement
    const double compute = static_cast<double>(layer.macs()) / c.array.macs_per_cycle();
    const double weights = weight_bytes(layer, c.array) / c.axi.beat_bytes();
    cycles += c.host.layer_setup + std::floor(std::max(compute, weights));
  }
  return cycles;
}

}  // namespace fansim::stream
