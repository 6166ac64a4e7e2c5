// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "arith/float/format.h"
#include "sim/module.h"
#include "sim/pipeline.h"
#include "sim/stream.h"

namespace fansim::blocks {

// Operands of an operation. `b` and `subtracts` are used if the operation has them.
struct FloatOperands {
  std::uint64_t a = 0;
  std::uint64_t b = 0;
  bool subtracts = false;
  template <class F>
  void wires(F&& f) const {
    f("a", a, 64);
    f("b", b, 64);
    f("subtracts", subtracts, 1);
  }
};

struct FloatResult {
  std::uint64_t word = 0;
  bool saturated = false;
  bool underflowed = false;
  template <class F>
  void wires(F&& f) const {
    f("word", word, 64);
    f("saturated", saturated, 1);
    f("underflowed", underflowed, 1);
  }
};

// The common part of all floating-point blocks: an operation of docs/float.md and the registers behind it.
// Throughput: one operation per cycle.
// Latency:    as constructed.
// Stall:      holds every stage while `results` is full.
class FloatPipeline : public sim::Module {
 public:
  sim::StreamIn<FloatOperands> operands{"operands"};
  sim::StreamOut<FloatResult> results{"results"};

 protected:
  FloatPipeline(const sc_core::sc_module_name& name, int latency) : sim::Module(name), pipeline_(latency) {}

 private:
  virtual std::uint64_t compute(const FloatOperands& in, arith::FloatEvents& events) const = 0;
  void step() final;

  sim::Pipeline<FloatResult> pipeline_;

  sim::Counter beats_{*this, "beats", "operations", "operations taken"};
  sim::Counter stalls_{*this, "stalls", "cycles", "cycles held because the result could not leave"};
  sim::Counter saturations_{*this, "saturations", "results", "results that became the largest magnitude"};
  sim::Counter underflows_{*this, "underflows", "results", "results that became zero"};
};

}  // namespace fansim::blocks
