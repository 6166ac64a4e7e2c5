// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>

#include "axi/ring.h"
#include "axi/transfer.h"
#include "axi/types.h"
#include "contract/dma.h"
#include "contract/dma_map.h"
#include "sim/reg.h"
#include "sim/stream.h"

namespace fansim::axi {

// One channel of the descriptor engine: which descriptor comes next, those that are fetched and waiting, those whose
// transfer runs, and the status words to write back. The engine has the ports to memory.
class DescriptorChain {
 public:
  using Words = std::array<std::uint32_t, contract::dma_map::kDescWords>;
  struct Update {
    std::uint64_t address;  // address of the descriptor
    std::uint32_t status;
    std::uint32_t errors;  // bits of DMASR
    bool packet_ended;
  };

  DescriptorChain(const std::string& channel, const contract::DmaConfig& config, bool is_s2mm);

  sim::StreamIn<DescriptorStart> start;
  sim::StreamOut<DescriptorEvent> event;
  sim::StreamOut<TransferCommand> command;
  sim::StreamIn<TransferDone> done;

  // Does everything but the memory side for one edge. `run` is RS; `halt` says that a reset is waiting.
  void step(sim::Edge now, bool run, bool halt);

  bool wants_fetch(sim::Edge now) const { return fetching_ && !in_flight_ && now >= fetch_from_ && !queue_.full(); }
  std::uint64_t fetch();  // returns the descriptor's address; fetched() then gives its words, or an error
  void fetched(const Words& words, std::uint32_t errors, sim::Edge now);

  bool wants_update() const { return !updates_.empty() && !updating_ && !events_.full(); }
  const Update& update();
  void updated(std::uint32_t errors);

  bool idle() const { return starts_ == reported_ && events_.empty(); }
  std::string waiting_for() const;

 private:
  struct Descriptor {
    std::uint64_t address;
    std::uint64_t buffer;
    std::uint32_t bytes;
    bool begins;
    bool ends;
    sim::Edge ready;
  };

  void take_start(sim::Edge now);
  void finish_transfer(bool halt);
  void begin_transfer(sim::Edge now);
  void report_stop();
  void end();
  void fail(std::uint64_t address, std::uint32_t errors);
  std::uint32_t status_of(const TransferDone& transfer) const;

  const contract::DmaConfig config_;
  const bool is_s2mm_;
  bool fetching_ = false;   // the tail is not fetched yet
  bool in_flight_ = false;  // a descriptor is being read
  bool dropped_ = false;    // the descriptor that is being read is not wanted any more
  bool updating_ = false;   // a status word is being written
  bool cyclic_ = false;
  bool fresh_ = true;
  std::uint64_t next_ = 0;
  std::uint64_t tail_ = 0;
  sim::Edge fetch_from_ = 0;
  int starts_ = 0;
  int reported_ = 0;
  Ring<Descriptor> queue_;
  Ring<Descriptor> running_;
  Ring<Update> updates_;
  Ring<DescriptorEvent> events_{8};
};

}  // namespace fansim::axi
