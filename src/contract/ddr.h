// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>
#include <string>

#include "base/cost.h"
#include "base/effect.h"
#include "contract/ddr_part.h"

namespace fansim::contract {

enum class DdrFidelity { ideal, fixed, banked };
enum class DdrArbitration { round_robin, priority };

// DDR behind its ports. Engines count in cycles of the ports' clock.
struct DdrConfig {
  DdrFidelity fidelity = DdrFidelity::fixed;
  double share = 1;
  base::Bandwidth data_bits = 0;
  base::Cost read_latency = base::Cost::nanoseconds(159);
  base::Cost write_latency = base::Cost::nanoseconds(80);
  base::Cost turnaround = base::Cost::nanoseconds(32);
  base::Cost refresh_interval = base::Cost::nanoseconds(7'800);
  base::Cost refresh_cycles = base::Cost::nanoseconds(350);
  base::Cost request_latency = base::Cost::nanoseconds(56);
  base::Cost response_latency = base::Cost::nanoseconds(60);
  DdrArbitration arbitration = DdrArbitration::round_robin;
  DdrPart part;  // used if `fidelity` is banked

  static constexpr int kLeastBits = 8;  // of a data path
  // The share as so many of kShareParts parts; a configuration refuses shares that lie between them.
  static constexpr std::int64_t kShareParts = 10000;
  std::int64_t share_parts() const { return std::llround(share * kShareParts); }
  bool shared() const { return share_parts() < kShareParts; }
  bool has_part() const { return !part.mapping.layout().empty(); }

  template <class V>
  void visit(V&& v) {
    v.choice("fidelity", fidelity,
             {{DdrFidelity::ideal, "ideal"}, {DdrFidelity::fixed, "fixed"}, {DdrFidelity::banked, "banked"}},
             {"ideal: no latency beyond a cycle, no refresh, no turnaround; fixed: constants; banked: a part's banks",
              base::Effect{base::Effect::Resources::none, true, false, true}});
    v.field("share", share, 0.01, 1.0,
            {"of the beats of each port, the accelerator's part; others have the rest", base::times()});
    v.field("data_bits", data_bits, 0, 1 << 20,
            {"ideal, fixed: what the data path that all ports share carries: bits a cycle of the ports' clock, or "
             "MB/s; less than a port's: a beat takes longer; 0: as wide as one port",
             base::times()});
    v.field("read_latency", read_latency, 1, 10000,
            {"fixed: time, or cycles of the ports' clock, from a read burst's grant to its first beat", base::times()});
    v.field("write_latency", write_latency, 1, 10000,
            {"time, or cycles of the ports' clock, from a write burst's last beat to its response", base::times()});
    v.field("turnaround", turnaround, 0, 1000,
            {"fixed: idle time, or cycles, between a read and a write burst", base::times()});
    v.field("refresh_interval", refresh_interval, 4, 1000000,
            {"fixed: time, or cycles, between refreshes (tREFI)", base::times()});
    v.field("refresh_cycles", refresh_cycles, 0, 10000,
            {"fixed: time, or cycles, for which a refresh holds the memory (tRFC)", base::times()});
    v.field("request_latency", request_latency, 0, 10000,
            {"banked: time, or cycles, from the port to the controller", base::times()});
    v.field("response_latency", response_latency, 0, 10000,
            {"banked: time, or cycles, from the DRAM's data to the port", base::times()});
    v.choice("arbitration", arbitration,
             {{DdrArbitration::round_robin, "round_robin"}, {DdrArbitration::priority, "priority"}},
             {"banked: which of several ports enters the controller; priority: the lowest", base::times()});
  }
};

// The ports of a machine's memory: so many, each of so many bits at `hz`.
struct MemoryPorts {
  int count = 1;
  int bits = 128;
  double hz = 0;
};

// How many lanes the ports of an ideal or a fixed memory have: one each, or one together.
int lanes(const DdrConfig& config, int port_bits, int ports);

// The most that the ports carry together in one direction.
double peak_bytes_per_s(const DdrConfig& config, const MemoryPorts& ports);

// Returns one line for reports: the memory, and what its fidelity leaves out.
std::string summary(const DdrConfig& config);

}  // namespace fansim::contract
