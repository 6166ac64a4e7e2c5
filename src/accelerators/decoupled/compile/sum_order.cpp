// SPDX-License-Identifier: Apache-2.0
#include "accelerators/decoupled/compile/sum_order.h"

namespace fansim::decoupled {
namespace {

using network::Layer;
using network::LayerType;
using network::Shape;

// The order is [block of tn channels][kernel row][kernel column][channel of the block].
std::vector<std::int32_t> of_convolution(const Layer& layer, int tn) {
  const int channels = layer.in.channels / layer.groups(), places = layer.window().area();
  std::vector<std::int32_t> order;
  for (int first = 0; first < channels; first += tn)
    for (int place = 0; place < places; ++place)
      for (int channel = first; channel < first + tn; ++channel)
        order.push_back(channel < channels ? channel * places + place : -1);
  return order;
}

// The order is that of the map in memory, tn values per step: [block][row][column][channel of the block].
std::vector<std::int32_t> of_map(const Shape& map, int block, int tn) {
  const int positions = map.height * map.width;
  std::vector<std::int32_t> order;
  for (int first = 0; first < map.channels; first += block)
    for (int position = 0; position < positions; ++position)
      for (int channel = first; channel < first + block; ++channel)
        order.push_back(channel < map.channels ? channel * positions + position : -1);
  while (order.size() % static_cast<std::size_t>(tn) != 0) order.push_back(-1);
  return order;
}

}  // namespace

void declare_sum_order(network::Network& network, const Config& config) {
  for (Layer& layer : network.layers) {
    if (!layer.single() || (layer.type() != LayerType::conv && layer.type() != LayerType::fc)) continue;
    auto stage = std::make_shared<network::SingleStage>(*layer.single());
    stage->lanes = config.array.tn;
    if (layer.type() == LayerType::conv) {
      stage->order = of_convolution(layer, config.array.tn);
    } else {
      int map = layer.source;
      while (map != Layer::kInput && network.layers[static_cast<std::size_t>(map)].type() == LayerType::flatten)
        map = network.layers[static_cast<std::size_t>(map)].source;
      stage->order = of_map(network.shape(map), config.block(), config.array.tn);
    }
    layer.arithmetic = std::move(stage);
  }
}

}  // namespace fansim::decoupled
