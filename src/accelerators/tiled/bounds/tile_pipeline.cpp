// SPDX-License-Identifier: Apache-2.0
#include "accelerators/tiled/bounds/tile_pipeline.h"

#include <array>
#include <vector>

#include "accelerators/tiled/bounds/loads.h"

namespace fansim::tiled {
namespace {

constexpr std::int64_t kMostTiles = 20000;

// Holds values of the last few tiles; there are at most two halves.
class Recent {
 public:
  double& operator[](std::int64_t i) { return values_[static_cast<std::size_t>(i + 4) % 4]; }

 private:
  std::array<double, 4> values_{};
};

class TilePipeline {
 public:
  TilePipeline(const Config& c, const TiledJob& job)
      : config_(c), job_(job), nest_(job, c.engine(job.engine)), loads_(c), halves_(c.engine(job.engine).halves()) {
    const Encoding weights = c.weight_encoding();
    if (c.load.reorganise)
      weight_data_ =
          loads_.runs(1, static_cast<double>(nest_.tile_beats(weights)), weights.beat_bits, c.load.weight_burst_beats);
    set_words_ = static_cast<double>(nest_.tn()) * base::ceil_div(nest_.tm(), weights.per_beat());
  }

  std::int64_t tiles() const { return std::int64_t{nest_.output_tiles()} * nest_.n_tiles(); }

  double cycles() {
    for (int m = 0; m < nest_.m_tiles(); ++m)
      for (int y = 0; y < nest_.y_tiles(); ++y)
        for (int x = 0; x < nest_.x_tiles(); ++x) output_tile(m, y, x);
    return stored_;
  }

 private:
  void output_tile(int m, int y, int x) {
    const Region output = nest_.output(y, x), sums = nest_.sums(output);
    const Region input = nest_.input(sums);
    for (int n = 0; n < nest_.n_tiles(); ++n) {
      load(input_data(input, nest_.in_channels(n)));
      compute(sums.size(), n == 0 ? sums_freed_[outputs_ - halves_] : 0);
      ++tile_;
    }
    const double reads =
        static_cast<double>(base::ceil_div(nest_.out_channels(m), config_.store.lanes)) * nest_.post_edges(output);
    store(reads, static_cast<double>(output.size()) * nest_.out_channels(m));
    ++outputs_;
  }

  // Adjacent data in memory form one run: a whole row, a whole channel, or all channels of a block.
  double input_data(const Region& input, int channels) const {
    const bool rows = input.columns == job_.instruction.width, planes = rows && input.rows == job_.instruction.height;
    const double runs = planes ? 1 : rows ? channels : static_cast<double>(channels) * input.rows;
    const Encoding encoding = config_.input_encoding();
    const double values = static_cast<double>(input.size()) * channels / runs;
    const double beats = std::ceil((skipped(input, encoding) + values) / encoding.per_beat());
    return loads_.runs(runs, beats, encoding.beat_bits, config_.load.input_burst_beats);
  }

  // Returns the values before those of a run in its first beat, if that number is the same for every row.
  int skipped(const Region& input, const Encoding& encoding) const {
    const bool aligned = job_.in_row % encoding.per_beat() == 0 && job_.in_plane % encoding.per_beat() == 0;
    return aligned ? input.column % encoding.per_beat() : 0;
  }

  // Loads inputs, then weights, in serial order. Each load is requested when the one before has arrived and a half is
  // free.
  void load(double inputs) {
    const double input_half = inputs_freed_[tile_ - halves_];
    const double weight_half = weights_freed_[tile_ - config_.weights.halves()];
    if (config_.load.order == LoadOrder::serial) {
      inputs_filled_ = std::max(weights_filled_ + Loads::kTurn, input_half) + loads_.latency() + inputs;
      weights_filled_ = std::max(inputs_filled_ + Loads::kTurn, weight_half) + loads_.latency() + weight_data_;
    } else {
      inputs_filled_ = std::max(inputs_filled_, input_half + loads_.latency()) + inputs;
      weights_filled_ = std::max(weights_filled_, weight_half + loads_.latency()) + weight_data_;
    }
  }

  // A step takes a cycle for each sum. Its weights are moved into place during the step before.
  void compute(int sums, double sums_free) {
    constexpr double kAhead = 4;  // one more than the most points that the walker is ahead of the engine
    const double steps = job_.steps(), step = std::max<double>(sums, set_words_ + 1);
    const double begin = std::max({inputs_filled_, weights_filled_ + set_words_, computed_, sums_free});
    const double last_step = begin + (steps - 1) * step;
    inputs_freed_[tile_] = (sums > kAhead ? last_step + sums : begin) - kAhead;
    weights_freed_[tile_] = steps > 1 ? last_step - step + set_words_ : weights_filled_ + set_words_ - 1;
    complete_ = last_step + sums;
    computed_ = std::max(complete_, last_step + set_words_ + 1);
  }

  void store(double reads, double values) {
    const Encoding encoding = config_.output_encoding();
    const double beat = loads_.data(encoding.beat_bits, encoding.beat_bits);
    const double data = std::floor(values / encoding.per_beat()) * beat;
    processed_ = std::max({processed_, complete_, outputs_freed_[outputs_ - StoreConfig::kHalves]}) + reads;
    sums_freed_[outputs_] = processed_ - 1;
    stored_ = std::max(stored_, processed_) + data;
    // Behind the half, two bursts and the contents of a few registers are in transit.
    const double behind = 2 * config_.store.burst_beats + 16;
    outputs_freed_[outputs_] = std::max(processed_, stored_ - behind * beat);
  }

  const Config& config_;
  const TiledJob& job_;
  const TileNest nest_;
  const Loads loads_;
  const int halves_;
  double weight_data_ = 0, set_words_ = 0;

  std::int64_t tile_ = 0, outputs_ = 0;
  double inputs_filled_ = 0, weights_filled_ = 0, computed_ = 0, complete_ = 0, processed_ = 0, stored_ = 0;
  Recent inputs_freed_, weights_freed_, sums_freed_, outputs_freed_;
};

}  // namespace

double least_pipeline_cycles(const Config& config, const TiledJob& job) {
  TilePipeline pipeline(config, job);
  return pipeline.tiles() > kMostTiles ? 0 : pipeline.cycles();
}

}  // namespace fansim::tiled
