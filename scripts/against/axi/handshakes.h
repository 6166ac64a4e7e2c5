// SPDX-License-Identifier: Apache-2.0
// This file records the edges at which beats pass on a port's wires.
#pragma once

#include <algorithm>
#include <systemc>
#include <vector>

#include "axi/pins/bundle.h"
#include "sim/clock_domain.h"

namespace against {

using namespace fansim;

template <class W>
class Handshakes final : public sc_core::sc_module {
 public:
  sc_core::sc_in<bool> clk{"clk"};
  axi::Axi4Pins<axi::MonitorsRole, W> pins;
  std::vector<sim::Edge> ar, r, aw, w, b;

  explicit Handshakes(const sc_core::sc_module_name& name) : sc_module(name) {
    SC_HAS_PROCESS(Handshakes);
    SC_METHOD(edge);
    sensitive << clk.pos();
    dont_initialize();
  }

 private:
  void edge() {
    ++edge_;
    note(pins.ar, ar);
    note(pins.r, r);
    note(pins.aw, aw);
    note(pins.w, w);
    note(pins.b, b);
  }
  template <class Channel>
  void note(const Channel& channel, std::vector<sim::Edge>& edges) {
    if (channel.valid.read() && channel.ready.read()) edges.push_back(edge_);
  }

  sim::Edge edge_ = 0;
};

}  // namespace against
