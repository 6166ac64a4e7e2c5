// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>

#include "accelerators/tiled/config/encoding.h"
#include "accelerators/tiled/config/tile_nest.h"

namespace fansim::tiled {

// Lists the runs that hold a region of `channels` channels from `first` on, in the order [channel][row][column].
// Adjacent data in memory form one run: rows of a plane, planes of a block. There are many runs, so the steps from one
// to the next are converted to beats only once.
class MapExtents {
 public:
  MapExtents() = default;
  MapExtents(const MapPlace& place, const Encoding& encoding, int first, int channels, const Region& region)
      : place_(place),
        region_(region),
        channel_(first),
        end_(first + channels),
        per_beat_(encoding.per_beat()),
        beat_bytes_(encoding.beat_bytes()),
        whole_rows_(region.columns == place.row),
        whole_planes_(whole_rows_ && region.size() == place.plane),
        row_(in_beats(place.row)),
        plane_(in_beats(place.plane)),
        values_(whole_rows_ ? region.size() : region.columns),
        length_(in_beats(values_)) {}

  bool done() const { return channel_ == end_; }
  // Returns the next run; its `last` is true for the last run of the region.
  Extent next() {
    if (left_in_block_ == 0) enter_block();
    const Beats begin = at_;
    if (whole_planes_) {
      const int planes = std::min(left_in_block_, end_ - channel_);
      channel_ += planes;
      left_in_block_ -= planes;
      return run(begin, planes * values_, in_beats(std::int64_t{planes} * values_));
    }
    if (!whole_rows_ && ++row_of_region_ < region_.rows) {
      at_ = sum(at_, row_);
    } else {
      row_of_region_ = 0;
      ++channel_;
      --left_in_block_;
      at_ = of_channel_ = sum(of_channel_, plane_);
    }
    return run(begin, values_, length_);
  }

 private:
  // Holds a number of values as whole beats and a rest of less than a beat.
  struct Beats {
    std::int64_t whole = 0;
    int rest = 0;
  };
  Beats in_beats(std::int64_t values) const { return {values / per_beat_, static_cast<int>(values % per_beat_)}; }
  Beats sum(const Beats& a, const Beats& b) const {
    const int rest = a.rest + b.rest;
    return rest < per_beat_ ? Beats{a.whole + b.whole, rest} : Beats{a.whole + b.whole + 1, rest - per_beat_};
  }

  void enter_block() {
    block_ = place_.block(channel_);
    left_in_block_ = place_.block_channels - (place_.first + channel_) % place_.block_channels;
    at_ = of_channel_ = in_beats(place_.index(channel_, region_.row, region_.column));
  }
  Extent run(const Beats& begin, int values, const Beats& length) const {
    const Beats end = sum(begin, length);
    return {block_ + static_cast<std::uint32_t>(begin.whole * beat_bytes_),
            static_cast<int>(end.whole - begin.whole + (end.rest > 0 ? 1 : 0)), begin.rest, values, done()};
  }

  MapPlace place_;
  Region region_;
  int channel_ = 0, end_ = 0;
  int per_beat_ = 1, beat_bytes_ = 1;
  bool whole_rows_ = false, whole_planes_ = false;
  Beats row_, plane_;  // distance from row to row, and from channel to channel
  int values_ = 0;     // values of a run that does not have several planes
  Beats length_;       // the same in beats
  std::uint32_t block_ = 0;
  int left_in_block_ = 0;  // channels left in the block, including this one
  int row_of_region_ = 0;
  Beats of_channel_, at_;  // where the channel's first run, and the next run, begin in the block
};

}  // namespace fansim::tiled
