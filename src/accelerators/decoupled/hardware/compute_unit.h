// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "accelerators/decoupled/config/pace.h"
#include "accelerators/decoupled/hardware/buffers.h"
#include "accelerators/decoupled/hardware/command_unit.h"

namespace fansim::decoupled {

// Multiplies, pools and post-processes tiles in the buffers. It computes the positions of a tile one after another, in
// each step as many as its share of the steps.
// Throughput: a step each `interval` edges.
// Latency:    `setup` edges before the first step, `latency` behind the last.
// Stall:      waits for tokens; within a command it waits for nothing.
class ComputeUnit final : public CommandUnit {
 public:
  ComputeUnit(const sc_core::sc_module_name& name, const Config& config, Buffers& buffers);

  // Returns the edges so far in a bucket: of steps, of other parts of commands, or of waits.
  std::int64_t edges(BucketIndex bucket) const;

 private:
  void begin(const Command& command) override;
  bool work(const Command& command) override;
  void waits(Unit from) override;

  void compute(const Command& command, std::int64_t position);
  void multiply(const Command& command, int block, int row, int column, int picture);
  void multiply_integers(const std::uint8_t* weights);
  void multiply_floats(const std::uint8_t* weights);
  void gather(const Command& command, int first, int row, int column, int picture);
  void pool(const Command& command, int block, int row, int column, int picture);
  std::uint8_t* sum(const Command& command, int block, int row, int column, int picture);

  Buffers& buffers_;
  Pace pace_;
  std::int64_t edge_ = 0, steps_done_ = 0;
  std::int64_t positions_ = 0, computed_ = 0;   // of the current command
  std::vector<std::int32_t> inputs_, weights_;  // of one step
  std::vector<std::int64_t> sums_;              // of one position and image
  std::vector<float> products_;

  sim::Counter multiply_{*this, "multiply", "cycles", "steps of multiplications"};
  sim::Counter pool_{*this, "pool", "cycles", "steps of poolings"};
  sim::Counter post_{*this, "post", "cycles", "steps of post-processing"};
  sim::Counter overhead_{*this, "overhead", "cycles", "a command before its first step or behind its last"};
  sim::Counter wait_load_{*this, "wait_load", "cycles", "waited for the load unit"};
  sim::Counter wait_weights_{*this, "wait_weights", "cycles", "waited for the second load unit"};
  sim::Counter wait_store_{*this, "wait_store", "cycles", "waited for the store unit"};
};

}  // namespace fansim::decoupled
