// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "network/network.h"

// Exact sums of products for the reference executor, in loops the compiler can vectorise.
namespace fansim::network {

// The tensor's values less their zero point.
std::vector<std::int16_t> centred(const Tensor& tensor);

// Sum of weights[i] * values[i].
std::int64_t dot(const std::int8_t* weights, const std::int16_t* values, std::size_t count);

// sums[p] = sum over t of weights[t] * columns[t * positions + p].
void dot_columns(const std::int8_t* weights, const std::int16_t* columns, std::size_t taps, std::size_t positions,
                 std::int64_t* sums);

// A feature map less its zero point, inside a border that reaches as far as the layer's windows do and holds
// `outside`.
class Bordered {
 public:
  Bordered(const Layer& layer, const Tensor& in, std::int16_t outside = 0);

  // The window of output position (row, column) starts here, in channel `channel`; rows are width() apart.
  const std::int16_t* window(int channel, int row, int column) const {
    const auto start =
        (std::int64_t{channel} * height_ + std::int64_t{row} * stride_) * width_ + std::int64_t{column} * stride_;
    return values_.data() + start;
  }
  int width() const { return width_; }

 private:
  int stride_, height_, width_;
  std::vector<std::int16_t> values_;
};

}  // namespace fansim::network
