// SPDX-License-Identifier: Apache-2.0
#include "accelerators/tiled/hardware/tile_engine.h"

namespace fansim::tiled {

TileEngine::TileEngine(const sc_core::sc_module_name& name, const EngineConfig& config, const CodeBook& book,
                       SumStore& store, bool values)
    : sim::Module(name),
      store_(store),
      values_(values),
      accumulate_latency_(EngineConfig::accumulate_latency(store.kind() == SumStore::Kind::real)),
      macs_(config, book, store),
      last_use_(static_cast<std::size_t>(store.halves() * store.entries()), -accumulate_latency_),
      pipeline_(config.latency(store.kind() == SumStore::Kind::real)) {}

[[gnu::flatten]] void TileEngine::step() {
  if (pipeline_.empty() && points.empty()) {
    state_ = open_ ? State::wait_input : State::idle;
    sleep();
    return;
  }
  if (pipeline_.out_valid()) {
    if (!sums.can_push()) {
      ++stalls_;
      ++held_;
      state_ = State::wait_output;
      return;
    }
    sums.push(pipeline_.out());
  }
  pipeline_.advance();
  state_ = take();
}

TileEngine::State TileEngine::take() {
  if (!points.can_pop()) return open_ ? State::wait_input : State::idle;
  const Point& point = points.front();
  if (point.new_set && !sets.can_pop()) {
    ++weight_waits_;
    return State::wait_weights;
  }
  const std::int64_t present = now() - held_;
  std::int64_t& last = last_use(point);
  if (!point.first && present - last < accumulate_latency_) {
    ++sum_waits_;
    return State::wait_sum;
  }
  last = present;
  if (point.new_set) {
    if (!values_)
      sets.pop();
    else if (!macs_.load(sets.pop()))
      violation("a weight code without a value");
    ++sets_taken_;
  }
  sim::RamPorts& port = store_.port(point.half);
  if (!port.read(1, now()) || !port.write(1, now())) violation("a sum is used beside others that its ports move");
  if (values_) macs_.add(point);
  if (point.last) pipeline_.enter().index = point.half;
  open_ = !point.last;
  points.pop();
  ++points_taken_;
  return State::compute;
}

std::int64_t& TileEngine::last_use(const Point& point) {
  if (point.entry < 0 || point.entry >= store_.entries() || point.half >= store_.halves())
    violation("partial sum beyond output_words");
  return last_use_[static_cast<std::size_t>(point.half * store_.entries() + point.entry)];
}

}  // namespace fansim::tiled
