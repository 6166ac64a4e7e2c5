// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "accelerators/configured_model.h"
#include "accelerators/tables_by_key.h"
#include "accelerators/tiled/bounds/layer_time.h"
#include "accelerators/tiled/bounds/roofline.h"
#include "accelerators/tiled/compile/compile.h"
#include "accelerators/tiled/compile/prepare.h"
#include "accelerators/tiled/estimate/estimate.h"
#include "compile/fusion.h"

namespace fansim::tiled {

// Models the tiled accelerator with bounds: rooflines and least resources over ranges of what grows, and simulated
// layers once everything on which they depend is fixed.
class TiledModel final : public accelerators::ConfiguredModel<Config> {
 public:
  TiledModel(const explore::Space& space, Config base, const std::string& network);

  explore::Bounds bounds(const explore::Box& box, explore::Effort effort) const override;

 private:
  accelerators::Scheduled all_scheduled(const Config& config, const network::Network& network,
                                        const std::vector<int>& layers) const override;
  // Schedules each layer once for all configurations with the same engine_key(). `engine` is the number of that key.
  accelerators::Scheduled scheduled_once(const Config& config, const network::Network& network, int layer,
                                         const accelerators::Gaps& gaps, std::int64_t engine) const;
  std::int64_t number_of(const std::string& engine_key) const;
  accelerators::LayerTime time(const Config& config, const contract::Program& program,
                               const accelerators::Gaps& gaps) const {
    return times_.time(config, program, gaps, tables_, paths_key(config));
  }
  // Holds the ends of a box: no point of it has less, or more, of anything that grows.
  struct Ends {
    bool possible = true;  // false: the accelerator accepts none of the box's values
    bool known = true;     // false: something differs that does not merely grow
    Config low, high;
    Placed placed{true, true, true};
  };
  Ends ends_of(const explore::Box& box) const;
  bool set_derived(Ends& ends, const explore::Box& box) const;
  // Holds what is known about a layer once everything on which its time depends is fixed.
  struct Known {
    bool possible = true;  // false: it cannot be scheduled
    double by_formula = 0;
    std::optional<double> simulated;
  };
  // Holds, for each engine, the values of everything on which a layer's time on it depends; none: some are not fixed.
  using Keys = std::array<std::optional<std::vector<double>>, Config::kEngines>;
  Keys keys_of(const explore::Box& box) const;
  static const std::vector<double>* key_of(const network::Layer& layer, const Ends& ends, const Keys& keys);
  bool refinable(const Ends& ends, const Keys& keys, explore::Effort effort) const;
  // Returns nothing if the layer cannot be scheduled.
  std::optional<double> least_time(int layer, const Ends& ends, const Keys& keys, bool simulate) const;
  Known known(int layer, const Config& config, std::vector<double> key, bool simulate) const;

  std::shared_ptr<const network::Network> network_;  // in the number format of the base configuration
  compile::Fusion fusion_;                           // the same in every number format
  std::vector<std::vector<int>> accepted_;           // by parameter: indices of the values that its field accepts
  bool dsp_within_device_ = false;                   // a constraint demands it
  bool one_format_ = true;                           // no point changes the number format
  std::vector<int> simulated_first_;                 // layers, sorted so that those that the first parameters fix come
                                                     // first
  // Engine keys have about 1 KB each, so they are numbered; no number is given twice. Scheduled layers are kept by
  // layer, gaps and such a number.
  static constexpr std::size_t kMostScheduled = std::size_t{1} << 16;
  mutable std::mutex scheduled_mutex_;
  mutable std::unordered_map<std::string, std::int64_t> engines_;
  mutable std::int64_t next_engine_ = 0;
  mutable std::unordered_map<std::string, accelerators::Scheduled> scheduled_;
  // A state or line takes about 100 bytes.
  mutable accelerators::TablesByKey<PathTables> tables_{std::size_t{1} << 20};
  mutable std::mutex known_mutex_;
  mutable std::map<std::vector<double>, Known> known_;  // by layer and the values on which it depends
};

// Returns whether a layer's time on an engine depends on a key of the configuration (tests/accelerators/bounds checks
// all keys).
bool times_depend_on(const std::string& path, int engine);

}  // namespace fansim::tiled
