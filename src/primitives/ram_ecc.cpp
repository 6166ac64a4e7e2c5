// SPDX-License-Identifier: Apache-2.0
#include "primitives/ram_ecc.h"

#include <array>

namespace fansim::primitives {
namespace {

constexpr int kDataBits = 64, kCheckBits = 7;

constexpr bool is_power_of_two(unsigned position) { return (position & (position - 1)) == 0; }

constexpr std::array<unsigned, kDataBits> positions() {
  std::array<unsigned, kDataBits> found{};
  unsigned position = 3;
  for (unsigned& data : found) {
    while (is_power_of_two(position)) ++position;
    data = position++;
  }
  return found;
}

constexpr std::array<unsigned, kDataBits> kPositions = positions();

bool odd(std::uint64_t bits) { return __builtin_parityll(bits) != 0; }

// Returns check bits 0 to 6: the exclusive-or of the positions of the ones.
unsigned check_bits(std::uint64_t data) {
  unsigned sum = 0;
  for (std::size_t bit = 0; bit < kPositions.size(); ++bit) sum ^= (data >> bit & 1) != 0 ? kPositions[bit] : 0;
  return sum;
}

void turn(RamWord& word, unsigned position) {
  if (position == 0) word[kParity].value ^= 1u << kCheckBits;
  for (int bit = 0; bit < kCheckBits; ++bit) {
    if (position == 1u << bit) word[kParity].value ^= 1u << bit;
  }
  for (std::size_t bit = 0; bit < kPositions.size(); ++bit) {
    if (position == kPositions[bit]) word[kData].value ^= std::uint64_t{1} << bit;
  }
}

}  // namespace

std::uint64_t ecc_parity(std::uint64_t data) {
  const std::uint64_t check = check_bits(data);
  return check | std::uint64_t{odd(data) != odd(check)} << kCheckBits;
}

RamWord ecc_corrected(const RamWord& word, EccFlags& flags) {
  flags.single = flags.twofold = undefined(1);
  if ((word[kData].unknown | word[kParity].unknown) != 0) return word;
  const std::uint64_t data = word[kData].value, parity = word[kParity].value;
  const unsigned position = check_bits(data) ^ (parity & ones(kCheckBits));
  const bool single = odd(data) != odd(parity);
  flags.single = known(single ? 1 : 0);
  flags.twofold = known(!single && position != 0 ? 1 : 0);
  RamWord corrected = word;
  if (single) turn(corrected, position);
  return corrected;
}

}  // namespace fansim::primitives
