// SPDX-License-Identifier: Apache-2.0
#include "accelerators/tiled/hardware/tile_engine_rig.h"

#include "support/single_precision.h"

namespace fansim::test {

void EngineLane::require_sums() {
  const int tm = work.engine.tm, tn = work.engine.tn;
  REQUIRE(sink.count() == static_cast<std::size_t>(work.halves));
  for (int half = 0; half < work.halves; ++half) REQUIRE(sink.items()[static_cast<std::size_t>(half)].index == half);
  std::vector<std::vector<std::int64_t>> exact(static_cast<std::size_t>(work.halves * store.entries()));
  std::vector<std::vector<float>> real(exact.size());
  std::size_t set = 0;
  for (const tiled::Point& p : work.points) {
    set += p.new_set;
    const std::vector<std::uint16_t>& codes = work.sets[set - 1].codes;
    const auto slot = static_cast<std::size_t>(p.half * store.entries() + p.entry);
    exact[slot].resize(static_cast<std::size_t>(tm));
    real[slot].resize(static_cast<std::size_t>(tm));
    for (std::size_t o = 0; o < exact[slot].size(); ++o) {
      std::vector<float> products;
      for (int i = 0; i < tn; ++i) {
        const int x = p.values[static_cast<std::size_t>(i)];
        const std::uint16_t code = codes[static_cast<std::size_t>(i * tm) + o];
        exact[slot][o] += std::int64_t{x} * work.book.integers[code];
        products.push_back(multiply(static_cast<float>(x), work.book.operands[code]));
      }
      real[slot][o] = add(real[slot][o], tree(products));
    }
  }
  for (int half = 0; half < work.halves; ++half)
    for (int entry = 0; entry < store.entries(); ++entry) {
      const auto slot = static_cast<std::size_t>(half * store.entries() + entry);
      for (std::size_t o = 0; o < exact[slot].size(); ++o) {
        if (work.kind == EngineWork::Kind::int32)
          REQUIRE(store.int32(half, entry)[o] == static_cast<std::int32_t>(exact[slot][o]));
        if (work.kind == EngineWork::Kind::int64) REQUIRE(store.int64(half, entry)[o] == exact[slot][o]);
        if (work.kind == EngineWork::Kind::real) REQUIRE(store.real(half, entry)[o] == real[slot][o]);
      }
    }
}

}  // namespace fansim::test
