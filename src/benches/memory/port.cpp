// SPDX-License-Identifier: Apache-2.0
#include "benches/memory/port.h"

#include <algorithm>

namespace fansim::benches {

PortSide::PortSide(const PathConfig& config, int master, bool write)
    : config_(config), master_(master), write_(write) {}

void PortSide::request(std::uint64_t address, std::int64_t bytes, Edge now) {
  bursts_.push_back({address, bytes, now});
}

void PortSide::write_beat(Edge now) {
  ++beats_;
  write_beats_.push_back(now);
}

bool PortSide::read_beat(Edge now, bool& last) {
  if (data_.empty() || data_.front().seen > now) return false;
  last = data_.front().last;
  data_.pop_front();
  --beats_;
  return true;
}

bool PortSide::response(Edge now) {
  if (data_.empty() || data_.front().seen > now) return false;
  data_.pop_front();
  return true;
}

void PortSide::take_back(Controller& controller, Edge now) {
  if (write_) {
    std::deque<Edge>& written = controller.written(master_);
    while (!written.empty() && written.front() + clocks(config_.port.response_latency) <= now) {
      if (issued_.front()) data_.push_back({now, true});
      issued_.pop_front();
      written.pop_front();
    }
    return;
  }
  std::deque<ReadData>& data = controller.read_data(master_);
  while (!data.empty() && data.front().edge + clocks(config_.port.response_latency) <= now) {
    part_ += data.front().bytes;
    const bool last = data.front().last;
    const bool burst = last && issued_.front();
    for (; part_ >= config_.beat_bytes(); part_ -= config_.beat_bytes())
      data_.push_back({now, burst && part_ == config_.beat_bytes()});
    if (last) issued_.pop_front();
    data.pop_front();
  }
}

void PortSide::cut(Edge now) {
  if (bursts_.empty() || static_cast<int>(cut_.size()) >= config_.port.cut_queue || bursts_.front().ready >= now)
    return;
  Burst& burst = bursts_.front();
  const std::int64_t most = std::int64_t{config_.port.transaction_beats} * config_.beat_bytes();
  const std::int64_t bytes = std::min(burst.bytes, most);
  cut_.push_back({burst.address, static_cast<int>(bytes), bytes == burst.bytes});
  burst.address += static_cast<std::uint64_t>(bytes);
  burst.bytes -= bytes;
  if (burst.bytes == 0) bursts_.pop_front();
}

void PortSide::issue(Controller& controller, Edge now) {
  if (cut_.empty()) return;
  const Transaction& next = cut_.front();
  const int beats = next.bytes / config_.beat_bytes();
  if (static_cast<int>(issued_.size()) >= (write_ ? config_.port.write_issue : config_.port.read_issue)) return;
  if (write_) {
    const auto n = static_cast<std::size_t>(beats);
    if (write_beats_.size() < n || write_beats_[n - 1] >= now) return;
    write_beats_.erase(write_beats_.begin(), write_beats_.begin() + beats);
    beats_ -= beats;
  } else {
    if (beats_ + beats > config_.port.read_fifo) return;
    beats_ += beats;
  }
  controller.submit(master_, write_, next, now + clocks(config_.port.request_latency));
  issued_.push_back(next.last);
  cut_.pop_front();
}

void PortSide::step(Controller& controller, Edge now) {
  take_back(controller, now);
  issue(controller, now);
  cut(now);
}

}  // namespace fansim::benches
