// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "accelerators/decoupled/config/arithmetic.h"
#include "accelerators/decoupled/hardware/buffers.h"
#include "accelerators/decoupled/hardware/command_unit.h"
#include "accelerators/decoupled/hardware/store_lane.h"

namespace fansim::decoupled {

// Writes sums, with or without post-processing, from their buffer to memory.
// Throughput: a beat per cycle and lane, where post.lanes make one as fast.
// Latency:    store.setup edges, then each lane's planes: store.row_setup edges before a transfer, the edge of its
//             command, its beats, its end; the command ends with the last lane.
// Stall:      waits for tokens, for room on a mover's stream, and for its end.
class StoreUnit final : public CommandUnit {
 public:
  StoreUnit(const sc_core::sc_module_name& name, const Config& config, Buffers& buffers);

  std::vector<std::unique_ptr<StoreLane>> lanes;

  std::int64_t bytes() const;
  // Returns what saturated since the last call.
  arith::Saturation take_saturation() { return std::exchange(saturation_, {}); }

 private:
  void begin(const Command& command) override;
  bool work(const Command& command) override;
  void make(const Transfer& transfer, std::uint32_t at, std::uint8_t* bytes, std::uint32_t count);
  std::int32_t value(int plane, int row, int column, int picture, int channel);

  Buffers& buffers_;
  const Command* command_ = nullptr;
  int setup_left_ = 0;
  arith::Saturation saturation_, of_others_;  // of the first picture of a batch, which holds copies of it, and the rest
};

}  // namespace fansim::decoupled
