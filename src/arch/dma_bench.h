// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "arch/axi.h"
#include "arch/dma.h"
#include "arch/ram.h"
#include "base/rational.h"

namespace fansim::arch {

// One AXI DMA between its memory and its streams: what `fansim drive dma` builds.
struct DmaBenchConfig {
  base::Rational clock_mhz{100, 1};
  int watchdog = 100000;
  DmaConfig dma;
  AxiConfig axi;
  RamConfig memory;

  template <class F>
  void visit_blocks(F&& f) {
    f("dma", dma);
    f("axi", axi);
    f("memory", memory);
  }
};

// Reads a configuration file with `--set key.path=value` overrides; throws base::UserError.
DmaBenchConfig load_dma_bench(const std::string& path, const std::vector<std::string>& overrides);

}  // namespace fansim::arch
