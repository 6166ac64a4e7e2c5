// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace fansim::stream {

// What a program that is only timed leaves out: in front of a step, so many rounds from job to job that do what the
// rounds before do, each as much further on in memory.
struct LeftOut {
  std::size_t step = 0;
  std::uint32_t rounds = 0;
};
using LeftOuts = std::vector<LeftOut>;

}  // namespace fansim::stream
