// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tlm_utils/simple_target_socket.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "axi/types.h"
#include "contract/axi.h"
#include "contract/ddr.h"
#include "contract/memory_image.h"
#include "memory/answers.h"
#include "rules/read_wait.h"
#include "sim/module.h"
#include "sim/reg.h"
#include "sim/stream.h"

namespace fansim::memory {

// One AXI port of a DDR memory, with what every fidelity has: the bytes, the streams and the counters. A read returns
// what was written up to the edge at which its beat leaves.
class Ddr : public sim::Module {
 public:
  using Bytes = contract::MemoryImage;

  sim::StreamIn<axi::ReadBurst> ar{"ar"};
  sim::StreamOut<axi::ReadBeat> r{"r"};
  sim::StreamIn<axi::WriteBurst> aw{"aw"};
  sim::StreamIn<axi::WriteBeat> w{"w"};
  sim::StreamOut<axi::WriteResponse> b{"b"};
  // For loading and for foreign IP: untimed accesses beside the clocked side, which they never delay. Direct memory
  // access is granted. Transports are blocking and debug; the socket itself converts calls with four phases. For timed
  // accesses use axi::MemoryTarget.
  tlm_utils::simple_target_socket_optional<Ddr> socket{"socket"};

  virtual const std::uint8_t* data() { return memory_->data(); }  // the present contents
  // Lets a processor change memory by itself at a layer's end. `change` gets byte 0.
  virtual void change(const std::function<void(std::uint8_t*)>& change) { change(memory_->data()); }
  std::size_t size() const { return memory_->size(); }

  // State as of the previous edge, for the cycle accounting: whether a read burst is accepted and not all of its beats
  // have left, and for what the oldest one waits. Its latency and its data count as no wait.
  bool read_outstanding() const { return read_outstanding_.get(); }
  rules::ReadWait read_wait() const { return read_wait_.get(); }
  void watched_by(sim::Module& watcher) override {
    read_outstanding_.wakes(watcher);
    read_wait_.wakes(watcher);
  }

  // From now on `reads` and `writes` determine how bursts are answered.
  void answer_by(Answers& reads, Answers& writes) {
    read_answers_ = &reads;
    write_answers_ = &writes;
  }

  // To be called at a layer boundary, with nothing in flight. The next layer's cycles then do not depend on what ran
  // before.
  virtual void quiesce() = 0;

 protected:
  Ddr(const sc_core::sc_module_name& name, const contract::DdrConfig& config, const contract::AxiConfig& axi,
      std::shared_ptr<Bytes> memory);

  // Throws a violation for a burst that is too long, not aligned, crosses a 4 KiB boundary or lies outside the memory.
  void check(std::uint64_t address, int beats) const;
  void load(std::uint32_t address, axi::ReadBeat& beat) const;
  void store(std::uint32_t address, const axi::WriteBeat& beat);
  void report(bool outstanding, rules::ReadWait wait);
  Bytes& image() { return *memory_; }
  // These return whether a fault holds up the oldest read whose data could leave now, or the oldest write whose
  // response could.
  bool holds_read() { return read_answers_ && read_answers_->holds(now()); }
  bool holds_write() { return write_answers_ && write_answers_->holds(now()); }
  axi::Resp read_resp() { return read_answers_ ? read_answers_->resp() : axi::Resp::okay; }
  axi::Resp write_resp() { return write_answers_ ? write_answers_->resp() : axi::Resp::okay; }
  void read_answered() {
    if (read_answers_) read_answers_->answered();
  }
  void write_answered() {
    if (write_answers_) write_answers_->answered();
  }

  const contract::DdrConfig config_;
  const int beat_bytes_;

  sim::Counter read_bursts_{*this, "read_bursts", "bursts", "read bursts granted"};
  sim::Counter read_beats_{*this, "read_beats", "beats", "read beats sent"};
  sim::Counter read_stalls_{*this, "read_stalls", "cycles", "read beats ready but not taken by the manager"};
  sim::Counter write_bursts_{*this, "write_bursts", "bursts", "write bursts granted"};
  sim::Counter write_beats_{*this, "write_beats", "beats", "write beats taken"};
  sim::Counter write_stalls_{*this, "write_stalls", "cycles", "a write burst waited for a late beat"};
  sim::Counter refreshes_{*this, "refreshes", "refreshes", "refreshes begun"};
  sim::Counter turnarounds_{*this, "turnarounds", "changes", "changes of direction on the bus"};

 private:
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  unsigned transport_dbg(tlm::tlm_generic_payload& payload);
  bool get_direct_mem_ptr(tlm::tlm_generic_payload& payload, tlm::tlm_dmi& dmi);
  bool access(tlm::tlm_generic_payload& payload);

  const std::shared_ptr<Bytes> memory_;
  Answers *read_answers_ = nullptr, *write_answers_ = nullptr;
  sim::Reg<bool> read_outstanding_{*this, "read_outstanding"};
  sim::WordReg<rules::ReadWait> read_wait_{
      *this, "read_wait", {"none", "busy_same", "refresh", "row_miss", "turnaround", "arbitration"}};
};

// Makes a memory behind one port, with the configured fidelity. MakeDdr is the type of functions that make another
// memory in its place.
using MakeDdr = std::function<std::unique_ptr<Ddr>(const char* name, const contract::DdrConfig&,
                                                   const contract::AxiConfig&, contract::MemoryImage&& memory)>;
std::unique_ptr<Ddr> make_ddr(const char* name, const contract::DdrConfig& config, const contract::AxiConfig& axi,
                              contract::MemoryImage&& memory);

// Makes a memory with several ports, all on one clock.
std::vector<std::unique_ptr<Ddr>> make_ddr_ports(const std::vector<std::string>& names,
                                                 const contract::DdrConfig& config, const contract::AxiConfig& axi,
                                                 contract::MemoryImage&& memory);

}  // namespace fansim::memory
