// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "accelerators/trainer/config/config.h"

namespace fansim::trainer {

enum class SoftmaxPass : std::uint8_t { largest, exponential, sum, quotient, gradient };

// Describes the timing of a pass: it accepts a value every `pace` edges and ends `latency` edges after the last one.
struct SoftmaxTiming {
  SoftmaxPass pass;
  std::int64_t pace, latency;
  std::int64_t edges(std::int64_t values) const { return values * pace + latency; }
};

std::vector<SoftmaxTiming> softmax_passes(const Config& config, bool training);

// Holds the arithmetic of the unit.
class SoftmaxFunctions {
 public:
  explicit SoftmaxFunctions(const Config& config);

  std::uint64_t exponential(std::uint64_t x, arith::FloatEvents& events) const {
    return exponential_.exponential(x, events);
  }
  std::uint64_t divide(std::uint64_t a, std::uint64_t b, arith::FloatEvents& events) const {
    return by_array_ ? array_.divide(a, b, events) : reciprocal_.divide(a, b, events);
  }
  const arith::FloatArithmetic& arithmetic() const { return arithmetic_; }
  std::uint64_t one() const { return one_; }

 private:
  const arith::FloatArithmetic arithmetic_;
  const arith::FloatExponential exponential_;
  const bool by_array_;
  const arith::ArrayDivider array_;
  const arith::ReciprocalDivider reciprocal_;
  std::uint64_t one_;
};

}  // namespace fansim::trainer
