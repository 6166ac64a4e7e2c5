// SPDX-License-Identifier: Apache-2.0
#include "memory/ddr.h"

#include <fmt/format.h>

#include <cstring>
#include <utility>

#include "memory/banked_ddr.h"
#include "memory/fixed_ddr.h"
#include "rules/burst.h"

namespace fansim::memory {

Ddr::Ddr(const sc_core::sc_module_name& name, const contract::DdrConfig& config, const contract::AxiConfig& axi,
         std::shared_ptr<Bytes> memory)
    : Module(name), config_(config), beat_bytes_(axi.beat_bytes()), memory_(std::move(memory)) {
  socket.register_b_transport(this, &Ddr::b_transport);
  socket.register_transport_dbg(this, &Ddr::transport_dbg);
  socket.register_get_direct_mem_ptr(this, &Ddr::get_direct_mem_ptr);
}

void Ddr::load(std::uint32_t address, axi::ReadBeat& beat) const {
  const std::uint8_t* source = memory_->data() + address;
  if (beat_bytes_ == 16)
    std::memcpy(beat.data.data(), source, 16);
  else
    std::memcpy(beat.data.data(), source, static_cast<std::size_t>(beat_bytes_));
}

void Ddr::store(std::uint32_t address, const axi::WriteBeat& beat) {
  std::uint8_t* target = memory_->data() + address;
  const std::uint64_t all = axi::byte_mask(beat_bytes_);
  if ((beat.strobe & all) == all) {
    std::memcpy(target, beat.data.data(), static_cast<std::size_t>(beat_bytes_));
    return;
  }
  for (int i = 0; i < beat_bytes_; ++i)
    if (beat.strobe >> i & 1) target[i] = beat.data[static_cast<std::size_t>(i)];
}

void Ddr::report(bool outstanding, rules::ReadWait wait) {
  if (wait != read_wait_.next()) read_wait_.set(wait);
  if (outstanding != read_outstanding_.next()) read_outstanding_.set(outstanding);
}

void Ddr::check(std::uint64_t address, int beats) const {
  const std::uint64_t bytes = static_cast<std::uint64_t>(beats) * static_cast<std::uint64_t>(beat_bytes_);
  const auto size = static_cast<std::uint64_t>(beat_bytes_);
  if (beats < 1 || beats > 256) violation(fmt::format("burst of {} beats", beats));
  if (address % size != 0) violation(fmt::format("burst at {:#x} is not aligned to its beats", address));
  if (address % rules::kBurstBoundary + bytes > rules::kBurstBoundary)
    violation(fmt::format("burst of {} beats at {:#x} crosses a 4 KiB boundary", beats, address));
  if (address + bytes > memory_->size())
    violation(fmt::format("burst of {} beats at {:#x} leaves the memory of {} bytes", beats, address, memory_->size()));
}

bool Ddr::access(tlm::tlm_generic_payload& payload) {
  const sc_dt::uint64 address = payload.get_address();
  const unsigned length = payload.get_data_length();
  const auto fail = [&](tlm::tlm_response_status status) {
    payload.set_response_status(status);
    return false;
  };
  if (address > memory_->size() || length > memory_->size() - address) return fail(tlm::TLM_ADDRESS_ERROR_RESPONSE);
  if (payload.get_streaming_width() < length) return fail(tlm::TLM_BURST_ERROR_RESPONSE);
  const unsigned char* enables = payload.get_byte_enable_ptr();
  std::uint8_t* const ours = memory_->data() + address;
  std::uint8_t* const theirs = payload.get_data_ptr();
  for (unsigned i = 0; enables != nullptr && i < length; ++i) {
    if (enables[i % payload.get_byte_enable_length()] != TLM_BYTE_ENABLED) continue;
    if (payload.is_write()) ours[i] = theirs[i];
    if (payload.is_read()) theirs[i] = ours[i];
  }
  if (enables == nullptr && payload.is_write()) std::memcpy(ours, theirs, length);
  if (enables == nullptr && payload.is_read()) std::memcpy(theirs, ours, length);
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
  payload.set_dmi_allowed(true);
  return true;
}

// Grants direct access to all of the memory, which takes no time.
bool Ddr::get_direct_mem_ptr(tlm::tlm_generic_payload&, tlm::tlm_dmi& dmi) {
  dmi.set_dmi_ptr(memory_->data());
  dmi.set_start_address(0);
  dmi.set_end_address(memory_->size() - 1);
  dmi.allow_read_write();
  return true;
}

void Ddr::b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time&) { access(payload); }

unsigned Ddr::transport_dbg(tlm::tlm_generic_payload& payload) {
  return access(payload) ? payload.get_data_length() : 0;
}

std::vector<std::unique_ptr<Ddr>> make_ddr_ports(const std::vector<std::string>& names,
                                                 const contract::DdrConfig& config, const contract::AxiConfig& axi,
                                                 contract::MemoryImage&& memory) {
  std::vector<std::unique_ptr<Ddr>> ports;
  if (config.fidelity == contract::DdrFidelity::banked) {
    const auto shared = std::make_shared<BankedMemory>(config, static_cast<int>(names.size()), std::move(memory));
    for (const std::string& name : names)
      ports.push_back(std::make_unique<BankedDdr>(name.c_str(), shared, axi, static_cast<int>(ports.size())));
    return ports;
  }
  const auto shared = std::make_shared<FixedMemory>(config, axi, static_cast<int>(names.size()), std::move(memory));
  for (const std::string& name : names) ports.push_back(std::make_unique<FixedDdr>(name.c_str(), shared, axi));
  return ports;
}

std::unique_ptr<Ddr> make_ddr(const char* name, const contract::DdrConfig& config, const contract::AxiConfig& axi,
                              contract::MemoryImage&& memory) {
  return std::move(make_ddr_ports({name}, config, axi, std::move(memory)).front());
}

}  // namespace fansim::memory
