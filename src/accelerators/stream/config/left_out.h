// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace fansim::stream {

// Describes rounds that a timing-only program leaves out. Before `step`, `rounds` rounds from job to job are missing.
// They do the same as the rounds before them, with addresses that increase by the same amount from round to round.
struct LeftOut {
  std::size_t step = 0;
  std::uint32_t rounds = 0;
};
using LeftOuts = std::vector<LeftOut>;

}  // namespace fansim::stream
