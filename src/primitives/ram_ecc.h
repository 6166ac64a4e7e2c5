// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitives/ram_cells.h"

// The error correction of RAMB36E2 (UG573, Built-in Error Correction): an extended Hamming code of 64 data bits. UG573
// does not print the matrix; it is that of the vendor's library: check bit i stands at position 2^i and covers the
// positions that have bit i, data fill the other positions from 3 to 71, and check bit 7 makes the parity of all even.
namespace fansim::primitives {

// ECCPARITY of a word of 64 bits.
std::uint64_t ecc_parity(std::uint64_t data);

struct EccFlags {
  Bits single, twofold;  // SBITERR, DBITERR
  Bits address;          // RDADDRECC
};

// `word` with a single wrong bit turned; `flags` say what was found. A word with unknown bits stays, with unknown
// flags.
RamWord ecc_corrected(const RamWord& word, EccFlags& flags);

}  // namespace fansim::primitives
