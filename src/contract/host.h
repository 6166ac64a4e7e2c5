// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "base/cost.h"
#include "base/effect.h"
#include "base/rational.h"

namespace fansim::contract {

// The processing system without an operating system: what each of its steps costs. Engines count in cycles of the
// fabric clock.
struct HostConfig {
  base::Cost register_write = base::Cost::nanoseconds(100);
  base::Cost register_read = base::Cost::nanoseconds(140);
  base::Cost interrupt = base::Cost::nanoseconds(2'000);
  base::Cost dma_setup = base::Cost::nanoseconds(4'000);
  base::Cost layer_setup = base::Cost::nanoseconds(10'000);
  int sd_mb_per_s = 0;
  base::Cost timeout = 0;
  int retry = 0;

  // A register access acts kActs edges after its request was pushed. The response is popped kAnswered edges after it.
  static constexpr int kActs = 1, kAnswered = 2;

  template <class V>
  void visit(V&& v) {
    v.field("register_write", register_write, 0, 100000,
            {"time, or fabric cycles, of one AXI-Lite register write, PS side", base::times()});
    v.field("register_read", register_read, 1, 100000,
            {"time, or fabric cycles, of one AXI-Lite register read; the period of polling", base::times()});
    v.field("interrupt", interrupt, 0, 1000000,
            {"time, or fabric cycles, from a raised interrupt to the code that waited for it", base::times()});
    v.field("dma_setup", dma_setup, 0, 1000000,
            {"time, or fabric cycles, of software to prepare one DMA transfer: driver call and cache maintenance",
             base::times()});
    v.field("layer_setup", layer_setup, 0, 10000000,
            {"time, or fabric cycles, of software before the first command of a layer", base::times()});
    v.field(
        "sd_mb_per_s", sd_mb_per_s, 0, 10000,
        {"MB/s at which memory is loaded from an SD card before the first layer, a stage of its own and in no layer's "
         "cycles; 0: it is there already",
         base::Effect{base::Effect::Resources::none, false}});
    v.field("timeout", timeout, 0, 2'000'000'000,
            {"on a machine with faults, time, or fabric cycles, after which the driver takes a wait for an interrupt "
             "or a DMA channel "
             "for an error; 0: it waits on",
             base::inert()});
    v.field("retry", retry, 0, 100,
            {"on a machine with faults, times that the driver, after an error, resets DMA and core and begins the "
             "layer again before it gives up",
             base::inert()});
  }
};

// A host whose software computes the layers for which the accelerator has no hardware.
struct ComputingHostConfig : HostConfig {
  base::Cost cycles_per_value = base::Cost::nanoseconds(8);

  template <class V>
  void visit(V&& v) {
    HostConfig::visit(v);
    v.field(
        "cycles_per_value", cycles_per_value, 0, 10000,
        {"time, or fabric cycles, of software for each value read or written in a layer that the host computes itself",
         base::times()});
  }
};

// What the host brings into memory before the first layer. It takes no cycles if the data were there already.
struct Loading {
  std::int64_t bytes = 0, cycles = 0;
};

inline Loading loading(const HostConfig& host, std::int64_t bytes, const base::Rational& clock_mhz) {
  if (host.sd_mb_per_s == 0) return {};
  const std::int64_t per = clock_mhz.denominator * host.sd_mb_per_s;
  return {bytes, (bytes * clock_mhz.numerator + per - 1) / per};
}

}  // namespace fansim::contract
