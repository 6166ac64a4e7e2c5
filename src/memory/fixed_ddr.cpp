// SPDX-License-Identifier: Apache-2.0
#include "memory/fixed_ddr.h"

#include <fmt/format.h>

#include <utility>

namespace fansim::memory {

FixedDdr::FixedDdr(const sc_core::sc_module_name& name, const contract::DdrConfig& config,
                   const contract::AxiConfig& axi, std::shared_ptr<Bytes> memory)
    : Ddr(name, rules::effective(config), axi, std::move(memory)), reads_(axi.outstanding), writes_(axi.outstanding) {}

void FixedDdr::reset() { rules::quiesce(state_, config_, 0); }

void FixedDdr::quiesce() {
  if (!reads_.empty() || !writes_.empty()) violation("layer boundary with bursts in flight");
  rules::quiesce(state_, config_, now());
  refreshes_ += std::exchange(state_.refreshes, 0);
}

void FixedDdr::step() {
  if (reads_.empty() && writes_.empty() && ar.empty() && aw.empty()) return sleep();
  decide();
  if (reads_granted_ > 0) send_read();
  if (writes_done_ > 0) respond();
  if (writes_granted_ > writes_done_) take_write();
  accept();
  account();
}

void FixedDdr::decide() {
  if (now() < state_.bus_free) return;
  rules::Requests heads;
  if (reads_.size() > reads_granted_) heads.read = {reads_[reads_granted_].arrival, reads_[reads_granted_].beats};
  if (writes_.size() > writes_granted_)
    heads.write = {writes_[writes_granted_].arrival, writes_[writes_granted_].beats};
  const rules::Pick pick = rules::pick(state_, config_, heads, now());
  if (pick.direction == rules::Direction::read) {
    reads_[reads_granted_++].data = pick.data;
    ++read_bursts_;
  } else if (pick.direction == rules::Direction::write) {
    writes_[writes_granted_++].start = pick.start;
    ++write_bursts_;
  }
  turnarounds_ += std::exchange(state_.turnarounds, 0);
  refreshes_ += std::exchange(state_.refreshes, 0);
}

void FixedDdr::send_read() {
  Read& read = reads_.front();
  if (now() < read.data) return;
  if (!r.can_push()) {
    ++read_stalls_;
    return;
  }
  axi::ReadBeat& beat = r.push();
  load(read.address + static_cast<std::uint32_t>(beats_sent_ * beat_bytes_), beat);
  beat.resp = axi::Resp::okay;
  beat.id = read.id;
  beat.last = ++beats_sent_ == read.beats;
  ++read_beats_;
  if (!beat.last) return;
  reads_.pop();
  --reads_granted_;
  beats_sent_ = 0;
}

void FixedDdr::respond() {
  if (now() < writes_.front().response || !b.can_push()) return;
  b.push({axi::Resp::okay, writes_.front().id});
  writes_.pop();
  --writes_granted_;
  --writes_done_;
}

void FixedDdr::take_write() {
  Write& write = writes_[writes_done_];
  if (now() < write.start) return;
  if (!w.can_pop()) {
    ++write_stalls_;
    rules::stretch(state_);
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
    reads_.push({static_cast<std::uint32_t>(burst.address), burst.beats, burst.id, now(), 0});
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
    if (now() < reads_.front().data - config_.read_latency) wait = rules::ReadWait::turnaround;
  } else if (!reads_.empty()) {
    wait = rules::why(state_, {reads_.front().arrival, reads_.front().beats}, now());
  }
  report(!reads_.empty(), wait);
}

}  // namespace fansim::memory
