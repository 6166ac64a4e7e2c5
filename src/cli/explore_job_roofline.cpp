// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "arch/tile_nest.h"
#include "cli/explore_loads.h"
#include "cli/explore_roofline.h"
#include "cli/explore_tile_pipeline.h"

namespace fansim::cli {
namespace {

using arch::TiledConfig;
using arch::TiledJob;

// A job's loads and what lies before, between and behind them.
struct JobCycles {
  double inputs = 0, weights = 0;  // data, summed
  double loads = 0;                // that take turns
  double first = 0;                // before anything is computed
  double compute = 0;
  double last = 0;   // of the compute, when everything is loaded
  double store = 0;  // of the last tile

  double total(const TiledConfig& c, const Loads& l) const {
    const double loaded =
        c.load.order == arch::LoadOrder::parallel ? std::max(inputs, weights) : l.in_turn(inputs + weights, loads);
    return std::max(first + compute, loaded + last) + store;
  }
};

class JobRoofline {
 public:
  JobRoofline(const TiledConfig& c, const TiledJob& job)
      : config_(c), job_(job), nest_(job, c.engine(job.engine)), loads_(c) {}

  double cycles() const {
    if (nest_.fc_engine()) return fc().total(config_, loads_);
    return std::max(convolution().total(config_, loads_), least_pipeline_cycles(config_, job_));
  }

 private:
  double input_data(double values) const {
    const arch::Encoding e = config_.input_encoding();
    return loads_.data(std::ceil(values / e.per_beat()) * e.beat_bits, e.beat_bits);
  }
  double weight_data() const {
    const arch::Encoding e = config_.weight_encoding();
    const double values = static_cast<double>(nest_.tile_values());
    // Not reorganised, a tile has only the layer's own weights; how many is left open.
    const double beats = config_.load.reorganise ? static_cast<double>(nest_.tile_beats(e)) : 0;
    return values > 0 ? loads_.data(beats * e.beat_bits, e.beat_bits) : 0;
  }
  double stored(double values) const {
    const arch::Encoding e = config_.output_encoding();
    return std::floor(values / e.per_beat());
  }
  // What must be there first: one after the other, or at least the longer.
  double before(double inputs, double weights) const {
    const double latency = loads_.latency();
    return config_.load.order == arch::LoadOrder::parallel ? std::max(inputs, weights) + latency
                                                           : inputs + weights + 2 * latency;
  }

  JobCycles convolution() const {
    JobCycles c;
    const double weights = weight_data();
    for (int y = 0; y < nest_.y_tiles(); ++y) {
      for (int x = 0; x < nest_.x_tiles(); ++x) {
        const arch::Region sums = nest_.sums(nest_.output(y, x));
        const double inputs = nest_.input(sums).size();
        for (int n = 0; n < nest_.n_tiles(); ++n) c.inputs += input_data(inputs * nest_.in_channels(n));
        c.last = static_cast<double>(sums.size()) * job_.steps();
      }
    }
    c.inputs *= nest_.m_tiles();
    const double tiles = static_cast<double>(nest_.output_tiles()) * nest_.n_tiles();
    c.weights = weights * tiles;
    c.loads = 2 * tiles;
    c.first = before(input_data(nest_.input(nest_.sums(nest_.output(0, 0))).size() * nest_.in_channels(0)), weights);
    c.compute = static_cast<double>(nest_.points());
    const double outputs = nest_.output(nest_.y_tiles() - 1, nest_.x_tiles() - 1).size();
    c.store = stored(outputs * nest_.out_channels(nest_.m_tiles() - 1));
    return c;
  }

  JobCycles fc() const {
    JobCycles c;
    const double weights = weight_data();
    for (int block = 0; block < nest_.fc_blocks(); ++block) {
      c.inputs += input_data(nest_.fc_inputs(block));
      c.loads += 1 + static_cast<double>(nest_.fc_m_tiles()) * nest_.fc_k_tiles(block);
    }
    c.weights = weights * (c.loads - nest_.fc_blocks());
    c.first = before(input_data(nest_.fc_inputs(0)), weights);
    c.compute = static_cast<double>(nest_.points());
    c.last = static_cast<double>(job_.fc_steps) * job_.fc_groups;
    return c;
  }

  const TiledConfig& config_;
  const TiledJob& job_;
  const arch::TileNest nest_;
  const Loads loads_;
};

double host_cycles(const arch::Program& program, const TiledConfig& c) {
  using Kind = arch::HostOp::Kind;
  double cycles = 0;
  for (const arch::HostOp& op : program.ops) {
    if (op.kind == Kind::software) cycles += op.value;
    if (op.kind == Kind::write_core) cycles += c.host.register_write;
    if (op.kind == Kind::wait_output) cycles += c.host.interrupt;
  }
  return cycles;
}

}  // namespace

double least_cycles(const arch::Program& program, const TiledConfig& config) {
  double cycles = host_cycles(program, config);
  for (const arch::LayerPlan& plan : program.layers)
    for (const TiledJob& job : plan.jobs) cycles += JobRoofline(config, job).cycles();
  return cycles;
}

}  // namespace fansim::cli
