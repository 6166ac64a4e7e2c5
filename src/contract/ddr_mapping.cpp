// SPDX-License-Identifier: Apache-2.0
#include "contract/ddr_mapping.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "base/error.h"
#include "base/units.h"
#include "contract/ddr_part.h"

namespace fansim::contract {

namespace {
const std::vector<std::string> kWords{"row", "bank", "group", "column", "byte"};
}  // namespace

std::string DdrMapping::set(const std::string& layout, const DdrPart& part) {
  *this = {};
  layout_ = layout;
  const std::string problem = cut(layout);
  find_order(part);
  return problem.empty() ? check(part) : problem;
}

std::string DdrMapping::cut(const std::string& layout) {
  std::vector<std::string> words;
  std::istringstream text(layout);
  for (std::string word; text >> word;) words.push_back(word);
  int low = 0;
  for (auto it = words.rbegin(); it != words.rend(); ++it) {
    const std::size_t digits = std::min(it->find_first_of("0123456789"), it->size());
    const std::string name = it->substr(0, digits);
    const std::string count = it->substr(digits);
    const auto kind = std::find(kWords.begin(), kWords.end(), name);
    if (kind == kWords.end())
      return fmt::format("'{}' is no part of an address{}", *it, base::did_you_mean(name, kWords));
    const bool number = count.size() == 1 || count.size() == 2;
    if (!number || count.find_first_not_of("0123456789") != std::string::npos || std::stoi(count) == 0)
      return fmt::format("'{}' needs a number of bits, 1..99", *it);
    const auto index = static_cast<std::size_t>(kind - kWords.begin());
    slices_.push_back({static_cast<Kind>(index), low, std::stoi(count), bits_[index]});
    bits_[index] += slices_.back().bits;
    low += slices_.back().bits;
  }
  return slices_.empty() ? "a layout such as 'row15 bank2 group2 column10 byte3' is missing" : "";
}

std::string DdrMapping::check(const DdrPart& part) const {
  const int wanted[] = {part.row_bits, part.bank_bits, part.group_bits, part.column_bits,
                        base::ceil_log2(part.data_bits / 8)};
  for (std::size_t i = 0; i < kKinds; ++i)
    if (bits_[i] != wanted[i]) return fmt::format("{} has {} bits; this part has {}", kWords[i], bits_[i], wanted[i]);
  const bool burst = slices_.size() > 1 && slices_[0].kind == byte && slices_[0].bits == wanted[byte] &&
                     slices_[1].kind == column && slices_[1].bits >= base::ceil_log2(part.burst_length);
  return burst ? ""
               : fmt::format("must end in column{} byte{}: a burst of {} is one access",
                             base::ceil_log2(part.burst_length), wanted[byte], part.burst_length);
}

// Counts the address bits up to the first one that leaves the row. Bits of the column stay in the row, and so does, for
// this purpose, the group's lowest bit if it is right above an access.
void DdrMapping::find_order(const DdrPart& part) {
  const int access = bits_[byte] + base::ceil_log2(part.burst_length);
  in_order_bits_ = access;
  for (const Slice& slice : slices_) {
    const bool turns = slice.kind == group && slice.bits == 1 && slice.low == access;
    if (slice.kind != byte && slice.kind != column && !turns) return;
    in_order_bits_ = std::max(access, slice.low + slice.bits);
  }
}

DdrPlace DdrMapping::operator()(std::uint64_t address) const {
  int coordinate[kKinds] = {};
  for (const Slice& slice : slices_)
    coordinate[slice.kind] |= static_cast<int>(address >> slice.low & ((1ULL << slice.bits) - 1)) << slice.to;
  return {coordinate[group] << bits_[bank] | coordinate[bank], coordinate[group], coordinate[row], coordinate[column]};
}

}  // namespace fansim::contract
