// SPDX-License-Identifier: Apache-2.0
#include "accelerators/tiled/hardware/map_encoder.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "accelerators/tiled/config/packing.h"

namespace fansim::tiled {

MapEncoder::MapEncoder(const sc_core::sc_module_name& name, const Encoding& encoding, TileStore<std::int16_t>& store,
                       bool values)
    : Module(name), encoding_(encoding), values_(values), store_(store), pipeline_(StoreConfig::read_latency()) {}

[[gnu::flatten]] void MapEncoder::step() {
  if (pipeline_.empty() && left_ == 0 && runs.empty()) {
    sleep();
    return;
  }
  if (pipeline_.out_valid()) {
    if (!beats.can_push()) {
      ++stalls_;
      return;
    }
    beats.push(pipeline_.out());
  }
  pipeline_.advance();
  if (left_ == 0) start();
  if (left_ > 0) read();
}

void MapEncoder::start() {
  if (!runs.can_pop()) return;
  if (!open_) {
    if (!filled.can_pop()) {
      ++waits_;
      return;
    }
    half_ = filled.pop();
    open_ = true;
    next_ = 0;
  }
  run_ = runs.pop();
  if (!whole(run_, encoding_) || encoding_.bit_of(run_.skip) % 8 != 0)
    violation(fmt::format("a run of {} values after {} in {} beats", run_.values, run_.skip, run_.beats));
  const std::size_t values = next_ + static_cast<std::size_t>(run_.values);
  if (values > store_[half_.index].size())
    violation(fmt::format("a tile of {} values in a half of {}", values, store_[half_.index].size()));
  left_ = run_.values;
  first_ = run_.skip;
}

void MapEncoder::read() {
  const int count = std::min(left_, encoding_.per_beat() - first_);
  const bool ends_tile = run_.last && count == left_;
  if (ends_tile && !freed.can_push()) {
    ++stalls_;
    return;
  }
  if (!store_.port(half_.index).read(count, now())) violation("more is read at an edge than the half's ports move");
  encode(&store_[half_.index][next_], count, pipeline_.enter());
  next_ += static_cast<std::size_t>(count);
  left_ -= count;
  first_ = 0;
  ++beats_read_;
  encoded_ += count;
  if (!ends_tile) return;
  freed.push(half_);
  open_ = false;
  ++tiles_;
}

void MapEncoder::encode(const std::int16_t* values, int count, ExtentBeat& beat) const {
  beat = {};
  beat.last = count == left_;
  beat.strobe = tiled::strobe(encoding_, first_, count);
  if (!values_) return;
  std::array<std::uint16_t, 8 * sizeof(beat.data)> codes;
  for (int i = 0; i < count; ++i) codes[static_cast<std::size_t>(i)] = code_of(values[i], encoding_.value_bits);
  pack(codes.data(), encoding_, first_, count, beat.data.data());
}

std::string MapEncoder::waiting_for() const {
  if (open_ || runs.empty()) return {};
  return "a filled half";
}

}  // namespace fansim::tiled
