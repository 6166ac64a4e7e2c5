// SPDX-License-Identifier: Apache-2.0
#include "accelerators/stream/compile/plan.h"

namespace fansim::stream {

using network::LayerType;

Place Plan::place(int producer) const {
  Border border;
  for (int index = 0; index < static_cast<int>(network_.layers.size()); ++index)
    if (root(at(index).source) == producer && !is_fused_pool(index)) border = larger(border, border_of(at(index)));
  const network::NumberFormat& format = network_.format(producer);
  if (producer < 0) {
    Place place =
        make_place(network_.input.shape, border, array_.input_channels, array_.output_channels, array_.value_bytes());
    place.is_unsigned = format.is_unsigned();
    place.zero_point = format.zero_point;
    return place;
  }
  // Elementwise layers keep the layout of what they read, flattened or not.
  int like = producer;
  while (like >= 0 && (at(like).type == LayerType::relu || at(like).type == LayerType::add || looks_up(like)))
    like = root(at(like).source);
  const network::Shape& shape = like < 0 ? network_.input.shape : at(like).out;
  Place place = make_place(shape, border, array_.input_channels, array_.output_channels, array_.value_bytes());
  place.is_unsigned = format.is_unsigned();
  place.zero_point = format.zero_point;
  return place;
}

}  // namespace fansim::stream
