// SPDX-License-Identifier: Apache-2.0
#include "accelerators/tiled/bounds/tiled_model.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "accelerators/shape_hull.h"
#include "accelerators/tiled/bounds/roofline.h"
#include "accelerators/tiled/compile/engine_choice.h"
#include "accelerators/tiled/compile/layer_jobs.h"
#include "compile/fusion.h"

namespace fansim::tiled {
namespace {

using explore::Bounds;
using explore::Box;
using explore::Effort;
using explore::Interval;
using explore::Metric;
using explore::Space;

using Resources = base::Effect::Resources;

bool grows(const std::string& path) { return contract::effect_of<Config>(path).resources == Resources::grow; }
// Returns whether a key says where MACs are made; the bounds hold for any value of it.
bool divides_macs(const std::string& path) { return contract::effect_of<Config>(path).resources == Resources::place; }
// Returns the engine to which a key belongs; none: it belongs to no single engine.
std::optional<int> engine_with(const std::string& path) {
  const std::string block = path.substr(0, path.find('.'));
  for (int engine = 0; engine < Config::kEngines; ++engine)
    if (block == Config::kEngineNames[static_cast<std::size_t>(engine)]) return engine;
  return std::nullopt;
}

std::string text_of(const std::string& path, double number) {
  const auto field = contract::fields_of<Config>().find(path);
  if (field != contract::fields_of<Config>().end() && field->second.type == "bool")
    return number != 0 ? "true" : "false";
  return std::to_string(static_cast<std::int64_t>(number));
}

// Returns whether all points with more slices than the device break a constraint.
bool refuses_more_dsp(const Space& space) {
  explore::MetricRanges metrics{};
  of(metrics, Metric::dsp_percent) = {std::nextafter(100.0, 101.0), Interval::kInfinity};
  const std::vector<Interval> slots = space.slots(space.whole(), metrics);
  return std::any_of(space.constraints.begin(), space.constraints.end(), [&](const explore::Constraint& c) {
    const Interval truth = c.expression.range(slots);
    return truth.low == 0 && truth.high == 0;
  });
}

}  // namespace

// Convolutions run on one of two engines, which share a store of weights. Fully connected layers have an engine and a
// store of their own.
bool times_depend_on(const std::string& path, int engine) {
  const base::Effect effect = contract::effect_of<Config>(path);
  const std::optional<int> of = engine_with(path);
  const bool fc = engine == Config::kFc;
  if (of && (*of == Config::kFc) != fc) return false;
  if (effect.part && (std::string(effect.part) == Config::kEngineNames[Config::kFc]) != fc) return false;
  return effect.time;
}

TiledModel::TiledModel(const Space& space, Config base, const std::string& network)
    : ConfiguredModel(space, std::move(base), network),
      network_(network_of(base_)),
      fusion_(*network_, {}, fused_kinds(base_)),
      dsp_within_device_(refuses_more_dsp(space)) {
  const auto of_format = [](const std::string& path) { return contract::effect_of<Config>(path).format; };
  for (const explore::Derived& derived : space.derived) one_format_ = one_format_ && !of_format(derived.path);
  for (const explore::Parameter& parameter : space.parameters) {
    one_format_ = one_format_ && !of_format(parameter.path);
    std::vector<int> accepted;
    for (int i = 0; i < parameter.size(); ++i) {
      Config tried = base_;
      const std::string& text = parameter.values[static_cast<std::size_t>(i)].text;
      if (!grows(parameter.path) || contract::set_field(tried, parameter.path, text).empty()) accepted.push_back(i);
    }
    accepted_.push_back(std::move(accepted));
  }
  const auto fixed_by = [&](int layer) {
    const int engine = engine_of(network_->layers[static_cast<std::size_t>(layer)], base_);
    std::size_t last = 0;
    for (std::size_t i = 0; i < space.parameters.size(); ++i)
      if (times_depend_on(space.parameters[i].path, engine)) last = i;
    return last;
  };
  simulated_first_ = layers_;
  std::stable_sort(simulated_first_.begin(), simulated_first_.end(),
                   [&](int a, int b) { return fixed_by(a) < fixed_by(b); });
}

accelerators::Scheduled TiledModel::all_scheduled(const Config& config, const network::Network& network,
                                                  const std::vector<int>& layers) const {
  std::array<std::optional<std::int64_t>, Config::kEngines> numbers;
  return one_by_one(layers, [&](int layer, const accelerators::Gaps& gaps) {
    const int engine = engine_of(network.layers[static_cast<std::size_t>(layer)], config);
    std::optional<std::int64_t>& number = numbers[static_cast<std::size_t>(engine)];
    if (!number) number = number_of(engine_key(config, engine));
    return scheduled_once(config, network, layer, gaps, *number);
  });
}

std::int64_t TiledModel::number_of(const std::string& engine_key) const {
  const std::lock_guard<std::mutex> lock(scheduled_mutex_);
  if (engines_.size() == kMostScheduled) engines_.clear();
  const auto [known, fresh] = engines_.emplace(engine_key, next_engine_);
  if (fresh) ++next_engine_;
  return known->second;
}

accelerators::Scheduled TiledModel::scheduled_once(const Config& config, const network::Network& network, int layer,
                                                   const accelerators::Gaps& gaps, std::int64_t engine) const {
  accelerators::KeyBytes bytes;
  bytes.add(std::int64_t{layer});
  bytes.add(engine);
  bytes.gaps(gaps);
  const std::string key = bytes.take();
  {
    const std::lock_guard<std::mutex> lock(scheduled_mutex_);
    const auto found = scheduled_.find(key);
    if (found != scheduled_.end()) return found->second;
  }
  const auto program = accelerators::program_of(network, layer, config);
  accelerators::Scheduled fresh;
  if (const auto* refusal = std::get_if<std::string>(&program))
    fresh = *refusal;
  else
    fresh = time(config, std::get<contract::Program>(program), gaps);
  const std::lock_guard<std::mutex> lock(scheduled_mutex_);
  if (scheduled_.size() == kMostScheduled) scheduled_.clear();
  return scheduled_.emplace(key, std::move(fresh)).first->second;
}

TiledModel::Ends TiledModel::ends_of(const Box& box) const {
  Ends ends{true, true, base_, base_};
  for (std::size_t i = 0; i < box.sides.size(); ++i) {
    const explore::Parameter& parameter = space_.parameters[i];
    const std::vector<int>& accepted = accepted_[i];
    const auto first = std::lower_bound(accepted.begin(), accepted.end(), box.sides[i].first);
    const auto past = std::upper_bound(accepted.begin(), accepted.end(), box.sides[i].last);
    if (first >= past) {
      ends.possible = false;
      return ends;
    }
    const bool fixed = box.sides[i].size() == 1;
    if (divides_macs(parameter.path) && !fixed) {
      ends.placed[static_cast<std::size_t>(engine_with(parameter.path).value())] = false;
      continue;
    }
    const auto text = [&](int index) { return parameter.values[static_cast<std::size_t>(index)].text; };
    ends.known = ends.known && (fixed || grows(parameter.path));
    // A value that a field refuses here is reported by evaluate().
    const bool set = contract::set_field(ends.low, parameter.path, text(*first)).empty() &&
                     contract::set_field(ends.high, parameter.path, text(*std::prev(past))).empty();
    ends.known = ends.known && set;
  }
  ends.known = ends.known && set_derived(ends, box);
  for (int i = 0; i < Config::kEngines; ++i) {
    const EngineConfig &low = ends.low.engine(i), &high = ends.high.engine(i);
    if (low.tm != high.tm || low.tn != high.tn) ends.placed[static_cast<std::size_t>(i)] = false;
  }
  return ends;
}

bool TiledModel::set_derived(Ends& ends, const Box& box) const {
  std::vector<Interval> numbers;
  for (std::size_t i = 0; i < box.sides.size(); ++i) numbers.push_back(space_.range(i, box));
  for (const explore::Derived& derived : space_.derived) {
    const Interval range = derived.expression.range(numbers);
    if (divides_macs(derived.path) && !range.fixed()) {
      ends.placed[static_cast<std::size_t>(engine_with(derived.path).value())] = false;
      continue;
    }
    if (!(range.fixed() || grows(derived.path)) || !std::isfinite(range.low) || !std::isfinite(range.high))
      return false;
    if (!contract::set_field(ends.low, derived.path, text_of(derived.path, std::floor(range.low))).empty())
      return false;
    // A value that is too high for its field bounds nothing.
    if (!contract::set_field(ends.high, derived.path, text_of(derived.path, std::ceil(range.high))).empty())
      return false;
  }
  return true;
}

TiledModel::Keys TiledModel::keys_of(const Box& box) const {
  std::vector<Interval> numbers;
  for (std::size_t i = 0; i < box.sides.size(); ++i) numbers.push_back(space_.range(i, box));
  std::vector<Interval> derived;
  for (const explore::Derived& d : space_.derived) derived.push_back(d.expression.range(numbers));
  Keys keys;
  for (int engine = 0; engine < Config::kEngines; ++engine) {
    std::vector<double> key;
    bool fixed = true;
    for (std::size_t i = 0; i < box.sides.size(); ++i) {
      if (!times_depend_on(space_.parameters[i].path, engine)) continue;
      fixed = fixed && box.sides[i].size() == 1;
      key.push_back(box.sides[i].first);
    }
    for (std::size_t i = 0; i < derived.size(); ++i) {
      if (!times_depend_on(space_.derived[i].path, engine)) continue;
      fixed = fixed && derived[i].fixed();
      key.push_back(derived[i].low);
    }
    if (fixed) keys[static_cast<std::size_t>(engine)] = std::move(key);
  }
  return keys;
}

const std::vector<double>* TiledModel::key_of(const network::Layer& layer, const Ends& ends, const Keys& keys) {
  const int engine = engine_of(layer, ends.high);
  const auto& key = keys[static_cast<std::size_t>(engine)];
  return key && engine == engine_of(layer, ends.low) ? &*key : nullptr;
}

std::optional<double> TiledModel::least_time(int layer, const Ends& ends, const Keys& keys, bool simulate) const {
  const auto network = one_format_ ? network_ : network_of(ends.high);
  const network::Layer& l = network->layers[static_cast<std::size_t>(layer)];
  if (const std::vector<double>* key = key_of(l, ends, keys)) {
    const Known one = known(layer, ends.high, *key, simulate);
    if (!one.possible) return std::nullopt;
    return simulate ? one.simulated.value_or(one.by_formula) : one.by_formula;
  }
  const int pool = fusion_.pool_behind(layer);
  return std::floor(
      least_cycles(l, pool < 0 ? nullptr : &network->layers[static_cast<std::size_t>(pool)], ends.low, ends.high));
}

TiledModel::Known TiledModel::known(int layer, const Config& config, std::vector<double> key, bool simulate) const {
  key.push_back(layer);
  {
    const std::lock_guard<std::mutex> lock(known_mutex_);
    const auto found = known_.find(key);
    if (found != known_.end() && (!simulate || found->second.simulated || !found->second.possible))
      return found->second;
  }
  Known one;
  const auto program = accelerators::program_of(one_format_ ? *network_ : *network_of(config), layer, config);
  if (const auto* compiled = std::get_if<contract::Program>(&program)) {
    one.by_formula = std::floor(least_cycles(*compiled, config));
    if (simulate) one.simulated = static_cast<double>(time(config, *compiled, {}).cycles);
  } else {
    one.possible = false;
  }
  const std::lock_guard<std::mutex> lock(known_mutex_);
  return known_[std::move(key)] = one;
}

bool TiledModel::refinable(const Ends& ends, const Keys& keys, Effort effort) const {
  for (std::size_t i = static_cast<std::size_t>(effort); i < simulated_first_.size(); ++i)
    if (key_of(network_->layers[static_cast<std::size_t>(simulated_first_[i])], ends, keys)) return true;
  return false;
}

Bounds TiledModel::bounds(const Box& box, Effort effort) const {
  if (!one_fusion_) return {};
  const Ends ends = ends_of(box);
  if (!ends.possible) return {false, false, {}};
  if (!ends.known) return {};
  // Nothing is known about a machine that is refused, nor about those between it and another.
  if (!refusal(ends.low).empty() || !refusal(ends.high).empty()) return {!(plain_ && box.is_point()), false, {}};
  const Keys keys = keys_of(box);
  // If gaps extend into the next layer, layers cannot be simulated separately.
  const auto pieces = gaps_reach(ends.high) ? 0 : static_cast<std::size_t>(effort);
  double cycles = 0;
  for (std::size_t i = 0; i < simulated_first_.size(); ++i) {
    const std::optional<double> least = least_time(simulated_first_[i], ends, keys, i < pieces);
    if (!least) return {false, false, {}};
    cycles += *least;
  }
  accelerators::LayerTime time;
  time.cycles = std::max<base::Cycles>(1, static_cast<base::Cycles>(cycles));
  for (const int layer : layers_) time.macs += network_->layers[static_cast<std::size_t>(layer)].macs();
  const Config& c = ends.low;
  const contract::Resources use = least_use(c, ends.placed, dsp_within_device_);
  const double power = estimate::power(c.clock_hz(), c.device, use).total_w();
  // More of anything else in the design makes no path faster.
  const double fmax = estimate::fmax(c.device, {}, {}).hz;
  Bounds bounds = accelerators::bounds_from(accelerators::metrics_of(time, c.clock_hz(), c.device, use, power, fmax));
  bounds.refinable = !gaps_reach(ends.high) && refinable(ends, keys, effort);
  return bounds;
}

}  // namespace fansim::tiled
