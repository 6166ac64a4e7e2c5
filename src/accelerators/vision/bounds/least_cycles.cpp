// SPDX-License-Identifier: Apache-2.0
#include "accelerators/vision/bounds/least_cycles.h"

#include <algorithm>

#include "accelerators/vision/config/rows.h"
#include "accelerators/vision/timing/pixel_flow.h"
#include "contract/host_steps.h"
#include "rules/fixed_ddr.h"
#include "timing/host_clock.h"

namespace fansim::vision {
namespace {

using timing::Edge;

constexpr int kPorts = 2;

class Follower final : public timing::JobHost {
 public:
  Follower(const Config& config, bool memory_known) : JobHost(config.host, registers_), config_(config) {
    if (memory_known) pace_ = rules::pace_of(config.ddr, config.axi.data_bits);
    if (!memory_known || config.ddr.fidelity == contract::DdrFidelity::banked) return;
    const contract::DdrConfig ddr = rules::effective(config.ddr);
    one_bus_ = rules::lanes(config.ddr, config.axi.data_bits, kPorts) == 1;
    // A burst is granted one edge after it was taken. Its beats and its response are popped one edge after they were
    // pushed.
    read_ = ddr.read_latency + 2;
    written_ = ddr.write_latency + 2;
  }

 private:
  void count(contract::LayerResult&) override {}
  Edge run_job(const contract::JobRegisters& registers, Edge taken) override {
    return taken + 1 + least(decode(registers));
  }
  // Returns the edges from the one at which the blocks pop the job to the one at which its last result has been taken
  // and its last written result is in memory.
  Edge least(const Job& job) const {
    const Edge row = row_steps(job, config_.pixels);
    const Edge last = row * job.rows - 1;
    const Edge last_written = row * (job.crop.bottom - 1) + (job.crop.right - 1) / config_.pixels.samples;
    // The beat is pushed, taken and stored, and its burst is taken. The block that moves rows sees the response an edge
    // later.
    const Edge stored = 1 + 1 + config_.dma.s2mm_store + 1 + written_ + 1;
    const Edge image = beats(job, Rows::image), second = beats(job, Rows::second), result = beats(job, Rows::result);
    const Edge on_bus = one_bus_ ? image + second + result : pace_.whole() ? result : std::max({image, second, result});
    return std::max({taken(job, last), taken(job, last_written) + stored, paced(on_bus)});
  }
  // Returns the edges in which a lane passes so many beats. What others are owed of an edge may be the next job's.
  Edge paced(Edge beats) const { return pace_.whole() ? beats : beats * pace_.edges / pace_.beats - 1; }
  // Returns the edge at which a result is taken. The first burst and its beats are pushed, and pass the memory, the
  // mover and the reader; then one beat is sent per cycle. A result frees its place among those that wait for the
  // packer two edges after it arrived.
  Edge taken(const Job& job, Edge result) const {
    const Edge first = config_.dma.mm2s_start + 1 + read_ + config_.dma.mm2s_stream + 1 + 1;
    const Edge way = route_latency(config_, job), room = config_.pixels.fifo_beats;
    return first + job.flush + std::max(result, result / room * (way + 2)) + way + 1;
  }
  Edge beats(const Job& job, Rows which) const {
    const contract::RowTransfers rows = rows_of(job, which);
    return Edge{rows.row_bytes} * rows.rows / config_.axi.beat_bytes();
  }

  const Config& config_;
  bool one_bus_ = false;
  rules::Pace pace_;
  Edge read_ = 1, written_ = 0;  // least latencies of the memory
  JobRegisters registers_;
};

}  // namespace

base::Cycles least_cycles(const contract::Program& program, const Config& config, bool memory_known) {
  base::Cycles cycles = 0;
  contract::LayerSteps layer;
  for (std::size_t at = 0; contract::next_layer(program, at, layer);) {
    Follower follower(config, memory_known);
    contract::follow(program, layer, follower, {});
    cycles += follower.now();
  }
  return cycles;
}

}  // namespace fansim::vision
