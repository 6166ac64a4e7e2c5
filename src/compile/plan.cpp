// SPDX-License-Identifier: Apache-2.0
#include "compile/plan.h"

#include <algorithm>

namespace fansim::compile {

using network::Layer;
using network::LayerType;

Plan::Plan(const network::Network& network, const arch::ArrayConfig& array, const std::vector<int>& wanted)
    : network_(network), array_(array), fused_into_(network.layers.size(), -1) {
  fuse();
  choose(wanted);
}

bool Plan::is_chosen(int index) const { return std::binary_search(chosen.begin(), chosen.end(), index); }

int Plan::root(int index) const {
  while (index >= 0 && at(index).type == LayerType::flatten) index = at(index).source;
  return index;
}

bool Plan::is_fused_pool(int index) const { return index >= 0 && fused_into(at(index).source) == index; }

// A max pooling that is a convolution's only reader takes its rows on their way out.
void Plan::fuse() {
  const int layers = static_cast<int>(network_.layers.size());
  std::vector<int> readers(network_.layers.size());
  const auto read = [&](int producer) {
    if (producer >= 0) ++readers[static_cast<std::size_t>(producer)];
  };
  for (const Layer& layer : network_.layers) {
    read(layer.source);
    if (layer.type == LayerType::add) read(layer.with);
  }
  for (int pool = 0; pool < layers; ++pool) {
    const int conv = at(pool).source;
    if (at(pool).type != LayerType::maxpool || conv < 0 || at(conv).type != LayerType::conv) continue;
    if (readers[static_cast<std::size_t>(conv)] == 1) fused_into_[static_cast<std::size_t>(conv)] = pool;
  }
}

void Plan::choose(const std::vector<int>& wanted) {
  const int layers = static_cast<int>(network_.layers.size());
  for (int index = 0; index < layers; ++index) {
    const auto is_wanted = [&](int i) {
      return wanted.empty() || std::find(wanted.begin(), wanted.end(), i) != wanted.end();
    };
    const bool with_pool = fused_into(index) >= 0 && is_wanted(fused_into(index));
    const bool with_conv = is_fused_pool(index) && is_wanted(at(index).source);
    if (is_wanted(index) || with_pool || with_conv) chosen.push_back(index);
  }
}

Place Plan::place(int producer) const {
  Border border;
  for (int index = 0; index < static_cast<int>(network_.layers.size()); ++index)
    if (root(at(index).source) == producer && !is_fused_pool(index)) border = larger(border, border_of(at(index)));
  if (producer < 0) {
    Place place = make_place(network_.input.shape, border, array_.input_channels, array_.output_channels);
    place.is_unsigned = network_.input.is_unsigned;
    place.zero_point = network_.input.zero_point;
    return place;
  }
  // Elementwise layers keep the layout of what they read, flattened or not.
  int like = producer;
  while (like >= 0 && (at(like).type == LayerType::relu || at(like).type == LayerType::add))
    like = root(at(like).source);
  const network::Shape& shape = like < 0 ? network_.input.shape : at(like).out;
  Place place = make_place(shape, border, array_.input_channels, array_.output_channels);
  place.is_unsigned = at(producer).is_unsigned;
  place.zero_point = at(producer).zero_point;
  return place;
}

}  // namespace fansim::compile
