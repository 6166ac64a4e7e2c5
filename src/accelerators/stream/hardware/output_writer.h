// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "accelerators/stream/config/array.h"
#include "accelerators/stream/config/tile.h"
#include "axi/dma_registers.h"
#include "axi/packer.h"
#include "axi/types.h"
#include "memory/ping_pong.h"
#include "sim/module.h"
#include "sim/pipeline.h"
#include "sim/reg.h"
#include "sim/stream.h"

namespace fansim::stream {

// Sends finished tiles to DDR. For every transfer it programs the DMA's S2MM channel, which the host has set running
// with its interrupt on, through AXI-Lite (destination address, length), streams the words, waits for the S2MM
// interrupt and clears it.
// Throughput: one word per cycle within a transfer.
// Latency:    kReadLatency from a word's read to the packer.
// Stall:      holds every stage while the packer is full.
class OutputWriter final : public sim::Module {
 public:
  static constexpr int kReadLatency = ArrayConfig::bram_read_latency();

  sim::StreamIn<Tile> tiles{"tiles"};
  sim::StreamOut<axi::LiteRequest> dma{"dma"};
  sim::StreamIn<axi::LiteResponse> dma_response{"dma_response"};
  sim::StreamOut<axi::Word> words{"words"};

  OutputWriter(const sc_core::sc_module_name& name, const ArrayConfig& config, memory::PingPong& buffer,
               const axi::DmaRegisters& dma_registers);

  // Return the layers whose last tile is in DDR, as a number and as a register. Whoever compares it with what it has
  // seen latches the end-of-layer interrupt.
  std::int64_t layers_done() const { return layers_done_.get(); }
  const sim::Reg<std::int64_t>& layer_interrupt() const { return layers_done_; }
  bool busy() const { return state_ != State::idle; }

 private:
  enum class State { idle, address, length, send, wait, clear };

  void reset() override {
    state_ = State::idle;
    waiting_response_ = false;
    pipeline_.clear();
  }
  void step() override;
  void begin_tile();
  void request(std::uint32_t address, std::uint32_t value, State next);
  void send();
  void next_transfer();
  std::uint32_t destination() const;

  const int word_bytes_;
  const int pixel_bytes_;
  memory::PingPong& buffer_;
  const axi::DmaRegisters& dma_registers_;

  Tile tile_;
  TileShape shape_;
  State state_ = State::idle;
  sim::Word state_word_{*this, "state", {"idle", "address", "length", "send", "wait", "clear"}, state_};
  State after_response_ = State::idle;
  bool waiting_response_ = false;
  int row_ = 0, plane_ = 0;
  int read_ = 0;    // bytes of the transfer read so far
  int offset_ = 0;  // offset of the transfer in the buffer half
  sim::Pipeline<axi::Word> pipeline_{kReadLatency};
  sim::Reg<std::int64_t> layers_done_{*this, "layers_done"};

  sim::Counter transfers_{*this, "transfers", "transfers", "S2MM transfers"};
  sim::Counter bytes_{*this, "bytes", "bytes", "bytes sent"};
  sim::Counter stalls_{*this, "stalls", "cycles", "cycles held because the packer was full"};
};

}  // namespace fansim::stream
