// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "cli/explore_model.h"

namespace fansim::cli {

// The streaming accelerator, with bounds: what decides its resources is tried out, value by value; of what only makes
// them more, the least is taken; time is bounded by the array's multiplications and the port's beats, that of a single
// point by its programs, then by simulating one layer after another.
class StreamModel final : public AcceleratorModel<arch::StreamConfig> {
 public:
  StreamModel(const explore::Space& space, arch::StreamConfig base, const std::string& network);

  explore::Bounds bounds(const explore::Box& box, explore::Effort effort) const override;

 private:
  // What a key of the configuration does to resources.
  enum class Role { shapes, grows, nothing };
  static Role role_of(const std::string& path);

  explore::Bounds by_formula(const explore::Box& box) const;
  explore::Bounds of_point(const explore::Point& point, const explore::Bounds& formula, explore::Effort effort) const;
  explore::Bounds hull(const explore::Box& box) const;
  std::optional<explore::Bounds> corner(const explore::Box& box) const;
  bool set(arch::StreamConfig& config, const explore::Box& box, bool high) const;
  double least_cycles(const arch::StreamConfig& config) const;

  std::vector<Role> roles_;  // by parameter
  bool plain_;               // a point's configuration costs next to nothing
  mutable std::mutex mutex_;
  mutable std::map<std::vector<int>, explore::Bounds> known_;  // by the box's sides
};

}  // namespace fansim::cli
