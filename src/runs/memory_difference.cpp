// SPDX-License-Identifier: Apache-2.0
#include "runs/memory_difference.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace fansim::runs {

// Hashes words of eight bytes by FNV-1a, instead of bytes, because memories are large.
std::uint64_t memory_hash(const std::uint8_t* ddr, std::size_t bytes) {
  constexpr std::uint64_t kPrime = 0x100000001b3;
  std::uint64_t hash = 0xcbf29ce484222325;
  for (std::size_t at = 0; at < bytes; at += sizeof hash) {
    std::uint64_t word = 0;
    std::memcpy(&word, ddr + at, std::min(sizeof word, bytes - at));
    hash = (hash ^ word) * kPrime;
  }
  return hash;
}

void MemoryDifference::remember(const std::uint8_t* ddr) { hashes_.push_back(memory_hash(ddr, bytes_)); }

void MemoryDifference::compare(const contract::LayerPlan& plan, const std::uint8_t* ddr) {
  if (compared_ < hashes_.size() && hashes_[compared_++] != memory_hash(ddr, bytes_))
    lines_.push_back(fmt::format("{}: the engines leave different bytes in memory", plan.name));
}

}  // namespace fansim::runs
