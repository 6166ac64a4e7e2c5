// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "arith/compressor.h"
#include "arith/lut_kernel.h"

namespace fansim::contract {

// A kernel of reconfigurable LUTs: reload controller, tables, compressor tree.
struct LutKernelConfig {
  arith::LutKernelFormat format;
  bool shadow_luts = true;

  // Counts a register for the inputs and one for the tables' outputs.
  static constexpr int table_latency() { return 2; }
  // Counts a register per stage of counters, and one for the sum.
  int tree_latency() const { return arith::CompressorPlan(arith::heap_of(arith::LutKernel(format))).latency(); }
  // With a shadow set, every pair of bits takes two CFGLUT5 and a LUT6_2.
  int table_luts() const { return arith::LutKernel(format).table_luts() * (shadow_luts ? 3 : 1); }
  int tree_luts() const { return arith::CompressorPlan(arith::heap_of(arith::LutKernel(format))).luts(); }

  template <class V>
  void visit(V&& v) {
    format.visit(v);
    v.field("shadow_luts", shadow_luts, "a second set of tables is reloaded while the first is read");
  }
};

}  // namespace fansim::contract
