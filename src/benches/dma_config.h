// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "base/rational.h"
#include "contract/axi.h"
#include "contract/dma.h"
#include "contract/ram.h"

namespace fansim::benches {

// Describes what `fansim drive dma` builds: an AXI DMA between its memory and its streams.
struct DmaBenchConfig {
  base::Rational clock_mhz{100, 1};
  int watchdog = 100000;
  contract::DmaConfig dma;
  contract::AxiConfig axi;
  contract::RamConfig memory;

  template <class F>
  void visit_blocks(F&& f) {
    f("dma", dma);
    f("axi", axi);
    f("memory", memory);
  }
};

// Reads a configuration file with `--set key.path=value` overrides. Throws base::UserError.
DmaBenchConfig load_dma_bench(const std::string& path, const std::vector<std::string>& overrides);

}  // namespace fansim::benches
