// SPDX-License-Identifier: Apache-2.0
#include "accelerators/decoupled/timing/unit_times.h"

#include <algorithm>
#include <stdexcept>

#include "accelerators/decoupled/config/check.h"
#include "accelerators/decoupled/config/pace.h"

namespace fansim::decoupled {

using timing::Edge;

void UnitTime::start(const Job& job, Edge start) {
  commands_.clear();
  for (const Command& command : job.commands)
    if (command.unit == unit_) commands_.push_back(&command);
  at_ = 0;
  free_ = start;
}

const Command* UnitTime::begin(Edge& edge) {
  if (busy_ || at_ == commands_.size()) return nullptr;
  const Command& command = *commands_[at_];
  if (!tokens_.given(command.waits, unit_)) return nullptr;
  if (const std::string reason = refusal(command, config_); !reason.empty())
    throw std::logic_error("timing: decoupled: " + reason);
  edge = free_;
  for (const Unit from : {Unit::load, Unit::load_weights, Unit::store, Unit::compute}) {
    if ((command.waits & bit(from)) == 0) continue;
    const Edge seen = std::max(edge, tokens_.take(from, unit_));
    waited(from, edge, seen);
    edge = seen;
  }
  gives_ = command.gives;
  busy_ = true;
  ++at_;
  return &command;
}

void UnitTime::end(Edge edge) {
  tokens_.give(unit_, gives_, edge);
  busy_ = false;
  free_ = edge + 1;
}

void ComputeTime::waited(Unit unit, Edge from, Edge to) {
  buckets_[unit == Unit::load ? kWaitLoad : unit == Unit::load_weights ? kWaitWeights : kWaitStore] += to - from;
}

bool ComputeTime::advance() {
  bool moved = false;
  Edge edge = 0;
  while (const Command* command = begin(edge)) {
    const Pace pace = pace_of(command->action, config_);
    const Edge stepping = command->steps * pace.interval;
    const Edge length = std::max<Edge>(1, pace.setup + stepping + pace.latency);
    buckets_[pace.bucket] += stepping;
    buckets_[kOverhead] += length - stepping;
    end(edge + length - 1);
    moved = true;
  }
  return moved;
}

template <class Lane>
MoverTime<Lane>::MoverTime(Unit unit, const Config& config, Tokens& tokens, timing::Memory& memory, bool closed_forms)
    : UnitTime(unit, config, tokens) {
  const Lanes lanes = lanes_of(unit, config);
  lanes_.reserve(static_cast<std::size_t>(lanes.count));
  for (int lane = 0; lane < lanes.count; ++lane)
    lanes_.emplace_back(config, memory, lanes.first_port + lane, closed_forms);
}

template <class Lane>
void MoverTime<Lane>::begin_lanes(const Command& command, Edge at) {
  const int count = static_cast<int>(lanes_.size());
  const bool merged = lanes_of(unit_, config_).mover->rows == Rows::merged;
  for (int lane = 0; lane < count; ++lane) {
    const Transfers transfers(command, merged, lane, count, (1U << config_.dma.length_bits) - 1,
                              config_.axi.beat_bytes());
    if constexpr (std::is_same_v<Lane, StoreLaneTime>)
      lanes_[static_cast<std::size_t>(lane)].begin(transfers, at, beat_interval(command.action, config_));
    else
      lanes_[static_cast<std::size_t>(lane)].begin(transfers, at);
  }
}

template <class Lane>
bool MoverTime<Lane>::advance() {
  bool moved = false;
  while (true) {
    if (!moving_) {
      Edge edge = 0;
      const Command* command = begin(edge);
      if (!command) return moved;
      const int setup = lanes_of(unit_, config_).mover->setup;
      least_end_ = edge + std::max(1, setup) - 1;
      begin_lanes(*command, edge + setup);
      moving_ = moved = true;
    }
    bool all = true;
    Edge ended = least_end_;
    for (Lane& lane : lanes_) {
      moved |= lane.advance();
      all &= lane.done();
      ended = std::max(ended, lane.ended());
    }
    if (!all) return moved;
    moving_ = false;
    end(ended);
  }
}

template <class Lane>
bool MoverTime<Lane>::ask() {
  bool moved = false;
  if (!moving_) return false;
  for (Lane& lane : lanes_) moved |= lane.ask();
  return moved;
}

template <class Lane>
std::int64_t MoverTime<Lane>::bytes() const {
  std::int64_t bytes = 0;
  for (const Lane& lane : lanes_) bytes += lane.bytes();
  return bytes;
}

template class MoverTime<LoadLaneTime>;
template class MoverTime<StoreLaneTime>;

}  // namespace fansim::decoupled
