// SPDX-License-Identifier: Apache-2.0
#include "accelerators/tiled/hardware/map_decoder.h"

#include <fmt/format.h>

#include <algorithm>

#include "accelerators/tiled/config/packing.h"

namespace fansim::tiled {

MapDecoder::MapDecoder(const sc_core::sc_module_name& name, const Encoding& encoding,
                       const TileStores<std::int16_t>& stores, bool values)
    : Module(name),
      encoding_(encoding),
      values_(values),
      writers_(half_writers(stores)),
      bits_(store_bits(*this, stores, encoding.value_bits,
                       [this] { return encoding_.value_bits < 16 && !run_.is_unsigned; })) {}

[[gnu::flatten]] void MapDecoder::step() {
  if (left_ == 0) {
    if (runs.empty()) {
      sleep();
      return;
    }
    if (!runs.can_pop()) return;
    start();
  }
  if (beats.can_pop())
    take();
  else
    ++waits_;
}

void MapDecoder::start() {
  run_ = runs.pop();
  const Extent& run = run_.run;
  if (!whole(run, encoding_))
    violation(fmt::format("a run of {} values after {} in {} beats", run.values, run.skip, run.beats));
  writer_ = writers_.at(static_cast<std::size_t>(run_.engine)).get();
  if (!writer_) violation(fmt::format("a run for engine {}, which does not exist", run_.engine));
  const std::size_t values = writer_->size() + static_cast<std::size_t>(run.values);
  if (values > writer_->half().size())
    violation(fmt::format("a tile of {} values in a half of {}", values, writer_->half().size()));
  left_ = run.values;
  first_ = run.skip;
}

void MapDecoder::take() {
  const int count = std::min(left_, encoding_.per_beat() - first_);
  const bool ends_tile = run_.run.last && count == left_;
  if (ends_tile && !(writer_->filled.can_push() && turn.can_push())) {
    ++stalls_;
    return;
  }
  const ExtentBeat& beat = beats.pop();
  if (beat.last != (count == left_))
    violation(fmt::format("a run's last beat is {} with {} of its values to come", int{beat.last}, left_ - count));
  if (!writer_->write(count, now())) violation("more is written at an edge than the half's ports move");
  std::int16_t* to = writer_->append(count);
  if (values_) decode(beat, count, to);
  left_ -= count;
  first_ = 0;
  ++beats_taken_;
  decoded_ += count;
  if (!ends_tile) return;
  writer_->complete();
  turn.push();
  ++tiles_;
}

void MapDecoder::decode(const ExtentBeat& beat, int count, std::int16_t* to) const {
  std::array<std::uint16_t, 8 * sizeof(beat.data)> codes;
  unpack(beat.data.data(), encoding_, first_, count, codes.data());
  for (int i = 0; i < count; ++i)
    to[i] = value_of(codes[static_cast<std::size_t>(i)], encoding_.value_bits, run_.is_unsigned);
}

std::string MapDecoder::waiting_for() const { return left_ > 0 ? "the beats of its run" : ""; }

}  // namespace fansim::tiled
