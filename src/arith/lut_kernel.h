// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "base/units.h"

namespace fansim::arith {

// A table has four address bits, and a CFGLUT5 is reloaded in 32 edges: the odd bits of 16 entries, then the even ones.
constexpr int kSliceBits = 4;
constexpr int kTableEntries = 1 << kSliceBits;
constexpr int kReloadCycles = 2 * kTableEntries;

// The reconfigurable-LUT kernel of Hardieck, Kumm, Moeller and Zipf (FPGA 2019): the sum of products of `inputs` inputs
// with as many coefficients, every product cut into coefficient x 4-bit slices that are looked up.
struct LutKernelFormat {
  int inputs = 9;
  int input_bits = 8;
  int coefficient_bits = 8;
  bool faithful = false;
  int guard_bits = 0;
  // Address bits of a table. With 4 a CFGLUT5 gives two bits of a product, with 5 one. The blocks have 4.
  int slice_bits = kSliceBits;

  template <class V>
  void visit(V&& v) {
    v.field("inputs", inputs, 1, 64, "products in the sum");
    v.field("input_bits", input_bits, 2, 16, "bits of an input, two's complement");
    v.field("coefficient_bits", coefficient_bits, 2, 16, "bits of a coefficient, two's complement");
    v.field("faithful", faithful,
            "round the sum to input_bits, within one unit of its last place, instead of all bits");
    v.field("guard_bits", guard_bits, 0, 32,
            "faithful: bits of products kept below the sum's; 0: as many as bound the error");
  }
};

// What follows from a format. Bit 0 is the lowest of the exact sum.
class LutKernel {
 public:
  explicit LutKernel(const LutKernelFormat& format);

  const LutKernelFormat& format() const { return format_; }
  int slices() const { return slices_; }
  int slice_bits() const { return format_.slice_bits; }
  int product_bits() const { return format_.coefficient_bits + slice_bits(); }  // of a slice's product, signed
  int sum_bits() const { return sum_bits_; }                                    // of the exact sum
  int output_bits() const { return format_.faithful ? format_.input_bits : sum_bits_; }
  int guard_bits() const { return guard_bits_; }
  // The output's lowest bit; products are cut off `guard_bits` below it, at even bits where a LUT holds two.
  int output_bit() const { return sum_bits_ - output_bits(); }
  int first_bit(int slice) const { return first_bits_[static_cast<std::size_t>(slice)]; }  // of the slice's product
  int table_luts(int slice) const { return base::ceil_div(product_bits() - first_bit(slice), bits_per_lut()); }
  int table_luts() const;  // of all inputs and slices, one set of tables

  // Added once: what the inverted sign bits of the tables stand for, and the rounding.
  std::int64_t constant() const { return signs_ + rounding_; }

  // Slice s of an input: signed if it is the top one.
  int slice_of(int x, int slice) const;
  // The entry of a slice's table: the product's bits with the sign bit inverted, so that no sign needs extending, from
  // first_bit() up, at their places.
  std::uint32_t entry(int coefficient, int slice, int address) const;

  // A product without what its tables leave out, and the rounded sum of such products, in units of bit 0. The top slice
  // of an input that is not negative counts as unsigned.
  std::int64_t kept(int x, int coefficient) const;
  std::int64_t rounding() const { return rounding_; }  // added before what is below output_bit() is cut off
  std::int64_t rounded(std::int64_t sum_of_kept) const;
  // Whether every rounded sum is proved to be within one unit of its last place (docs/lut_kernels.md, "Rounding").
  bool error_bounded() const;

  std::int64_t exact(const std::vector<int>& x, const std::vector<int>& coefficients) const;
  // Of all entries looked up, each at its slice's place, and the constant.
  std::int64_t output(std::int64_t sum_of_entries) const;
  std::int64_t evaluate(const std::vector<int>& x, const std::vector<int>& coefficients) const;

 private:
  int bits_per_lut() const { return slice_bits() == kSliceBits ? 2 : 1; }
  int table_entries() const { return 1 << slice_bits(); }

  const LutKernelFormat format_;
  const int slices_;
  const int sum_bits_;
  const int guard_bits_;
  std::vector<int> first_bits_;
  std::int64_t signs_ = 0;     // what the inverted sign bits stand for
  std::int64_t most_cut_ = 0;  // by which the sum of the kept bits can fall short
  std::int64_t rounding_ = 0;  // half of that, and half a unit
};

// Smallest g for which an error of one cut-off place per product, centred, stays below half a unit of the output; with
// the output's own rounding that is below one unit: 2^g >= inputs x slices.
int bounding_guard_bits(const LutKernelFormat& format);

}  // namespace fansim::arith
