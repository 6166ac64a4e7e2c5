// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <deque>
#include <string>
#include <vector>

#include "accelerators/tiled/config/config.h"
#include "accelerators/tiled/config/tiled_job.h"
#include "accelerators/tiled/hardware/tiled_layer.h"
#include "base/random.h"
#include "cosim/lane.h"
#include "cosim/tiled.h"

// This file holds what the twins of blocks that walk a layer share.
namespace fansim::cosim {

inline std::uint64_t bits(int value) { return static_cast<std::uint64_t>(value); }

// tests/rtl/tiled_job.vh
template <class Port, class Field>
void job_fields(Port& port, const tiled::TiledJob& job, const Field& field) {
  const tiled::JobImage image = tiled::encode(job);
  for (int i = 0; i < tiled::TiledJob::kWords; ++i) field("word", i, port, 32 * i, 32, image[bits(i)]);
}

template <class Port, class Field>
void run_fields(Port& port, const tiled::Extent& run, const Field& field) {
  field("address", 0, port, 0, 32, run.address);
  field("beats", 0, port, 32, 32, bits(run.beats));
  field("skip", 0, port, 64, 16, bits(run.skip));
  field("values", 0, port, 80, 32, bits(run.values));
  field("last", 0, port, 112, 1, run.last);
}

// Returns the engines of a machine, from the parameters of a twin.
inline tiled::Config machine_of(const Parameters& p) {
  tiled::Config c;
  c.conv = test::engine_of(p.get("CONV_TM", 4), p.get("CONV_TN", 3));
  c.first = test::engine_of(p.get("FIRST_TM", 2), p.get("FIRST_TN", 3));
  c.fc = test::engine_of(p.get("FC_TM", 4), p.get("FC_TN", 4));
  c.conv.double_buffer = p.get("CONV_HALVES", 2) == 2;
  c.first.double_buffer = p.get("FIRST_HALVES", 1) == 2;
  c.weights.double_buffer = p.get("HALVES", 2) == 2;
  return c;
}

// Places maps in blocks of channels; rows, planes and blocks may or may not be adjacent.
inline void place(int channels, int rows, int columns, int& block_channels, int& block_bytes, int& plane, int& row,
                  int& first, base::Random& random) {
  row = columns + (random.chance(50) ? random.uniform(1, 3) : 0);
  plane = rows * row + (random.chance(50) ? random.uniform(1, 9) : 0);
  block_channels = random.uniform(1, channels + 2);
  block_bytes = 64 * random.uniform(1, 40);
  first = random.chance(50) ? random.uniform(0, 9) : 0;
}

inline tiled::TiledJob random_job(const tiled::Config& c, int engine, base::Random& random) {
  const bool fc = engine == tiled::Config::kFc;
  tiled::TiledJob job = fc ? test::random_fc(c.fc, random) : test::random_conv(c.engine(engine), random);
  job.engine = engine;
  if (fc) job.fc_block = std::max(job.fc_block, job.instruction.in_channels / 5);
  const tiled::Instruction& i = job.instruction;
  if (!i.pool()) job.pool_kernel = 1;  // as the compiler writes it
  const auto address = [&] { return static_cast<std::uint32_t>(64 * random.uniform(0, 1 << 20)); };
  job.input_address = address();
  job.weight_address = address();
  job.parameter_address = address();
  job.output_address = address();
  place(i.in_channels, fc ? 1 : i.height, fc ? 1 : i.width, job.in_block_channels, job.in_block_bytes, job.in_plane,
        job.in_row, job.in_first, random);
  place(i.out_channels, job.out_rows, job.out_columns, job.out_block_channels, job.out_block_bytes, job.out_plane,
        job.out_row, job.out_first, random);
  return job;
}

// Return how often the stages load inputs, and complete a tile of outputs.
inline int input_tiles(const tiled::TiledJob& job, const tiled::Config& c) {
  const tiled::TileNest nest(job, c.engine(job.engine));
  return nest.fc_engine() ? nest.fc_blocks() : nest.output_tiles() * nest.n_tiles();
}
inline int output_tiles(const tiled::TiledJob& job, const tiled::Config& c) {
  const tiled::TileNest nest(job, c.engine(job.engine));
  return nest.fc_engine() ? 1 : nest.output_tiles();
}

// Records, in order, what `note` keeps of each item that has left a stream.
template <class T, class Note>
class Gone {
 public:
  Gone(sim::Stream<T>& stream, Note note) : stream_(stream), note_(note) {}
  // Called before each edge; calls take(note) for each item popped since.
  template <class Take>
  void look(Take take) {
    if (seen_ < stream_.shown()) {
      kept_.push_back(note_(stream_.newest()));
      ++seen_;
    }
    for (; popped_ < stream_.pops(); ++popped_) {
      take(kept_.front());
      kept_.pop_front();
    }
  }

 private:
  sim::Stream<T>& stream_;
  Note note_;
  std::deque<decltype(std::declval<Note>()(std::declval<const T&>()))> kept_;
  std::int64_t seen_ = 0, popped_ = 0;
};

}  // namespace fansim::cosim
