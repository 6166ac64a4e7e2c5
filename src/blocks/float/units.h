// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "arith/float/arithmetic.h"
#include "arith/float/divide.h"
#include "arith/float/exponential.h"
#include "blocks/float/pipeline.h"

// The operations of docs/float.md as blocks. FloatPipeline states their throughput, latency and stalls.
namespace fansim::blocks {

// Computes a + b or a - b.
class FloatAdder final : public FloatPipeline {
 public:
  FloatAdder(const sc_core::sc_module_name& name, const arith::FloatArithmetic& unit)
      : FloatPipeline(name, arith::FloatArithmetic::kAddLatency), unit_(unit) {}

 private:
  std::uint64_t compute(const FloatOperands& in, arith::FloatEvents& events) const override {
    return in.subtracts ? unit_.subtract(in.a, in.b, events) : unit_.add(in.a, in.b, events);
  }
  const arith::FloatArithmetic unit_;
};

// Computes a b.
class FloatMultiplier final : public FloatPipeline {
 public:
  FloatMultiplier(const sc_core::sc_module_name& name, const arith::FloatArithmetic& unit)
      : FloatPipeline(name, arith::FloatArithmetic::kMultiplyLatency), unit_(unit) {}

 private:
  std::uint64_t compute(const FloatOperands& in, arith::FloatEvents& events) const override {
    return unit_.multiply(in.a, in.b, events);
  }
  const arith::FloatArithmetic unit_;
};

// Converts a from another format.
class FloatConverter final : public FloatPipeline {
 public:
  FloatConverter(const sc_core::sc_module_name& name, const arith::FloatFormat& from, const arith::FloatArithmetic& to)
      : FloatPipeline(name, arith::FloatArithmetic::kConvertLatency), from_(from), to_(to) {}

 private:
  std::uint64_t compute(const FloatOperands& in, arith::FloatEvents& events) const override {
    return to_.convert(in.a, from_, events);
  }
  const arith::FloatFormat from_;
  const arith::FloatArithmetic to_;
};

// Computes a / b.
template <class Divider>
class FloatDivider final : public FloatPipeline {
 public:
  FloatDivider(const sc_core::sc_module_name& name, const Divider& unit)
      : FloatPipeline(name, unit.latency()), unit_(unit) {}

 private:
  std::uint64_t compute(const FloatOperands& in, arith::FloatEvents& events) const override {
    return unit_.divide(in.a, in.b, events);
  }
  const Divider unit_;
};
using FloatArrayDivider = FloatDivider<arith::ArrayDivider>;
using FloatReciprocalDivider = FloatDivider<arith::ReciprocalDivider>;

// Computes e^a.
class FloatExponential final : public FloatPipeline {
 public:
  FloatExponential(const sc_core::sc_module_name& name, const arith::FloatExponential& unit)
      : FloatPipeline(name, arith::FloatExponential::kLatency), unit_(unit) {}

 private:
  std::uint64_t compute(const FloatOperands& in, arith::FloatEvents& events) const override {
    return unit_.exponential(in.a, events);
  }
  const arith::FloatExponential unit_;
};

}  // namespace fansim::blocks
