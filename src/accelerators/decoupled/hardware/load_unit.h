// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "accelerators/decoupled/hardware/buffers.h"
#include "accelerators/decoupled/hardware/command_unit.h"
#include "accelerators/decoupled/hardware/load_lane.h"

namespace fansim::decoupled {

// Loads inputs, weights, parameters and partial sums into their buffers, and fills the borders of inputs with the zero
// point.
// Throughput: one beat per cycle and lane.
// Latency:    load.setup edges, then each lane's planes: load.row_setup and the border before a transfer, the edge of
//             its command, its beats, popped as they come; the command ends with the last lane.
// Stall:      waits for tokens, and for beats.
class LoadUnit final : public CommandUnit {
 public:
  LoadUnit(const sc_core::sc_module_name& name, Unit unit, const Config& config, Buffers& buffers);

  std::vector<std::unique_ptr<LoadLane>> lanes;

  std::int64_t bytes() const;

 private:
  void begin(const Command& command) override;
  bool work(const Command& command) override;
  void store(const Transfer& transfer, std::uint32_t at, const std::uint8_t* bytes, std::uint32_t count);
  void fill(int plane);

  Buffers& buffers_;
  const Command* command_ = nullptr;
  int setup_left_ = 0;
};

}  // namespace fansim::decoupled
