// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "datapath/tiled/post_process.h"
#include "datapath/tiled_layer.h"
#include "support/blocks.h"
#include "support/halves.h"

namespace fansim::test {

// Layers of one machine with random sums, and what the post-processing must make of them.
struct PostWork {
  explicit PostWork(const arch::TiledConfig& of) : config(of) {}
  PostWork(const arch::TiledConfig& of, int engine, int count, base::Random& random) : PostWork(of) {
    for (int i = 0; i < count; ++i) {
      arch::TiledJob job = engine == arch::TiledConfig::kFc ? random_fc(of.fc, random) : random_conv(of.conv, random);
      job.engine = engine;
      add(job, random);
    }
  }
  void add(const arch::TiledJob& job, base::Random& random);

  // One half of the sums.
  struct Tile {
    std::size_t layer;
    int first_channel, channels;
    arch::Region part;
  };

  arch::TiledConfig config;
  std::vector<TiledLayer> layers;
  std::vector<datapath::ChannelParameters> parameters;
  std::vector<std::vector<std::int64_t>> sums;  // of each layer, [m][row][column] before pooling
  std::vector<Tile> tiles;
  std::vector<std::vector<std::int16_t>> expected;  // of each tile
};

struct PostLane {
  PostLane(const std::string& name, const PostWork& of, Stalls stalls = {0, 0});

  bool done() const { return consumer->count() == work.tiles.size(); }
  void require_outputs() const;
  std::size_t distinct_outputs() const;

  const PostWork& work;
  const int engine;
  datapath::SumStore sums;
  datapath::ParameterStore parameter_store;
  datapath::TileStore<std::int16_t> output;
  std::vector<std::vector<std::int16_t>> outputs;  // of each tile
  sim::Stream<arch::TiledJob> job;
  sim::Stream<datapath::Turn> turn;
  sim::Stream<datapath::Half> complete, freed, output_complete, output_freed;
  Source<arch::TiledJob> jobs;
  Source<datapath::Turn> parameters;
  datapath::PostProcess block;
  std::unique_ptr<HalfProducer> producer;
  std::unique_ptr<HalfConsumer> consumer;

 private:
  void fill(int tile, int half);
  void spoil(int half);
};

}  // namespace fansim::test
