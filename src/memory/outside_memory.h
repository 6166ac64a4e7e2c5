// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tlm_utils/simple_initiator_socket.h>

#include <deque>

#include "contract/memory_image.h"
#include "memory/ddr.h"

namespace fansim::memory {

// Connects a foreign memory in place of the DDR: bind `outside` to its TLM-2.0 target socket. Each burst becomes one
// transaction of four phases (or fewer, as the target chooses), with byte enables where a strobe is low. The image is
// loaded and read back by debug transport, which the memory must offer. Addresses are those of the image. An error
// response is a violation.
// Throughput: one beat per cycle and direction; up to kOpen transactions of each direction are in flight.
// Latency:    a burst popped at an edge begins its request at that edge (a write: with its last beat); read data and
//             the write response follow from the first edge at or after the memory's response.
// Stall:      none but the memory's.
class OutsideMemory final : public Ddr {
 public:
  tlm_utils::simple_initiator_socket<OutsideMemory> outside{"outside"};

  OutsideMemory(const sc_core::sc_module_name& name, const contract::DdrConfig& config, const contract::AxiConfig& axi,
                contract::MemoryImage&& memory);

  bool timed() const override { return true; }
  const std::uint8_t* data() override;
  void change(const std::function<void(std::uint8_t*)>& change) override;
  void quiesce() override;
  std::string waiting_for() const override;

 private:
  struct Access {
    tlm::tlm_generic_payload payload;
    std::vector<std::uint8_t> data, enables;
    int beats = 0, moved = 0;
    std::uint8_t id = 0;
    bool done = false;
    sc_core::sc_time ready;  // when its response comes
  };

  // Transactions, which are reused when nobody refers to them any more.
  class Pool final : public tlm::tlm_mm_interface {
   public:
    Access& get();

   private:
    void free(tlm::tlm_generic_payload* payload) override;
    std::vector<std::unique_ptr<Access>> all_;
    std::vector<Access*> unused_;
  };

  static constexpr std::size_t kOpen = 16;

  void reset() override;
  void step() override;
  void accept();
  template <class Burst>
  Access& access(tlm::tlm_command command, const Burst& burst);
  void send_read();
  void take_write();
  void respond();
  void request();
  bool over(const Access& access) const { return access.done && access.ready <= sc_core::sc_time_stamp(); }
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay);
  void ended(tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay);
  void move_image(tlm::tlm_command command);

  Pool pool_;
  std::deque<Access*> filling_;         // writes that wait for their data
  std::deque<Access*> to_request_;      // reads when they are accepted, writes when they have their data
  std::deque<Access*> reads_, writes_;  // those that wait for their responses, in order
  Access* requested_ = nullptr;         // the one between BEGIN_REQ and END_REQ
};

}  // namespace fansim::memory
