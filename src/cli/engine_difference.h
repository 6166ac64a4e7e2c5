// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "arch/program.h"
#include "arch/result.h"

namespace fansim::cli {

// Where the two engines' runs of a program differ, layer by layer: cycles, their buckets, counters, and the memory of
// `bytes` bytes after each layer.
class EngineDifference {
 public:
  explicit EngineDifference(std::size_t bytes) : bytes_(bytes) {}

  // At the layers' ends of one run, then of the other.
  void remember(const std::uint8_t* ddr);
  void compare(const arch::LayerPlan& plan, const std::uint8_t* ddr);

  // "conv2: cycle counts differ: clocked 62641, fast 62639", a line each.
  std::vector<std::string> of(const std::vector<arch::LayerResult>& clocked,
                              const std::vector<arch::LayerResult>& fast) const;

 private:
  const std::size_t bytes_;
  std::vector<std::uint64_t> hashes_;
  std::size_t compared_ = 0;
  std::vector<std::string> memory_differs_;
};

}  // namespace fansim::cli
