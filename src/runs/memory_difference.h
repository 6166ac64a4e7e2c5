// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "contract/program.h"
#include "contract/result.h"

namespace fansim::runs {

// Hashes the memory in words of eight bytes.
std::uint64_t memory_hash(const std::uint8_t* ddr, std::size_t bytes);

// Compares the memory of `bytes` bytes that the two engines leave after each layer of a program.
class MemoryDifference {
 public:
  explicit MemoryDifference(std::size_t bytes) : bytes_(bytes) {}

  // remember() is called at the end of each layer of the first run, compare() at those of the second.
  void remember(const std::uint8_t* ddr);
  void compare(const contract::LayerPlan& plan, const std::uint8_t* ddr);

  // Returns one line per layer that differs.
  const std::vector<std::string>& lines() const { return lines_; }

 private:
  const std::size_t bytes_;
  std::vector<std::uint64_t> hashes_;
  std::size_t compared_ = 0;
  std::vector<std::string> lines_;
};

}  // namespace fansim::runs
