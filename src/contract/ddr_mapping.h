// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace fansim::contract {

struct DdrPart;

// Where one column access goes. `bank` counts through all groups: group * (banks per group) + (bank in the group).
struct DdrPlace {
  int bank = 0;
  int group = 0;
  int row = 0;
  int column = 0;
};

// Cuts a byte address into row, bank, bank group, column and byte of the bus. A layout is a text that gives, from the
// most significant bit down, a word and its number of bits for each part: "row15 bank2 group1 column7 group1 column3
// byte3".
class DdrMapping {
 public:
  // Takes a layout. Returns what is wrong with it, or an empty text if it fits the part.
  std::string set(const std::string& layout, const DdrPart& part);

  DdrPlace operator()(std::uint64_t address) const;
  // Returns the size of an aligned block whose consecutive accesses go to one row, or alternate between two rows in
  // different groups.
  std::uint64_t in_order_bytes() const { return std::uint64_t{1} << in_order_bits_; }
  const std::string& layout() const { return layout_; }

 private:
  enum Kind { row, bank, group, column, byte, kKinds };
  struct Slice {
    Kind kind;
    int low;  // lowest bit in the address
    int bits;
    int to;  // lowest bit in the coordinate
  };
  std::string cut(const std::string& layout);
  std::string check(const DdrPart& part) const;
  void find_order(const DdrPart& part);

  std::string layout_;
  std::vector<Slice> slices_;  // least significant first
  int bits_[kKinds] = {};
  int in_order_bits_ = 0;
};

}  // namespace fansim::contract
