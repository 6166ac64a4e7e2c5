// SPDX-License-Identifier: Apache-2.0
#include "axi/tlm/register_target.h"

#include <cstring>

namespace fansim::axi {
namespace {

constexpr unsigned kWordBytes = 4;

}  // namespace

tlm::tlm_response_status RegisterTarget::fault(const tlm::tlm_generic_payload& payload) {
  if (!payload.is_read() && !payload.is_write()) return tlm::TLM_COMMAND_ERROR_RESPONSE;
  if (payload.get_data_length() != kWordBytes || payload.get_streaming_width() < kWordBytes)
    return tlm::TLM_BURST_ERROR_RESPONSE;
  if (payload.get_address() % kWordBytes != 0 || payload.get_address() > UINT32_MAX)
    return tlm::TLM_ADDRESS_ERROR_RESPONSE;
  return payload.get_byte_enable_ptr() != nullptr ? tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE : tlm::TLM_OK_RESPONSE;
}

void RegisterTarget::step() {
  if (response.can_pop()) {
    const std::uint32_t value = response.pop().value;
    tlm::tlm_generic_payload& payload = *open_.front();
    open_.pop();
    if (payload.is_read()) std::memcpy(payload.get_data_ptr(), &value, kWordBytes);
    requests.finish(payload, tlm::TLM_OK_RESPONSE);
  }
  if (requests.front() == nullptr || open_.full() || !request.can_push()) return;
  tlm::tlm_generic_payload& payload = *requests.take();
  const tlm::tlm_response_status status = fault(payload);
  if (status != tlm::TLM_OK_RESPONSE) {
    requests.finish(payload, status);
    return;
  }
  LiteRequest& access = request.push();
  access = {payload.is_write(), static_cast<std::uint32_t>(payload.get_address()), 0};
  if (access.write) std::memcpy(&access.value, payload.get_data_ptr(), kWordBytes);
  open_.push(&payload);
}

}  // namespace fansim::axi
