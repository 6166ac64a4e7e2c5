// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "accelerators/trainer/hardware/chip.h"
#include "axi/ring.h"
#include "sim/reg.h"
#include "sim/stream.h"

namespace fansim::trainer {

// Base class of the units that work from memory to memory. Nothing makes them wait, so the number of a phase's edges is
// known when it begins. A result leaves the unit's registers for the memory a fixed number of edges after its operands
// were taken.
// Throughput: one phase at a time.
// Latency:    a start popped at n: the first operands are taken at n + 1; the last edge is n + begin(), and the end is
//             seen one later.
// Stall:      none.
class PhaseUnit : public sim::Module {
 public:
  sim::StreamIn<PhaseStart> start{"start"};

  const sim::Reg<std::int64_t>& ended() const { return ended_; }
  const arith::FloatEvents& events() const { return events_; }

 protected:
  PhaseUnit(const sc_core::sc_module_name& name, const Config& config, Chip& chip)
      : Module(name), config_(config), chip_(chip) {}

  // Returns the number of edges of phase_.
  virtual std::int64_t begin() = 0;
  // Does edge `at` of the phase, counted from 1.
  virtual void work(std::int64_t at) = 0;

  const LayerEntry& layer() const { return phase_.job->layer(phase_.phase.layer); }
  std::int64_t tensor(std::size_t behind) const { return phase_.layout->tensor[phase_.phase.layer + behind]; }
  std::int64_t weights() const { return phase_.layout->weights[phase_.phase.layer]; }
  arith::FloatFormat value(std::size_t behind) const {
    return value_format(config_, *phase_.job, phase_.phase.layer + behind);
  }
  arith::FloatFormat gradient(std::size_t behind) const {
    return gradient_format(config_, *phase_.job, phase_.phase.layer + behind);
  }
  arith::FloatArithmetic arithmetic(const arith::FloatFormat& format) const {
    return arith::FloatArithmetic(format, config_.arithmetic.rounding);
  }
  // Converts an operand as it leaves its memory. Only the events of results are counted, so these are dropped.
  static std::uint64_t operand(const arith::FloatArithmetic& to, std::uint64_t word, const arith::FloatFormat& from) {
    arith::FloatEvents none;
    return to.convert(word, from, none);
  }
  // Returns true if ReLU cut the value to which this gradient belongs.
  bool cut(std::size_t tensor_behind, std::int64_t at) {
    const std::size_t producer = phase_.phase.layer + tensor_behind;
    return producer > 0 && phase_.job->layer(producer - 1).relu &&
           chip_.activations.read(now(), tensor(tensor_behind) + at) == 0;
  }

  struct Result {
    std::int64_t edge, at;
    std::uint32_t word;
  };
  void leave(std::int64_t edge, std::int64_t at, std::uint64_t word) {
    leaving_.push({edge, at, static_cast<std::uint32_t>(word)});
  }
  // Returns the result that leaves at this edge; null: none does.
  const Result* left(std::int64_t at) {
    if (leaving_.empty() || leaving_.front().edge != at) return nullptr;
    result_ = leaving_.front();
    leaving_.pop();
    return &result_;
  }

  const Config& config_;
  Chip& chip_;
  PhaseStart phase_;
  arith::FloatEvents events_;

 private:
  void step() final;

  axi::Ring<Result> leaving_{64};
  Result result_{};
  bool busy_ = false;
  std::int64_t edges_ = 0, at_ = 0;

  sim::Word doing_{
      *this,
      "phase",
      {"load", "forward", "input_gradient", "weight_gradient", "pool", "unpool", "softmax", "update", "store", "none"},
      [this] { return busy_ ? static_cast<std::size_t>(phase_.phase.kind) : std::size_t{9}; }};
  sim::Reg<std::int64_t> ended_{*this, "ended"};
  sim::Counter phases_{*this, "phases", "phases", "phases that were done"};
  sim::Counter busy_edges_{*this, "busy", "cycles", "a phase was under way"};
};

}  // namespace fansim::trainer
