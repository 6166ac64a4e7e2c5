// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "explore/store.h"
#include "training/data/digits.h"
#include "training/formats/format_space.h"

namespace fansim::training::formats {

// Holds the result of training with a combination.
struct Score {
  double accuracy_percent = 0;
  double power_w = 0;    // dynamic power of the accelerator's blocks (estimated)
  double energy_uj = 0;  // per training image
  std::int64_t cycles = 0;
};

struct Trial {
  int bits = 0;                        // width of every layer except the widened one
  std::optional<std::size_t> widened;  // the widened layer
  Combination combination;
  Score score;
  bool meets = false;  // the target, and the clock
};

struct FormatResult {
  std::vector<Trial> trials;        // in the order of the search, width by width
  std::optional<std::size_t> best;  // the trial with the least power that meets the target
  Score as_configured;              // score of the configuration itself, for comparison
  std::int64_t trained = 0, from_store = 0;
};

struct FormatOptions {
  std::string network;
  std::uint64_t seed = 1;
  int jobs = 1;
  explore::Store* store = nullptr;
  // Says whether a combination, given as settings, may be clocked as the configuration says; none: every one may.
  std::function<bool(const std::vector<std::string>& overrides)> meets_clock;
  std::function<void(double fraction)> on_progress;
};

// Searches every width from the least to the most. The exponent grows by a bit as long as the accuracy rises. If a
// format for all layers misses the target, each layer alone gets more mantissa bits until the target is met. The result
// does not depend on the number of jobs. Throws base::UserError and base::Interrupted.
FormatResult search_formats(const FormatSpace& space, const DataSet& data, const FormatOptions& options);

}  // namespace fansim::training::formats
