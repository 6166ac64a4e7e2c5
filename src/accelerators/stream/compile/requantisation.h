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

// Holds a layer's requantisation: register 2 and the bias records.
struct Requantisation {
  std::vector<int> scale{1}, shift{0};  // one value, or one for each output channel
  int zero_point = 0;
  bool is_unsigned = false;
  bool relu = false;
  int bits = 8;  // width of the output

  bool per_channel() const;
  int record_bytes() const { return per_channel() ? 8 : 4; }
  void write(Command& command) const;
  // Writes one record for each element of `bias`, little-endian.
  void pack(const std::vector<std::int32_t>& bias, std::uint8_t* records) const;
};

// Returns the number format and activation of a layer whose sums are passed on unchanged. If a table after the layer
// stands for a function, they are those of the function's input.
Requantisation identity(const network::Layer& layer);
// Returns why values that are passed on unchanged could be altered: the sum of `sources` values would wrap in the
// accumulator, or a value that fits the output would saturate before it.
std::optional<compile::Misfit> too_narrow(const network::NumberFormat& values, int sources,
                                          const arith::QuantiserFormat& quantiser);
// Returns the layer's own scale and shift.
Requantisation requantisation(const network::Layer& layer);

// folded() returns bias - zero_point * weight_sum modulo 2^32, because the hardware multiplies q * w while the layer
// means (q - z) * w. No accumulator is wider.
std::int32_t folded(std::int64_t bias, int zero_point, std::int64_t weight_sum);
std::int64_t sum(const Weights& values, std::int64_t count);

}  // namespace fansim::stream
