// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace fansim::contract {

struct DdrPart;

// Where one column access goes. `bank` counts through all groups: group * banks of a group + bank of the group.
struct DdrPlace {
  int bank = 0;
  int group = 0;
  int row = 0;
  int column = 0;
};

// A byte address cut into row, bank, bank group, column and byte of the bus. As text from the most significant bit
// down, a word and its number of bits each: "row15 bank2 group1 column7 group1 column3 byte3".
class DdrMapping {
 public:
  // Takes a layout over; what is wrong with it as text, empty if it fits the part.
  std::string set(const std::string& layout, const DdrPart& part);

  DdrPlace operator()(std::uint64_t address) const;
  // Consecutive accesses in an aligned block of so many bytes go to one row, or in turns to one row each of two groups.
  std::uint64_t in_order_bytes() const { return std::uint64_t{1} << in_order_bits_; }
  const std::string& layout() const { return layout_; }

 private:
  enum Kind { row, bank, group, column, byte, kKinds };
  struct Slice {
    Kind kind;
    int low;  // in the address
    int bits;
    int to;  // in the coordinate
  };
  std::string cut(const std::string& layout);
  std::string check(const DdrPart& part) const;
  void find_order();

  std::string layout_;
  std::vector<Slice> slices_;  // least significant first
  int bits_[kKinds] = {};
  int in_order_bits_ = 0;
};

}  // namespace fansim::contract
