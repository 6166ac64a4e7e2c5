// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "blocks/float/units.h"
#include "cosim/lane.h"
#include "support/float_operands.h"

// This file runs a block of floating point beside its twins. A Block is constructed from the twin's parameters.
namespace fansim::cosim {

inline arith::FloatFormat format_of(const Parameters& p) { return {p["E"], p["M"]}; }
inline arith::FloatRounding rounding_of(const Parameters& p) {
  return p["NEAREST"] == 1 ? arith::FloatRounding::nearest_even : arith::FloatRounding::truncate;
}
inline arith::FloatArithmetic arithmetic_of(const Parameters& p) {
  return arith::FloatArithmetic(format_of(p), rounding_of(p));
}

template <class Model, class Block>
class FloatLane : public Lane<Model> {
 protected:
  // fields(model, operands, field) drives the ports of the operands, which are of format `from`.
  template <class Fields, class... Args>
  FloatLane(const std::string& name, const Parameters& p, int faults, const arith::FloatFormat& from, Fields fields,
            const Args&... args)
      : Lane<Model>(name, p, faults),
        operands((name + "_operands").c_str()),
        results((name + "_results").c_str()),
        block_(name.c_str(), args...) {
    block_.operands(operands);
    block_.results(results);
    const int bits = format_of(p).bits();
    this->input(COSIM_INPUT(operands), fields, left_,
                [this, from](blocks::FloatOperands& item) { item = test::random_operands(from, this->random); });
    this->output(COSIM_OUTPUT(results), [=](Model& m, const blocks::FloatResult& item, const auto& field) {
      field("word", 0, m.results_word, 0, bits, item.word);
      field("saturated", 0, m.results_saturated, 0, 1, item.saturated);
      field("underflowed", 0, m.results_underflowed, 0, 1, item.underflowed);
    });
  }

  // Returns the ports of one operand; two() those of two.
  static auto one(const arith::FloatFormat& format) {
    return [bits = format.bits()](Model& m, const blocks::FloatOperands& item, const auto& field) {
      field("a", 0, m.operands_a, 0, bits, item.a);
    };
  }
  static auto two(const arith::FloatFormat& format) {
    return [bits = format.bits()](Model& m, const blocks::FloatOperands& item, const auto& field) {
      field("a", 0, m.operands_a, 0, bits, item.a);
      field("b", 0, m.operands_b, 0, bits, item.b);
    };
  }

 private:
  void next_phase() override { left_ = this->random.uniform(30, 200); }

  sim::Stream<blocks::FloatOperands> operands;
  sim::Stream<blocks::FloatResult> results;
  Block block_;
  int left_ = 0;
};

}  // namespace fansim::cosim
