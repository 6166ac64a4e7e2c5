// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "accelerators/tiled/config/tile_nest.h"
#include "accelerators/tiled/values/tile_arithmetic.h"

namespace fansim::tiled {

// Holds a job's input map, read from memory, as [row][column][channel], with the border that its windows reach.
// Channels that the layer does not have are zero, up to whole tiles of input channels.
template <class Arithmetic>
class PaddedMap {
 public:
  using Input = typename Arithmetic::Input;

  PaddedMap(const Config& config, const TiledJob& job, const std::uint8_t* memory);

  const Input* at(int row, int column, int channel) const {
    return inputs_.data() + (std::ptrdiff_t{row} * columns_ + column) * channels_ + channel;
  }
  std::ptrdiff_t column_step() const { return channels_; }
  Input zero() const { return static_cast<Input>(raised_); }

 private:
  void fill_border(const TiledJob& job);
  void set_row(const TiledJob& job, int y, const std::vector<std::uint16_t>& codes, int value_bits);

  const int border_, raised_;
  int rows_, columns_, channels_;
  std::vector<Input> inputs_;
};

}  // namespace fansim::tiled
