// SPDX-License-Identifier: Apache-2.0
#include "accelerators/tiled/compile/map_layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>

#include "accelerators/tiled/compile/engine_choice.h"
#include "accelerators/tiled/compile/layer_jobs.h"
#include "base/interrupt.h"
#include "compile/text.h"

namespace fansim::tiled {
namespace {

using network::Layer;
using network::LayerType;

// Holds the channels of a block. A block has all channels if a reader takes the map, or a part of it, as a vector.
// Otherwise it has those that the first reader loads at once, so that loads begin at whole beats. Any reader can read
// blocks of any size.
struct Blocks {
  int channels = 0;
  bool vector = false;
};

Blocks blocks_of(int producer, int all_channels, const network::Network& network, const compile::Fusion& fusion,
                 const Config& config) {
  Blocks blocks;
  for (std::size_t i = 0; i < network.layers.size(); ++i) {
    const Layer& reader = network.layers[i];
    const int read = fusion.root(reader.source);
    if (fusion.part(read).of != producer || fusion.is_fused(static_cast<int>(i))) continue;
    if (reader.type() == LayerType::fc) return {all_channels, true};
    if (reader.type() != LayerType::conv || blocks.channels > 0 || read != producer) continue;
    const int tn = config.engine(engine_of(reader, config)).tn;
    const int channels = reader.in.channels / reader.groups();
    blocks.channels = channels % tn == 0 || reader.groups() == 1 ? std::min(tn, channels) : channels;
  }
  if (blocks.channels == 0) blocks.channels = all_channels;
  return blocks;
}

// Sets the distances of rows, planes and blocks. A block is a whole multiple of the widest beat, so beats of any width
// can hold it.
std::optional<compile::Misfit> set_pitches(EncodedMap& map, int row, std::int64_t plane) {
  MapPlace& place = map.place;
  const std::int64_t words = base::ceil_div(place.block_channels * plane, std::int64_t{map.encoding.per_word()});
  const std::int64_t bytes = base::round_up(words * map.encoding.word_bits / 8, std::int64_t{MapPlace::kAlignment});
  constexpr int kMost = std::numeric_limits<int>::max();
  if (bytes > kMost)
    return compile::Misfit{fmt::format("a block of {} channels, {} x {} each: {} B of {}", place.block_channels,
                                       place.rows, place.columns, compile::grouped(bytes), compile::grouped(kMost))};
  place.row = row;
  place.plane = static_cast<int>(plane);
  place.block_bytes = static_cast<int>(bytes);
  return std::nullopt;
}

// Returns whether the tiles of the layer that writes the tensor, with what is fused after it, share no words.
bool written_apart(int producer, const network::Network& network, const compile::Fusion& fusion, const EncodedMap& map,
                   const Config& config) {
  if (producer < 0) return true;
  const auto at = [&](int index) -> const Layer& { return network.layers[static_cast<std::size_t>(index)]; };
  const int writer = fusion.writer(producer);
  if (at(writer).type() != LayerType::conv && at(writer).type() != LayerType::fc) return true;
  return !tiles_share_words(FusedLayer(network, fusion, writer), map, config);
}

}  // namespace

EncodedMap part_of(EncodedMap whole, int producer, const network::Network& network, const compile::Fusion& fusion) {
  whole.place.first = fusion.part(producer).first;
  whole.place.channels = network.shape(producer).channels;
  return whole;
}

compile::Fit<EncodedMap> layout(int producer, const network::Network& network, const compile::Fusion& fusion,
                                const Config& config) {
  const network::Shape shape = network.shape(producer);
  if (shape.sequence) return compile::Misfit{"a sequence: the tiled accelerator computes on feature maps"};
  const Blocks blocks = blocks_of(producer, shape.channels, network, fusion, config);

  EncodedMap map;
  map.encoding = config.output_encoding();
  map.is_unsigned = network.format(producer).is_unsigned();
  map.place.channels = shape.channels;
  map.place.rows = shape.height;
  map.place.columns = shape.width;
  map.place.block_channels = blocks.channels;
  const int word = map.encoding.per_word();
  const int padded_row = base::round_up(shape.width, word);
  const std::int64_t plane = std::int64_t{shape.width} * shape.height;
  if (const auto misfit = set_pitches(map, shape.width, plane)) return *misfit;
  const std::vector<int> parts = fusion.written(producer);
  const auto written_apart = [&](int part) {
    return tiled::written_apart(part, network, fusion, part_of(map, part, network, fusion), config);
  };
  const auto all_written_apart = [&] { return std::all_of(parts.begin(), parts.end(), written_apart); };
  if (blocks.vector || all_written_apart()) return map;
  if (const auto misfit = set_pitches(map, shape.width, base::round_up(plane, std::int64_t{word}))) return *misfit;
  if (all_written_apart()) return map;
  if (const auto misfit = set_pitches(map, padded_row, std::int64_t{padded_row} * shape.height)) return *misfit;
  return map;
}

// A part begins at its first channel in a block. Any channel will do if bytes can be written separately; otherwise the
// part must begin a word. That excludes the vectors of fully connected layers, whose words are not padded. A part that
// is read as a vector must begin at the block's first channel.
bool Plan::suits(int concat) const {
  constexpr int kMostChannels = (1 << 16) - 1;  // limit of an instruction's field
  const int whole = part(concat).of;
  const compile::Fit<EncodedMap> fit = layout(whole, network_, *this, config_);
  const auto* map = std::get_if<EncodedMap>(&fit);
  if (!map || map->place.channels > kMostChannels) return false;
  const bool words = !map->encoding.byte_addressable();
  for (const Layer& reader : network_.layers) {
    const compile::Part read = part(root(reader.source));
    if (read.of == whole && reader.type() == LayerType::fc && (words || read.first > 0)) return false;
  }
  const std::vector<int> parts = written(whole);
  return !words || std::all_of(parts.begin(), parts.end(), [&](int one) {
    const MapPlace place = part_of(*map, one, network_, *this).place;
    return (one < 0 || at(writer(one)).type() != LayerType::fc) && place.index(0, 0, 0) % map->encoding.per_word() == 0;
  });
}

void reserve(EncodedMap& map, compile::Memory& memory, const network::Tensor* values) {
  MapPlace& place = map.place;
  const std::int64_t blocks = base::ceil_div(place.channels, place.block_channels);
  if (!values) {
    place.address = memory.reserve(blocks * place.block_bytes);
    return;
  }
  place.address = memory.reserve(blocks * place.block_bytes, [map, values](std::uint8_t* object) {
    EncodedMap relative = map;
    relative.place.address = 0;
    write(relative, *values, object);
  });
}

void write(const EncodedMap& map, const network::Tensor& values, std::uint8_t* memory) {
  std::size_t i = 0;
  for (int c = 0; c < map.place.channels; ++c)
    for (int y = 0; y < map.place.rows; ++y) {
      base::stop_if_interrupted();
      for (int x = 0; x < map.place.columns; ++x) map.set(memory, c, y, x, values.at(i++));
    }
}

}  // namespace fansim::tiled
