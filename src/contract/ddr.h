// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/effect.h"
#include "contract/ddr_part.h"

namespace fansim::contract {

enum class DdrFidelity { ideal, fixed, banked };
enum class DdrArbitration { round_robin, priority };

// DDR behind its ports. Times are in cycles of the ports' clock.
struct DdrConfig {
  DdrFidelity fidelity = DdrFidelity::fixed;
  int data_bits = 0;
  int read_latency = 40;
  int write_latency = 20;
  int turnaround = 8;
  int refresh_interval = 1950;
  int refresh_cycles = 88;
  int request_latency = 14;
  int response_latency = 15;
  DdrArbitration arbitration = DdrArbitration::round_robin;
  DdrPart part;  // used if `fidelity` is banked

  bool has_part() const { return !part.mapping.layout().empty(); }

  template <class V>
  void visit(V&& v) {
    v.choice("fidelity", fidelity,
             {{DdrFidelity::ideal, "ideal"}, {DdrFidelity::fixed, "fixed"}, {DdrFidelity::banked, "banked"}},
             {"ideal: no latency beyond a cycle, no refresh, no turnaround; fixed: constants; banked: a part's banks",
              base::Effect{base::Effect::Resources::none, true, false, true}});
    v.field("data_bits", data_bits, 0, 1024,
            {"ideal, fixed: width of the data path that all ports share; 0: as wide as one port", base::times()});
    v.field("read_latency", read_latency, 1, 10000,
            {"fixed: cycles from a read burst's grant to its first beat", base::times()});
    v.field("write_latency", write_latency, 1, 10000,
            {"cycles from a write burst's last beat to its response", base::times()});
    v.field("turnaround", turnaround, 0, 1000, {"fixed: idle cycles between a read and a write burst", base::times()});
    v.field("refresh_interval", refresh_interval, 16, 1000000,
            {"fixed: cycles between refreshes (tREFI)", base::times()});
    v.field("refresh_cycles", refresh_cycles, 0, 10000,
            {"fixed: cycles a refresh holds the memory (tRFC)", base::times()});
    v.field("request_latency", request_latency, 0, 10000,
            {"banked: cycles from the port to the controller", base::times()});
    v.field("response_latency", response_latency, 0, 10000,
            {"banked: cycles from the DRAM's data to the port", base::times()});
    v.choice("arbitration", arbitration,
             {{DdrArbitration::round_robin, "round_robin"}, {DdrArbitration::priority, "priority"}},
             {"banked: which of several ports enters the controller; priority: the lowest", base::times()});
  }
};

// Returns one line for reports: the memory, and what its fidelity leaves out.
std::string summary(const DdrConfig& config);

}  // namespace fansim::contract
