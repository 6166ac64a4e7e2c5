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

std::vector<std::string> memory_differences(const std::vector<LayerMemory>& first,
                                            const std::vector<LayerMemory>& second, const EnginePair& engines) {
  const std::string both = engines.first == "clocked" && engines.second == "fast"
                               ? "the engines leave"
                               : fmt::format("{} and {} leave", engines.first, engines.second);
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < std::min(first.size(), second.size()); ++i)
    if (first[i].hash != second[i].hash)
      lines.push_back(fmt::format("{}: {} different bytes in memory", second[i].layer, both));
  return lines;
}

}  // namespace fansim::runs
