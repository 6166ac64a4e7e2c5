// SPDX-License-Identifier: Apache-2.0
#include "accelerators/tiled/hardware/tile_walker.h"

#include <algorithm>

namespace fansim::tiled {

TileWalker::TileWalker(const sc_core::sc_module_name& name, const EngineConfig& config, int engine,
                       TileStore<std::int16_t>& store, int sum_halves, bool values)
    : sim::Module(name),
      config_(config),
      engine_(engine),
      store_(store),
      sum_halves_(sum_halves),
      values_(values),
      free_sums_(sum_halves),
      pipeline_(EngineConfig::input_latency()) {}

[[gnu::flatten]] void TileWalker::step() {
  if (sums_freed.can_pop()) {
    sums_freed.pop();
    ++free_sums_;
  }
  if (pipeline_.out_valid()) {
    if (!points.can_push()) {
      ++stalls_;
      state_ = State::wait_output;
      return;
    }
    const Point& from = pipeline_.out();
    Point& to = points.push();
    to.entry = from.entry;
    to.half = from.half;
    to.new_set = from.new_set;
    to.first = from.first;
    to.last = from.last;
    if (values_) std::copy_n(from.values.data(), config_.tn, to.values.data());
  }
  pipeline_.advance();
  state_ = advance();
  if (!nest_ && pipeline_.empty() && job.empty() && sums_freed.empty()) sleep();
}

TileWalker::State TileWalker::advance() {
  if (!nest_) {
    take_job();
    return State::idle;
  }
  if (nest_->opens_inputs() && !have_input_) {
    if (!inputs.can_pop()) {
      ++input_waits_;
      return State::wait_input;
    }
    input_half_ = inputs.pop().index;
    have_input_ = true;
  }
  if (nest_->opens_sums() && free_sums_ == 0) {
    ++sums_waits_;
    return State::wait_sums;
  }
  if (nest_->closes_inputs() && !freed.can_push()) {
    ++stalls_;
    return State::wait_output;
  }
  read();
  return State::read;
}

void TileWalker::take_job() {
  if (!job.can_pop()) return;
  const TiledJob& next = job.pop();
  if (next.engine != engine_) return;
  nest_.emplace(next, config_);
  in_zero_ = next.in_zero;
}

void TileWalker::read() {
  if (nest_->opens_sums()) --free_sums_;
  Point& point = pipeline_.enter();
  point.entry = nest_->entry();
  point.half = sums_half_;
  point.new_set = nest_->new_set();
  point.first = nest_->first();
  point.last = nest_->closes_sums();
  if (nest_->index() >= 0 && !store_.port(input_half_).read(nest_->channels(), now()))
    violation("more is read at an edge than the half's ports move");
  if (values_) gather(point);
  ++points_read_;
  if (point.last) sums_half_ = sums_half_ + 1 == sum_halves_ ? 0 : sums_half_ + 1;
  if (nest_->closes_inputs()) {
    freed.push({input_half_});
    have_input_ = false;
  }
  nest_->next();
  if (nest_->done()) nest_.reset();
}

void TileWalker::gather(Point& point) {
  const int channels = nest_->channels(), pitch = nest_->pitch(), index = nest_->index();
  std::int16_t* to = point.values.data();
  if (index < 0) {
    std::fill_n(to, channels, static_cast<std::int16_t>(in_zero_));
  } else if (channels > 0) {
    const std::vector<std::int16_t>& half = store_[input_half_];
    const std::int16_t* from = half.data() + index;
    if (static_cast<std::size_t>(index + (channels - 1) * pitch) >= half.size())
      violation("read beyond the input half");
    for (int i = 0; i < channels; ++i) to[i] = from[std::ptrdiff_t{i} * pitch];
  }
  std::fill_n(to + channels, config_.tn - channels, std::int16_t{0});
}

std::string TileWalker::waiting_for() const {
  switch (state_) {
    case State::wait_input:
      return "a filled input half";
    case State::wait_sums:
      return "a free half of the sums";
    default:
      return {};
  }
}

}  // namespace fansim::tiled
