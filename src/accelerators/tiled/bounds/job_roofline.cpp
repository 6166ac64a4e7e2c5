// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "accelerators/tiled/bounds/loads.h"
#include "accelerators/tiled/bounds/roofline.h"
#include "accelerators/tiled/bounds/tile_pipeline.h"
#include "accelerators/tiled/config/layer_jobs.h"
#include "accelerators/tiled/config/tile_nest.h"
#include "contract/host_steps.h"

namespace fansim::tiled {
namespace {

// Holds the cycles of a job's loads, and of what comes before and after them.
struct JobCycles {
  double loaded = 0;  // cycles that all loads take
  double first = 0;   // cycles before the first computation
  double compute = 0;
  double last = 0;   // cycles of computation left when everything is loaded
  double store = 0;  // cycles of storing the last tile

  double total() const { return std::max(first + compute, loaded + last) + store; }
};

class JobRoofline {
 public:
  JobRoofline(const Config& c, const TiledJob& job)
      : config_(c), job_(job), nest_(job, c.engine(job.engine)), loads_(c) {}

  double cycles() const {
    if (nest_.fc_engine()) return fc().total();
    return std::max(convolution().total(), least_pipeline_cycles(config_, job_));
  }

 private:
  bool parallel() const { return config_.load.order == LoadOrder::parallel; }
  double input_bits(double values) const {
    const Encoding e = config_.input_encoding();
    return std::ceil(values / e.per_beat()) * e.beat_bits;
  }
  double input_data(double bits) const { return loads_.data(bits, config_.load.input_bits); }
  // Returns the bits of a tile's weights. Without reorganisation a tile holds only the layer's own weights, and their
  // number is not bounded.
  double weight_bits() const {
    const Encoding e = config_.weight_encoding();
    return config_.load.reorganise ? static_cast<double>(nest_.tile_beats(e)) * e.beat_bits : 0;
  }
  double weight_data(double bits) const { return loads_.data(bits, config_.load.weight_bits); }
  double stored(double values) const {
    const Encoding e = config_.output_encoding();
    return std::floor(values / e.per_beat());
  }
  // Returns the cycles until the first inputs and weights are there: one load after the other or, in parallel, the
  // longer of the two.
  double before(double inputs, double weights) const {
    const double latency = loads_.latency();
    return parallel() ? std::max(inputs, weights) + latency : inputs + weights + 2 * latency;
  }

  JobCycles convolution() const {
    JobCycles c;
    double inputs = 0;
    for (int y = 0; y < nest_.y_tiles(); ++y) {
      for (int x = 0; x < nest_.x_tiles(); ++x) {
        const Region sums = nest_.sums(nest_.output(y, x));
        const double values = nest_.input(sums).size();
        for (int n = 0; n < nest_.n_tiles(); ++n) inputs += input_bits(values * nest_.in_channels(n));
        c.last = static_cast<double>(sums.size()) * job_.steps();
      }
    }
    inputs *= nest_.m_tiles();
    const double tiles = static_cast<double>(nest_.output_tiles()) * nest_.n_tiles(), weights = weight_bits() * tiles;
    c.loaded = parallel()
                   ? std::max(input_data(inputs), weight_data(weights))
                   : loads_.in_turn(input_data(inputs) + weight_data(weights), loads_.bus(inputs + weights), 2 * tiles);
    const double first = nest_.input(nest_.sums(nest_.output(0, 0))).size() * nest_.in_channels(0);
    c.first = before(input_data(input_bits(first)), weight_data(weight_bits()));
    c.compute = static_cast<double>(nest_.points());
    const double outputs = nest_.output(nest_.y_tiles() - 1, nest_.x_tiles() - 1).size();
    c.store = stored(outputs * nest_.out_channels(nest_.m_tiles() - 1));
    return c;
  }

  // Bounds the FC engine block by block: the inputs of a block, then its weights.
  JobCycles fc() const {
    JobCycles c;
    double inputs = 0, weights = 0;
    for (int block = 0; block < nest_.fc_blocks(); ++block) {
      const double data = input_data(input_bits(nest_.fc_inputs(block)));
      const double tiles = static_cast<double>(nest_.fc_m_tiles()) * nest_.fc_k_tiles(block);
      const double bits = weight_bits() * tiles;
      inputs += data;
      weights += weight_data(bits);
      c.loaded += loads_.latency() + data + loads_.in_turn(weight_data(bits), loads_.bus(bits), tiles);
    }
    if (parallel()) c.loaded = std::max(inputs, weights);
    c.first = before(input_data(input_bits(nest_.fc_inputs(0))), weight_data(weight_bits()));
    c.compute = static_cast<double>(nest_.points());
    c.last = static_cast<double>(job_.fc_steps) * job_.fc_groups;
    return c;
  }

  const Config& config_;
  const TiledJob& job_;
  const TileNest nest_;
  const Loads loads_;
};

// Adds up the cycles that the host's steps take by themselves.
struct HostWork : contract::HostFollower {
  explicit HostWork(const contract::HostConfig& config) : host(config) {}

  void software(std::uint32_t steps, bool) { cycles += steps; }
  void write_core(std::uint32_t, std::uint32_t) { cycles += host.register_write; }
  void wait_output() { cycles += host.interrupt; }

  const contract::HostConfig& host;
  double cycles = 0;
};

}  // namespace

double least_cycles(const contract::Program& program, const Config& config) {
  HostWork host(config.host);
  std::size_t at = 0;
  for (contract::LayerSteps layer; contract::next_layer(program, at, layer);)
    for (std::size_t i = layer.first; i < layer.last; ++i) contract::follow(program.ops[i], host);
  double cycles = host.cycles;
  for (const contract::LayerPlan& plan : program.layers)
    for (const TiledJob& job : layer_jobs_of(plan).jobs) cycles += JobRoofline(config, job).cycles();
  return cycles;
}

}  // namespace fansim::tiled
