// SPDX-License-Identifier: Apache-2.0
#include "arith/lut_kernel.h"

#include <algorithm>

#include "arith/fixed.h"
#include "base/units.h"

namespace fansim::arith {
namespace {

// Returns the bits that a sum of so many terms has more than a term: floor(log2 n) + 1.
int growth_bits(int terms) { return base::ceil_log2(terms + 1); }

int slices_of(const LutKernelFormat& format) { return base::ceil_div(format.input_bits, format.slice_bits); }

std::int64_t power(int exponent) { return std::int64_t{1} << exponent; }

}  // namespace

int bounding_guard_bits(const LutKernelFormat& format) { return base::ceil_log2(format.inputs * slices_of(format)); }

LutKernel::LutKernel(const LutKernelFormat& format)
    : format_(format),
      slices_(slices_of(format)),
      sum_bits_(format.coefficient_bits + format.input_bits + growth_bits(format.inputs)),
      guard_bits_(std::min(format.guard_bits > 0 ? format.guard_bits : bounding_guard_bits(format),
                           sum_bits_ - (format.faithful ? format.input_bits : sum_bits_))) {
  const int border = output_bit() - guard_bits_;
  for (int s = 0; s < slices_; ++s) {
    const int first = std::max(0, border - slice_bits() * s) / bits_per_lut() * bits_per_lut();
    first_bits_.push_back(first);
    most_cut_ += format.inputs * (power(first + slice_bits() * s) - power(slice_bits() * s));
    signs_ -= format.inputs * power(product_bits() - 1 + slice_bits() * s);
  }
  if (output_bit() == 0) return;
  const int lowest = first_bits_[0];
  rounding_ = power(output_bit() - 1) + (most_cut_ / 2 >> lowest << lowest);
}

int LutKernel::table_luts() const {
  int luts = 0;
  for (int s = 0; s < slices_; ++s) luts += format_.inputs * table_luts(s);
  return luts;
}

int LutKernel::slice_of(int x, int slice) const {
  const int shifted = x >> slice_bits() * slice;
  return slice == slices_ - 1 ? shifted : shifted & (table_entries() - 1);
}

std::uint32_t LutKernel::entry(int coefficient, int slice, int address) const {
  const bool is_signed = slice == slices_ - 1;
  const int factor = is_signed && address >= table_entries() / 2 ? address - table_entries() : address;
  const auto product = static_cast<std::uint32_t>(coefficient * factor) ^ std::uint32_t{1} << (product_bits() - 1);
  const std::uint32_t kept = (std::uint32_t{1} << product_bits()) - (std::uint32_t{1} << first_bit(slice));
  return product & kept;
}

std::int64_t LutKernel::kept(int x, int coefficient) const {
  std::int64_t product = 0;
  for (int s = 0; s < slices_; ++s) {
    const std::int64_t of_slice = std::int64_t{coefficient} * slice_of(x, s);
    product += (of_slice >> first_bit(s)) * power(first_bit(s) + slice_bits() * s);
  }
  return product;
}

std::int64_t LutKernel::rounded(std::int64_t sum_of_kept) const {
  return ((sum_of_kept + rounding_) >> output_bit()) * power(output_bit());
}

// Let U be a unit of the output and c what the constant adds beyond U / 2. The result exceeds the exact sum by at most
// U / 2 + c. It falls short of it by at most U / 2 - c plus what is cut off, less one place of the kept bits, because
// all addends are multiples of that place. Both must be below U.
bool LutKernel::error_bounded() const {
  if (output_bit() == 0) return true;
  const std::int64_t half = power(output_bit() - 1), centre = rounding_ - half;
  return centre < half && most_cut_ - centre < half + power(first_bits_[0]);
}

std::int64_t LutKernel::exact(const std::vector<int>& x, const std::vector<int>& coefficients) const {
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += std::int64_t{x[i]} * coefficients[i];
  return sum;
}

std::int64_t LutKernel::output(std::int64_t sum_of_entries) const {
  return wrap(sum_of_entries + constant(), sum_bits_) >> output_bit();
}

std::int64_t LutKernel::evaluate(const std::vector<int>& x, const std::vector<int>& coefficients) const {
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    for (int s = 0; s < slices_; ++s)
      sum += std::int64_t{entry(coefficients[i], s, slice_of(x[i], s) & (table_entries() - 1))} << slice_bits() * s;
  }
  return output(sum);
}

}  // namespace fansim::arith
