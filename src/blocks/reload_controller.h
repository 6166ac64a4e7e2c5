// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "blocks/lut_types.h"
#include "contract/lut_kernel.h"
#include "sim/module.h"
#include "sim/stream.h"

namespace fansim::blocks {

// Turns coefficients into the bits that reload their tables. For each coefficient c, one accumulator counts down 15c,
// 14c, ... 0 for the unsigned slices, and another counts -1c, ... -8c, 7c, ... 0 for the signed one. In a first round
// the odd bits of the products stand at the places that the tables take; in a second round the products are doubled, so
// that the even bits do. Sign bits are sent inverted.
// Throughput: one set of coefficients per 32 cycles.
// Latency:    1 from the pop of a set to the push of its first beat.
// Stall:      holds the accumulators while `reload` is full.
class ReloadController final : public sim::Module {
 public:
  sim::StreamIn<Coefficients> coefficients{"coefficients"};
  sim::StreamOut<ReloadBeat> reload{"reload"};

  ReloadController(const sc_core::sc_module_name& name, const contract::LutKernelConfig& config);

 private:
  struct Accumulators {
    int coefficient = 0, lower = 0, top = 0;
  };

  void step() override;
  void begin_half();
  void push_beat();
  std::uint32_t word(int product, bool even) const;

  const int inputs_;
  const int product_bits_;
  std::vector<Accumulators> accumulators_;
  int left_ = 0;  // beats that are left

  sim::Counter beats_{*this, "beats", "beats", "edges at which the tables took a bit"};
  sim::Counter sets_{*this, "sets", "sets", "sets of coefficients"};
  sim::Counter stalls_{*this, "stalls", "cycles", "cycles held because the tables could not take a bit"};
};

}  // namespace fansim::blocks
