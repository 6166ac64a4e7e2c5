// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/rational.h"

namespace fansim::sim {

using Edge = std::int64_t;

class Module;

// One clock: its frequency in MHz as an exact rational and the number of rising edges so far.
// Edges are the only time inside a block; seconds exist where a report divides by the frequency.
struct ClockDomain {
  ClockDomain(std::string domain_name, base::Rational frequency_mhz)
      : name(std::move(domain_name)), mhz(frequency_mhz) {}

  std::string name;
  base::Rational mhz;
  Edge edge = 0;       // the edge being evaluated; the first is 1
  Edge last_move = 0;  // the last edge at which a stream moved or a block reported progress
  std::vector<Module*> modules;
  std::vector<std::uint8_t> awake;  // of each module: it has something to do at the next edge
};

}  // namespace fansim::sim
