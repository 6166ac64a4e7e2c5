// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "axi/clock_crossing.h"
#include "axi/types.h"

namespace fansim::axi {

// The five channels of an AXI4 port across two clocks, each with a ClockCrossing, which states throughput, latency and
// stall. For ar, aw and w, in() faces the manager; for r and b, out() does.
class ClockConverter final : public sc_core::sc_module {
 public:
  ClockConverter(const sc_core::sc_module_name& name, const contract::ClockConverterConfig& config,
                 sim::ClockDomain& manager, sim::ClockDomain& subordinate)
      : sc_module(name),
        ar("ar", config, manager, subordinate),
        aw("aw", config, manager, subordinate),
        w("w", config, manager, subordinate),
        r("r", config, subordinate, manager),
        b("b", config, subordinate, manager) {}

  ClockCrossing<ReadBurst> ar;
  ClockCrossing<WriteBurst> aw;
  ClockCrossing<WriteBeat> w;
  ClockCrossing<ReadBeat> r;
  ClockCrossing<WriteResponse> b;
};

}  // namespace fansim::axi
