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

// The vision accelerator, with bounds: what decides its resources is tried out, value by value, and compiled for; of
// what only makes them more, the least is taken, and for time the most, since nothing takes longer for it.
class VisionModel final : public accelerators::PlainModel {
 public:
  // `base` is the space's configuration with what is set for every point.
  VisionModel(const explore::Space& space, Config base, const std::string& network);

  explore::Bounds bounds(const explore::Box& box, explore::Effort effort) const override;

 private:
  enum class Ends { least, fastest };
  std::optional<Config> end_of(const explore::Box& box, Ends which) const;
  std::optional<explore::Bounds> of_shape(const explore::Box& box) const;
  std::optional<explore::Bounds> compute(const explore::Box& box) const;

  const Config base_;
  const bool plain_;  // no parameter needs the configuration to be read again
  const std::vector<bool> shapes_, grows_;
  mutable std::mutex mutex_;
  mutable std::map<std::vector<int>, std::optional<explore::Bounds>> known_;  // by the box's sides, of one shape
};

}  // namespace fansim::vision
