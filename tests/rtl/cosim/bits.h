// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <systemc>
// verilated_funcs.h uses this name, which <systemc.h> would declare.
using sc_core::sc_time_stamp;
#include <verilated.h>

#include <algorithm>
#include <cstdint>
#include <type_traits>

// This file accesses up to 64 bits of a Verilated port of any width.
namespace fansim::cosim {

constexpr std::uint64_t mask(int width) { return width >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1; }

template <class Port>
std::enable_if_t<std::is_integral_v<Port>, std::uint64_t> get_bits(const Port& port, int low, int width) {
  return std::uint64_t{port} >> low & mask(width);
}

template <class Port>
std::enable_if_t<std::is_integral_v<Port>> put_bits(Port& port, int low, int width, std::uint64_t value) {
  const std::uint64_t kept = std::uint64_t{port} & ~(mask(width) << low);
  port = static_cast<Port>(kept | (value & mask(width)) << low);
}

template <std::size_t N>
std::uint64_t get_bits(const VlWide<N>& port, int low, int width) {
  std::uint64_t value = 0;
  for (int done = 0; done < width;) {
    const int at = low + done, bits = std::min(32 - at % 32, width - done);
    value |= (std::uint64_t{port.at(static_cast<std::size_t>(at / 32))} >> at % 32 & mask(bits)) << done;
    done += bits;
  }
  return value;
}

template <std::size_t N>
void put_bits(VlWide<N>& port, int low, int width, std::uint64_t value) {
  for (int done = 0; done < width;) {
    const int at = low + done, bits = std::min(32 - at % 32, width - done);
    EData& word = port.at(static_cast<std::size_t>(at / 32));
    word = static_cast<EData>((word & ~(mask(bits) << at % 32)) | (value >> done & mask(bits)) << at % 32);
    done += bits;
  }
}

// Accesses one bit of a port that has the signals of several streams side by side.
template <class Port>
class Bit {
 public:
  Bit(Port& port, int at) : port_(port), at_(at) {}
  const Bit& operator=(bool value) const {
    put_bits(port_, at_, 1, value);
    return *this;
  }
  operator bool() const { return get_bits(port_, at_, 1) != 0; }

 private:
  Port& port_;
  int at_;
};
template <class Port>
std::uint64_t get_bits(const Bit<Port>& bit, int, int) {
  return bit;
}

}  // namespace fansim::cosim
