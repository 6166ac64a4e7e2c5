// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "accelerators/tiled/hardware/post_process.h"
#include "accelerators/tiled/hardware/tiled_layer.h"
#include "support/blocks.h"
#include "support/halves.h"

namespace fansim::test {

// Layers of one machine with random sums, and what the post-processing must make of them.
struct PostWork {
  explicit PostWork(const tiled::Config& of) : config(of) {}
  PostWork(const tiled::Config& of, int engine, int count, base::Random& random) : PostWork(of) {
    for (int i = 0; i < count; ++i) {
      tiled::TiledJob job = engine == tiled::Config::kFc ? random_fc(of.fc, random) : random_conv(of.conv, random);
      job.engine = engine;
      add(job, random);
    }
  }
  void add(const tiled::TiledJob& job, base::Random& random);

  // One half of the sums.
  struct Tile {
    std::size_t layer;
    int first_channel, channels;
    tiled::Region part;
  };

  tiled::Config config;
  std::vector<TiledLayer> layers;
  std::vector<tiled::ChannelParameters> parameters;
  std::vector<std::vector<std::int64_t>> sums;  // of each layer, [m][row][column] before pooling
  std::vector<Tile> tiles;
  std::vector<std::vector<std::int16_t>> expected;  // of each tile
};

struct PostLane {
  PostLane(const std::string& name, const PostWork& of, Stalls stalls = {0, 0});

  bool done() const { return consumer->count() == work.tiles.size(); }
  void require_outputs() const;
  std::size_t distinct_outputs() const;

  static constexpr std::int16_t kSpoilt = -9999;  // what has been read

  const PostWork& work;
  const int engine;
  tiled::SumStore sums;
  tiled::ParameterStore parameter_store;
  tiled::TileStore<std::int16_t> output;
  std::vector<std::vector<std::int16_t>> outputs;  // of each tile
  sim::Stream<tiled::TiledJob> job;
  sim::Stream<tiled::Turn> turn;
  sim::Stream<axi::LiteRequest> table;
  sim::Stream<tiled::Half> complete, freed, output_complete, output_freed;
  Source<tiled::TiledJob> jobs;
  Source<tiled::Turn> parameters;
  tiled::PostProcess block;
  std::unique_ptr<HalfProducer> producer;
  std::unique_ptr<HalfConsumer> consumer;

 private:
  void fill(int tile, int half);
  void spoil(int half);
};

}  // namespace fansim::test
