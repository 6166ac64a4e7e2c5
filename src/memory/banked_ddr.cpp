// SPDX-License-Identifier: Apache-2.0
#include "memory/banked_ddr.h"

#include <fmt/format.h>

#include <utility>

namespace fansim::memory {

namespace {
// A burst touches one column access more than its `bytes` need if it starts inside one.
int most_accesses(const contract::AxiConfig& axi, int access_bytes) {
  return axi.outstanding * (axi.burst_beats * axi.beat_bytes() / access_bytes + 2);
}
}  // namespace

BankedDdr::BankedDdr(const sc_core::sc_module_name& name, std::shared_ptr<BankedMemory> memory,
                     const contract::AxiConfig& axi, int index)
    : Ddr(name, memory->config, axi, memory->bytes),
      shared_(std::move(memory)),
      index_(index),
      longest_(axi.burst_beats),
      access_bytes_(static_cast<std::uint32_t>(config_.part.access_bytes())),
      pace_(rules::pace_of(config_, axi.data_bits)),
      accesses_(most_accesses(axi, config_.part.access_bytes())),
      reads_(axi.outstanding),
      writes_(axi.outstanding) {
  shared_->attach(index, [this](const rules::DdrEvent& event) { handle(event); });
}

void BankedDdr::reset() {
  if (!shared_->clock(domain().mhz)) violation("the ports of one memory are on different clocks");
}

void BankedDdr::quiesce() {
  if (!reads_.empty() || !writes_.empty()) violation("layer boundary with bursts in flight");
  shared_->quiesce(now());
  paced_reads_ = paced_writes_ = {};
  take_counts();
}

void BankedDdr::step() {
  if (reads_.empty() && writes_.empty() && ar.empty() && aw.empty()) {
    sleep();
    return;
  }
  shared_->advance(now());
  take_counts();
  if (!reads_.empty()) send_read();
  if (!writes_.empty()) respond();
  if (writes_taken_ < writes_.size()) take_write();
  accept();
  account();
}

void BankedDdr::handle(const rules::DdrEvent& event) {
  if (event.picked) ++(event.pick.activate < 0 ? row_hits_ : event.pick.precharge < 0 ? row_misses_ : row_conflicts_);
  if (event.write) {
    if (event.picked == config_.part.posted_writes) return;
    Write& write = writes_[static_cast<std::size_t>(event.id - writes_popped_)];
    if (--write.accesses > 0) return;
    write.response =
        shared_->after(event.picked ? event.pick.end : event.edge) + config_.write_latency - config_.request_latency;
    return;
  }
  Access& access = accesses_[static_cast<std::size_t>(event.id - accesses_popped_)];
  if (!event.picked) {
    access.arrival = event.edge;
    return;
  }
  access.row_ready = event.pick.row_ready;
  access.column = event.pick.column;
  access.wait = event.pick.wait;
  access.ready = shared_->after(event.pick.end) + config_.response_latency;
}

// The first port counts what concerns the whole memory.
void BankedDdr::take_counts() {
  if (index_ != 0) return;
  const auto [refreshes, turnarounds] = shared_->take_counts();
  refreshes_ += refreshes;
  turnarounds_ += turnarounds;
}

void BankedDdr::send_read() {
  if (now() < accesses_.front().ready || holds_read()) return;
  if (!r.can_push()) {
    ++read_stalls_;
    return;
  }
  const Read& read = reads_.front();
  const std::uint32_t address = read.address + static_cast<std::uint32_t>(beats_sent_ * beat_bytes_);
  axi::ReadBeat& beat = r.push();
  load(address, beat);
  beat.resp = read_resp();
  beat.id = read.id;
  beat.last = ++beats_sent_ == read.beats;
  ++read_beats_;
  if (beat.last || access_of(address) != access_of(address + static_cast<std::uint32_t>(beat_bytes_))) {
    accesses_.pop();
    ++accesses_popped_;
  }
  if (!beat.last) return;
  read_answered();
  reads_.pop();
  beats_sent_ = 0;
}

void BankedDdr::respond() {
  if (now() < writes_.front().response || holds_write() || !b.can_push()) return;
  b.push({write_resp(), writes_.front().id});
  write_answered();
  writes_.pop();
  ++writes_popped_;
  --writes_taken_;
}

void BankedDdr::take_write() {
  if (now() < writes_[writes_taken_].start) return;
  if (!w.can_pop()) {
    ++write_stalls_;
    return;
  }
  Write& write = writes_[writes_taken_];
  const std::uint32_t address = write.address + static_cast<std::uint32_t>(beats_taken_ * beat_bytes_);
  const axi::WriteBeat& beat = w.pop();
  store(address, beat);
  ++write_beats_;
  if (beat.last != (++beats_taken_ == write.beats))
    violation(fmt::format("WLAST is {} at beat {} of {}", int{beat.last}, beats_taken_, write.beats));
  if (beat.last || access_of(address) != access_of(address + static_cast<std::uint32_t>(beat_bytes_)))
    shared_->request(index_, true, now(), address, writes_popped_ + static_cast<int>(writes_taken_));
  if (!beat.last) return;
  ++writes_taken_;
  beats_taken_ = 0;
}

void BankedDdr::accept() {
  const auto accesses = [this](std::uint32_t address, int beats) {
    return access_of(address + static_cast<std::uint32_t>(beats * beat_bytes_) - 1) - access_of(address) + 1;
  };
  if (!reads_.full() && ar.can_pop()) {
    const axi::ReadBurst& burst = ar.pop();
    check(burst.address, burst.beats);
    if (burst.beats > longest_) violation(fmt::format("read burst of {} beats, of {} at most", burst.beats, longest_));
    const auto first = static_cast<std::uint32_t>(burst.address);
    reads_.push({first, burst.beats, burst.id});
    ++read_bursts_;
    const sim::Edge passes = paced_reads_.pass(pace_, now(), burst.beats);
    const std::uint32_t count = accesses(first, burst.beats);
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::uint32_t address = (access_of(first) + i) * access_bytes_;
      shared_->request(index_, false, passes, address, accesses_popped_ + static_cast<int>(accesses_.size()));
      accesses_.push({address});
    }
  }
  if (!writes_.full() && aw.can_pop()) {
    const axi::WriteBurst& burst = aw.pop();
    check(burst.address, burst.beats);
    ++write_bursts_;
    const auto first = static_cast<std::uint32_t>(burst.address);
    writes_.push({first, burst.beats, burst.id, static_cast<int>(accesses(first, burst.beats)),
                  paced_writes_.pass(pace_, now() + 1, burst.beats)});
  }
}

void BankedDdr::account() {
  report(!reads_.empty(), reads_.empty() ? rules::ReadWait::none : wait_of(accesses_.front()));
}

rules::ReadWait BankedDdr::wait_of(const Access& access) const {
  const sim::Edge edge = shared_->edge();
  if (access.arrival >= edge || (access.column != kUnknown && access.column <= edge)) return rules::ReadWait::none;
  if (access.column == kUnknown) return shared_->why({access.arrival, config_.part.mapping(access.address), index_, 0});
  if (shared_->refreshing()) return rules::ReadWait::refresh;
  return edge < access.row_ready ? rules::ReadWait::row_miss : access.wait;
}

}  // namespace fansim::memory
