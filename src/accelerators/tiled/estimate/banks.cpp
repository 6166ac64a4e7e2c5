// SPDX-License-Identifier: Apache-2.0
#include "accelerators/tiled/estimate/banks.h"

#include <algorithm>
#include <climits>

#include "base/units.h"
#include "estimate/coefficients.h"

namespace fansim::tiled {
namespace {

struct Shape {
  int width, depth;
};
// These are the port aspect ratios of RAMB18E2 (UG573); the widest is possible only if one port writes and the other
// reads.
constexpr Shape kRamb18[] = {{1, 16384}, {2, 8192}, {4, 4096}, {9, 2048}, {18, 1024}, {36, 512}};

constexpr int kWidestDualPort = 18;

}  // namespace

double BankedStore::bram36() const {
  if (words <= 0) return 0;
  int fewest = INT_MAX;
  for (const Shape& shape : kRamb18) {
    if (mode != BramMode::sdp && shape.width > kWidestDualPort) continue;
    fewest = std::min(fewest, base::ceil_div(bits, shape.width) * base::ceil_div(words, shape.depth));
  }
  return instances() * fewest / 2.0;
}

BankedStore columns_of(const Encoding& e, int values) {
  const bool whole_bytes = e.slot_bits >= 8;
  BankedStore store;
  store.mode = columns_mode(e);
  store.banks = whole_bytes ? e.per_beat() : e.beat_bits / e.word_bits;
  store.bits = whole_bytes ? e.slot_bits : e.word_bits;
  store.words = base::ceil_div(values, e.per_beat());
  return store;
}

contract::Resources lut_ram(int bits, int words) {
  const int luts = base::ceil_div(words, kLutRamWords);
  const int choice = estimate::coefficients::lut_per_mux_bit(base::ceil_div(luts, kLutsOfClb));
  return {0, bits * (luts + choice), 0, 0, bits * luts};
}

}  // namespace fansim::tiled
