// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "accelerators/configured_model.h"
#include "accelerators/known_by_key.h"
#include "accelerators/tiled/bounds/layer_time.h"
#include "accelerators/tiled/bounds/roofline.h"
#include "accelerators/tiled/compile/compile.h"
#include "accelerators/tiled/compile/prepare.h"
#include "accelerators/tiled/estimate/estimate.h"
#include "compile/fusion.h"

namespace fansim::tiled {

// The tiled accelerator, with bounds: rooflines and least resources over ranges of what grows, layers simulated where
// all that they depend on is fixed.
class TiledModel final : public accelerators::ConfiguredModel<Config> {
 public:
  TiledModel(const explore::Space& space, Config base, const std::string& network);

  explore::Bounds bounds(const explore::Box& box, explore::Effort effort) const override;

 private:
  accelerators::Scheduled all_scheduled(const Config& config, const network::Network& network,
                                        const std::vector<int>& layers) const override;
  // Of configurations with one engine_key(), the number of it, each layer is scheduled once.
  accelerators::Scheduled scheduled_once(const Config& config, const network::Network& network, int layer,
                                         const accelerators::Gaps& gaps, std::int64_t engine) const;
  std::int64_t number_of(const std::string& engine_key) const;
  accelerators::LayerTime time(const Config& config, const contract::Program& program,
                               const accelerators::Gaps& gaps) const {
    return times_.time(config, program, gaps, books_, paths_key(config));
  }
  // The ends of a box: no point of it has less, or more, of anything that grows.
  struct Ends {
    bool possible = true;  // false: the accelerator takes none of the box's values
    bool known = true;     // false: something differs that does not just grow
    Config low, high;
    Placed placed{true, true, true};
  };
  Ends ends_of(const explore::Box& box) const;
  bool set_derived(Ends& ends, const explore::Box& box) const;
  // What is known of a layer once all that its time depends on is fixed.
  struct Known {
    bool possible = true;  // false: it cannot be scheduled
    double by_formula = 0;
    std::optional<double> simulated;
  };
  // By engine: the values of all that a layer's time on it depends on; none: some are open.
  using Keys = std::array<std::optional<std::vector<double>>, Config::kEngines>;
  Keys keys_of(const explore::Box& box) const;
  static const std::vector<double>* key_of(const network::Layer& layer, const Ends& ends, const Keys& keys);
  bool refinable(const Ends& ends, const Keys& keys, explore::Effort effort) const;
  // None: it cannot be scheduled.
  std::optional<double> least_time(int layer, const Ends& ends, const Keys& keys, bool simulate) const;
  Known known(int layer, const Config& config, std::vector<double> key, bool simulate) const;

  std::shared_ptr<const network::Network> network_;  // in the base's number format
  compile::Fusion fusion_;                           // the same in every format
  std::vector<std::vector<int>> accepted_;           // by parameter: indices of the values that its field takes
  bool dsp_within_device_ = false;                   // a constraint says so
  bool one_format_ = true;                           // no point changes the number format
  std::vector<int> simulated_first_;                 // layers, those first that the first parameters fix
  // Numbers of engine keys, about a KB each, none of which is given twice; layers by themselves, gaps and such a
  // number.
  static constexpr std::size_t kMostScheduled = std::size_t{1} << 16;
  mutable std::mutex scheduled_mutex_;
  mutable std::unordered_map<std::string, std::int64_t> engines_;
  mutable std::int64_t next_engine_ = 0;
  mutable std::unordered_map<std::string, accelerators::Scheduled> scheduled_;
  // Some 100 bytes a state or line.
  mutable accelerators::KnownByKey<PathBooks> books_{std::size_t{1} << 20};
  mutable std::mutex known_mutex_;
  mutable std::map<std::vector<double>, Known> known_;  // by layer and what it depends on
};

// Whether a layer's time on an engine depends on a key of the configuration (tests/bounds holds it to all of them).
bool times_depend_on(const std::string& path, int engine);

}  // namespace fansim::tiled
