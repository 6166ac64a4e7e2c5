// SPDX-License-Identifier: Apache-2.0
#include "accelerators/stream/compile/plan.h"

#include <algorithm>

#include "accelerators/stream/compile/convolution.h"
#include "accelerators/stream/compile/tiling.h"

namespace fansim::stream {

using network::Layer;
using network::LayerType;

bool Plan::too_heavy(const Layer& layer, int coefficient_bits) {
  if (!layer.weighs()) return false;
  const auto [a, b] = layer.addition().weights;
  return std::max(a, b) >> (coefficient_bits - 1) > 0;
}

Place Plan::place(int producer) const {
  const compile::Part part = this->part(producer);
  Border border;
  for (int index = 0; index < static_cast<int>(network_.layers.size()); ++index)
    if (this->part(root(at(index).source)).of == part.of && !is_fused(index))
      border = larger(border, border_of(at(index)));
  const ArrayConfig& array = config_.array;
  Place place =
      make_place(stored_shape(producer), border, array.input_channels, array.output_channels, array.value_bytes());
  const network::NumberFormat& format = network_.format(producer);
  place.is_unsigned = format.is_unsigned();
  place.zero_point = format.zero_point;
  place.address = static_cast<std::uint32_t>(part.first / place.lanes * place.plane_bytes());
  return place;
}

// Elementwise layers keep the layout of their input, whether it is flattened or not.
network::Shape Plan::stored_shape(int producer) const {
  int like = producer;
  while (like >= 0 && (at(like).type() == LayerType::relu || at(like).type() == LayerType::add || looks_up(like)))
    like = root(at(like).source);
  return network_.shape(like);
}

// Returns whether a concatenation can be a placement. The machine writes whole groups of output channels, and a layer
// that reads a part of the result may find a wider border than it needs.
bool Plan::suits(int concat) const {
  const ArrayConfig& array = config_.array;
  if (array.output_channels % array.input_channels != 0) return false;
  for (const int operand : {at(concat).source, at(concat).with})
    if (stored_shape(operand) != network_.shape(operand)) return false;
  if (network_.shape(at(concat).source).channels % array.output_channels != 0) return false;
  for (int index = 0; index < static_cast<int>(network_.layers.size()); ++index)
    if (part(root(at(index).source)).of == part(concat).of && !is_fused(index) && !holds_rows_of(index)) return false;
  return true;
}

bool Plan::holds_rows_of(int reader) const {
  const Layer& layer = at(reader);
  const int end = fused_into(reader), pool = pool_behind(reader);
  const Place in = place(root(layer.source)), out = place(end < 0 ? reader : end);
  switch (layer.type()) {
    case LayerType::conv:
      return holds_rows(convolution(layer, pool < 0 ? nullptr : &at(pool), in, out), config_);
    case LayerType::maxpool:
    case LayerType::avgpool:
    case LayerType::relu:
    case LayerType::add:
      return holds_rows(channelwise(layer, {&in}, out), config_);
    case LayerType::function:
      return !looks_up(reader) || holds_rows(channelwise(layer, {&in}, out), config_);
    default:
      return true;
  }
}

}  // namespace fansim::stream
