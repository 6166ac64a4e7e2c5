// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "contract/code_table.h"
#include "contract/resources.h"

namespace fansim::estimate {

// A code table for each of so many channels: pairs of entries, of which a LUT holds 64 bits (UG574, SLICEM), the choice
// of the entry or of what passes, that of a write's address; the entry's register.
inline contract::Resources code_table(int channels) {
  constexpr int kEntryBits = 8, kAddressBits = 7, kLutBits = 64;
  constexpr int kRam = 2 * kEntryBits * contract::TableWrite::kPairs / kLutBits;
  return {0, channels * (kRam + kEntryBits + kAddressBits), channels * kEntryBits, 0};
}

// Its read: two LUTs of a bit, their choice, the entry of the pair, what passes.
constexpr int kCodeTableLevels = 4;

}  // namespace fansim::estimate
