// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/module.h"

namespace fansim::sim {

// A module between streams and wires. At each edge, sample() reads the wires as they were before the edge and gives
// what arrived to the streams. Then all blocks step, and drive() writes what the wires carry until the next edge. While
// a domain has such modules, every edge is one SystemC activation, and the domain's clk rises with it.
class PinModule : public Module {
 public:
  using Module::Module;
  virtual void sample() = 0;
  virtual void drive() = 0;
  bool passive() const final { return true; }

 private:
  void step() final {}
};

// A bundle of wires, as a waveform shows them.
class Wires : public sc_core::sc_module {
 public:
  explicit Wires(const sc_core::sc_module_name& name) : sc_core::sc_module(name) {}
  virtual void trace(Tracer& tracer) const = 0;
};

}  // namespace fansim::sim
