// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitives/ram_cells.h"

// The error correction of RAMB36E2 (UG573, Built-in Error Correction) is an extended Hamming code of 64 data bits.
// UG573 does not print the matrix, so this is the one of the vendor's library. Check bit i stands at position 2^i and
// covers the positions that have bit i. Data fill the other positions from 3 to 71. Check bit 7 makes the parity of all
// bits even.
namespace fansim::primitives {

// Returns ECCPARITY of a word of 64 bits.
std::uint64_t ecc_parity(std::uint64_t data);

struct EccFlags {
  Bits single, twofold;  // SBITERR, DBITERR
  Bits address;          // RDADDRECC
};

// Returns `word` with a single wrong bit corrected; `flags` say what was found. A word with unknown bits stays as it
// is, and its flags are unknown.
RamWord ecc_corrected(const RamWord& word, EccFlags& flags);

}  // namespace fansim::primitives
