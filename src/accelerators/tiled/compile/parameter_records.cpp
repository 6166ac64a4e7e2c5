// SPDX-License-Identifier: Apache-2.0
#include "accelerators/tiled/compile/parameter_records.h"

#include <fmt/format.h>

#include <cstring>

#include "accelerators/tiled/config/channel_parameters.h"
#include "arith/fixed.h"
#include "base/error.h"

namespace fansim::tiled {
namespace {

void put(std::uint8_t* to, std::uint32_t value, int bytes) {
  for (int i = 0; i < bytes; ++i) to[i] = static_cast<std::uint8_t>(value >> 8 * i);
}

std::uint32_t bits_of(float value) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

std::int64_t weight_sum(const network::Layer& layer, int output) {
  std::int64_t sum = 0;
  const auto fan_in = static_cast<std::size_t>(layer.fan_in());
  const network::Parameters& parameters = layer.parameters();
  for (std::size_t i = 0; i < fan_in; ++i) sum += parameters.integer(static_cast<std::size_t>(output) * fan_in + i);
  return sum;
}

// A record holds the bias modulo 2^40, which is enough for accumulators that are no wider.
std::int64_t folded_bias(const network::Layer& layer, int output, int accumulator_bits) {
  std::int64_t folded = layer.parameters().bias[static_cast<std::size_t>(output)];
  if (layer.in_format.zero_point != 0) folded -= layer.in_format.zero_point * weight_sum(layer, output);
  if (accumulator_bits > ChannelParameters::kBiasBits && arith::wrap(folded, ChannelParameters::kBiasBits) != folded)
    throw base::UserError(
        fmt::format("{}: output {}'s bias less its weights' share of zero point {} is {}: beyond {} bits", layer.name,
                    output, layer.in_format.zero_point, folded, ChannelParameters::kBiasBits));
  return folded;
}

}  // namespace

void write_parameters(const network::Layer& layer, int group, int accumulator_bits, std::uint8_t* records) {
  const network::Parameters& parameters = layer.parameters();
  const int outputs = layer.outputs() / layer.groups();
  for (int i = 0; i < outputs; ++i, records += kParameterBytes) {
    const int output = group * outputs + i;
    if (parameters.float_sums) {
      put(records, bits_of(static_cast<float>(parameters.bias[static_cast<std::size_t>(output)])), 4);
      put(records + 4, bits_of(parameters.float_sums->scale), 4);
      continue;
    }
    const arith::Requantise q = layer.requantise(output);
    const auto whole = static_cast<std::uint64_t>(folded_bias(layer, output, accumulator_bits));
    put(records, static_cast<std::uint32_t>(whole), 4);
    put(records + 7, static_cast<std::uint32_t>(whole >> 32), 1);
    put(records + 4, static_cast<std::uint32_t>(q.scale), 2);
    put(records + 6, static_cast<std::uint32_t>(q.shift), 1);
  }
}

}  // namespace fansim::tiled
