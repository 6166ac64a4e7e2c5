// SPDX-License-Identifier: Apache-2.0
#include "compile/tiled/layer_jobs.h"

#include <fmt/format.h>

#include <algorithm>

#include "arch/map_runs.h"
#include "arch/weight_runs.h"
#include "compile/tiled/channel_parameters.h"
#include "compile/tiled/engine_choice.h"
#include "compile/tiled/reorganise.h"
#include "compile/tiled/tile_size.h"

namespace fansim::compile {
namespace {

using arch::Instruction;
using arch::TiledConfig;
using arch::TiledJob;
using network::Layer;
using network::LayerType;

bool symmetric(const std::array<int, 4>& padding) {
  return std::all_of(padding.begin(), padding.end(), [&](int side) { return side == padding[0]; });
}

int type_of(const Layer& layer, const Layer* pool) {
  int type = 0;
  if (layer.activation == network::Activation::relu) type |= Instruction::kRelu;
  if (pool) type |= Instruction::kPool;
  if (pool && pool->type == LayerType::avgpool) type |= Instruction::kAverage;
  if (layer.type == LayerType::fc) type |= Instruction::kFc;
  return type;
}

Instruction instruction(const Layer& layer, const Layer* pool, const TiledConfig& config) {
  Instruction i;
  i.type = type_of(layer, pool);
  i.out_channels = layer.outputs() / layer.groups;
  if (layer.type == LayerType::conv) {
    i.in_channels = layer.in.channels / layer.groups;
    i.height = layer.in.height;
    i.width = layer.in.width;
    i.kernel = layer.kernel;
    i.stride = layer.stride;
    i.padding = layer.padding[0];
    return i;
  }
  i.width = i.kernel = engine_of(layer, config) == TiledConfig::kConv ? vector_columns(layer, config) : 1;
  i.in_channels = static_cast<int>(layer.in.elements() / i.width);
  return i;
}

// A vector is a map of one row, in one block.
arch::MapPlace as_vector(arch::MapPlace place, const Instruction& i) {
  place.block_channels = place.channels = i.in_channels;
  place.row = place.plane = i.width;
  return place;
}

void set_places(TiledJob& job, const arch::EncodedMap& in, const arch::EncodedMap& out, int group) {
  const arch::MapPlace from = job.instruction.fc() ? as_vector(in.place, job.instruction) : in.place;
  job.input_address = from.address;
  job.in_block_channels = from.block_channels;
  job.in_block_bytes = from.block_bytes;
  job.in_plane = from.plane;
  job.in_row = from.row;
  job.in_first = group * job.instruction.in_channels;
  job.in_unsigned = in.is_unsigned;
  job.output_address = out.place.address;
  job.out_block_channels = out.place.block_channels;
  job.out_block_bytes = out.place.block_bytes;
  job.out_plane = out.place.plane;
  job.out_row = out.place.row;
  job.out_first = group * job.instruction.out_channels;
  job.out_unsigned = out.is_unsigned;
}

std::optional<Misfit> set_pooling(TiledJob& job, const Layer& pool) {
  if (!symmetric(pool.padding)) return Misfit{"pooling padding differs between sides"};
  job.pool_kernel = pool.kernel;
  job.pool_stride = pool.stride;
  job.pool_padding = pool.padding[0];
  return std::nullopt;
}

bool shares_words(const TiledJob& job, const arch::Encoding& encoding, const TiledConfig& config) {
  if (encoding.byte_addressable() || job.engine == TiledConfig::kFc) return false;
  const arch::TileNest nest(job, config.engine(job.engine));
  for (int m = 0; m < nest.m_tiles(); ++m)
    for (int y = 0; y < nest.y_tiles(); ++y) {
      arch::MapRuns runs(output_place(job), encoding, m * nest.tm(), nest.out_channels(m), nest.output(y, 0));
      while (!runs.done())
        if (runs.next().skip % encoding.per_word() != 0) return true;
    }
  return false;
}

// The job of one group of channels as far as its tensors' places do not matter.
Fit<TiledJob> geometry(const Layer& layer, const Layer* pool, const TiledConfig& config) {
  TiledJob job;
  const network::Shape& out = pool ? pool->out : layer.out;
  job.engine = engine_of(layer, config);
  job.instruction = instruction(layer, pool, config);
  job.out_rows = out.height;
  job.out_columns = out.width;
  job.in_zero = layer.in_zero_point;
  job.out_zero = layer.zero_point;
  std::optional<Misfit> misfit = pool ? set_pooling(job, *pool) : std::nullopt;
  if (!misfit) misfit = job.engine == TiledConfig::kFc ? choose_fc_tile(job, config) : choose_tile(job, config);
  if (misfit) return *misfit;
  return job;
}

std::vector<std::uint16_t> codes_of(const Layer& layer, int group) {
  const std::int64_t count = layer.weight_count() / layer.groups;
  std::vector<std::uint16_t> codes(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < codes.size(); ++i)
    codes[i] = static_cast<std::uint16_t>(layer.weight_code(static_cast<std::size_t>(group * count) + i));
  return codes;
}

// The image of weights and parameters is made when the memory's is: one layer's codes at a time.
void reserve_weights(TiledJob& job, const Layer& layer, int group, const TiledConfig& config, Memory& memory) {
  const arch::EngineConfig& engine = config.engine(job.engine);
  const arch::Encoding encoding = config.weight_encoding();
  const bool reorganised = config.load.reorganise;
  const std::int64_t bytes = arch::WeightRuns(job, engine, encoding, reorganised).bytes();
  job.weight_address = memory.reserve(bytes, [=, &layer](std::uint8_t* object) {
    const auto image = weight_image(codes_of(layer, group), job, engine, encoding, reorganised);
    std::copy(image.begin(), image.end(), object);
  });
  job.parameter_address = memory.reserve(std::int64_t{kParameterBytes} * job.instruction.out_channels,
                                         [=, &layer](std::uint8_t* object) { write_parameters(layer, group, object); });
}

}  // namespace

Fit<std::vector<TiledJob>> layer_jobs(const Layer& layer, const Layer* pool, const arch::EncodedMap& in,
                                      const arch::EncodedMap& out, const TiledConfig& config, Memory& memory) {
  if (!symmetric(layer.padding)) return Misfit{"padding differs between sides: an instruction has one for all"};
  if (layer.float_sum && layer.in_zero_point != 0)
    return Misfit{fmt::format("zero point {} of the input: a fine-grained MAC knows 0 only", layer.in_zero_point)};
  if ((in.is_unsigned || out.is_unsigned) && config.quantisation.activation_bits == 16)
    return Misfit{"unsigned values of 16 bits: an operand has 16 with its sign"};
  const Fit<TiledJob> fit = geometry(layer, pool, config);
  if (const auto* misfit = std::get_if<Misfit>(&fit)) return *misfit;
  if (tiles_share_words(layer, pool, out, config))
    return Misfit{fmt::format("a vector of {}-bit values in planes of {}: tiles would share words of {} bits",
                              out.encoding.value_bits, out.place.plane, out.encoding.word_bits)};
  std::vector<TiledJob> jobs;
  for (int group = 0; group < layer.groups; ++group) {
    TiledJob job = std::get<TiledJob>(fit);
    set_places(job, in, out, group);
    reserve_weights(job, layer, group, config, memory);
    jobs.push_back(job);
  }
  return jobs;
}

bool tiles_share_words(const Layer& layer, const Layer* pool, const arch::EncodedMap& out, const TiledConfig& config) {
  const Fit<TiledJob> fit = geometry(layer, pool, config);
  if (!std::holds_alternative<TiledJob>(fit)) return false;
  for (int group = 0; group < layer.groups; ++group) {
    TiledJob job = std::get<TiledJob>(fit);
    set_places(job, out, out, group);
    if (shares_words(job, config.output_encoding(), config)) return true;
  }
  return false;
}

arch::CodeBook code_book(const Layer& layer) {
  arch::CodeBook book;
  const unsigned codes = 1U << layer.weight_bits;
  for (unsigned code = 0; code < codes; ++code) {
    if (layer.float_sum) {
      book.operands.push_back(layer.codec->operand(code));
    } else {
      const int integer = layer.codec ? layer.codec->integer(code) : static_cast<std::int8_t>(code);
      book.integers.push_back(static_cast<std::int16_t>(integer));
    }
  }
  return book;
}

}  // namespace fansim::compile
