// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "arith/float/format.h"

namespace fansim::arith {

struct ArrayDividerConfig {
  int rows_per_stage = 4;

  template <class V>
  void visit(V&& v) {
    v.field("rows_per_stage", rows_per_stage, 1, 64, "rows of the array between two registers");
  }
};

// The signed array divider of docs/float.md. It has a row of processing units for each bit of the quotient, the highest
// bit first.
class ArrayDivider {
 public:
  explicit ArrayDivider(const FloatFormat& format, FloatRounding rounding = FloatRounding::truncate,
                        const ArrayDividerConfig& config = {})
      : format_(format), rounding_(rounding), config_(config) {}

  // The rows beyond the significand are one for a quotient below 1, and one to round to nearest.
  int rows() const { return format_.significand_bits() + (rounding_ == FloatRounding::nearest_even ? 2 : 1); }

  // Returns the cycles of the block: the rows, and one for rounding.
  int latency() const { return (rows() + config_.rows_per_stage - 1) / config_.rows_per_stage + 1; }

  std::uint64_t divide(std::uint64_t a, std::uint64_t b, FloatEvents& events) const;

 private:
  FloatFormat format_;
  FloatRounding rounding_;
  ArrayDividerConfig config_;
};

// Divides with Newton's iteration for the reciprocal of a significand (docs/float.md).
struct ReciprocalConfig {
  int seed_bits = 6;
  int iterations = 2;

  template <class V>
  void visit(V&& v) {
    v.field("seed_bits", seed_bits, 2, 12, "bits of the divisor that address the table of first reciprocals");
    v.field("iterations", iterations, 0, 6, "steps of Newton's iteration; each doubles the bits that are right");
  }
};

class ReciprocalDivider {
 public:
  ReciprocalDivider(const FloatFormat& format, const ReciprocalConfig& config,
                    FloatRounding rounding = FloatRounding::truncate);

  int fraction_bits() const { return fraction_bits_; }  // bits of a reciprocal
  // Returns the cycles of the block: table, two products per iteration, one product, rounding.
  int latency() const { return 2 * config_.iterations + 3; }
  // Returns the table. Its reciprocals have seed_bits + 2 bits of fraction.
  const std::vector<std::uint64_t>& seeds() const { return seeds_; }
  // Returns how many units of its last place a quotient may be off, unless it saturates or underflows.
  double error_units() const;

  std::uint64_t divide(std::uint64_t a, std::uint64_t b, FloatEvents& events) const;

 private:
  template <class T>
  std::uint64_t quotient(std::uint64_t a, std::uint64_t b, FloatEvents& events) const;

  FloatFormat format_;
  ReciprocalConfig config_;
  FloatRounding rounding_;
  int fraction_bits_;
  std::vector<std::uint64_t> seeds_;
};

}  // namespace fansim::arith
