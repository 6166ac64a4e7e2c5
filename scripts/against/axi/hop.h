// SPDX-License-Identifier: Apache-2.0
// This file leads an AXI port over wires: a manager's streams, the wires, and then channels that stall at random.
#pragma once

#include <memory>
#include <string>

#include "axi/pins/link.h"
#include "base/random.h"
#include "sim/module.h"

namespace against {

using namespace fansim;

template <class T>
class Stage final : public sim::Module {
 public:
  sim::StreamIn<T> in{"in"};
  sim::StreamOut<T> out{"out"};

  Stage(const sc_core::sc_module_name& name, int stall, std::uint64_t seed)
      : Module(name), stall_(stall), random_(seed, this->name()) {}

 private:
  void step() override {
    if (in.can_pop() && out.can_push() && !random_.chance(stall_)) out.push(in.pop());
  }

  const int stall_;
  base::Random random_;
};

// Connects manager -> near = wires = far -> stages -> out. The wires are shown as `name`.pins.
class Hop {
 public:
  Hop(const std::string& name, sim::ClockDomain& clock, int data_bits, int stall, std::uint64_t seed)
      : near((name + "_near").c_str()),
        out((name + "_out").c_str()),
        far_((name + "_far").c_str()),
        link_(axi::link_memory(name.c_str(), clock, data_bits, near, far_)),
        ar_((name + "_ar_stage").c_str(), stall, seed),
        r_((name + "_r_stage").c_str(), stall, seed),
        aw_((name + "_aw_stage").c_str(), stall, seed),
        w_((name + "_w_stage").c_str(), stall, seed),
        b_((name + "_b_stage").c_str(), stall, seed) {
    join(ar_, clock, far_.ar, out.ar);
    join(aw_, clock, far_.aw, out.aw);
    join(w_, clock, far_.w, out.w);
    join(r_, clock, out.r, far_.r);
    join(b_, clock, out.b, far_.b);
  }

  axi::PortStreams near, out;
  std::int64_t beats() const { return link_->beats_checked(); }

 private:
  template <class T>
  static void join(Stage<T>& stage, sim::ClockDomain& clock, sim::Stream<T>& from, sim::Stream<T>& to) {
    stage.clock(clock);
    stage.in(from);
    stage.out(to);
  }

  axi::PortStreams far_;
  std::unique_ptr<axi::PinLink> link_;
  Stage<axi::ReadBurst> ar_;
  Stage<axi::ReadBeat> r_;
  Stage<axi::WriteBurst> aw_;
  Stage<axi::WriteBeat> w_;
  Stage<axi::WriteResponse> b_;
};

template <class Manager>
void manager(Manager& block, axi::PortStreams& port) {
  block.ar(port.ar);
  block.r(port.r);
  block.aw(port.aw);
  block.w(port.w);
  block.b(port.b);
}

}  // namespace against
