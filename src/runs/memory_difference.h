// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "contract/program.h"
#include "contract/result.h"

namespace fansim::runs {

// Of the memory's bytes, in words of eight.
std::uint64_t memory_hash(const std::uint8_t* ddr, std::size_t bytes);

// Compares the memory of `bytes` bytes that the two engines' runs of a program leave after each layer.
class MemoryDifference {
 public:
  explicit MemoryDifference(std::size_t bytes) : bytes_(bytes) {}

  // At the layers' ends of one run, then of the other.
  void remember(const std::uint8_t* ddr);
  void compare(const contract::LayerPlan& plan, const std::uint8_t* ddr);

  // A line a layer.
  const std::vector<std::string>& lines() const { return lines_; }

 private:
  const std::size_t bytes_;
  std::vector<std::uint64_t> hashes_;
  std::size_t compared_ = 0;
  std::vector<std::string> lines_;
};

}  // namespace fansim::runs
