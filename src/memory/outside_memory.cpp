// SPDX-License-Identifier: Apache-2.0
#include "memory/outside_memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace fansim::memory {

using tlm::tlm_generic_payload;

OutsideMemory::Access& OutsideMemory::Pool::get() {
  if (unused_.empty()) {
    all_.push_back(std::make_unique<Access>());
    all_.back()->payload.set_mm(this);
    unused_.push_back(all_.back().get());
  }
  Access& access = *unused_.back();
  unused_.pop_back();
  access.payload.acquire();
  return access;
}

void OutsideMemory::Pool::free(tlm_generic_payload* payload) {
  const auto owner = std::find_if(all_.begin(), all_.end(), [&](auto& access) { return &access->payload == payload; });
  unused_.push_back(owner->get());
}

OutsideMemory::OutsideMemory(const sc_core::sc_module_name& name, const contract::DdrConfig& config,
                             const contract::AxiConfig& axi, contract::MemoryImage&& memory)
    : Ddr(name, config, axi, std::make_shared<Bytes>(std::move(memory))) {
  outside.register_nb_transport_bw(this, &OutsideMemory::nb_transport_bw);
}

void OutsideMemory::reset() { move_image(tlm::TLM_WRITE_COMMAND); }

const std::uint8_t* OutsideMemory::data() {
  move_image(tlm::TLM_READ_COMMAND);
  return image().data();
}

void OutsideMemory::change(const std::function<void(std::uint8_t*)>& change) {
  move_image(tlm::TLM_READ_COMMAND);
  change(image().data());
  move_image(tlm::TLM_WRITE_COMMAND);
}

void OutsideMemory::move_image(tlm::tlm_command command) {
  tlm_generic_payload payload;
  payload.set_command(command);
  payload.set_data_ptr(image().data());
  payload.set_data_length(static_cast<unsigned>(image().size()));
  payload.set_streaming_width(static_cast<unsigned>(image().size()));
  const unsigned moved = outside->transport_dbg(payload);
  if (moved != image().size())
    violation(fmt::format("the outside memory moved {} of {} bytes by debug transport", moved, image().size()));
}

void OutsideMemory::quiesce() {
  if (!filling_.empty() || !to_request_.empty() || !reads_.empty() || !writes_.empty())
    violation("layer boundary with bursts in flight");
}

void OutsideMemory::step() {
  if (!reads_.empty()) send_read();
  if (!writes_.empty()) respond();
  if (!filling_.empty()) take_write();
  accept();
  request();
  report(!reads_.empty(), rules::ReadWait::none);
}

template <class Burst>
OutsideMemory::Access& OutsideMemory::access(tlm::tlm_command command, const Burst& burst) {
  Access& access = pool_.get();
  const auto bytes = static_cast<unsigned>(burst.beats * beat_bytes_);
  access.data.assign(bytes, 0);
  access.enables.clear();
  access.beats = burst.beats;
  access.id = burst.id;
  access.moved = 0;
  access.done = false;
  access.payload.set_command(command);
  access.payload.set_address(burst.address);
  access.payload.set_data_ptr(access.data.data());
  access.payload.set_data_length(bytes);
  access.payload.set_streaming_width(bytes);
  access.payload.set_byte_enable_ptr(nullptr);
  access.payload.set_byte_enable_length(0);
  access.payload.set_dmi_allowed(false);
  access.payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  return access;
}

void OutsideMemory::accept() {
  if (reads_.size() < kOpen && ar.can_pop()) {
    const axi::ReadBurst& burst = ar.pop();
    check(burst.address, burst.beats);
    reads_.push_back(&access(tlm::TLM_READ_COMMAND, burst));
    to_request_.push_back(reads_.back());
    ++read_bursts_;
  }
  if (filling_.size() + writes_.size() < kOpen && aw.can_pop()) {
    const axi::WriteBurst& burst = aw.pop();
    check(burst.address, burst.beats);
    filling_.push_back(&access(tlm::TLM_WRITE_COMMAND, burst));
    ++write_bursts_;
  }
}

void OutsideMemory::take_write() {
  if (!w.can_pop()) return;
  Access& write = *filling_.front();
  const axi::WriteBeat& beat = w.pop();
  ++write_beats_;
  const std::size_t at = static_cast<std::size_t>(write.moved * beat_bytes_);
  for (int lane = 0; lane < beat_bytes_; ++lane) {
    const std::size_t byte = at + static_cast<std::size_t>(lane);
    write.data[byte] = beat.data[static_cast<std::size_t>(lane)];
    if ((beat.strobe >> lane & 1) != 0) continue;
    if (write.enables.empty()) write.enables.assign(write.data.size(), TLM_BYTE_ENABLED);
    write.enables[byte] = TLM_BYTE_DISABLED;
  }
  if (beat.last != (++write.moved == write.beats))
    violation(fmt::format("WLAST is {} at beat {} of {}", int{beat.last}, write.moved, write.beats));
  if (!beat.last) return;
  if (!write.enables.empty()) {
    write.payload.set_byte_enable_ptr(write.enables.data());
    write.payload.set_byte_enable_length(static_cast<unsigned>(write.enables.size()));
  }
  filling_.pop_front();
  writes_.push_back(&write);
  to_request_.push_back(&write);
}

// Only one request phase is open at a time.
void OutsideMemory::request() {
  if (requested_ != nullptr || to_request_.empty()) return;
  requested_ = to_request_.front();
  to_request_.pop_front();
  tlm::tlm_phase phase = tlm::BEGIN_REQ;
  sc_core::sc_time delay;
  tlm_generic_payload& payload = requested_->payload;
  const tlm::tlm_sync_enum status = outside->nb_transport_fw(payload, phase, delay);
  if (status == tlm::TLM_COMPLETED || (status == tlm::TLM_UPDATED && phase == tlm::BEGIN_RESP)) {
    const bool answer = status == tlm::TLM_UPDATED;
    ended(payload, delay);
    if (answer) {
      phase = tlm::END_RESP;
      outside->nb_transport_fw(payload, phase, delay);
    }
  } else if (status == tlm::TLM_UPDATED) {
    requested_ = nullptr;  // the target has ended the request phase (END_REQ)
  }
}

tlm::tlm_sync_enum OutsideMemory::nb_transport_bw(tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                                  sc_core::sc_time& delay) {
  if (phase == tlm::END_REQ) {
    requested_ = nullptr;
    return tlm::TLM_ACCEPTED;
  }
  ended(payload, delay);
  return tlm::TLM_COMPLETED;
}

void OutsideMemory::ended(tlm_generic_payload& payload, const sc_core::sc_time& delay) {
  if (requested_ != nullptr && &requested_->payload == &payload) requested_ = nullptr;
  if (payload.is_response_error())
    violation(fmt::format("the outside memory answers {} to {} bytes at {:#x}", payload.get_response_string(),
                          payload.get_data_length(), payload.get_address()));
  for (const auto* queue : {&reads_, &writes_})
    for (Access* access : *queue)
      if (&access->payload == &payload) {
        access->done = true;
        access->ready = sc_core::sc_time_stamp() + delay;
      }
}

void OutsideMemory::send_read() {
  Access& read = *reads_.front();
  if (!over(read)) return;
  if (!r.can_push()) {
    ++read_stalls_;
    return;
  }
  axi::ReadBeat& beat = r.push();
  std::memcpy(beat.data.data(), read.data.data() + read.moved * beat_bytes_, static_cast<std::size_t>(beat_bytes_));
  beat.id = read.id;
  beat.resp = axi::Resp::okay;
  beat.last = ++read.moved == read.beats;
  ++read_beats_;
  if (!beat.last) return;
  reads_.pop_front();
  read.payload.release();
}

void OutsideMemory::respond() {
  if (!over(*writes_.front()) || !b.can_push()) return;
  b.push({axi::Resp::okay, writes_.front()->id});
  writes_.front()->payload.release();
  writes_.pop_front();
}

std::string OutsideMemory::waiting_for() const {
  if (requested_ != nullptr) return "the outside memory to take a request";
  return reads_.empty() && writes_.empty() ? "" : "the outside memory's response";
}

}  // namespace fansim::memory
