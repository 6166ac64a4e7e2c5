// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "accelerators/stream/compile/weights.h"
#include "accelerators/stream/config/command.h"
#include "compile/compile.h"
#include "network/network.h"

namespace fansim::stream {

// A layer's requantisation: register 2 and the bias records.
struct Requantisation {
  std::vector<int> scale{1}, shift{0};  // one value or one per output channel
  int zero_point = 0;
  bool is_unsigned = false;
  bool relu = false;
  int bits = 8;  // of the output

  bool per_channel() const;
  int record_bytes() const { return per_channel() ? 8 : 4; }
  void write(Command& command) const;
  // One record per element of `bias`, little-endian.
  void pack(const std::vector<std::int32_t>& bias, std::uint8_t* records) const;
};

// Number format and activation of a layer's output, its sums passed on as they are; of a function that a table behind
// stands for, those of what it reads.
Requantisation identity(const network::Layer& layer);
// Why values that are passed on as they are would not pass the quantiser: the sum of `sources` of them wraps in the
// accumulator, or one that the output could hold saturates before it.
std::optional<compile::Misfit> too_narrow(const network::NumberFormat& values, int sources,
                                          const arith::QuantiserFormat& quantiser);
// The layer's own scale and shift.
Requantisation requantisation(const network::Layer& layer);

// bias - zero_point * sum of weights: products of the hardware are q * w, those of the layer (q - z) * w.
std::int32_t folded(std::int32_t bias, int zero_point, std::int64_t weight_sum);
std::int64_t sum(const Weights& values, std::int64_t count);

}  // namespace fansim::stream
