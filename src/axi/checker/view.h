// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

// Wires of AXI4 and AXI4-Stream as they are before one rising edge, in types that do not need SystemC.
namespace fansim::axi {

constexpr int kMostBytes = 64;  // bytes of the widest data bus that is checked (512 bits)
using WireBytes = std::array<std::uint8_t, kMostBytes>;

// Returns whether the two differ in one of these lanes. Other lanes do not matter.
inline bool differ(const WireBytes& a, const WireBytes& b, std::uint64_t lanes) {
  for (std::size_t i = 0; i < a.size(); ++i)
    if ((lanes >> i & 1) != 0 && a[i] != b[i]) return true;
  return false;
}

struct AddressView {
  bool valid = false, ready = false;
  std::uint32_t id = 0;
  std::uint64_t addr = 0;
  unsigned len = 0, size = 0, burst = 1, cache = 0, prot = 0, qos = 0;
  bool lock = false;
};

struct WriteDataView {
  bool valid = false, ready = false;
  WireBytes data{};
  std::uint64_t strb = 0;
  bool last = false;
};

struct WriteResponseView {
  bool valid = false, ready = false;
  std::uint32_t id = 0;
  unsigned resp = 0;
};

struct ReadDataView {
  bool valid = false, ready = false;
  std::uint32_t id = 0;
  WireBytes data{};
  unsigned resp = 0;
  bool last = false;
};

struct Axi4View {
  bool resetn = true;
  AddressView aw, ar;
  WriteDataView w;
  WriteResponseView b;
  ReadDataView r;
};

struct StreamView {
  bool resetn = true;
  bool valid = false, ready = false;
  WireBytes data{};
  std::uint64_t keep = 0;
  bool last = false;
};

}  // namespace fansim::axi
