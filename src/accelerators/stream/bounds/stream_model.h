// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "accelerators/configured_model.h"
#include "accelerators/stream/bounds/layer_time.h"
#include "accelerators/stream/bounds/program_cache.h"
#include "accelerators/stream/bounds/shared_tables.h"
#include "accelerators/stream/bounds/slots.h"
#include "accelerators/stream/compile/compile.h"
#include "accelerators/stream/compile/prepare.h"
#include "accelerators/stream/config/config.h"
#include "accelerators/stream/estimate/estimate.h"

namespace fansim::stream {

// Models the streaming accelerator with bounds. Parameters that shape its resources are tried value by value; of those
// that only increase resources the lowest value is taken. The time of a box is bounded by the array's multiplications
// and the port's beats. The time of a single point is bounded by its programs, then by simulating one layer after
// another.
class StreamModel final : public accelerators::ConfiguredModel<Config> {
 public:
  StreamModel(const explore::Space& space, Config base, const std::string& network);

  explore::Bounds bounds(const explore::Box& box, explore::Effort effort) const override;

 private:
  // Holds the keys that the layers of a point have in common.
  struct Keys {
    explicit Keys(const Config& config)
        : program(program_key(config)), machine(machine_key(config)), known(config), slots(config) {}
    const std::string program, machine;
    const SharedTables::Keys known;
    const SlotsThatCount slots;
  };

  accelerators::Scheduled all_scheduled(const Config& config, const network::Network& network,
                                        const std::vector<int>& layers) const override;
  accelerators::Scheduled scheduled(const Config& config, const Keys& keys, const network::Network& network, int layer,
                                    const accelerators::Gaps& gaps) const;
  explore::Bounds by_formula(const explore::Box& box) const;
  explore::Bounds of_point(const explore::Point& point, const explore::Bounds& formula, explore::Effort effort) const;
  explore::Bounds hull(const explore::Box& box) const;
  std::optional<explore::Bounds> corner(const explore::Box& box) const;
  bool set_least(Config& config, const explore::Box& box) const;
  bool refused_whole(const explore::Box& box) const;
  double least_cycles(const Config& config) const;

  const std::vector<bool> shapes_;  // by parameter
  mutable ProgramCache programs_;
  mutable SharedTables seen_;
  mutable std::mutex mutex_;
  mutable std::map<std::vector<int>, explore::Bounds> known_;  // sides of a box -> its bounds
};

}  // namespace fansim::stream
