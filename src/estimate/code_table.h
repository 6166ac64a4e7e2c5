// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "contract/code_table.h"
#include "contract/resources.h"

namespace fansim::estimate {

// Estimates a code table for each of `channels` channels. It needs: storage for pairs of entries, 64 bits in a LUT
// (UG574, SLICEM); the selection of the entry or of the bypass, and of the write address; and the entry's register.
inline contract::Resources code_table(int channels) {
  constexpr int kEntryBits = 8, kAddressBits = 7, kLutBits = 64;
  constexpr int kRam = 2 * kEntryBits * contract::TableWrite::kPairs / kLutBits;
  return {0, channels * (kRam + kEntryBits + kAddressBits), channels * kEntryBits, 0};
}

// A read passes two levels of LUTs for a bit, their selection, the selection of the entry in its pair, and that of the
// bypass.
constexpr int kCodeTableLevels = 4;

}  // namespace fansim::estimate
