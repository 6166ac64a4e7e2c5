// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>

#include "accelerators/tiled/config/encoding.h"
#include "accelerators/tiled/config/tile_nest.h"

namespace fansim::tiled {

// The runs that hold a region of `channels` channels from `first` on, in order [channel][row][column]. What lies side
// by side in memory is one run: rows of a plane, planes of a block.
class MapRuns {
 public:
  MapRuns() = default;
  MapRuns(const MapPlace& place, const Encoding& encoding, int first, int channels, const Region& region)
      : place_(place), encoding_(encoding), channel_(first), end_(first + channels), region_(region) {}

  bool done() const { return channel_ == end_; }
  // The next run; `last` tells that it is the region's last.
  Run next() {
    const std::uint32_t block = place_.block(channel_);
    const std::int64_t start = place_.index(channel_, region_.row + row_, region_.column);
    const std::int64_t values = advance();
    Run run = run_of(block, start, values, encoding_);
    run.last = done();
    return run;
  }

 private:
  // The length of the run that begins here; moves behind it.
  std::int64_t advance() {
    const bool whole_rows = region_.columns == place_.row;
    if (!whole_rows) {
      if (++row_ == region_.rows) row_ = 0, ++channel_;
      return region_.columns;
    }
    const bool whole_planes = region_.rows * place_.row == place_.plane;
    if (!whole_planes) {
      ++channel_;
      return region_.size();
    }
    const int in_block = place_.block_channels - (place_.first + channel_) % place_.block_channels;
    const int channels = std::min(in_block, end_ - channel_);
    channel_ += channels;
    return std::int64_t{channels} * region_.size();
  }

  MapPlace place_;
  Encoding encoding_;
  int channel_ = 0;
  int end_ = 0;
  Region region_;
  int row_ = 0;
};

}  // namespace fansim::tiled
