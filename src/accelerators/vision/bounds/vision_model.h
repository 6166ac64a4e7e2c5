// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "accelerators/plain_model.h"
#include "accelerators/shape_hull.h"
#include "accelerators/vision/config/config.h"

namespace fansim::vision {

// Models the vision accelerator with bounds. Parameters that shape its resources are tried value by value, and the
// network is compiled for each. For parameters that only increase resources it takes the lowest values to bound the
// cost, and the highest to bound the time, because a higher value never takes longer.
class VisionModel final : public accelerators::PlainModel {
 public:
  // `base` is the space's configuration with everything that is set for all points.
  VisionModel(const explore::Space& space, Config base, const std::string& network);

  explore::Bounds bounds(const explore::Box& box, explore::Effort effort) const override;

 private:
  enum class Ends { least, fastest };
  std::optional<Config> end_of(const explore::Box& box, Ends which) const;
  std::optional<explore::Bounds> of_shape(const explore::Box& box) const;
  std::optional<explore::Bounds> compute(const explore::Box& box) const;

  const Config base_;
  const bool plain_;  // no parameter makes it necessary to read the configuration again
  const std::vector<bool> shapes_, grows_;
  mutable std::mutex mutex_;
  mutable std::map<std::vector<int>, std::optional<explore::Bounds>> known_;  // sides of a box of one shape -> its
                                                                              // bounds
};

}  // namespace fansim::vision
