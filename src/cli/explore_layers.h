// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <variant>
#include <vector>

#include "arch/program.h"
#include "base/units.h"
#include "cli/explore_timing.h"
#include "explore/guard.h"
#include "explore/store.h"
#include "network/network.h"

namespace fansim::cli {

// What a layer costs in time and traffic.
struct LayerTime {
  base::Cycles cycles = 0;
  std::int64_t macs = 0, bytes_read = 0, bytes_written = 0;
  Gaps left;  // to the next layer

  LayerTime& operator+=(const LayerTime& next);  // that runs behind
};

// The layers that run by themselves: not flattened tensors, not poolings fused into a convolution.
std::vector<int> timed_layers(const network::Network& network, const arch::StreamConfig& config);
std::vector<int> timed_layers(const network::Network& network, const arch::TiledConfig& config);

// The program of one layer alone, without a memory image; or why it cannot be scheduled. `network` is in the
// configuration's number format.
template <class Config>
std::variant<arch::Program, std::string> program_of(const network::Network& network, int layer, const Config& config);

// Simulates the layers of a network, each once for all configurations that are alike to it. For several threads.
class LayerTimes {
 public:
  // Keeps programs of so many steps, of 12 bytes each, in all; what is compiled beyond is compiled again.
  explicit LayerTimes(std::size_t most_steps = std::size_t{1} << 24) : most_steps_(most_steps) {}

  // Who keeps the results too, and who watches; none: nobody does. Before the first time().
  void keep_in(explore::Store* store, const explore::Guard* guard) { store_ = store, guard_ = guard; }

  // `program` is of one layer; `gaps` are those of the layer before.
  template <class Config>
  LayerTime time(const Config& config, const arch::Program& program, const Gaps& gaps);
  // Compiles the layer, unless what comes of it is known; or why it cannot be scheduled.
  using Scheduled = std::variant<LayerTime, std::string>;
  Scheduled time(const arch::StreamConfig& config, const network::Network& network, int layer, const Gaps& gaps);
  Scheduled time(const arch::TiledConfig& config, const network::Network& network, int layer, const Gaps& gaps);

  // Cycles that a layer takes at least, of its program alone; or why it cannot be scheduled.
  std::variant<base::Cycles, std::string> least(const arch::StreamConfig& config, const network::Network& network,
                                                int layer);

  std::int64_t simulated() const { return simulated_; }

 private:
  // What is known of a program: what of it decides its time, and as long as there is room itself; or why there is none.
  struct Compiled {
    std::string steps, refusal;
    std::array<base::Cycles, 2> least{};  // where tables are not reloaded, and where they are
    std::shared_ptr<const arch::Program> program;
  };
  using Known = std::shared_ptr<const Compiled>;
  template <class Config>
  LayerTime simulate(const Config& config, const arch::Program& program, const Gaps& gaps, const std::string& key);
  Known compiled(const arch::StreamConfig& config, const network::Network& network, int layer);
  std::optional<LayerTime> find(const std::string& key);
  void keep(const std::string& key, const LayerTime& time);

  const std::size_t most_steps_;
  explore::Store* store_ = nullptr;
  const explore::Guard* guard_ = nullptr;
  std::mutex mutex_;
  std::unordered_map<std::string, LayerTime> known_;
  std::unordered_map<std::string, Known> programs_;  // by what they depend on
  std::size_t steps_kept_ = 0;
  std::atomic<std::int64_t> simulated_{0};
};

}  // namespace fansim::cli
