// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace fansim::contract {

enum class Arbitration { round_robin, priority };

// The addresses [base, base + bytes), which belong to one subordinate.
struct AddressRange {
  std::uint64_t base = 0;
  std::uint64_t bytes = 0;

  bool holds(std::uint64_t address) const { return address >= base && address - base < bytes; }
};

struct InterconnectConfig {
  Arbitration arbitration = Arbitration::round_robin;
  int managers = 2;
  int data_bits = 128;
  int outstanding = 8;
  std::vector<AddressRange> subordinates;  // one port for each

  static constexpr int kMaxManagers = 16;
  // Bits of a manager's own ID; the interconnect puts the manager's number above them.
  static constexpr int kManagerIdBits = 4;

  template <class V>
  void visit(V&& v) {
    v.choice("arbitration", arbitration,
             {{Arbitration::round_robin, "round_robin"}, {Arbitration::priority, "priority"}},
             "round_robin: the managers take turns; priority: the lowest port first");
    v.field("managers", managers, 1, kMaxManagers, "manager ports");
    v.field("data_bits", data_bits, 8, 512, "width of every port");
    v.field("outstanding", outstanding, 1, 64, "bursts in flight at most, per manager and direction");
  }
};

}  // namespace fansim::contract
