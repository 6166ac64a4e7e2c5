// SPDX-License-Identifier: Apache-2.0
#include "accelerators/stream/compile/requantisation.h"

#include <fmt/format.h>

#include <algorithm>

#include "arith/requantise.h"
#include "base/units.h"

namespace fansim::stream {

namespace {

int pick(const std::vector<int>& values, std::size_t channel, int otherwise) {
  if (values.size() == 1) return values.front();
  return channel < values.size() ? values[channel] : otherwise;
}

void put(std::uint8_t* to, std::uint32_t value, int bytes) {
  for (int i = 0; i < bytes; ++i) to[i] = static_cast<std::uint8_t>(value >> 8 * i);
}

}  // namespace

bool Requantisation::per_channel() const { return scale.size() > 1 || shift.size() > 1; }

void Requantisation::write(Command& command) const {
  command.scale_per_channel = per_channel();
  if (!per_channel()) {
    command.scale = scale.front();
    command.shift = shift.front();
  }
  command.zero_point = zero_point >> (bits - 8) & 0xff;
  command.output_unsigned = is_unsigned;
  command.relu = relu;
}

void Requantisation::pack(const std::vector<std::int32_t>& bias, std::uint8_t* records) const {
  for (std::size_t channel = 0; channel < bias.size(); ++channel, records += record_bytes()) {
    put(records, static_cast<std::uint32_t>(bias[channel]), 4);
    if (!per_channel()) continue;
    put(records + 4, static_cast<std::uint32_t>(pick(scale, channel, 1)), 2);
    put(records + 6, static_cast<std::uint32_t>(pick(shift, channel, 0)), 1);
  }
}

Requantisation identity(const network::Layer& layer) {
  const network::NumberFormat& format = layer.function() ? layer.in_format : layer.out_format;
  Requantisation q;
  q.zero_point = format.zero_point;
  q.bits = format.bits;
  q.is_unsigned = format.is_unsigned();
  q.relu = layer.activation == network::Activation::relu || layer.type() == network::LayerType::relu;
  return q;
}

std::optional<compile::Misfit> too_narrow(const network::NumberFormat& values, int sources,
                                          const arith::QuantiserFormat& quantiser) {
  const int lowest = values.lowest() - values.zero_point, highest = values.highest() - values.zero_point;
  const auto misfit = [](const char* key, int bits, int low, int high) -> std::optional<compile::Misfit> {
    if (arith::saturate(low, bits) == low && arith::saturate(high, bits) == high) return std::nullopt;
    return compile::Misfit{fmt::format("quantiser.{} {}: values of {}..{} pass it unscaled and take {} bits", key, bits,
                                       low, high, 1 + base::ceil_log2(std::max(-low, high + 1)))};
  };
  const auto sum = misfit("accumulator_bits", quantiser.accumulator_bits, sources * lowest, sources * highest);
  return sum ? sum : misfit("operand_bits", quantiser.operand_bits, lowest, highest);
}

Requantisation requantisation(const network::Layer& layer) {
  Requantisation q = identity(layer);
  q.scale = layer.scales().scale;
  q.shift = layer.scales().shift;
  return q;
}

std::int32_t folded(std::int64_t bias, int zero_point, std::int64_t weight_sum) {
  const std::uint64_t value = static_cast<std::uint64_t>(bias - zero_point * weight_sum);
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(value));
}

std::int64_t sum(const Weights& values, std::int64_t count) {
  std::int64_t all = 0;
  for (std::int64_t i = 0; i < count; ++i) all += values[i];
  return all;
}

}  // namespace fansim::stream
