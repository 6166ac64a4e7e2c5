// SPDX-License-Identifier: Apache-2.0
#include "cli/explore_tiled_model.h"

#include <algorithm>
#include <cmath>

#include "arch/settings.h"
#include "cli/explore_roofline.h"
#include "compile/fusion.h"
#include "compile/tiled/engine_choice.h"

namespace fansim::cli {
namespace {

using arch::TiledConfig;
using explore::Bounds;
using explore::Box;
using explore::Effort;
using explore::Interval;
using explore::Metric;
using explore::Space;

bool ends_with(const std::string& text, const std::string& end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}
bool of_block(const std::string& path, const std::string& block) { return path.rfind(block + ".", 0) == 0; }

// More of it: never fewer resources, never more cycles in the rooflines.
bool grows(const std::string& path) {
  for (const char* key : {".tm", ".tn", ".input_words", ".output_words"})
    if (ends_with(path, key)) return true;
  return path == "weights.kib" || path == "weights.fc_kib" || ends_with(path, ".double_buffer");
}
// Where MACs are made: the bounds hold wherever.
bool divides_macs(const std::string& path) { return ends_with(path, ".dsp_channels"); }
std::size_t engine_number(const std::string& path) {
  return of_block(path, "conv") ? TiledConfig::kConv : of_block(path, "first") ? TiledConfig::kFirst : TiledConfig::kFc;
}

std::string text_of(const std::string& path, double number) {
  if (ends_with(path, ".double_buffer")) return number != 0 ? "true" : "false";
  return std::to_string(static_cast<std::int64_t>(number));
}

// Whether points with more slices than the device break some constraint, whatever else they are.
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

bool times_depend_on(const std::string& path, int engine) {
  if (ends_with(path, ".macs") || divides_macs(path) || path == "weights.level1") return false;
  if (engine == TiledConfig::kFc)
    return !of_block(path, "conv") && !of_block(path, "first") && path != "weights.kib" &&
           path != "weights.double_buffer";
  return !of_block(path, "fc") && path != "weights.fc_kib";
}

TiledModel::TiledModel(const Space& space, TiledConfig base, const std::string& network)
    : AcceleratorModel(space, std::move(base), network),
      network_(network_of(base_)),
      fusion_(*network_, {}, true),
      dsp_within_device_(refuses_more_dsp(space)) {
  const auto of_format = [](const std::string& path) {
    return of_block(path, "quantisation") || of_block(path, "quantiser");
  };
  for (const explore::Derived& derived : space.derived) one_format_ = one_format_ && !of_format(derived.path);
  for (const explore::Parameter& parameter : space.parameters) {
    one_format_ = one_format_ && !of_format(parameter.path);
    std::vector<int> accepted;
    for (int i = 0; i < parameter.size(); ++i) {
      TiledConfig tried = base_;
      const std::string& text = parameter.values[static_cast<std::size_t>(i)].text;
      if (!grows(parameter.path) || arch::set_field(tried, parameter.path, text).empty()) accepted.push_back(i);
    }
    accepted_.push_back(std::move(accepted));
  }
  const auto fixed_by = [&](int layer) {
    const int engine = compile::engine_of(network_->layers[static_cast<std::size_t>(layer)], base_);
    std::size_t last = 0;
    for (std::size_t i = 0; i < space.parameters.size(); ++i)
      if (times_depend_on(space.parameters[i].path, engine)) last = i;
    return last;
  };
  simulated_first_ = layers_;
  std::stable_sort(simulated_first_.begin(), simulated_first_.end(),
                   [&](int a, int b) { return fixed_by(a) < fixed_by(b); });
}

TiledModel::Ends TiledModel::ends_of(const Box& box) const {
  Ends ends{true, true, base_, base_};
  for (std::size_t i = 0; i < box.sides.size(); ++i) {
    const explore::Parameter& parameter = space_.parameters[i];
    const std::vector<int>& accepted = accepted_[i];
    const auto first = std::lower_bound(accepted.begin(), accepted.end(), box.sides[i].first);
    const auto past = std::upper_bound(accepted.begin(), accepted.end(), box.sides[i].last);
    if (first >= past) return ends.possible = false, ends;
    const bool fixed = box.sides[i].size() == 1;
    if (divides_macs(parameter.path) && !fixed) {
      ends.placed[engine_number(parameter.path)] = false;
      continue;
    }
    const auto text = [&](int index) { return parameter.values[static_cast<std::size_t>(index)].text; };
    ends.known = ends.known && (fixed || grows(parameter.path));
    // What a field refuses here, evaluate() reports.
    const bool set = arch::set_field(ends.low, parameter.path, text(*first)).empty() &&
                     arch::set_field(ends.high, parameter.path, text(*std::prev(past))).empty();
    ends.known = ends.known && set;
  }
  ends.known = ends.known && set_derived(ends, box);
  for (int i = 0; i < TiledConfig::kEngines; ++i) {
    const arch::EngineConfig &low = ends.low.engine(i), &high = ends.high.engine(i);
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
      ends.placed[engine_number(derived.path)] = false;
      continue;
    }
    if (!(range.fixed() || grows(derived.path)) || !std::isfinite(range.low) || !std::isfinite(range.high))
      return false;
    if (!arch::set_field(ends.low, derived.path, text_of(derived.path, std::floor(range.low))).empty()) return false;
    // One that is too high for its field is no bound of the others.
    if (!arch::set_field(ends.high, derived.path, text_of(derived.path, std::ceil(range.high))).empty()) return false;
  }
  return true;
}

TiledModel::Keys TiledModel::keys_of(const Box& box) const {
  std::vector<Interval> numbers;
  for (std::size_t i = 0; i < box.sides.size(); ++i) numbers.push_back(space_.range(i, box));
  std::vector<Interval> derived;
  for (const explore::Derived& d : space_.derived) derived.push_back(d.expression.range(numbers));
  Keys keys;
  for (int engine = 0; engine < TiledConfig::kEngines; ++engine) {
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
  const int engine = compile::engine_of(layer, ends.high);
  const auto& key = keys[static_cast<std::size_t>(engine)];
  return key && engine == compile::engine_of(layer, ends.low) ? &*key : nullptr;
}

std::optional<double> TiledModel::least_time(int layer, const Ends& ends, const Keys& keys, bool simulate) const {
  const auto network = one_format_ ? network_ : network_of(ends.high);
  const network::Layer& l = network->layers[static_cast<std::size_t>(layer)];
  if (const std::vector<double>* key = key_of(l, ends, keys)) {
    const Known one = known(layer, ends.high, *key, simulate);
    if (!one.possible) return std::nullopt;
    return simulate ? one.simulated.value_or(one.by_formula) : one.by_formula;
  }
  const int pool = fusion_.fused_into(layer);
  return std::floor(
      least_cycles(l, pool < 0 ? nullptr : &network->layers[static_cast<std::size_t>(pool)], ends.low, ends.high));
}

TiledModel::Known TiledModel::known(int layer, const TiledConfig& config, std::vector<double> key,
                                    bool simulate) const {
  key.push_back(layer);
  {
    const std::lock_guard<std::mutex> lock(known_mutex_);
    const auto found = known_.find(key);
    if (found != known_.end() && (!simulate || found->second.simulated || !found->second.possible))
      return found->second;
  }
  Known one;
  const auto program = program_of(one_format_ ? *network_ : *network_of(config), layer, config);
  if (const auto* compiled = std::get_if<arch::Program>(&program)) {
    one.by_formula = std::floor(least_cycles(*compiled, config));
    if (simulate) one.simulated = static_cast<double>(times_.time(config, *compiled, {}).cycles);
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
  const Ends ends = ends_of(box);
  if (!ends.possible) return {false, false, {}};
  if (!ends.known) return {};
  const Keys keys = keys_of(box);
  // What a layer leaves to the next depends on more than either.
  const auto pieces = gaps_reach(ends.high) ? 0 : static_cast<std::size_t>(effort);
  double cycles = 0;
  for (std::size_t i = 0; i < simulated_first_.size(); ++i) {
    const std::optional<double> least = least_time(simulated_first_[i], ends, keys, i < pieces);
    if (!least) return {false, false, {}};
    cycles += *least;
  }
  LayerTime time;
  time.cycles = std::max<base::Cycles>(1, static_cast<base::Cycles>(cycles));
  for (const int layer : layers_) time.macs += network_->layers[static_cast<std::size_t>(layer)].macs();
  const TiledConfig& c = ends.low;
  const arch::Resources use = least_use(c, ends.placed, dsp_within_device_);
  const double power = estimate::power(c.clock_hz(), c.device, use).total_w();
  const explore::Metrics best = metrics_of(time, c.clock_hz(), c.device, use, power, 0);
  Bounds bounds;
  bounds.refinable = !gaps_reach(ends.high) && refinable(ends, keys, effort);
  for (const Metric metric :
       {Metric::latency_ms, Metric::cycles, Metric::dsp, Metric::lut, Metric::ff, Metric::bram36, Metric::dsp_percent,
        Metric::lut_percent, Metric::ff_percent, Metric::bram36_percent, Metric::power_w, Metric::energy_mj})
    of(bounds.metrics, metric) = Interval::at_least(of(best, metric));
  for (const Metric metric : {Metric::frames_per_s, Metric::gops}) of(bounds.metrics, metric) = {0, of(best, metric)};
  of(bounds.metrics, Metric::clock_mhz) = Interval::of(of(best, Metric::clock_mhz));
  const double with = estimate::fmax(c.device, true).hz / 1e6, without = estimate::fmax(c.device, false).hz / 1e6;
  of(bounds.metrics, Metric::fmax_mhz) = {std::min(with, without), std::max(with, without)};
  return bounds;
}

}  // namespace fansim::cli
