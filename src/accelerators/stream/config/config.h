// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>
#include <vector>

#include "accelerators/stream/config/array.h"
#include "accelerators/stream/config/buffers.h"
#include "accelerators/stream/config/pooling.h"
#include "accelerators/stream/config/schedule.h"
#include "arith/requantise.h"
#include "base/rational.h"
#include "contract/axi.h"
#include "contract/config_file.h"
#include "contract/ddr.h"
#include "contract/dma.h"
#include "contract/host.h"
#include "contract/idle_keys.h"

namespace fansim::stream {

// Describes the complete streaming accelerator, with one struct per box of its diagram.
struct Config : contract::ConfigBase {
  static constexpr const char* kSystem = "stream";
  static constexpr std::array kFuses{"array.code_table", "array.coefficient_bits"};

  // Reads a configuration file with `--set key.path=value` overrides. Throws base::UserError.
  static Config read(const std::string& path, const std::vector<std::string>& overrides);

  ArrayConfig array;
  arith::QuantiserFormat quantiser;
  PoolingConfig pooling;
  BufferConfig buffers;
  contract::DmaConfig dma;
  contract::AxiConfig axi;
  contract::DdrConfig ddr;
  contract::ComputingHostConfig host;
  ScheduleConfig schedule;

  // Lists keys of shared blocks that have no effect on this machine.
  static constexpr const char* kDirect = "the host writes LENGTH, it makes no descriptors";
  static constexpr std::array<base::InertKey, 7> kInert{{{"dma.mode", "only direct is allowed"},
                                                         {"dma.sg_start", kDirect},
                                                         {"dma.sg_command", kDirect},
                                                         {"dma.sg_queue", kDirect},
                                                         {"dma.delay_resolution", kDirect},
                                                         {"dma.address_bits", "the memory ends at 4 GiB"},
                                                         {"ddr.arbitration", "the memory has one port"}}};

  contract::MemoryPorts memory_ports() const { return {1, axi.data_bits, clock_hz()}; }

  // Visits every clock with its key in the configuration file.
  template <class F>
  void visit_clocks(F&& f) {
    f("clock_mhz", clock_mhz);
  }

  // Visits every block with its key in the configuration file.
  template <class F>
  void visit_blocks(F&& f) {
    f("array", array);
    f("quantiser", quantiser);
    f("pooling", pooling);
    f("buffers", buffers);
    f("dma", dma);
    f("axi", axi);
    f("ddr", ddr);
    f("host", host);
    f("schedule", schedule);
  }
};

// Returns why the reader of a file would refuse the configuration; empty: it would not.
std::string refusal(const Config& config);

// Adds keys that change nothing because of what others say.
void add_idle(contract::IdleKeys& idle, const Config& config);

}  // namespace fansim::stream
