// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tlm_utils/peq_with_cb_and_phase.h>
#include <tlm_utils/simple_target_socket.h>

#include <cstring>
#include <vector>

#include "base/random.h"

// This file has foreign memories, which know TLM-2.0 and nothing of fansim.
namespace fansim::test {

class ForeignStore {
 public:
  explicit ForeignStore(std::size_t size) : bytes(size) {}

  void access(tlm::tlm_generic_payload& payload) {
    const std::size_t address = payload.get_address(), length = payload.get_data_length();
    if (address + length > bytes.size()) {
      payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
      return;
    }
    const unsigned char* enables = payload.get_byte_enable_ptr();
    for (std::size_t i = 0; i < length; ++i) {
      if (enables != nullptr && enables[i % payload.get_byte_enable_length()] != TLM_BYTE_ENABLED) continue;
      if (payload.is_write()) bytes[address + i] = payload.get_data_ptr()[i];
      if (payload.is_read()) payload.get_data_ptr()[i] = bytes[address + i];
    }
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
  }
  unsigned debug(tlm::tlm_generic_payload& payload) {
    access(payload);
    return payload.is_response_ok() ? payload.get_data_length() : 0;
  }
  std::vector<std::uint8_t> bytes;
};

// Is loosely timed: 60 ns per access, one after another.
class BlockingMemory final : public sc_core::sc_module {
 public:
  tlm_utils::simple_target_socket<BlockingMemory> socket{"socket"};
  ForeignStore store;

  BlockingMemory(const sc_core::sc_module_name& name, std::size_t size) : sc_module(name), store(size) {
    socket.register_b_transport(this, &BlockingMemory::b_transport);
    socket.register_transport_dbg(this, &BlockingMemory::debug);
  }

 private:
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time&) {
    sc_core::wait(60, sc_core::SC_NS);
    store.access(payload);
  }
  unsigned debug(tlm::tlm_generic_payload& payload) { return store.debug(payload); }
};

// Is approximately timed, with four phases: a request takes 9 ns, and its response comes 20 to 90 ns later, in any
// order.
class PhasedMemory final : public sc_core::sc_module {
 public:
  tlm_utils::simple_target_socket<PhasedMemory> socket{"socket"};
  ForeignStore store;
  int transactions = 0;

  PhasedMemory(const sc_core::sc_module_name& name, std::size_t size, std::uint64_t seed = 1)
      : sc_module(name), store(size), random_(seed), queue_(this, &PhasedMemory::at) {
    socket.register_nb_transport_fw(this, &PhasedMemory::nb_transport_fw);
    socket.register_transport_dbg(this, &PhasedMemory::debug);
  }

 private:
  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) {
    if (phase == tlm::BEGIN_REQ) payload.acquire();
    queue_.notify(payload, phase, delay);
    return tlm::TLM_ACCEPTED;
  }
  void at(tlm::tlm_generic_payload& payload, const tlm::tlm_phase& phase) {
    const auto later = [&](int ns, tlm::tlm_phase_enum next) {
      queue_.notify(payload, next, sc_core::sc_time(ns, sc_core::SC_NS));
    };
    if (phase == tlm::BEGIN_REQ) {
      later(9, tlm::END_REQ);
    } else if (phase == tlm::END_REQ) {
      answer(payload, tlm::END_REQ);
      later(random_.uniform(20, 90), tlm::BEGIN_RESP);
    } else if (phase == tlm::BEGIN_RESP) {
      store.access(payload);
      ++transactions;
      if (answer(payload, tlm::BEGIN_RESP) == tlm::TLM_COMPLETED) payload.release();
    }
  }
  tlm::tlm_sync_enum answer(tlm::tlm_generic_payload& payload, tlm::tlm_phase phase) {
    sc_core::sc_time delay;
    return socket->nb_transport_bw(payload, phase, delay);
  }
  unsigned debug(tlm::tlm_generic_payload& payload) { return store.debug(payload); }

  base::Random random_;
  tlm_utils::peq_with_cb_and_phase<PhasedMemory> queue_;
};

}  // namespace fansim::test
