// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <stdexcept>

#include "base/data_type.h"

namespace fansim::network {

using base::DataType;

// How a tensor's values are stored. An integer is a code: relative to the zero point it is the number for which it
// stands, in steps.
struct NumberFormat {
  DataType type = DataType::int8;
  int zero_point = 0;
  int bits = 8;  // significant bits of a code, at most those of its type

  // Returns a format that uses every bit of the type.
  static NumberFormat of(DataType type, int zero_point = 0) {
    return {type, zero_point, static_cast<int>(8 * base::facts(type).bytes)};
  }
  // Returns codes in the narrowest type that holds them, of 1..32 bits, or unsigned of 1..16. Throws invalid_argument
  // for other widths.
  static NumberFormat codes(int bits, bool is_unsigned = false, int zero_point = 0) {
    if (bits < 1 || bits > (is_unsigned ? 16 : 32)) throw std::invalid_argument("no type holds codes of this width");
    const DataType narrow = is_unsigned ? DataType::uint8 : DataType::int8;
    const DataType wide = is_unsigned ? DataType::uint16 : DataType::int16;
    return {bits <= 8 ? narrow : bits <= 16 ? wide : DataType::int32, zero_point, bits};
  }

  bool is_unsigned() const { return !base::facts(type).is_signed; }
  std::size_t value_bytes() const { return base::facts(type).bytes; }
  // The range of an integer type's codes.
  int highest() const { return static_cast<int>((std::int64_t{1} << (is_unsigned() ? bits : bits - 1)) - 1); }
  int lowest() const { return is_unsigned() ? 0 : -highest() - 1; }
  // Returns the code nearest to a number whose unit is `step`; if two are equally near, the larger one.
  int code_of(float value, double step) const {
    return static_cast<int>(
        std::clamp<double>(std::floor(static_cast<double>(value) / step + 0.5) + zero_point, lowest(), highest()));
  }
};

inline bool operator==(const NumberFormat& a, const NumberFormat& b) {
  return a.type == b.type && a.zero_point == b.zero_point && a.bits == b.bits;
}
inline bool operator!=(const NumberFormat& a, const NumberFormat& b) { return !(a == b); }

}  // namespace fansim::network
