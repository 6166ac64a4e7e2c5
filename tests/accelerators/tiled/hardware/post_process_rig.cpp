// SPDX-License-Identifier: Apache-2.0
#include "accelerators/tiled/hardware/post_process_rig.h"

#include <algorithm>

namespace fansim::test {

namespace {

std::int64_t random_sum(base::Random& random) {
  const std::int64_t small = random.uniform(-1000000, 1000000);
  return random.chance(10) ? static_cast<std::int64_t>(random.next()) >> 16 : random.chance(50) ? small : small >> 8;
}

std::vector<float> reals(const std::vector<std::int64_t>& sums) {
  std::vector<float> all;
  for (const std::int64_t s : sums) all.push_back(static_cast<float>(s) / 3.0F);
  return all;
}

}  // namespace

void PostWork::add(const tiled::TiledJob& job, base::Random& random) {
  const int bits = config.quantisation.activation_bits, channels = job.instruction.out_channels;
  layers.push_back(layer_of(job, config.engine(job.engine), bits, 1, random));
  TiledLayer& layer = layers.back();
  layer.job.out_zero = std::min(job.out_zero, job.out_unsigned ? (1 << bits) - 1 : (1 << (bits - 1)) - 1);
  // One record per channel for all layers, because layers follow each other at once here.
  if (config.float_sum()) make_biases_real(layer);
  for (int m = static_cast<int>(parameters.size()); m < channels; ++m) parameters.push_back(layer.parameters[at(m)]);
  std::copy_n(parameters.begin(), channels, layer.parameters.begin());
  const tiled::TileNest nest = layer.nest();
  const int plane = layer.fc_engine() ? 1 : nest.conv_rows() * nest.conv_columns();
  sums.emplace_back(at(channels * plane));
  for (std::int64_t& s : sums.back()) s = random_sum(random);
  const std::vector<std::int16_t> out = config.float_sum()
                                            ? test::outputs(layer, reals(sums.back()), config.quantiser, bits)
                                            : test::outputs(layer, sums.back(), config.quantiser, bits);
  for (auto& tile : layer.output_tiles(out)) expected.push_back(tile);
  if (layer.fc_engine()) {
    tiles.push_back({layers.size() - 1, 0, channels, {0, 0, 1, 1}});
    return;
  }
  for (int m = 0; m < nest.m_tiles(); ++m)
    for (const tiled::Region& r : layer.regions())
      tiles.push_back({layers.size() - 1, m * nest.tm(), nest.out_channels(m), nest.sums(r)});
}

PostLane::PostLane(const std::string& name, const PostWork& of, Stalls stalls)
    : work(of),
      engine(of.layers.at(0).job.engine),
      sums(of.config.engine(engine), engine == tiled::Config::kFc ? 1 : of.config.engine(engine).halves(),
           of.config.float_sum(), of.config.quantiser.accumulator_bits),
      parameter_store{of.parameters},
      output(2, 4096),
      job((name + "_job").c_str()),
      turn((name + "_turn").c_str()),
      table((name + "_table").c_str()),
      complete((name + "_complete").c_str()),
      freed((name + "_freed").c_str()),
      output_complete((name + "_output_complete").c_str()),
      output_freed((name + "_output_freed").c_str()),
      jobs((name + "_jobs").c_str()),
      parameters((name + "_parameters").c_str(), std::vector<tiled::Turn>(of.layers.size()), stalls.in),
      block((name + "_block").c_str(), of.config,
            {engine == 0 ? &sums : nullptr, engine == 1 ? &sums : nullptr, engine == 2 ? &sums : nullptr},
            parameter_store, output) {
  for (const TiledLayer& layer : of.layers) jobs.add(layer.job);
  producer = std::make_unique<HalfProducer>((name + "_producer").c_str(), static_cast<int>(of.tiles.size()),
                                            sums.halves(), [this](int tile, int half) { fill(tile, half); },
                                            [this](int half) { spoil(half); }, stalls.in);
  consumer = std::make_unique<HalfConsumer>((name + "_consumer").c_str(),
                                            [this](int half) {
                                              outputs.push_back(output[half]);
                                              std::fill(output[half].begin(), output[half].end(), kSpoilt);
                                            },
                                            stalls.out);
  jobs.out(job);
  block.job(job);
  block.table(table);
  parameters.out(turn);
  block.parameters(turn);
  producer->filled(complete);
  block.engine(engine).sums(complete);
  producer->freed(freed);
  block.engine(engine).freed(freed);
  block.output(output_complete);
  consumer->complete(output_complete);
  block.output_freed(output_freed);
  consumer->freed(output_freed);
}

void PostLane::fill(int tile, int half) {
  const PostWork::Tile& t = work.tiles[at(tile)];
  const std::vector<std::int64_t>& from = work.sums[t.layer];
  const tiled::TileNest nest = work.layers[t.layer].nest();
  const int tm = nest.tm();
  const auto put = [&](int entry, int channel, std::int64_t sum) {
    if (sums.kind() == tiled::SumStore::Kind::int32)
      sums.int32(half, entry)[channel] = static_cast<std::int32_t>(static_cast<std::uint64_t>(sum));
    if (sums.kind() == tiled::SumStore::Kind::int64) sums.int64(half, entry)[channel] = sum;
    if (sums.kind() == tiled::SumStore::Kind::real) sums.real(half, entry)[channel] = reals({sum})[0];
  };
  for (int o = 0; o < t.channels; ++o) {
    if (engine == tiled::Config::kFc) {
      put(o / tm, o % tm, from[at(o)]);
      continue;
    }
    for (int i = 0; i < t.part.size(); ++i) {
      const int row = t.part.row + i / t.part.columns, column = t.part.column + i % t.part.columns;
      put(i, o, from[at(((t.first_channel + o) * nest.conv_rows() + row) * nest.conv_columns() + column)]);
    }
  }
}

void PostLane::spoil(int half) {
  for (int entry = 0; entry < sums.entries(); ++entry)
    for (int o = 0; o < sums.pitch(); ++o) {
      if (sums.kind() == tiled::SumStore::Kind::int32) sums.int32(half, entry)[o] = 0x5a5a5a5a;
      if (sums.kind() == tiled::SumStore::Kind::int64) sums.int64(half, entry)[o] = 0x5a5a5a5a;
      if (sums.kind() == tiled::SumStore::Kind::real) sums.real(half, entry)[o] = 1e9F;
    }
}

void PostLane::require_outputs() const {
  REQUIRE(outputs.size() == work.expected.size());
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const std::vector<std::int16_t>& expected = work.expected[i];
    REQUIRE(std::vector<std::int16_t>(outputs[i].begin(), outputs[i].begin() + static_cast<int>(expected.size())) ==
            expected);
  }
  REQUIRE(!producer->out_of_turn());
}

std::size_t PostLane::distinct_outputs() const {
  std::set<std::int16_t> values;
  for (const auto& tile : work.expected) values.insert(tile.begin(), tile.end());
  return values.size();
}

}  // namespace fansim::test
