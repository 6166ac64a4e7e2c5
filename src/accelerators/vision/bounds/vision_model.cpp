// SPDX-License-Identifier: Apache-2.0
#include "accelerators/vision/bounds/vision_model.h"

#include <fmt/format.h>

#include <utility>

#include "accelerators/configure.h"
#include "accelerators/vision/bounds/least_cycles.h"
#include "accelerators/vision/compile/compile.h"
#include "accelerators/vision/estimate/estimate.h"

namespace fansim::vision {
namespace {

using explore::Bounds;
using explore::Box;

std::vector<bool> growing(const explore::Space& space) {
  std::vector<bool> grows;
  for (const explore::Parameter& parameter : space.parameters)
    grows.push_back(contract::effect_of<Config>(parameter.path).resources == base::Effect::Resources::grow);
  return grows;
}

}  // namespace

VisionModel::VisionModel(const explore::Space& space, Config base, const std::string& network)
    : PlainModel(space, network),
      base_(std::move(base)),
      plain_(accelerators::is_plain<Config>(space)),
      shapes_(accelerators::shapes_of<Config>(space, base_.device)),
      grows_(growing(space)) {}

Bounds VisionModel::bounds(const Box& box, explore::Effort) const {
  if (!plain_) return {};
  return accelerators::shape_hull(box, shapes_, [this](const Box& shape) { return of_shape(shape); });
}

std::optional<Bounds> VisionModel::of_shape(const Box& box) const {
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
  const std::optional<Bounds> bounds = compute(box);
  const std::lock_guard<std::mutex> lock(mutex_);
  return known_[key] = bounds;
}

// Returns nothing if a field does not accept a value, or if a derived key is not fixed.
std::optional<Config> VisionModel::end_of(const Box& box, Ends which) const {
  Config config = base_;
  std::vector<explore::Interval> numbers;
  for (std::size_t i = 0; i < box.sides.size(); ++i) {
    const explore::Parameter& parameter = space_.parameters[i];
    const Box::Side& side = box.sides[i];
    const auto index = static_cast<std::size_t>(grows_[i] && which == Ends::fastest ? side.last : side.first);
    if (!contract::set_field(config, parameter.path, parameter.values[index].text).empty()) return std::nullopt;
    numbers.push_back(space_.range(i, box));
  }
  for (const explore::Derived& derived : space_.derived) {
    const explore::Interval range = derived.expression.range(numbers);
    if (!range.fixed()) return std::nullopt;
    if (!contract::set_field(config, derived.path, fmt::format("{:.15g}", range.low)).empty()) return std::nullopt;
  }
  return config;
}

// If one point of a box is refused, that says nothing about the others.
std::optional<Bounds> VisionModel::compute(const Box& box) const {
  const std::optional<Bounds> refused = box.is_point() ? std::nullopt : std::optional<Bounds>(Bounds{});
  const std::optional<Config> least = end_of(box, Ends::least), fastest = end_of(box, Ends::fastest);
  if (!least || !fastest || !refusal(*least).empty() || !refusal(*fastest).empty()) return refused;
  compile::Options options;
  options.values = options.memory = false;
  const compile::Compiled compiled = compile_network(network(), *fastest, options);
  const auto* program = std::get_if<contract::Program>(&compiled);
  if (!program) return refused;
  accelerators::LayerTime time;
  time.cycles = std::max<base::Cycles>(1, least_cycles(*program, *fastest, box.is_point()));
  for (const contract::LayerPlan& layer : program->layers) time.macs += layer.macs;
  const estimate::Estimate cost = cost_of(*least);
  return accelerators::bounds_from(
      accelerators::metrics_of(time, least->clock_hz(), least->device, cost.total, cost.power.total_w(), cost.fmax.hz));
}

}  // namespace fansim::vision
