// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <variant>

#include "accelerators/layer_key.h"
#include "base/units.h"
#include "compile/compile.h"
#include "contract/program.h"
#include "contract/result.h"
#include "explore/guard.h"
#include "explore/store.h"
#include "network/network.h"

namespace fansim::accelerators {

// Holds the time and the traffic of a layer.
struct LayerTime {
  base::Cycles cycles = 0;
  std::int64_t macs = 0, bytes_read = 0, bytes_written = 0;
  Gaps left;  // for the next layer

  LayerTime& operator+=(const LayerTime& next);  // appends a layer that runs after this one
};

// Compiles a single layer without a memory image; returns the reason if it cannot be scheduled. `network` is in the
// configuration's number format. `more` holds further arguments of the compiler.
template <class Config, class... More>
std::variant<contract::Program, std::string> program_of(const network::Network& network, int layer,
                                                        const Config& config, const More&... more) {
  compile::Options options;
  options.layers = {layer};
  options.values = options.memory = false;
  compile::Compiled compiled = compile_network(network, config, options, more...);
  if (const auto* misfit = std::get_if<compile::Unschedulable>(&compiled))
    return misfit->layer.empty() ? misfit->reason : misfit->layer + ": " + misfit->reason;
  return std::get<contract::Program>(std::move(compiled));
}

// Returns the name of the layer that a program, or what is derived from it for timing, runs.
inline const std::string& layer_name(const contract::Program& program) { return program.layers.front().name; }

// Simulates the layers of a network, each once for all configurations in which it is the same, as far as memory allows.
// It may be used by several threads. The namespace of a Config must define compile_network, timing_key and time_layer.
class LayerTimes {
 public:
  static constexpr std::size_t kMostBytes = std::size_t{256} << 20;  // limit of the cached times; a full cache is
                                                                     // emptied

  explicit LayerTimes(std::size_t most_bytes = kMostBytes) : most_bytes_(most_bytes) {}

  // Sets the store that keeps the times too, and the guard that watches; both may be null. It must be called before the
  // first time().
  void keep_in(explore::Store* store, const explore::Guard* guard) {
    store_ = store;
    guard_ = guard;
  }

  // `program` has one layer; `gaps` are those that the layer before leaves.
  template <class Config>
  LayerTime time(const Config& config, const contract::Program& program, const Gaps& gaps) {
    const std::string key = timing_key(config, program, gaps);
    const std::optional<LayerTime> known = find(key);
    if (known) return *known;
    return simulate(layer_name(program), gaps, key, [&](Gaps& left) { return time_layer(config, program, left); });
  }

  // Does the same. Simulations share intermediate results under the key `by` of `shared`, a TablesByKey.
  template <class Config, class Shared, class By>
  LayerTime time(const Config& config, const contract::Program& program, const Gaps& gaps, Shared& shared,
                 const By& by) {
    const std::string key = timing_key(config, program, gaps);
    const std::optional<LayerTime> known = find(key);
    return known ? *known : simulate(config, program, gaps, key, shared, by);
  }

  std::optional<LayerTime> find(const std::string& key);
  template <class Config, class Program, class Shared, class By>
  LayerTime simulate(const Config& config, const Program& program, const Gaps& gaps, const std::string& key,
                     Shared& shared, const By& by) {
    return simulate(layer_name(program), gaps, key, [&](Gaps& left) {
      auto known = shared.take(by);
      const contract::LayerResult result = time_layer(config, program, left, known);
      shared.give(by, std::move(known));
      return result;
    });
  }
  // `compute` replaces the gaps before the layer by those after it, and returns the layer's result.
  template <class Compute>
  LayerTime simulate(const std::string& layer, const Gaps& gaps, const std::string& key, Compute&& compute) {
    const explore::Guard::Task task(guard_, guard_ ? task_of(layer, key) : "");
    Gaps left = gaps;
    const contract::LayerResult result = compute(left);
    const LayerTime time{result.cycles, result.macs, result.bytes_read, result.bytes_written, left};
    keep(key, time);
    return time;
  }

  std::int64_t simulated() const { return simulated_; }

 private:
  static std::string task_of(const std::string& layer, const std::string& key);
  void keep(const std::string& key, const LayerTime& time);
  bool remember(const std::string& key, const LayerTime& time);  // returns whether it was new

  const std::size_t most_bytes_;
  explore::Store* store_ = nullptr;
  const explore::Guard* guard_ = nullptr;
  std::mutex mutex_;
  std::unordered_map<std::string, LayerTime> known_;
  std::size_t bytes_ = 0;  // approximate size of the cache
  std::atomic<std::int64_t> simulated_{0};
};

// Holds a layer's time, or the reason why it cannot be scheduled.
using Scheduled = std::variant<LayerTime, std::string>;

}  // namespace fansim::accelerators
