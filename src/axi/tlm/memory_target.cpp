// SPDX-License-Identifier: Apache-2.0
#include "axi/tlm/memory_target.h"

#include <algorithm>

#include "rules/burst.h"

namespace fansim::axi {

MemoryTarget::MemoryTarget(const sc_core::sc_module_name& name, const contract::AxiConfig& axi, std::uint64_t size)
    : Module(name), axi_(axi), beat_bytes_(axi.beat_bytes()), size_(size) {}

void MemoryTarget::step() {
  for (std::size_t i = 0; i < open_.size(); ++i)
    if (open_[i].issued < open_[i].beats) {
      issue(open_[i]);
      break;
    }
  for (std::size_t i = 0; i < open_.size(); ++i)
    if (open_[i].payload->is_write() && open_[i].moved < open_[i].issued) {
      send(open_[i]);
      break;
    }
  if (r.can_pop()) receive();
  if (b.can_pop()) answer();
  accept();
}

tlm::tlm_response_status MemoryTarget::fault(const tlm::tlm_generic_payload& payload) const {
  if (!payload.is_read() && !payload.is_write()) return tlm::TLM_COMMAND_ERROR_RESPONSE;
  const std::uint64_t length = payload.get_data_length();
  if (length == 0 || payload.get_streaming_width() < length) return tlm::TLM_BURST_ERROR_RESPONSE;
  const bool inside = length <= size_ && payload.get_address() <= size_ - length;
  return inside ? tlm::TLM_OK_RESPONSE : tlm::TLM_ADDRESS_ERROR_RESPONSE;
}

void MemoryTarget::accept() {
  const tlm::tlm_generic_payload* next = requests.front();
  if (next == nullptr || open_.full()) return;
  const bool sound = fault(*next) == tlm::TLM_OK_RESPONSE;
  if (sound && !open_.empty() && open_.front().payload->is_write() != next->is_write()) return;
  tlm::tlm_generic_payload& payload = *requests.take();
  if (!sound) {
    requests.finish(payload, fault(payload));
    return;
  }
  Access access;
  access.payload = &payload;
  const auto address = static_cast<std::uint32_t>(payload.get_address());
  access.begin = address % static_cast<std::uint32_t>(beat_bytes_);
  access.base = address - static_cast<std::uint32_t>(access.begin);
  access.end = access.begin + payload.get_data_length();
  access.beats = rules::beats_of(address, payload.get_data_length(), axi_);
  open_.push(access);
}

void MemoryTarget::issue(Access& access) {
  const bool write = access.payload->is_write();
  if (write ? !aw.can_push() : !ar.can_push()) return;
  const std::uint32_t address = access.base + static_cast<std::uint32_t>(access.issued * beat_bytes_);
  const int beats = rules::burst_beats(address, access.beats - access.issued, axi_);
  if (write)
    aw.push({address, beats, 0});
  else
    ar.push({address, beats, 0});
  access.issued += beats;
  ++access.bursts;
}

bool MemoryTarget::enabled(const tlm::tlm_generic_payload& payload, std::int64_t byte) const {
  const unsigned char* enables = payload.get_byte_enable_ptr();
  return enables == nullptr || enables[byte % payload.get_byte_enable_length()] == TLM_BYTE_ENABLED;
}

void MemoryTarget::send(Access& access) {
  if (!w.can_push()) return;
  if (burst_left_ == 0)
    burst_left_ = rules::burst_beats(access.base + static_cast<std::uint32_t>(access.moved * beat_bytes_),
                                     access.beats - access.moved, axi_);
  WriteBeat& beat = w.push();
  beat.strobe = 0;
  for (int lane = 0; lane < beat_bytes_; ++lane) {
    const std::int64_t position = access.moved * beat_bytes_ + lane, byte = position - access.begin;
    if (position < access.begin || position >= access.end || !enabled(*access.payload, byte)) continue;
    beat.data[static_cast<std::size_t>(lane)] = access.payload->get_data_ptr()[byte];
    beat.strobe |= decltype(beat.strobe){1} << lane;
  }
  beat.last = --burst_left_ == 0;
  ++access.moved;
}

void MemoryTarget::receive() {
  const ReadBeat& beat = r.pop();
  Access& access = open_.front();
  access.worst = worst(access.worst, beat.resp);
  for (int lane = 0; lane < beat_bytes_; ++lane) {
    const std::int64_t position = access.moved * beat_bytes_ + lane, byte = position - access.begin;
    if (position < access.begin || position >= access.end || !enabled(*access.payload, byte)) continue;
    access.payload->get_data_ptr()[byte] = beat.data[static_cast<std::size_t>(lane)];
  }
  if (++access.moved == access.beats) finish();
}

void MemoryTarget::answer() {
  Access& access = open_.front();
  access.worst = worst(access.worst, b.pop().resp);
  if (++access.answered == access.bursts && access.issued == access.beats) finish();
}

void MemoryTarget::finish() {
  const Access access = open_.front();
  open_.pop();
  requests.finish(*access.payload, access.worst == Resp::okay     ? tlm::TLM_OK_RESPONSE
                                   : access.worst == Resp::decerr ? tlm::TLM_ADDRESS_ERROR_RESPONSE
                                                                  : tlm::TLM_GENERIC_ERROR_RESPONSE);
}

}  // namespace fansim::axi
