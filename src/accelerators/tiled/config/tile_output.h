// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "accelerators/tiled/config/channel_parameters.h"
#include "accelerators/tiled/config/look_up.h"
#include "accelerators/tiled/config/tile_nest.h"
#include "arith/requantise.h"

namespace fansim::tiled {

// A layer's output values: bias, requantisation and ReLU of a sum, what a table makes of it, pooling of a map of those.
class TileOutput {
 public:
  // `look_up` is read, and outlives this, if the job looks up.
  TileOutput(const TiledJob& job, const arith::QuantiserFormat& format, int activation_bits, const LookUp& look_up);

  // Sums may be given modulo 2^32 or 2^64.
  std::int16_t value(std::int64_t sum, const ChannelParameters& parameters) const;
  // In this order, each operation rounded: (sum + bias) * scale + 1/2, floor, zero point, saturation.
  std::int16_t value(float sum, const ChannelParameters& parameters) const;
  // Of so many sums of one channel.
  void values(const std::int64_t* sums, int count, const ChannelParameters& parameters, std::int16_t* to) const;
  void values(const float* sums, int count, const ChannelParameters& parameters, std::int16_t* to) const;

  // A channel's outputs in the region `out` from the part of its map that they need. Windows are clipped to the map;
  // the mean's divisor counts the border.
  void pool(const std::int16_t* map, const Region& part, const Region& out, std::int16_t* to) const;

  // The same a value at a time: what a value is to its windows, those of a window in one, and its output.
  std::int64_t term(std::int16_t value) const { return average() ? value - job_.out_zero : value; }
  std::int64_t joined(std::int64_t a, std::int64_t b) const { return average() ? a + b : std::max(a, b); }
  std::int16_t pooled(std::int64_t window) const {
    return average() ? mean(window) : static_cast<std::int16_t>(window);
  }

 private:
  bool average() const { return job_.instruction.average(); }
  std::int16_t answer(std::int64_t code) const;
  std::int16_t maximum(const std::int16_t* window, int pitch, int rows, int columns) const;
  std::int64_t sum(const std::int16_t* window, int pitch, int rows, int columns) const;
  std::int16_t mean(std::int64_t sum) const;

  const TiledJob job_;
  const arith::QuantiserFormat format_;
  const LookUp& look_up_;
  // Of the outputs, and of what is requantised: the same without a table.
  const int lowest_, highest_;
  const int zero_, least_code_, highest_code_;  // with ReLU no code is below the zero point
};

}  // namespace fansim::tiled
