// SPDX-License-Identifier: Apache-2.0
#include "accelerators/tiled/compile/layer_jobs.h"

#include <fmt/format.h>

#include <algorithm>

#include "accelerators/tiled/compile/engine_choice.h"
#include "accelerators/tiled/compile/parameter_records.h"
#include "accelerators/tiled/compile/reorganise.h"
#include "accelerators/tiled/compile/tile_size.h"
#include "accelerators/tiled/config/map_runs.h"
#include "accelerators/tiled/config/weight_runs.h"
#include "base/interrupt.h"
#include "compile/pooling.h"

namespace fansim::tiled {
namespace {

using network::Layer;
using network::LayerType;

// Finds the first field of a job whose value does not fit its bits.
struct WidthCheck {
  std::optional<compile::Misfit> misfit;
  void bits(const char* name, int value, int, int, int width, const char*) {
    if (!misfit && (value < 0 || (width < 31 && value >> width != 0)))
      misfit = compile::Misfit{fmt::format("job field {}: {} does not fit its {} bits", name, value, width)};
  }
  void number(const char*, int, int, int, int, const char*) {}  // a zero point has the bits of a code, at most 16
  void address(const char*, std::uint32_t, int, const char*) {}
};

std::optional<compile::Misfit> too_wide(TiledJob job) {
  WidthCheck check;
  job.instruction.visit(check);
  job.visit(check);
  return check.misfit;
}

bool symmetric(const std::array<int, 4>& padding) {
  return std::all_of(padding.begin(), padding.end(), [&](int side) { return side == padding[0]; });
}

int type_of(const FusedLayer& fused) {
  const auto& [layer, table, pool] = fused;
  int type = 0;
  if (table) type |= Instruction::kTable;
  if (layer.activation == network::Activation::relu) type |= Instruction::kRelu;
  if (pool) type |= Instruction::kPool;
  if (pool && pool->type() == LayerType::avgpool) type |= Instruction::kAverage;
  if (layer.type() == LayerType::fc) type |= Instruction::kFc;
  return type;
}

Instruction instruction(const FusedLayer& fused, const Config& config) {
  const Layer& layer = fused.layer;
  Instruction i;
  i.type = type_of(fused);
  i.out_channels = layer.outputs() / layer.groups();
  if (layer.type() == LayerType::conv) {
    i.in_channels = layer.in.channels / layer.groups();
    i.height = layer.in.height;
    i.width = layer.in.width;
    const network::Window& window = layer.window();
    i.kernel = window.kernel;
    i.stride = window.stride;
    i.padding = window.padding[0];
    return i;
  }
  i.width = i.kernel = engine_of(layer, config) == Config::kConv ? vector_columns(layer, config) : 1;
  i.in_channels = static_cast<int>(layer.in.elements() / i.width);
  return i;
}

// Returns the place of a vector: a map with one row, in one block that begins with it.
MapPlace as_vector(MapPlace place, const Instruction& i) {
  place.block_channels = place.channels = i.in_channels;
  place.row = place.plane = i.width;
  return place;
}

void set_places(TiledJob& job, const EncodedMap& in, const EncodedMap& out, int group) {
  const MapPlace from = job.instruction.fc() ? as_vector(in.place, job.instruction) : in.place;
  job.input_address = from.address;
  job.in_block_channels = from.block_channels;
  job.in_block_bytes = from.block_bytes;
  job.in_plane = from.plane;
  job.in_row = from.row;
  job.in_first = from.first + group * job.instruction.in_channels;
  job.in_unsigned = in.is_unsigned;
  job.output_address = out.place.address;
  job.out_block_channels = out.place.block_channels;
  job.out_block_bytes = out.place.block_bytes;
  job.out_plane = out.place.plane;
  job.out_row = out.place.row;
  job.out_first = out.place.first + group * job.instruction.out_channels;
  job.out_unsigned = out.is_unsigned;
}

std::optional<compile::Misfit> set_pooling(TiledJob& job, const Layer& pool, const StoreConfig& store) {
  const network::Window& window = pool.window();
  if (!symmetric(window.padding)) return compile::Misfit{"pooling padding differs between sides"};
  if (window.kernel > store.pool_kernel)
    return compile::Misfit{
        fmt::format("store.pool_kernel: windows of {0} x {0} need {0} of {1}", window.kernel, store.pool_kernel)};
  const int open = compile::open_windows(window.kernel, window.stride, std::max(pool.out.height, pool.out.width));
  if (open > store.pool_lines)
    return compile::Misfit{fmt::format("store.pool_lines: windows of {0} x {0} at stride {1} need {2} of {3}",
                                       window.kernel, window.stride, open, store.pool_lines)};
  if (pool.out.width > StoreConfig::kPoolColumns)
    return compile::Misfit{fmt::format("pooling: rows of {} outputs need {} of {} columns", pool.out.width,
                                       pool.out.width, StoreConfig::kPoolColumns)};
  job.pool_kernel = window.kernel;
  job.pool_stride = window.stride;
  job.pool_padding = window.padding[0];
  return std::nullopt;
}

bool shares_words(const TiledJob& job, const Encoding& encoding, const Config& config) {
  if (encoding.byte_addressable() || job.engine == Config::kFc) return false;
  const TileNest nest(job, config.engine(job.engine));
  for (int m = 0; m < nest.m_tiles(); ++m)
    for (int y = 0; y < nest.y_tiles(); ++y) {
      MapExtents runs(output_place(job), encoding, m * nest.tm(), nest.out_channels(m), nest.output(y, 0));
      while (!runs.done())
        if (runs.next().skip % encoding.per_word() != 0) return true;
    }
  return false;
}

// Returns the job of one group of channels, without the places of its tensors.
compile::Fit<TiledJob> geometry(const FusedLayer& fused, const Config& config) {
  const Layer& layer = fused.layer;
  TiledJob job;
  const network::Shape& out = fused.out();
  job.engine = engine_of(layer, config);
  job.instruction = tiled::instruction(fused, config);
  job.out_rows = out.height;
  job.out_columns = out.width;
  job.in_zero = layer.in_format.zero_point;
  job.out_zero = fused.out_format().zero_point;
  std::optional<compile::Misfit> misfit = fused.pool ? set_pooling(job, *fused.pool, config.store) : std::nullopt;
  if (!misfit)
    misfit = too_wide(job);  // checked before the search for a tile, which takes time proportional to the
                             // map's width
  if (!misfit) misfit = job.engine == Config::kFc ? choose_fc_tile(job, config) : choose_tile(job, config);
  if (misfit) return *misfit;
  return job;
}

// Reserves memory for weights and parameters. Their image is made together with that of the memory.
void reserve_weights(TiledJob& job, const Layer& layer, int group, const Config& config, compile::Memory& memory) {
  const EngineConfig& engine = config.engine(job.engine);
  const Encoding encoding = config.weight_encoding();
  const bool reorganised = config.load.reorganise;
  const std::int64_t bytes = WeightExtents(job, engine, encoding, reorganised).bytes();
  job.weight_address = memory.reserve(bytes, [=, &layer](std::uint8_t* object) {
    const std::int64_t first = layer.weight_bytes() / layer.groups() * group;
    const network::Parameters& parameters = layer.parameters();
    weight_image({parameters.weights.data() + first, parameters.weight_bits > 8}, job, engine, encoding, reorganised,
                 object);
  });
  job.parameter_address = memory.reserve(std::int64_t{kParameterBytes} * job.instruction.out_channels,
                                         [=, &layer, bits = config.quantiser.accumulator_bits](std::uint8_t* object) {
                                           write_parameters(layer, group, bits, object);
                                         });
}

}  // namespace

compile::FusedKinds fused_kinds(const Config& config) {
  using Tables = compile::FusedKinds::Tables;
  return {true, config.store.code_table ? Tables::weighted : Tables::none, true};
}

FusedLayer::FusedLayer(const network::Network& network, const compile::Fusion& fusion, int index)
    : layer(network.layers[static_cast<std::size_t>(index)]) {
  const auto at = [&network](int i) { return &network.layers[static_cast<std::size_t>(i)]; };
  const int behind = fusion.next(index), end = fusion.pool_behind(index);
  if (behind >= 0 && at(behind)->function()) table = at(behind);
  if (end >= 0) pool = at(end);
}

compile::Fit<std::vector<TiledJob>> layer_jobs(const FusedLayer& fused, const EncodedMap& in, const EncodedMap& out,
                                               const Config& config, compile::Memory& memory) {
  const Layer& layer = fused.layer;
  if (!symmetric(layer.window().padding))
    return compile::Misfit{"padding differs between sides: an instruction has one for all"};
  if (layer.parameters().float_sums && layer.in_format.zero_point != 0)
    return compile::Misfit{
        fmt::format("zero point {} of the input: a fine-grained MAC knows 0 only", layer.in_format.zero_point)};
  if ((in.is_unsigned || out.is_unsigned) && config.quantisation.activation_bits == 16)
    return compile::Misfit{"unsigned values of 16 bits: an operand has 16 with its sign"};
  const compile::Fit<TiledJob> fit = geometry(fused, config);
  if (const auto* misfit = std::get_if<compile::Misfit>(&fit)) return *misfit;
  if (tiles_share_words(fused, out, config))
    return compile::Misfit{fmt::format("a vector of {}-bit values in planes of {}: tiles would share words of {} bits",
                                       out.encoding.value_bits, out.place.plane, out.encoding.word_bits)};
  std::vector<TiledJob> jobs;
  for (int group = 0; group < layer.groups(); ++group) {
    TiledJob job = std::get<TiledJob>(fit);
    set_places(job, in, out, group);
    if (const auto misfit = too_wide(job)) return *misfit;
    reserve_weights(job, layer, group, config, memory);
    jobs.push_back(job);
  }
  return jobs;
}

bool tiles_share_words(const FusedLayer& fused, const EncodedMap& out, const Config& config) {
  const compile::Fit<TiledJob> fit = geometry(fused, config);
  if (!std::holds_alternative<TiledJob>(fit)) return false;
  for (int group = 0; group < fused.layer.groups(); ++group) {
    TiledJob job = std::get<TiledJob>(fit);
    set_places(job, out, out, group);
    if (shares_words(job, config.output_encoding(), config)) return true;
  }
  return false;
}

CodeBook code_book(const Layer& layer) {
  CodeBook book;
  const network::Parameters& parameters = layer.parameters();
  const unsigned codes = 1U << parameters.weight_bits;
  for (unsigned code = 0; code < codes; ++code) {
    if (parameters.float_sums) {
      book.operands.push_back(parameters.codec ? parameters.codec->operand(code) : static_cast<std::int8_t>(code));
    } else {
      const int integer = parameters.codec ? parameters.codec->integer(code) : static_cast<std::int8_t>(code);
      book.integers.push_back(static_cast<std::int16_t>(integer));
    }
  }
  return book;
}

}  // namespace fansim::tiled
