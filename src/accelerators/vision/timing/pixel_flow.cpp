// SPDX-License-Identifier: Apache-2.0
#include "accelerators/vision/timing/pixel_flow.h"

#include <algorithm>

namespace fansim::vision {
namespace {

std::vector<timing::Edge> ring(int least) {
  std::size_t size = 1;
  while (size < static_cast<std::size_t>(least)) size *= 2;
  return std::vector<timing::Edge>(size);
}

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

// Through the switch to the packer, and for each unit to it and through the switch again.
timing::Edge route_latency(const Config& config, const Job& job) {
  timing::Edge latency = 2;
  for (const UnitCode unit : job.route)
    if (unit != UnitCode::none) latency += latency_of(config, unit) + 2;
  return latency;
}

PixelFlow::PixelFlow(const Config& config, const Job& job, timing::Edge start, timing::RowReads& image,
                     timing::RowReads& second, timing::RowWrites& writes)
    : job_(job),
      image_reads_(image),
      second_reads_(second),
      writes_(writes),
      samples_(config.pixels.samples),
      beat_bytes_(config.axi.beat_bytes()),
      room_(config.pixels.fifo_beats),
      latency_(route_latency(config, job)),
      sent_(start - 1),
      there_(ring(room_)),
      taken_at_(ring(room_)),
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
    int steps = send_steadily(ready);
    if (steps == 0) {
      if (!send_one(ready)) return moved;
      steps = 1;
    }
    image_.held -= steps;
    second_.held -= steps;
    to_send_ -= steps;
    streamed_ += steps;
    moved = true;
  }
  while (to_flush_ > 0) {
    if (!send_one(sent_ + 1)) return moved;
    --to_flush_;
    ++flushed_;
    moved = true;
  }
  return moved;
}

// What is left of the beats that were popped, if there is room for all that it makes by the first edge; 0: one by one.
int PixelFlow::send_steadily(timing::Edge ready) {
  const int held = job_.two_images ? std::min(image_.held, second_.held) : image_.held;
  const int steps = static_cast<int>(std::min<std::int64_t>(held, to_send_));
  const timing::Edge first = std::max(sent_ + 1, ready);
  const std::int64_t last_before = results_ + steps - 1 - room_;  // the result that has to be taken
  if (silent_ > 0) return 0;
  while (taken_ <= last_before)
    if (!take()) return 0;
  if (last_before >= 0 && at(taken_at_, last_before) + 1 > first) return 0;
  waited_input_ += first - (sent_ + 1);
  for (int i = 0; i < steps; ++i) at(there_, results_ + i) = first + i + latency_;
  results_ += steps;
  sent_ = first + steps - 1;
  return steps;
}

// Samples that can be sent from `ready` on, once there is room for what they make.
bool PixelFlow::send_one(timing::Edge ready) {
  const timing::Edge soonest = sent_ + 1;
  timing::Edge edge = std::max(soonest, ready);
  if (silent_ > 0) {
    waited_input_ += edge - soonest;
    --silent_;
  } else {
    if (results_ >= room_) {
      if (taken_ <= results_ - room_ && !take()) return false;
      const timing::Edge room = at(taken_at_, results_ - room_) + 1;
      const timing::Edge data = edge;
      edge = std::max(edge, room);
      waited_output_ += edge - data;
      waited_input_ += data - soonest;
    } else {
      waited_input_ += edge - soonest;
    }
    at(there_, results_++) = edge + latency_;
  }
  sent_ = edge;
  return true;
}

bool PixelFlow::empty_packer() {
  const std::int64_t before = taken_ + beats_;
  while (take()) {
  }
  return taken_ + beats_ != before;
}

// Sends the complete beats that wait, then takes the next result, if there is one; false: it is not known when.
bool PixelFlow::take() {
  while (held_ >= beat_bytes_ || row_ended_) {
    if (!writes_.has_room()) return false;
    const timing::Edge pushed = std::max(packed_ + 1, writes_.room());
    writes_.push(pushed);
    ++beats_;
    packed_ = take_from_ = pushed;
    held_ = std::max(0, held_ - beat_bytes_);
    row_left_ -= beat_bytes_;
    if (row_left_ == 0) row_ended_ = false, row_left_ = job_.result_row_bytes;
  }
  if (taken_ == results_) return false;
  if (take_steadily() > 0) return true;
  const timing::Edge edge = std::max(at(there_, taken_) + 1, take_from_);
  at(taken_at_, taken_++) = last_taken_ = edge;
  take_from_ = edge + 1;
  packed_ = edge;
  held_ += kept();
  return true;
}

// The results that fill up the beat, all of them written and none the last of its row, if they are there; 0: one by
// one.
int PixelFlow::take_steadily() {
  const int each = samples_ * job_.results * job_.result_bytes, first = step_ * samples_;
  if (row_ < job_.crop.top || row_ >= job_.crop.bottom || first < job_.crop.left) return 0;
  const int to_edge = (job_.crop.right - 1 - first) / samples_, to_full = (beat_bytes_ - held_) / each;
  const int steps = static_cast<int>(std::min<std::int64_t>(std::min(to_edge, to_full), results_ - taken_));
  if (steps <= 0) return 0;
  timing::Edge edge = take_from_ - 1;
  for (int i = 0; i < steps; ++i) {
    edge = std::max(edge, at(there_, taken_ + i)) + 1;
    at(taken_at_, taken_ + i) = edge;
  }
  taken_ += steps;
  step_ += steps;
  held_ += steps * each;
  samples_written_ += static_cast<std::int64_t>(steps) * samples_ * job_.results;
  last_taken_ = packed_ = edge;
  take_from_ = edge + 1;
  return steps;
}

// Bytes of the next result that are written.
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
  if (++step_ == row_steps_) step_ = 0, ++row_;
  return bytes;
}

}  // namespace fansim::vision
