// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "axi/transfer.h"
#include "contract/dma.h"
#include "contract/dma_map.h"
#include "sim/clock_domain.h"

namespace fansim::axi {

// The registers of one channel of an AXI DMA, at the offsets of MM2S, and its interrupt rules (PG021, "Register Space";
// docs/axi.md where PG021 is silent).
class DmaChannel {
 public:
  enum class Direction { mm2s, s2mm };

  DmaChannel(const contract::DmaConfig& config, Direction direction) : config_(config), direction_(direction) {}

  // What a write to a register makes the channel do.
  struct Action {
    std::optional<TransferCommand> transfer;
    std::optional<DescriptorStart> descriptors;
    bool reset = false;
    bool while_busy = false;  // LENGTH was written during a transfer, which PG021 leaves undefined
  };

  std::uint32_t read(std::uint32_t offset) const;
  Action write(std::uint32_t offset, std::uint32_t value);
  void complete(const TransferDone& done);
  void take(const DescriptorEvent& event, sim::Edge now);
  void stop() { control_ &= ~contract::dma_map::kCrRunStop; }
  // Sets all registers as after power-up.
  void reset();
  // Steps the delay timer by one edge.
  void tick(sim::Edge now);

  bool busy() const { return busy_; }
  bool running() const { return control_ & contract::dma_map::kCrRunStop; }
  bool timing() const { return timing_; }
  // Interrupts and their enables have the same bits.
  bool interrupt() const { return irqs_ & control_ & contract::dma_map::kSrIrqs; }

 private:
  std::uint32_t status() const;
  std::uint32_t control() const;
  void write_control(std::uint32_t value);
  Action write_direct(std::uint32_t offset, std::uint32_t value);
  Action write_descriptor(std::uint32_t offset, std::uint32_t value);
  DescriptorStart start();
  void fail(std::uint32_t errors);
  void count_packet(sim::Edge now);

  contract::DmaConfig config_;
  Direction direction_;
  std::uint32_t control_ = 0;  // without threshold and delay
  std::uint32_t threshold_ = 1;
  std::uint32_t delay_ = 0;
  std::uint32_t errors_ = 0;
  std::uint32_t irqs_ = 0;
  std::uint64_t address_ = 0;  // SA or DA
  std::uint32_t length_ = 0;
  std::uint64_t current_ = 0;  // descriptors: current and tail
  std::uint64_t tail_ = 0;
  bool fresh_ = true;  // nothing was started since the channel was set running
  bool busy_ = false;
  bool completed_ = false;
  int starts_ = 0;                  // counts for ever, so that it agrees with the descriptor engine after a reset
  std::uint32_t packets_left_ = 1;  // packets until the next IOC interrupt
  bool timing_ = false;
  sim::Edge timer_from_ = 0;
  std::uint32_t timer_ = 0;  // in units of delay_resolution
};

}  // namespace fansim::axi
