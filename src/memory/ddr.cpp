// SPDX-License-Identifier: Apache-2.0
#include "memory/ddr.h"

#include <fmt/format.h>

#include <cstring>
#include <utility>

#include "rules/burst.h"

namespace fansim::memory {

Ddr::Ddr(const sc_core::sc_module_name& name, const arch::DdrConfig& config, const arch::AxiConfig& axi,
         std::vector<std::uint8_t>&& memory)
    : Module(name),
      config_(rules::effective(config)),
      beat_bytes_(axi.beat_bytes()),
      memory_(std::move(memory)),
      reads_(axi.outstanding),
      writes_(axi.outstanding) {
  socket.register_b_transport(this, &Ddr::b_transport);
  socket.register_transport_dbg(this, &Ddr::transport_dbg);
}

void Ddr::reset() { rules::quiesce(state_, config_, 0); }

void Ddr::quiesce() {
  if (!reads_.empty() || !writes_.empty()) violation("layer boundary with bursts in flight");
  rules::quiesce(state_, config_, now());
  refreshes_ += std::exchange(state_.refreshes, 0);
}

void Ddr::step() {
  if (reads_.empty() && writes_.empty() && ar.empty() && aw.empty()) return sleep();
  decide();
  if (reads_granted_ > 0) send_read();
  if (writes_done_ > 0) respond();
  if (writes_granted_ > writes_done_) take_write();
  accept();
  account();
}

void Ddr::decide() {
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

void Ddr::send_read() {
  Read& read = reads_.front();
  if (now() < read.data) return;
  if (!r.can_push()) {
    ++read_stalls_;
    return;
  }
  axi::ReadBeat& beat = r.push();
  const std::uint8_t* source = memory_.data() + read.address + beats_sent_ * beat_bytes_;
  if (beat_bytes_ == 16)
    std::memcpy(beat.data.data(), source, 16);
  else
    std::memcpy(beat.data.data(), source, static_cast<std::size_t>(beat_bytes_));
  beat.id = read.id;
  beat.last = ++beats_sent_ == read.beats;
  ++read_beats_;
  if (!beat.last) return;
  reads_.pop();
  --reads_granted_;
  beats_sent_ = 0;
}

void Ddr::respond() {
  if (now() < writes_.front().response || !b.can_push()) return;
  b.push({axi::Resp::okay, writes_.front().id});
  writes_.pop();
  --writes_granted_;
  --writes_done_;
}

void Ddr::take_write() {
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

void Ddr::store(std::uint32_t address, const axi::WriteBeat& beat) {
  std::uint8_t* target = memory_.data() + address;
  const std::uint64_t all = axi::byte_mask(beat_bytes_);
  if ((beat.strobe & all) == all) {
    std::memcpy(target, beat.data.data(), static_cast<std::size_t>(beat_bytes_));
    return;
  }
  for (int i = 0; i < beat_bytes_; ++i)
    if (beat.strobe >> i & 1) target[i] = beat.data[static_cast<std::size_t>(i)];
}

void Ddr::accept() {
  if (!reads_.full() && ar.can_pop()) {
    const axi::ReadBurst& burst = ar.pop();
    check(burst.address, burst.beats);
    reads_.push({static_cast<std::uint32_t>(burst.address), burst.beats, now(), 0, burst.id});
  }
  if (!writes_.full() && aw.can_pop()) {
    const axi::WriteBurst& burst = aw.pop();
    check(burst.address, burst.beats);
    writes_.push({static_cast<std::uint32_t>(burst.address), burst.beats, now(), 0, 0, burst.id});
  }
}

void Ddr::account() {
  rules::ReadWait wait = rules::ReadWait::none;
  if (reads_granted_ > 0) {
    if (now() < reads_.front().data - config_.read_latency) wait = rules::ReadWait::turnaround;
  } else if (!reads_.empty()) {
    wait = rules::why(state_, {reads_.front().arrival, reads_.front().beats}, now());
  }
  if (wait != read_wait_.next()) read_wait_.set(wait);
  if (reads_.empty() == read_outstanding_.next()) read_outstanding_.set(!reads_.empty());
}

void Ddr::check(std::uint64_t address, int beats) const {
  const std::uint64_t bytes = static_cast<std::uint64_t>(beats) * static_cast<std::uint64_t>(beat_bytes_);
  const auto size = static_cast<std::uint64_t>(beat_bytes_);
  if (beats < 1 || beats > 256) violation(fmt::format("burst of {} beats", beats));
  if (address % size != 0) violation(fmt::format("burst at {:#x} is not aligned to its beats", address));
  if (address % rules::kBurstBoundary + bytes > rules::kBurstBoundary)
    violation(fmt::format("burst of {} beats at {:#x} crosses a 4 KiB boundary", beats, address));
  if (address + bytes > memory_.size())
    violation(fmt::format("burst of {} beats at {:#x} leaves the memory of {} bytes", beats, address, memory_.size()));
}

bool Ddr::access(tlm::tlm_generic_payload& payload) {
  const sc_dt::uint64 address = payload.get_address();
  const unsigned length = payload.get_data_length();
  if (address > memory_.size() || length > memory_.size() - address) {
    payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    return false;
  }
  if (payload.get_byte_enable_ptr()) {
    payload.set_response_status(tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
    return false;
  }
  if (payload.is_write()) std::memcpy(memory_.data() + address, payload.get_data_ptr(), length);
  if (payload.is_read()) std::memcpy(payload.get_data_ptr(), memory_.data() + address, length);
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
  return true;
}

void Ddr::b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time&) { access(payload); }

unsigned Ddr::transport_dbg(tlm::tlm_generic_payload& payload) {
  return access(payload) ? payload.get_data_length() : 0;
}

}  // namespace fansim::memory
