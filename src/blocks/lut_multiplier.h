// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <vector>

#include "blocks/lut_types.h"
#include "blocks/table_reload.h"
#include "contract/lut_kernel.h"
#include "sim/module.h"
#include "sim/pipeline.h"
#include "sim/stream.h"

namespace fansim::blocks {

// The tables of a kernel. Every 4-bit slice of every input looks up its product with that input's coefficient. The
// first vector for a new set of coefficients waits for its tables (TableReload).
// Throughput: one vector per cycle; a set of coefficients per 32 cycles.
// Latency:    contract::LutKernelConfig::table_latency().
// Stall:      holds the vectors, not the reload, while `entries` is full.
class LutMultiplier final : public sim::Module {
 public:
  sim::StreamIn<KernelInputs> inputs{"inputs"};
  sim::StreamIn<ReloadBeat> reload{"reload"};
  sim::StreamOut<TableEntries> entries{"entries"};

  LutMultiplier(const sc_core::sc_module_name& name, const contract::LutKernelConfig& config);

 private:
  using Table = std::array<std::uint32_t, arith::kTableEntries>;
  struct Bank {
    std::vector<Table> lower, top;  // by input
  };

  void step() override;
  bool take_vector();
  void shift_tables();
  void load(const ReloadBeat& beat);
  void look_up(const KernelInputs& vector, TableEntries& out) const;

  const arith::LutKernel kernel_;
  const bool shadow_;
  std::array<Bank, 2> banks_;
  std::size_t in_use_ = 0;
  int beat_ = 0;  // beats of the current reload so far
  TableReload tables_;
  sim::Pipeline<TableEntries> pipeline_;

  sim::Counter vectors_{*this, "vectors", "vectors", "vectors looked up"};
  sim::Counter stalls_{*this, "stalls", "cycles", "cycles held because the compressor tree was full"};
  sim::Counter reloads_{*this, "reloads", "sets", "sets of tables loaded"};
  sim::Counter reload_waits_{*this, "reload_waits", "cycles", "cycles a vector waited for its tables"};
};

}  // namespace fansim::blocks
