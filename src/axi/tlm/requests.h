// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tlm_utils/simple_target_socket.h>

#include <deque>
#include <functional>
#include <map>
#include <tlm>

namespace fansim::axi {

// The target side of TLM-2.0 (IEEE 1666, 11 and 15) for a clocked block. An initiator may call b_transport or the four
// phases of nb_transport. Its request waits here until the block takes it at one edge and finishes it at a later one.
// * b_transport first waits for the annotated delay and returns when the block has finished.
// * BEGIN_REQ is answered by END_REQ when the block takes the request. BEGIN_RESP follows, one response at a time.
// * transport_dbg goes to `debug`. Direct memory access is refused, because the accesses that it skips would have taken
//   time.
class TlmRequests {
 public:
  explicit TlmRequests(const char* socket_name);

  tlm_utils::simple_target_socket<TlmRequests> socket;
  std::function<unsigned(tlm::tlm_generic_payload&)> debug = [](tlm::tlm_generic_payload&) { return 0U; };

  // Returns the oldest request whose time has come, or null if there is none.
  tlm::tlm_generic_payload* front() const;
  // Takes front(), which the block finishes later.
  tlm::tlm_generic_payload* take();
  void finish(tlm::tlm_generic_payload& payload, tlm::tlm_response_status status);

 private:
  struct Request {
    tlm::tlm_generic_payload* payload;
    sc_core::sc_time from;
  };

  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay);
  unsigned transport_dbg(tlm::tlm_generic_payload& payload) { return debug(payload); }
  bool get_direct_mem_ptr(tlm::tlm_generic_payload&, tlm::tlm_dmi&) { return false; }
  void respond();
  void release(tlm::tlm_generic_payload& payload);

  std::deque<Request> waiting_;
  std::map<tlm::tlm_generic_payload*, sc_core::sc_event*> blocked_;  // callers of b_transport
  std::deque<tlm::tlm_generic_payload*> finished_;  // requests of nb_transport whose response has not begun
  bool responding_ = false;                         // between BEGIN_RESP and END_RESP
};

}  // namespace fansim::axi
