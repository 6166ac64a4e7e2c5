// SPDX-License-Identifier: Apache-2.0
#include "compile/tiled/map_layout.h"

#include <algorithm>

#include "compile/tiled/engine_choice.h"

namespace fansim::compile {
namespace {

using network::Layer;
using network::LayerType;

// The channels of a block: all, if a reader takes the map as a vector; else those that its first reader loads at once,
// so that the loads begin at whole beats. Any reader can read blocks of any size.
struct Blocks {
  int channels = 0;
  bool vector = false;
};

Blocks blocks_of(int producer, int all_channels, const network::Network& network, const Fusion& fusion,
                 const arch::TiledConfig& config) {
  Blocks blocks;
  for (std::size_t i = 0; i < network.layers.size(); ++i) {
    const Layer& reader = network.layers[i];
    if (fusion.root(reader.source) != producer || fusion.is_fused_pool(static_cast<int>(i))) continue;
    if (reader.type == LayerType::fc) return {all_channels, true};
    if (reader.type != LayerType::conv || blocks.channels > 0) continue;
    const int tn = config.engine(engine_of(reader, config)).tn;
    const int channels = reader.in.channels / reader.groups;
    blocks.channels = channels % tn == 0 || reader.groups == 1 ? std::min(tn, channels) : channels;
  }
  if (blocks.channels == 0) blocks.channels = all_channels;
  return blocks;
}

network::Shape shape_of(int producer, const network::Network& network) {
  return producer < 0 ? network.input.shape : network.layers[static_cast<std::size_t>(producer)].out;
}

}  // namespace

Fit<arch::EncodedMap> layout(int producer, const network::Network& network, const Fusion& fusion,
                             const arch::TiledConfig& config) {
  const network::Shape shape = shape_of(producer, network);
  if (shape.sequence) return Misfit{"a sequence: the tiled accelerator computes on feature maps"};
  const Blocks blocks = blocks_of(producer, shape.channels, network, fusion, config);

  arch::EncodedMap map;
  map.encoding = config.output_encoding();
  map.is_unsigned =
      producer < 0 ? network.input.is_unsigned : network.layers[static_cast<std::size_t>(producer)].is_unsigned;
  arch::MapPlace& place = map.place;
  place.channels = shape.channels;
  place.rows = shape.height;
  place.columns = shape.width;
  place.block_channels = blocks.channels;
  place.row = shape.width;
  if (!map.encoding.byte_addressable() && !blocks.vector)
    place.row = base::round_up(shape.width, map.encoding.per_word());
  place.plane = place.row * shape.height;
  // As beats of any width hold it: whole multiples of the widest.
  const std::int64_t words = base::ceil_div(place.block_channels * place.plane, map.encoding.per_word());
  place.block_bytes =
      static_cast<int>(base::round_up(words * map.encoding.word_bits / 8, std::int64_t{arch::MapPlace::kAlignment}));
  return map;
}

void reserve(arch::EncodedMap& map, Memory& memory, const network::Tensor* values) {
  arch::MapPlace& place = map.place;
  const std::int64_t blocks = base::ceil_div(place.channels, place.block_channels);
  if (!values) {
    place.address = memory.reserve(blocks * place.block_bytes);
    return;
  }
  place.address = memory.reserve(blocks * place.block_bytes, [map, values](std::uint8_t* object) {
    std::size_t i = 0;
    arch::EncodedMap relative = map;
    relative.place.address = 0;
    for (int c = 0; c < map.place.channels; ++c)
      for (int y = 0; y < map.place.rows; ++y)
        for (int x = 0; x < map.place.columns; ++x) relative.set(object, c, y, x, values->at(i++));
  });
}

}  // namespace fansim::compile
