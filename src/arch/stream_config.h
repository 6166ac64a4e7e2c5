// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "arch/array.h"
#include "arch/axi.h"
#include "arch/buffers.h"
#include "arch/ddr.h"
#include "arch/device.h"
#include "arch/dma.h"
#include "arch/host.h"
#include "arch/schedule.h"
#include "arith/requantise.h"
#include "base/rational.h"

namespace fansim::arch {

// The complete streaming accelerator: one struct per box of its diagram.
struct StreamConfig {
  std::string name;
  std::string hash;  // FNV-1a of the configuration with its overrides
  Device device;
  base::Rational clock_mhz{250, 1};
  ArrayConfig array;
  arith::QuantiserFormat quantiser;
  BufferConfig buffers;
  DmaConfig dma;
  AxiConfig axi;
  DdrConfig ddr;
  HostConfig host;
  ScheduleConfig schedule;

  double clock_hz() const { return clock_mhz.value() * 1e6; }

  // Every block with its key in the configuration file.
  template <class F>
  void visit_blocks(F&& f) {
    f("array", array);
    f("quantiser", quantiser);
    f("buffers", buffers);
    f("dma", dma);
    f("axi", axi);
    f("ddr", ddr);
    f("host", host);
    f("schedule", schedule);
  }
};

// Reads a configuration file with `--set key.path=value` overrides; throws base::UserError.
StreamConfig load_stream_config(const std::string& path, const std::vector<std::string>& overrides);

}  // namespace fansim::arch
