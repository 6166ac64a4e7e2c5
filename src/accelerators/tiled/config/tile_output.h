// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "accelerators/tiled/config/channel_parameters.h"
#include "accelerators/tiled/config/look_up.h"
#include "accelerators/tiled/config/tile_nest.h"
#include "arith/requantise.h"

namespace fansim::tiled {

// Computes a layer's output values: bias, requantisation and ReLU of a sum, the table's result for it, and the pooling
// of a map of such values.
class TileOutput {
 public:
  // If the job uses the table, `look_up` is read and must outlive this object.
  TileOutput(const TiledJob& job, const arith::QuantiserFormat& format, int activation_bits, const LookUp& look_up);

  // Sums may be given modulo 2^32 or 2^64. What saturates is added to `seen`.
  std::int16_t value(std::int64_t sum, const ChannelParameters& parameters, arith::Saturation& seen) const;
  // Computes in this order, and rounds each operation: (sum + bias) * scale + 1/2, floor, zero point, saturation.
  std::int16_t value(float sum, const ChannelParameters& parameters, arith::Saturation& seen) const;
  // Convert `count` sums of one channel.
  void values(const std::int64_t* sums, int count, const ChannelParameters& parameters, std::int16_t* to,
              arith::Saturation& seen) const;
  void values(const float* sums, int count, const ChannelParameters& parameters, std::int16_t* to,
              arith::Saturation& seen) const;

  // Pools a channel: computes its outputs in the region `out` from the part of its map that they need. Windows are
  // clipped to the map; the mean's divisor counts the border.
  void pool(const std::int16_t* map, const Region& part, const Region& out, std::int16_t* to,
            arith::Saturation& seen) const;

  // These do the same value by value: term() is the contribution of a value to its windows, joined() combines values of
  // a window, and the third gives a window's output.
  std::int64_t term(std::int16_t value) const { return average() ? value - job_.out_zero : value; }
  std::int64_t joined(std::int64_t a, std::int64_t b) const { return average() ? a + b : std::max(a, b); }
  std::int16_t pooled(std::int64_t window, arith::Saturation& seen) const {
    return average() ? mean(window, seen) : static_cast<std::int16_t>(window);
  }

 private:
  bool average() const { return job_.instruction.average(); }
  std::int16_t answer(std::int64_t code) const;
  std::int16_t maximum(const std::int16_t* window, int pitch, int rows, int columns) const;
  std::int64_t sum(const std::int16_t* window, int pitch, int rows, int columns) const;
  std::int16_t mean(std::int64_t sum, arith::Saturation& seen) const;

  const TiledJob job_;
  const arith::QuantiserFormat format_;
  const LookUp& look_up_;
  // These limit the outputs, and the results of the requantisation; both are the same without a table.
  const int lowest_, highest_;
  const int zero_, least_code_, highest_code_;  // with ReLU no code is below the zero point
  const bool unsigned_code_;
  const int bits_;
};

}  // namespace fansim::tiled
