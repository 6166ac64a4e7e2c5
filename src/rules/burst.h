// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>

#include "contract/axi.h"

namespace fansim::rules {

// A burst must not cross this boundary (AMBA AXI protocol specification, A3.4.1).
constexpr std::int64_t kBurstBoundary = 4096;

// Beats on the memory port that hold `bytes` bytes from `address` on.
inline std::int64_t beats_of(std::uint64_t address, std::int64_t bytes, const contract::AxiConfig& config) {
  const int size = config.beat_bytes();
  return (static_cast<std::int64_t>(address % static_cast<std::uint64_t>(size)) + bytes + size - 1) / size;
}

// Length of the burst that starts at the beat of `address` when `beats` are still to go.
inline int burst_beats(std::uint64_t address, std::int64_t beats, const contract::AxiConfig& config) {
  const std::int64_t to_boundary =
      (kBurstBoundary - static_cast<std::int64_t>(address % kBurstBoundary) + config.beat_bytes() - 1) /
      config.beat_bytes();
  return static_cast<int>(std::min({beats, to_boundary, std::int64_t{config.burst_beats}}));
}

}  // namespace fansim::rules
