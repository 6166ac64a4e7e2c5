// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "accelerators/stream/config/array.h"
#include "accelerators/stream/hardware/types.h"
#include "sim/memory_port.h"
#include "sim/module.h"
#include "sim/pipeline.h"
#include "sim/reg.h"
#include "sim/stream.h"

namespace fansim::stream {

// Does the element-wise part of LSTM and GRU: collects the four gates of a group of hidden units, then updates one unit
// per cycle. It holds c once, and h twice: the line buffers read the last step's h while this step's is written.
// Throughput: one unit per cycle; the next group's gates are collected meanwhile.
// Latency:    ArrayConfig::cell_latency() from a unit's issue to its h; the first unit is issued at the edge after its
// group's last gate
//             is taken; a group's h leaves as one pixel with its last unit.
// Stall:      holds everything while a finished pixel cannot leave; takes no gate while both gate sets are full.
class RecurrentCell final : public sim::Module, public sim::ReadPort {
 public:
  sim::StreamIn<Gate> gates{"gates"};
  sim::StreamOut<Pixel> out{"out"};

  RecurrentCell(const sc_core::sc_module_name& name, const ArrayConfig& config, bool values = true);

  // Returns the number of steps whose hidden state is complete, over the whole run.
  std::int64_t steps_done() const { return steps_done_.get(); }

  // The line buffers read the hidden state of the last complete step, or the state before a sequence, which is zero.
  // Beyond the last unit lies the rest of an earlier, longer state, or zeros; the weights there are zero.
  static constexpr int kZeroState = 1;
  bool readable(int) const override { return true; }
  const std::uint8_t* read(int target, int offset, int bytes) override;

 private:
  using GateSet = std::array<Gate, 4>;
  struct Unit {
    Tag tag;
    int lane = 0;
    int h = 0;
  };

  void reset() override {
    collected_ = 0;
    lane_ = -1;
    pipeline_.clear();
  }
  void step() override;
  bool retire();
  void issue();
  void collect();
  int update(int unit, int lane, bool fresh);

  static constexpr std::size_t kUnits = 2048;  // c and h have room for at least this many, as in the estimate

  const int channels_;
  const bool values_;
  GateSet collecting_{}, working_{};
  int collected_ = 0;
  int lane_ = -1;  // next unit of the working set, -1: none
  sim::Pipeline<Unit> pipeline_;
  Pixel pixel_;

  std::vector<std::int16_t> c_;
  std::vector<std::uint8_t> h_[2];  // h_[last_] is what line buffers read
  std::vector<std::uint8_t> zeros_;
  sim::Memory c_bits_{*this, "c", sim::Storage::Of::block_ram, [this] { return sim::StoredWords::all(c_); }};
  sim::Memory h_bits_{*this, "h", sim::Storage::Of::block_ram, [this] { return sim::StoredWords::all(h_[last_]); }};
  sim::Memory next_h_bits_{*this, "next_h", sim::Storage::Of::block_ram,
                           [this] { return sim::StoredWords::all(h_[1 - last_]); }};
  int last_ = 0;
  sim::Reg<std::int64_t> steps_done_{*this, "steps_done"};

  sim::Counter units_{*this, "units", "units", "hidden units updated"};
  sim::Counter stalls_{*this, "stalls", "cycles", "cycles held because the output buffer was full"};
};

}  // namespace fansim::stream
