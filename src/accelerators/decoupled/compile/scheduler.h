// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <vector>

#include "accelerators/decoupled/compile/command_list.h"
#include "accelerators/decoupled/compile/tile_size.h"
#include "accelerators/decoupled/compile/work.h"

namespace fansim::decoupled {

// Holds what the schedules share: the commands of a work, and the jobs made of them.
class Scheduler {
 protected:
  Scheduler(const Work& work, const TileLimits& limits, const TileSize& tile, const Config& config)
      : work_(work), limits_(limits), tile_(tile), config_(config), room_(room_of(limits, config)) {}

  int input_tiles() const { return work_.pools ? 1 : base::ceil_div(work_.inputs, tile_.inputs); }
  int output_tiles() const { return base::ceil_div(work_.outputs, tile_.outputs); }
  // Return the channels of a group's tile.
  Span inputs_of(int tile) const { return channels(tile, tile_.inputs, work_.inputs); }
  Span outputs_of(int tile) const { return channels(tile, tile_.outputs, work_.outputs); }
  Unit weight_unit() const { return config_.load.two_units() ? Unit::load_weights : Unit::load; }
  Tile sums_tile(int half, int channels, int rows, int columns) const;

  // Adds the load of parameter records for output channels, which are numbered over all groups.
  void load_parameters(int first, int count);
  // Adds the load of a weight tile, in `pieces` pieces, into a half. A gated load also waits for the last command that
  // reads the gate.
  void load_weights(int group, int output_tile, int input_tile, int half, int pieces, bool gated = false);
  static constexpr Place kInputGate{Place::Of::inputs, -1}, kWeightGate{Place::Of::weights, -1};
  int pieces() const { return work_.pools ? 1 : config_.schedule.weight_pieces; }
  // Returns how many blocks of a weight tile come before piece `piece`, in each block of outputs.
  std::int64_t piece_begin(int input_tile, int piece) const;
  // Returns a multiplication or pooling that still lacks the places of its inputs and sums.
  Command compute(int output_tile, int input_tile, int half) const;
  std::int64_t steps(const Command& command, std::int64_t positions) const;
  // Adds the passes over a tile's sums, if the array post-processes.
  void post(const Tile& sums, const Place& place, std::int64_t positions, int channels);
  void cut() {
    if (list_.empty()) return;
    jobs_.push_back(list_.take());
    jobs_.back().clears = std::exchange(clears_, 0);
  }

  const Work& work_;
  const TileLimits limits_;
  const TileSize tile_;
  const Config& config_;
  const Room room_;
  CommandList list_;
  std::vector<Job> jobs_;
  std::int64_t clears_ = 0;  // for the next job

 private:
  // Holds the size of the weight tile loaded last into each half, because the pieces of a tile of another size lie
  // elsewhere.
  std::array<std::int64_t, 2> half_blocks_{};

  static Span channels(int tile, int size, int all) { return {tile * size, std::min(size, all - tile * size)}; }
};

// Schedule a layer: tile by tile with the input channels innermost, or in rows through line buffers.
std::vector<Job> tile_jobs(const Work& work, const TileLimits& limits, const TileSize& tile, const Config& config);
compile::Fit<std::vector<Job>> line_jobs(const Work& work, const TileLimits& limits, const Config& config);

}  // namespace fansim::decoupled
