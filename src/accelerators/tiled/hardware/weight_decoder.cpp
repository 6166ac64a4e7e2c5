// SPDX-License-Identifier: Apache-2.0
#include "accelerators/tiled/hardware/weight_decoder.h"

#include <fmt/format.h>

#include <algorithm>

#include "accelerators/tiled/config/packing.h"

namespace fansim::tiled {

WeightDecoder::WeightDecoder(const sc_core::sc_module_name& name, const Encoding& encoding,
                             const TileStores<std::uint16_t>& stores, ParameterStore& parameter_store, bool values)
    : Module(name),
      codes_(encoding),
      bytes_{8, 8, encoding.beat_bits, encoding.beat_bits},
      values_(values),
      parameter_store_(parameter_store),
      writers_(half_writers(stores)),
      bits_(store_bits(*this, stores, encoding.value_bits, [] { return false; })) {}

[[gnu::flatten]] void WeightDecoder::step() {
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

void WeightDecoder::start() {
  run_ = runs.pop();
  if (!whole(run_, encoding()))
    violation(fmt::format("a run of {} values in rows of {} after {} in {} beats", run_.run.values, run_.row,
                          run_.run.skip, run_.run.beats));
  left_ = run_.run.values;
  row_left_ = run_.row;
  first_ = run_.run.skip;
  if (run_.parameters) return;
  writer_ = writers_.at(static_cast<std::size_t>(run_.engine)).get();
  if (!writer_) violation(fmt::format("a run for engine {}, which does not exist", run_.engine));
  const int furthest = run_.scatter.furthest(left_);
  if (static_cast<std::size_t>(furthest) >= writer_->half().size())
    violation(fmt::format("a run up to value {} of a half of {}", furthest, writer_->half().size()));
}

void WeightDecoder::take() {
  const bool one = !run_.scatter.dense();
  const int in_beat = std::min(row_left_, encoding().per_beat() - first_);
  const int count = one ? 1 : in_beat;
  const bool ends = run_.run.last && count == left_;
  if (ends && !can_end()) {
    ++stalls_;
    return;
  }
  const ExtentBeat& beat = beats.front();
  if (count == in_beat && beat.last != (count == left_))
    violation(fmt::format("a run's last beat is {} with {} of its values to come", int{beat.last}, left_ - count));
  if (!run_.parameters && !writer_->write(count, now()))
    violation("more is written at an edge than the half's ports move");
  if (values_) run_.parameters ? store_bytes(beat, count) : store_codes(beat, count);
  left_ -= count;
  row_left_ -= count;
  first_ += count;
  decoded_ += count;
  if (count == in_beat) {
    beats.pop();
    ++beats_taken_;
    first_ = 0;
  }
  if (row_left_ == 0) row_left_ = run_.row;
  if (ends) end();
}

void WeightDecoder::store_codes(const ExtentBeat& beat, int count) {
  const int value = run_.run.values - left_;
  std::uint16_t* to = &writer_->half()[static_cast<std::size_t>(run_.scatter.index(value))];
  unpack(beat.data.data(), codes_, first_, count, to);
}

void WeightDecoder::store_bytes(const ExtentBeat& beat, int count) {
  for (int i = 0; i < count; ++i) {
    record_[in_record_++] = beat.data[static_cast<std::size_t>(first_ + i)];
    if (in_record_ < record_.size()) continue;
    if (channel_ == parameter_store_.channels.size()) parameter_store_.channels.emplace_back();
    parameter_store_.channels[channel_++] = parameters_of(record_.data());
    in_record_ = 0;
  }
}

bool WeightDecoder::can_end() const {
  return turn.can_push() && (run_.parameters ? parameters.can_push() : writer_->filled.can_push());
}

void WeightDecoder::end() {
  turn.push();
  if (run_.parameters) {
    parameters.push();
    channel_ = 0;
    return;
  }
  writer_->complete();
  ++tiles_;
}

std::string WeightDecoder::waiting_for() const { return left_ > 0 ? "the beats of its run" : ""; }

}  // namespace fansim::tiled
