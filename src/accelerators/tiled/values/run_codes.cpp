// SPDX-License-Identifier: Apache-2.0
#include "accelerators/tiled/values/run_codes.h"

#include <algorithm>
#include <array>

#include "accelerators/tiled/config/packing.h"

namespace fansim::tiled {

namespace {

// Calls f(first, count, beat) for the codes [first, first + count) of each beat of a run.
template <class Byte, class F>
void each_beat(Byte* beat, const Extent& run, const Encoding& e, F&& f) {
  int first = run.skip;
  for (int left = run.values; left > 0; beat += e.beat_bytes(), first = 0) {
    const int count = std::min(left, e.per_beat() - first);
    f(first, count, beat);
    left -= count;
  }
}

void write_beat(const std::uint16_t* codes, const Encoding& e, int first, int count, std::uint8_t* to) {
  std::array<std::uint8_t, sizeof(ExtentBeat::data)> bytes{};
  pack(codes, e, first, count, bytes.data());
  std::uint64_t strobe = tiled::strobe(e, first, count);
  for (std::size_t i = 0; strobe != 0; ++i, strobe >>= 1)
    if ((strobe & 1) != 0) to[i] = bytes[i];
}

}  // namespace

void read_codes(const std::uint8_t* memory, const Extent& run, const Encoding& e, std::uint16_t* codes) {
  if (e.byte_addressable()) {
    unpack(memory + run.address, e, run.skip, run.values, codes);
    return;
  }
  each_beat(memory + run.address, run, e, [&](int first, int count, const std::uint8_t* beat) {
    unpack(beat, e, first, count, codes);
    codes += count;
  });
}

void write_codes(const std::uint16_t* codes, const Extent& run, const Encoding& e, std::uint8_t* memory) {
  if (e.byte_addressable() && e.value_bits == e.slot_bits) {
    pack(codes, e, run.skip, run.values, memory + run.address);
    return;
  }
  each_beat(memory + run.address, run, e, [&](int first, int count, std::uint8_t* beat) {
    write_beat(codes, e, first, count, beat);
    codes += count;
  });
}

void read_codes(const std::uint8_t* memory, const WeightExtent& weights, const Encoding& e,
                std::vector<std::uint16_t>& tile) {
  const Scatter& to = weights.scatter;
  if (to.dense()) {
    Extent row = weights.run;
    row.values = weights.row;
    for (int value = 0; value < weights.run.values; value += weights.row) {
      read_codes(memory, row, e, tile.data() + to.first + value);
      row.address += static_cast<std::uint32_t>(e.beats(row.skip + row.values) * e.beat_bytes());
      row.skip = 0;
    }
    return;
  }
  std::vector<std::uint16_t> codes(static_cast<std::size_t>(weights.run.values));
  read_codes(memory, weights.run, e, codes.data());
  const std::uint16_t* code = codes.data();
  const std::uint16_t* const end = code + codes.size();
  for (int outer = to.first; code != end; outer += to.outer_stride)
    for (int i = 0; i < to.inner && code != end; ++i)
      tile[static_cast<std::size_t>(outer + i * to.inner_stride)] = *code++;
}

}  // namespace fansim::tiled
