// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/effect.h"

namespace fansim::contract {

// The processing system running bare metal: what each of its steps costs, in cycles of the fabric clock.
struct HostConfig {
  int register_write = 25;
  int register_read = 35;
  int interrupt = 500;
  int dma_setup = 1000;
  int layer_setup = 2500;

  // A register access acts an edge after its request was pushed; the response is popped another edge later.
  static constexpr int kActs = 1, kAnswered = 2;

  template <class V>
  void visit(V&& v) {
    v.field("register_write", register_write, 0, 100000,
            {"cycles of one AXI-Lite register write, PS side", base::times()});
    v.field("register_read", register_read, 1, 100000,
            {"cycles of one AXI-Lite register read; the period of polling", base::times()});
    v.field("interrupt", interrupt, 0, 1000000,
            {"cycles from a raised interrupt to the code that waited for it", base::times()});
    v.field("dma_setup", dma_setup, 0, 1000000,
            {"software cycles to prepare one DMA transfer: driver call and cache maintenance", base::times()});
    v.field("layer_setup", layer_setup, 0, 10000000,
            {"software cycles before the first command of a layer", base::times()});
  }
};

}  // namespace fansim::contract
