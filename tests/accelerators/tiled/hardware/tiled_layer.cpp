// SPDX-License-Identifier: Apache-2.0
#include "accelerators/tiled/hardware/tiled_layer.h"

#include <algorithm>

namespace fansim::test {

namespace {

// Draws bias and scale such that outputs of up to 16 bits are neither all saturated nor all zero.
tiled::ChannelParameters random_parameters(base::Random& random) {
  tiled::ChannelParameters p;
  p.bias = random.uniform(-40000, 40000);
  p.scale = static_cast<std::int16_t>(random.uniform(1, 32767));
  p.shift = static_cast<std::uint8_t>(random.uniform(8, 26));
  p.float_scale = 1.0F / static_cast<float>(random.uniform(1, 4000));
  return p;
}

}  // namespace

int TiledLayer::in(int channel, int y, int x) const {
  const auto& i = job.instruction;
  if (y < 0 || y >= i.height || x < 0 || x >= i.width) return job.in_zero;
  return map[at((std::int64_t{channel} * i.height + y) * i.width + x)];
}

unsigned TiledLayer::code(int m, int n, int step) const {
  const auto& i = job.instruction;
  if (m >= i.out_channels || n >= i.in_channels) return 0;
  return codes[at((std::int64_t{m} * i.in_channels + n) * job.steps() + step)];
}

std::vector<std::vector<std::int16_t>> TiledLayer::input_tiles() const {
  std::vector<std::vector<std::int16_t>> tiles;
  const tiled::TileNest n = nest();
  if (fc_engine()) {
    for (int b = 0; b < n.fc_blocks(); ++b) {
      const auto first = map.begin() + std::ptrdiff_t{b} * job.fc_block;
      tiles.emplace_back(first, first + n.fc_inputs(b));
    }
    return tiles;
  }
  for (int m = 0; m < n.m_tiles(); ++m)
    for (const tiled::Region& out : regions()) {
      const tiled::Region part = n.input(n.sums(out));
      for (int slice = 0; slice < n.n_tiles(); ++slice) {
        tiles.emplace_back();
        for (int c = 0; c < n.in_channels(slice); ++c)
          for (int y = part.row; y < part.row + part.rows; ++y)
            for (int x = part.column; x < part.column + part.columns; ++x)
              tiles.back().push_back(static_cast<std::int16_t>(in(slice * n.tn() + c, y, x)));
      }
    }
  return tiles;
}

std::vector<std::vector<std::uint16_t>> TiledLayer::weight_tiles() const {
  std::vector<std::vector<std::uint16_t>> tiles;
  const tiled::TileNest n = nest();
  const int tm = n.tm(), tn = n.tn();
  // Adds one weight set, whose first channels are m and c.
  const auto add_set = [&](int m, int c, int step) {
    for (int i = 0; i < tn; ++i)
      for (int o = 0; o < tm; ++o) tiles.back().push_back(static_cast<std::uint16_t>(code(m + o, c + i, step)));
  };
  if (fc_engine()) {
    for (int b = 0; b < n.fc_blocks(); ++b)
      for (int m = 0; m < n.fc_m_tiles(); ++m)
        for (int k = 0; k < n.fc_k_tiles(b); ++k) {
          tiles.emplace_back();
          for (int j = 0; j < job.fc_steps; ++j)
            for (int g = 0; g < job.fc_groups; ++g)
              add_set((m * job.fc_groups + g) * tm, b * job.fc_block + (k * job.fc_steps + j) * tn, 0);
        }
    return tiles;
  }
  for (int m = 0; m < n.m_tiles(); ++m)
    for (int place = 0; place < n.y_tiles() * n.x_tiles(); ++place)
      for (int slice = 0; slice < n.n_tiles(); ++slice) {
        tiles.emplace_back();
        for (int k = 0; k < job.steps(); ++k) add_set(m * tm, slice * tn, k);
      }
  return tiles;
}

std::vector<tiled::Region> TiledLayer::regions() const {
  std::vector<tiled::Region> all;
  for (int y = 0; y < job.out_rows; y += job.tile_rows)
    for (int x = 0; x < job.out_columns; x += job.tile_columns)
      all.push_back({y, x, std::min(job.tile_rows, job.out_rows - y), std::min(job.tile_columns, job.out_columns - x)});
  return all;
}

std::vector<std::vector<std::int16_t>> TiledLayer::output_tiles(const std::vector<std::int16_t>& out) const {
  if (fc_engine()) return {out};
  std::vector<std::vector<std::int16_t>> tiles;
  const int channels = job.instruction.out_channels;
  for (int first = 0; first < channels; first += engine.tm)
    for (const tiled::Region& r : regions()) {
      tiles.emplace_back();
      for (int m = first; m < std::min(channels, first + engine.tm); ++m)
        for (int y = r.row; y < r.row + r.rows; ++y)
          for (int x = r.column; x < r.column + r.columns; ++x)
            tiles.back().push_back(out[at((std::int64_t{m} * job.out_rows + y) * job.out_columns + x)]);
    }
  return tiles;
}

TiledLayer layer_of(const tiled::TiledJob& job, const tiled::EngineConfig& engine, int activation_bits, int weight_bits,
                    base::Random& random) {
  TiledLayer layer{job, engine, {}, {}, {}};
  const auto& i = job.instruction;
  const int low = job.in_unsigned ? 0 : -(1 << (activation_bits - 1)), high = low + (1 << activation_bits) - 1;
  layer.map.resize(at(std::int64_t{i.in_channels} * i.height * i.width));
  for (std::int16_t& v : layer.map) {
    v = static_cast<std::int16_t>(random.uniform(low, high));
    if (random.chance(20)) v = static_cast<std::int16_t>(random.chance(50) ? low : high);
  }
  layer.codes.resize(at(std::int64_t{i.out_channels} * i.in_channels * job.steps()));
  for (std::uint16_t& c : layer.codes) c = static_cast<std::uint16_t>(random.uniform(0, (1 << weight_bits) - 1));
  for (int m = 0; m < i.out_channels; ++m) layer.parameters.push_back(random_parameters(random));
  return layer;
}

tiled::TiledJob conv_job(int in_channels, int out_channels, int rows, int columns, int kernel) {
  tiled::TiledJob job;
  auto& i = job.instruction;
  i.in_channels = in_channels;
  i.out_channels = out_channels;
  i.height = rows;
  i.width = columns;
  i.kernel = kernel;
  job.out_rows = job.tile_rows = rows - kernel + 1;
  job.out_columns = job.tile_columns = columns - kernel + 1;
  return job;
}

tiled::TiledJob random_conv(const tiled::EngineConfig& engine, base::Random& random) {
  tiled::TiledJob job;
  auto& i = job.instruction;
  i.in_channels = random.uniform(1, 3 * engine.tn);
  i.out_channels = random.uniform(1, 2 * engine.tm + 1);
  i.kernel = random.uniform(1, 4);
  i.stride = random.uniform(1, 3);
  i.padding = random.uniform(0, i.kernel - 1);
  i.height = random.uniform(i.kernel, i.kernel + 6);
  i.width = random.uniform(i.kernel, i.kernel + 6);
  i.type = random.chance(50) ? tiled::Instruction::kRelu : 0;
  if (random.chance(20)) {  // a fully connected layer on the engine of convolutions
    i.type |= tiled::Instruction::kFc;
    i.height = 1;
    i.width = i.kernel;
    i.stride = 1;
    i.padding = 0;
  }
  job.out_rows = (i.height + 2 * i.padding - job.kernel_rows()) / i.stride + 1;
  job.out_columns = (i.width + 2 * i.padding - job.kernel_columns()) / i.stride + 1;
  job.pool_kernel = random.uniform(1, 3);
  if (!i.fc() && random.chance(60) && std::min(job.out_rows, job.out_columns) >= job.pool_kernel) {
    i.type |= tiled::Instruction::kPool | (random.chance(40) ? tiled::Instruction::kAverage : 0);
    job.pool_stride = random.uniform(1, 3);
    job.pool_padding = random.uniform(0, job.pool_kernel / 2);
    const bool ceil = random.chance(50);
    const auto pooled = [&](int extent) {
      const int windows = (extent + 2 * job.pool_padding - job.pool_kernel) / job.pool_stride + 1;
      // In ceil mode there is one window more if it begins inside the map.
      return windows + (ceil && windows * job.pool_stride - job.pool_padding < extent);
    };
    job.out_rows = pooled(job.out_rows);
    job.out_columns = pooled(job.out_columns);
  }
  job.tile_rows = random.uniform(1, job.out_rows);
  job.tile_columns = random.uniform(1, job.out_columns);
  job.in_unsigned = random.uniform(0, 1);
  job.out_unsigned = random.uniform(0, 1);
  job.in_zero = random.uniform(0, 3);
  job.out_zero = random.uniform(0, 3);
  return job;
}

tiled::TiledJob random_fc(const tiled::EngineConfig& engine, base::Random& random) {
  tiled::TiledJob job;
  job.engine = tiled::Config::kFc;
  job.instruction.type = tiled::Instruction::kFc | (random.chance(50) ? tiled::Instruction::kRelu : 0);
  job.fc_steps = random.uniform(1, 4);
  job.fc_groups = random.uniform(1, 5);
  job.instruction.in_channels = random.uniform(1, 40 * engine.tn);
  job.instruction.out_channels = random.uniform(1, 12 * engine.tm);
  job.fc_block = random.uniform(1, 3) * job.fc_steps * engine.tn;
  if (random.chance(30)) job.fc_block = job.instruction.in_channels;
  job.in_unsigned = random.uniform(0, 1);
  job.out_unsigned = random.uniform(0, 1);
  job.out_zero = random.uniform(0, 3);
  return job;
}

void make_biases_real(TiledLayer& layer) {
  for (tiled::ChannelParameters& p : layer.parameters) {
    p.float_bias = static_cast<float>(p.bias);
  }
}

tiled::CodeBook random_book(int weight_bits, base::Random& random) {
  tiled::CodeBook book;
  for (int code = 0; code < 1 << weight_bits; ++code) {
    book.integers.push_back(static_cast<std::int16_t>(random.uniform(-32768, 32767)));
    if (random.chance(20)) book.integers.back() = random.chance(50) ? -32768 : 32767;
    book.operands.push_back(static_cast<float>(random.uniform(-1000000, 1000000)) / 7919.0F);
  }
  return book;
}

}  // namespace fansim::test
