// SPDX-License-Identifier: Apache-2.0
#include "memory/fixed_ddr.h"

#include <fmt/format.h>

#include <utility>

namespace fansim::memory {

FixedMemory::FixedMemory(const contract::DdrConfig& ddr, const contract::AxiConfig& axi, int count,
                         contract::MemoryImage&& memory)
    : config(rules::effective(ddr)),
      bytes(std::make_shared<contract::MemoryImage>(std::move(memory))),
      state(rules::lanes(config, axi.data_bits, count), rules::pace_of(config, axi.data_bits)) {
  rules::quiesce(state, config, 0);
}

void FixedMemory::decide(int lane, sim::Edge now) {
  rules::Requests heads;
  for (const FixedDdr* port : ports) {
    const rules::Requests its = port->heads();
    if (lane_of(its.read.port) != lane) continue;
    heads = {rules::older(heads.read, its.read), rules::older(heads.write, its.write)};
  }
  const rules::Pick pick = rules::pick(state, config, heads, now, lane);
  if (pick.direction != rules::Direction::none) ports[static_cast<std::size_t>(pick.port)]->grant(pick);
}

FixedDdr::FixedDdr(const sc_core::sc_module_name& name, std::shared_ptr<FixedMemory> memory,
                   const contract::AxiConfig& axi)
    : Ddr(name, memory->config, axi, memory->bytes),
      shared_(std::move(memory)),
      index_(static_cast<int>(shared_->ports.size())),
      reads_(axi.outstanding),
      writes_(axi.outstanding) {
  shared_->ports.push_back(this);
}

void FixedDdr::quiesce() {
  if (!reads_.empty() || !writes_.empty()) violation("layer boundary with bursts in flight");
  rules::quiesce(shared_->state, config_, now());
  take_counts();
}

[[gnu::flatten]] void FixedDdr::step() {
  if (reads_.empty() && writes_.empty() && ar.empty() && aw.empty()) {
    sleep();
    return;
  }
  // A port asks for a decision only while it has ungranted requests itself.
  if ((reads_.size() > reads_granted_ || writes_.size() > writes_granted_) &&
      now() >= shared_->state[shared_->lane_of(index_)].bus_free)
    shared_->decide(shared_->lane_of(index_), now());
  take_counts();
  if (reads_granted_ > 0) send_read();
  if (writes_done_ > 0) respond();
  if (writes_granted_ > writes_done_) take_write();
  accept();
  account();
}

rules::Requests FixedDdr::heads() const {
  rules::Requests heads;
  heads.read.port = heads.write.port = index_;
  if (reads_.size() > reads_granted_)
    heads.read = {reads_[reads_granted_].arrival, reads_[reads_granted_].beats, index_};
  if (writes_.size() > writes_granted_)
    heads.write = {writes_[writes_granted_].arrival, writes_[writes_granted_].beats, index_};
  return heads;
}

void FixedDdr::grant(const rules::Pick& pick) {
  if (pick.direction == rules::Direction::read) {
    Read& read = reads_[reads_granted_++];
    read.others = pick.others;
    read.data = pick.data;
    ++read_bursts_;
  } else {
    writes_[writes_granted_++].start = pick.start;
    ++write_bursts_;
  }
}

// The first port counts what concerns the whole memory.
void FixedDdr::take_counts() {
  if (index_ != 0) return;
  turnarounds_ += std::exchange(shared_->state.turnarounds, 0);
  refreshes_ += std::exchange(shared_->state.refreshes, 0);
}

void FixedDdr::send_read() {
  Read& read = reads_.front();
  if (now() < read.data || holds_read()) return;
  if (!r.can_push()) {
    ++read_stalls_;
    return;
  }
  axi::ReadBeat& beat = r.push();
  load(read.address + static_cast<std::uint32_t>(beats_sent_ * beat_bytes_), beat);
  beat.resp = read_resp();
  beat.id = read.id;
  beat.last = ++beats_sent_ == read.beats;
  ++read_beats_;
  if (!beat.last) return;
  read_answered();
  reads_.pop();
  --reads_granted_;
  beats_sent_ = 0;
}

void FixedDdr::respond() {
  if (now() < writes_.front().response || holds_write() || !b.can_push()) return;
  b.push({write_resp(), writes_.front().id});
  write_answered();
  writes_.pop();
  --writes_granted_;
  --writes_done_;
}

void FixedDdr::take_write() {
  Write& write = writes_[writes_done_];
  if (now() < write.start) return;
  if (!w.can_pop()) {
    ++write_stalls_;
    rules::stretch(shared_->state, shared_->lane_of(index_));
    return;
  }
  const axi::WriteBeat& beat = w.pop();
  store(write.address + static_cast<std::uint32_t>(beats_taken_ * beat_bytes_), beat);
  ++write_beats_;
  if (beat.last != (++beats_taken_ == write.beats))
    violation(fmt::format("WLAST is {} at beat {} of {}", int{beat.last}, beats_taken_, write.beats));
  if (!beat.last) return;
  write.response = now() + config_.write_latency;
  ++writes_done_;
  beats_taken_ = 0;
}

void FixedDdr::accept() {
  if (!reads_.full() && ar.can_pop()) {
    const axi::ReadBurst& burst = ar.pop();
    check(burst.address, burst.beats);
    reads_.push({static_cast<std::uint32_t>(burst.address), burst.beats, burst.id, now(), 0, 0});
  }
  if (!writes_.full() && aw.can_pop()) {
    const axi::WriteBurst& burst = aw.pop();
    check(burst.address, burst.beats);
    writes_.push({static_cast<std::uint32_t>(burst.address), burst.beats, burst.id, now(), 0, 0});
  }
}

void FixedDdr::account() {
  rules::ReadWait wait = rules::ReadWait::none;
  if (reads_granted_ > 0) {
    const Read& read = reads_.front();
    if (now() < read.data - config_.read_latency)
      wait = now() < read.others ? rules::ReadWait::turnaround : rules::why_others(shared_->state);
  } else if (!reads_.empty()) {
    wait = rules::why(shared_->state, {reads_.front().arrival, reads_.front().beats, index_}, now(),
                      shared_->lane_of(index_));
  }
  report(!reads_.empty(), wait);
}

}  // namespace fansim::memory
