// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "arith/quantisation/component.h"

namespace fansim::arith {

// A code of one bit: code 1 stands for +step, code 0 for -step.
class SignCodec : public WeightCodec {
 public:
  explicit SignCodec(float step) : WeightCodec(1), step_(step) {}

  unsigned project(float value) const override { return value >= 0 ? 1 : 0; }
  float inverse(unsigned code) const override { return static_cast<float>(integer(code)) * step_; }
  int integer(unsigned code) const override { return code == 1 ? 1 : -1; }
  float step() const override { return step_; }

  // Returns the activation, negated for code 0.
  float product(unsigned code, int activation) const override {
    return static_cast<float>(code == 1 ? activation : -activation);
  }

 private:
  float step_;
};

}  // namespace fansim::arith
