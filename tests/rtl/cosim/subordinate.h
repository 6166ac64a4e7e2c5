// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <map>
#include <string>
#include <utility>

#include "axi/port_streams.h"
#include "base/random.h"

namespace fansim::cosim {

// Plays what is behind a port. It answers the bursts that it has accepted: those with the same upper half of the ID in
// order, read data of different ones in turns.
class Subordinate {
 public:
  Subordinate(const std::string& name, base::Random& random) : streams(name), random_(random) {}

  axi::PortStreams streams;
  int left_beats = 0, left_responses = 0;  // to answer with

  // Called at the beginning of an edge: what was accepted at the edge before may now be answered.
  void look() {
    if (taken_reads_ < streams.ar.pops()) {
      ++taken_reads_;
      reads_[read_.id >> 4].push_back(read_);
      left_beats += read_.beats;
    }
    if (taken_writes_ < streams.aw.pops()) {
      ++taken_writes_;
      writes_.push_back(write_);
    }
    while (!writes_.empty() && answered_data_ + writes_.front().beats <= streams.w.pops()) {
      answered_data_ += writes_.front().beats;
      responses_[writes_.front().id >> 4].push_back(writes_.front().id);
      writes_.pop_front();
      ++left_responses;
    }
    if (streams.ar.occupancy() > 0) read_ = streams.ar.front();
    if (streams.aw.occupancy() > 0) write_ = streams.aw.front();
  }

  void answer(axi::ReadBeat& beat) {
    auto pending = any(reads_);
    axi::ReadBurst& burst = pending->second.front();
    beat.id = burst.id;
    beat.resp = resp();
    beat.last = --burst.beats == 0;
    if (beat.last) pending->second.pop_front();
    if (pending->second.empty()) reads_.erase(pending);
  }
  void answer(axi::WriteResponse& response) {
    auto pending = any(responses_);
    response = {resp(), pending->second.front()};
    pending->second.pop_front();
    if (pending->second.empty()) responses_.erase(pending);
  }

 private:
  template <class Pending>
  typename Pending::iterator any(Pending& pending) {
    return std::next(pending.begin(), random_.uniform(0, static_cast<int>(pending.size()) - 1));
  }
  axi::Resp resp() { return random_.chance(90) ? axi::Resp::okay : static_cast<axi::Resp>(random_.uniform(1, 3)); }

  base::Random& random_;
  axi::ReadBurst read_;  // in front of the port, which may take it at this edge
  axi::WriteBurst write_;
  std::map<int, std::deque<axi::ReadBurst>> reads_;  // by the upper half of their ID
  std::map<int, std::deque<std::uint8_t>> responses_;
  std::deque<axi::WriteBurst> writes_;  // whose data are not all there
  std::int64_t taken_reads_ = 0, taken_writes_ = 0, answered_data_ = 0;
};

}  // namespace fansim::cosim
