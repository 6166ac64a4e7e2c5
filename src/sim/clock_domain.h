// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <systemc>
#include <vector>

#include "base/rational.h"

namespace fansim::sim {

using Edge = std::int64_t;

class Module;
class PinModule;

// One clock: its frequency in MHz as an exact rational and the number of rising edges so far.
// Edges are the only time inside a block; seconds exist where a report divides by the frequency.
struct ClockDomain {
  ClockDomain(std::string domain_name, base::Rational frequency_mhz)
      : name(std::move(domain_name)), mhz(frequency_mhz) {}

  std::string name;
  base::Rational mhz;
  Edge edge = 0;  // the edge being evaluated; the first is 1
  // And how long it is until the next edge, in units that all clocks have in common.
  __extension__ __int128 period = 1, left = 1;
  Edge last_move = 0;  // the last edge at which a stream moved or a block reported progress
  std::vector<Module*> modules;
  std::vector<std::uint8_t> awake;  // of each module: it has something to do at the next edge
  std::vector<PinModule*> pins;

  // Behind an instant: whether it had an edge then.
  bool rose() const { return left == period; }

  // The clock as a wire, for modules outside the kit; exists from the first call on, which is before the simulation.
  // What they do at its rising edge reads the wires as they were before it.
  sc_core::sc_signal<bool>& clk();
  bool exported() const { return clk_ != nullptr; }

 private:
  std::unique_ptr<sc_core::sc_signal<bool>> clk_;
};

}  // namespace fansim::sim
