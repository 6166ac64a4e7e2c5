// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "base/units.h"

namespace fansim::arith {

// A table has four address bits. A CFGLUT5 is reloaded in 32 edges: first the odd bits of its 16 entries, then the even
// ones.
constexpr int kSliceBits = 4;
constexpr int kTableEntries = 1 << kSliceBits;
constexpr int kReloadCycles = 2 * kTableEntries;

// The kernel of reconfigurable LUTs by Hardieck, Kumm, Moeller and Zipf (FPGA 2019). It sums the products of `inputs`
// inputs and as many coefficients. Every product is cut into products of the coefficient with 4-bit slices of the
// input, which are looked up.
struct LutKernelFormat {
  int inputs = 9;
  int input_bits = 8;
  int coefficient_bits = 8;
  bool faithful = false;
  int guard_bits = 0;
  // Address bits of a table. With 4 a CFGLUT5 gives two bits of a product, with 5 it gives one. The blocks have 4.
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

// Holds what follows from a format. Bit 0 is the lowest bit of the exact sum.
class LutKernel {
 public:
  explicit LutKernel(const LutKernelFormat& format);

  const LutKernelFormat& format() const { return format_; }
  int slices() const { return slices_; }
  int slice_bits() const { return format_.slice_bits; }
  int product_bits() const { return format_.coefficient_bits + slice_bits(); }  // bits of a slice's product, signed
  int sum_bits() const { return sum_bits_; }                                    // bits of the exact sum
  int output_bits() const { return format_.faithful ? format_.input_bits : sum_bits_; }
  int guard_bits() const { return guard_bits_; }
  // Returns the output's lowest bit. Products are cut off `guard_bits` below it, at an even bit if a LUT holds two
  // bits.
  int output_bit() const { return sum_bits_ - output_bits(); }
  // Lowest bit kept of the slice's product.
  int first_bit(int slice) const { return first_bits_[static_cast<std::size_t>(slice)]; }
  int table_luts(int slice) const { return base::ceil_div(product_bits() - first_bit(slice), bits_per_lut()); }
  int table_luts() const;  // all inputs and slices, for one set of tables

  // Returns what is added once per sum: a correction for the inverted sign bits of the tables, and the rounding.
  std::int64_t constant() const { return signs_ + rounding_; }

  // Returns slice s of an input. Only the top slice is signed.
  int slice_of(int x, int slice) const;
  // Returns an entry of a slice's table: the product's bits from first_bit() up, at their places. The sign bit is
  // inverted, so that no sign needs extending.
  std::uint32_t entry(int coefficient, int slice, int address) const;

  // kept() returns a product without the bits that its tables leave out, rounded() the rounded sum of such products,
  // both in units of bit 0. The top slice of an unsigned input counts as unsigned.
  std::int64_t kept(int x, int coefficient) const;
  std::int64_t rounding() const { return rounding_; }  // added before the bits below output_bit() are cut off
  std::int64_t rounded(std::int64_t sum_of_kept) const;
  // Returns whether every rounded sum is proved to be within one unit of its last place (docs/lut_kernels.md,
  // "Rounding").
  bool error_bounded() const;

  std::int64_t exact(const std::vector<int>& x, const std::vector<int>& coefficients) const;
  // Returns the output for the sum of all entries looked up, each at its slice's place, and the constant.
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
  std::int64_t signs_ = 0;     // corrects the inverted sign bits
  std::int64_t most_cut_ = 0;  // the most by which the sum of the kept bits can fall short
  std::int64_t rounding_ = 0;  // half of most_cut_, and half a unit of the output
};

// Returns the smallest g that bounds the error. Each product loses at most one cut-off place; centred, that error must
// stay below half a unit of the output, so that it stays below one unit with the output's own rounding: 2^g >= inputs x
// slices.
int bounding_guard_bits(const LutKernelFormat& format);

}  // namespace fansim::arith
