// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "axi/descriptor_chain.h"
#include "axi/types.h"
#include "sim/module.h"
#include "sim/stream.h"

namespace fansim::axi {

// The scatter gather engine of the AXI DMA. It fetches the descriptors of both channels through one 32-bit AXI port,
// hands each to its data mover and writes its STATUS word back (PG021, "Scatter Gather Descriptor", "Descriptor
// Management").
// * A descriptor with Cmplt set is the error SGIntErr, so a chain that loops without reaching its tail ends there. A
//   length of 0 is DMAIntErr, a bad response SGSlvErr or SGDecErr. Each of these errors ends the channel; transfers
//   that were begun are completed and written back.
// * RS = 0 ends the channel in the same way without an error. A reset drops the transfers that it cuts short.
// Throughput: one read and one write under way; the channels take turns.
// Latency:    TAILDESC written at L: fetch pushed at L + sg_start. Last word popped at t: command pushed at
//             t + sg_command at the earliest. Transfer done popped at t: status write pushed at t + 1 at the earliest.
// Stall:      waits for memory, for the data movers, and while sg_queue descriptors wait.
class DescriptorEngine final : public sim::Module {
 public:
  sim::StreamOut<ReadBurst> ar{"ar"};
  sim::StreamIn<ReadBeat> r{"r"};
  sim::StreamOut<WriteBurst> aw{"aw"};
  sim::StreamOut<WriteBeat> w{"w"};
  sim::StreamIn<WriteResponse> b{"b"};

  // `halt`, `mm2s_run` and `s2mm_run` are lines from the registers.
  DescriptorEngine(const sc_core::sc_module_name& name, const contract::DmaConfig& config, const sim::Reg<bool>& halt,
                   const sim::Reg<bool>& mm2s_run, const sim::Reg<bool>& s2mm_run);

  DescriptorChain mm2s;
  DescriptorChain s2mm;

  std::string waiting_for() const override;

 private:
  void step() override;
  void write_back();
  void fetch();
  void receive();

  const sim::Reg<bool>& halt_;
  const sim::Reg<bool>& mm2s_run_;
  const sim::Reg<bool>& s2mm_run_;

  DescriptorChain* reading_ = nullptr;
  DescriptorChain* writing_ = nullptr;
  bool s2mm_next_ = false;  // whether S2MM is the next channel to read
  DescriptorChain::Words words_{};
  std::size_t received_ = 0;
  std::uint32_t errors_ = 0;

  sim::Counter fetched_{*this, "fetched", "descriptors", "descriptors read"};
  sim::Counter updated_{*this, "updated", "descriptors", "status words written"};
};

}  // namespace fansim::axi
