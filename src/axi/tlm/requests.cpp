// SPDX-License-Identifier: Apache-2.0
#include "axi/tlm/requests.h"

namespace fansim::axi {

using tlm::tlm_generic_payload;

TlmRequests::TlmRequests(const char* socket_name) : socket(socket_name) {
  socket.register_b_transport(this, &TlmRequests::b_transport);
  socket.register_nb_transport_fw(this, &TlmRequests::nb_transport_fw);
  socket.register_transport_dbg(this, &TlmRequests::transport_dbg);
  socket.register_get_direct_mem_ptr(this, &TlmRequests::get_direct_mem_ptr);
}

tlm_generic_payload* TlmRequests::front() const {
  if (waiting_.empty() || waiting_.front().from > sc_core::sc_time_stamp()) return nullptr;
  return waiting_.front().payload;
}

tlm_generic_payload* TlmRequests::take() {
  tlm_generic_payload* payload = waiting_.front().payload;
  waiting_.pop_front();
  if (blocked_.count(payload) == 0) {
    tlm::tlm_phase phase = tlm::END_REQ;
    sc_core::sc_time delay;
    socket->nb_transport_bw(*payload, phase, delay);
  }
  return payload;
}

void TlmRequests::finish(tlm_generic_payload& payload, tlm::tlm_response_status status) {
  payload.set_response_status(status);
  const auto caller = blocked_.find(&payload);
  if (caller != blocked_.end()) {
    caller->second->notify();
    blocked_.erase(caller);
    return;
  }
  finished_.push_back(&payload);
  respond();
}

void TlmRequests::b_transport(tlm_generic_payload& payload, sc_core::sc_time& delay) {
  sc_core::wait(delay);
  delay = sc_core::SC_ZERO_TIME;
  sc_core::sc_event done;
  blocked_[&payload] = &done;
  waiting_.push_back({&payload, sc_core::sc_time_stamp()});
  sc_core::wait(done);
}

tlm::tlm_sync_enum TlmRequests::nb_transport_fw(tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                                sc_core::sc_time& delay) {
  if (phase == tlm::BEGIN_REQ) {
    if (payload.has_mm()) payload.acquire();
    waiting_.push_back({&payload, sc_core::sc_time_stamp() + delay});
    return tlm::TLM_ACCEPTED;
  }
  if (phase == tlm::END_RESP) {
    release(payload);
    responding_ = false;
    respond();
    return tlm::TLM_COMPLETED;
  }
  SC_REPORT_ERROR("TlmRequests", "a phase that an initiator does not begin");
  return tlm::TLM_COMPLETED;
}

void TlmRequests::respond() {
  while (!responding_ && !finished_.empty()) {
    tlm_generic_payload& payload = *finished_.front();
    finished_.pop_front();
    tlm::tlm_phase phase = tlm::BEGIN_RESP;
    sc_core::sc_time delay;
    responding_ = true;
    const tlm::tlm_sync_enum status = socket->nb_transport_bw(payload, phase, delay);
    if (status == tlm::TLM_ACCEPTED) return;
    responding_ = false;  // TLM_COMPLETED, or TLM_UPDATED to END_RESP
    release(payload);
  }
}

void TlmRequests::release(tlm_generic_payload& payload) {
  if (payload.has_mm()) payload.release();
}

}  // namespace fansim::axi
