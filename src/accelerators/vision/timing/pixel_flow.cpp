// SPDX-License-Identifier: Apache-2.0
#include "accelerators/vision/timing/pixel_flow.h"

#include <algorithm>

namespace fansim::vision {
namespace {

int latency_of(const Config& config, UnitCode unit) {
  switch (unit) {
    case UnitCode::filter:
      return config.filter.latency();
    case UnitCode::median:
      return config.median.latency();
    case UnitCode::simd:
      return config.simd.latency();
    case UnitCode::none:
      break;
  }
  return 0;
}

}  // namespace

// The way leads through the switch to the packer, and for each unit to the unit and through the switch again.
timing::Edge route_latency(const Config& config, const Job& job) {
  timing::Edge latency = 2;
  for (const UnitCode unit : job.route)
    if (unit != UnitCode::none) latency += latency_of(config, unit) + 2;
  return latency;
}

PixelFlow::PixelFlow(const Config& config, const Job& job, timing::Edge start, timing::RowReads& image,
                     timing::RowReads& second, timing::RowWrites& writes, bool closed_forms)
    : job_(job),
      image_reads_(image),
      second_reads_(second),
      writes_(writes),
      closed_forms_(closed_forms),
      samples_(config.pixels.samples),
      beat_bytes_(config.axi.beat_bytes()),
      room_(config.pixels.fifo_beats),
      latency_(route_latency(config, job)),
      sent_(start - 1),
      take_from_(start) {
  row_steps_ = static_cast<int>(row_steps(job, config.pixels));
  to_send_ = std::int64_t{row_steps_} * job.rows;
  to_flush_ = silent_ = job.flush;
  image_.per_beat = beat_bytes_ / (samples_ * job.sample_bytes);
  second_.per_beat = beat_bytes_ / (samples_ * job.with_bytes);
  row_left_ = job.result_row_bytes;
}

bool PixelFlow::advance() {
  bool moved = false;
  while (send() || empty_packer()) moved = true;
  return moved;
}

// The reader pops a beat at the edge of the last samples before it, or later.
bool PixelFlow::refill(Source& source, timing::RowReads& reads) {
  if (source.held > 0) return true;
  timing::Edge popped = 0;
  if (!reads.next(sent_, popped)) return false;
  source.held = source.per_beat;
  source.usable = popped + 1;
  return true;
}

bool PixelFlow::send() {
  bool moved = false;
  while (to_send_ > 0) {
    if (!refill(image_, image_reads_)) return moved;
    if (job_.two_images && !refill(second_, second_reads_)) return moved;
    const timing::Edge ready = job_.two_images ? std::max(image_.usable, second_.usable) : image_.usable;
    const std::int64_t steps = send_run(ready, to_send_, true);
    if (steps == 0) return moved;
    to_send_ -= steps;
    streamed_ += steps;
    moved = true;
  }
  while (to_flush_ > 0) {
    const std::int64_t steps = send_run(sent_ + 1, to_flush_, false);
    if (steps == 0) return moved;
    to_flush_ -= steps;
    flushed_ += steps;
    moved = true;
  }
  return moved;
}

// Sends samples that are there from `ready` on, as soon as there is room for their results, and those that follow one
// per edge. Returns how many it sent; 0: it is not decided when there is room.
std::int64_t PixelFlow::send_run(timing::Edge ready, std::int64_t most, bool of_image) {
  const timing::Edge soonest = sent_ + 1, data = std::max(soonest, ready);
  timing::Edge edge = data;
  if (!closed_forms_) most = 1;
  const std::int64_t frees = there_.count() - room_;  // the result whose place the next one takes
  if (silent_ > 0) {
    most = std::min(most, silent_);
  } else if (frees < 0) {
    most = std::min(most, -frees);
  } else {
    if (frees >= taken_.count()) return 0;
    const timing::BeatRuns::Stretch& run = taken_.of(frees);
    edge = std::max(data, run.at(frees) + 1);
    most = std::min(most, run.end() - frees);
  }
  if (of_image) most = supply(edge, most);
  waited_output_ += edge - data;
  waited_input_ += data - soonest;
  sent_ = edge + most - 1;
  if (silent_ > 0)
    silent_ -= most;
  else
    there_.append(edge + latency_, most);
  return most;
}

// Takes as many of `most` cycles' worth of samples as arrive one per edge from `edge` on.
std::int64_t PixelFlow::supply(timing::Edge edge, std::int64_t most) {
  most = std::min(most, in_step(image_, image_reads_, edge, most));
  if (job_.two_images) most = std::min(most, in_step(second_, second_reads_, edge, most));
  take_up(image_, image_reads_, edge, most);
  if (job_.two_images) take_up(second_, second_reads_, edge, most);
  return most;
}

std::int64_t PixelFlow::in_step(const Source& source, timing::RowReads& reads, timing::Edge edge, std::int64_t most) {
  const std::int64_t beats = base::ceil_div(most - source.held, source.per_beat);
  if (beats <= 0) return most;
  return source.held + reads.in_step(edge + source.held - 1, source.per_beat, beats) * source.per_beat;
}

void PixelFlow::take_up(Source& source, timing::RowReads& reads, timing::Edge edge, std::int64_t steps) {
  const std::int64_t beats = base::ceil_div(steps - source.held, source.per_beat);
  if (beats > 0) reads.pop_in_step(edge + source.held - 1, source.per_beat, beats);
  source.held += std::max<std::int64_t>(0, beats) * source.per_beat - steps;
}

bool PixelFlow::empty_packer() {
  const std::int64_t before = taken_.count() + beats_;
  while (take()) {
  }
  return taken_.count() + beats_ != before;
}

// Sends the complete beats that wait, then takes the next results, if there are any. Returns false if it is not decided
// when.
bool PixelFlow::take() {
  while (held_ >= beat_bytes_ || row_ended_) {
    if (!writes_.has_room()) return false;
    const timing::Edge pushed = std::max(packed_ + 1, writes_.room());
    writes_.push(pushed);
    sent_beats(1, pushed);
    held_ = std::max(0, held_ - beat_bytes_);
    if (row_left_ == 0) {
      row_ended_ = false;
      row_left_ = job_.result_row_bytes;
    }
  }
  if (taken_.count() == there_.count()) return false;
  const timing::BeatRuns::Stretch& run = there_.of(taken_.count());
  const timing::Edge edge = std::max(run.at(taken_.count()) + 1, take_from_);
  const std::int64_t steps = closed_forms_ ? take_run(edge, run.end() - taken_.count()) : 0;
  if (steps == 0) held_ += kept();
  taken(edge, std::max<std::int64_t>(1, steps));
  return true;
}

void PixelFlow::sent_beats(std::int64_t beats, timing::Edge last) {
  beats_ += beats;
  packed_ = take_from_ = last;
  row_left_ -= beats * beat_bytes_;
}

// Takes results one per edge. A beat that the last of them completes waits.
void PixelFlow::taken(timing::Edge first, std::int64_t steps) {
  taken_.append(first, steps);
  last_taken_ = first + steps - 1;
  if (take_from_ <= last_taken_) {
    packed_ = last_taken_;
    take_from_ = last_taken_ + 1;
  }
}

// Returns how many of `most` results, which are there one per edge, can be taken one per edge from `edge` on: all of
// them are written, none is the last of its row, and each beat that they complete is sent an edge later. The last beat
// may have to wait. 0: the results must be taken one by one.
std::int64_t PixelFlow::take_run(timing::Edge edge, std::int64_t most) {
  const int each = samples_ * job_.results * job_.result_bytes, first = step_ * samples_;
  if (row_ < job_.crop.top || row_ >= job_.crop.bottom || first < job_.crop.left) return 0;
  std::int64_t steps = std::min<std::int64_t>(most, (job_.crop.right - 1 - first) / samples_);
  if (steps <= 0) return 0;
  const std::int64_t to_full = base::ceil_div(beat_bytes_ - held_, each), per_beat = beat_bytes_ / each;
  if (steps >= to_full) {
    const std::int64_t complete = 1 + (steps - to_full) / per_beat;
    const std::int64_t sent = writes_.push_in_step(edge + to_full, per_beat, complete);
    steps = to_full + std::max<std::int64_t>(0, sent - 1) * per_beat;
    if (sent > 0) sent_beats(sent, edge + steps);
    held_ -= static_cast<int>(sent) * beat_bytes_;
  }
  step_ += static_cast<int>(steps);
  held_ += static_cast<int>(steps) * each;
  samples_written_ += steps * samples_ * job_.results;
  return steps;
}

// Returns the bytes of the next result that are written.
int PixelFlow::kept() {
  const int first = step_ * samples_;
  int bytes = 0;
  if (row_ >= job_.crop.top && row_ < job_.crop.bottom) {
    const int from = std::max(first, job_.crop.left), to = std::min(first + samples_, job_.crop.right);
    if (to > from) {
      bytes = (to - from) * job_.results * job_.result_bytes;
      samples_written_ += static_cast<std::int64_t>(to - from) * job_.results;
    }
    row_ended_ = row_ended_ || (first < job_.crop.right && first + samples_ >= job_.crop.right);
  }
  if (++step_ == row_steps_) {
    step_ = 0;
    ++row_;
  }
  return bytes;
}

}  // namespace fansim::vision
