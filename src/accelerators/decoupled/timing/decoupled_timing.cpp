// SPDX-License-Identifier: Apache-2.0
#include "accelerators/decoupled/timing/decoupled_timing.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <stdexcept>

#include "accelerators/decoupled/timing/unit_times.h"
#include "contract/result_of.h"
#include "timing/host_clock.h"
#include "timing/memory.h"
#include "timing/trains/memory.h"

namespace fansim::decoupled {
namespace {

using timing::Edge;

class Layer final : public timing::JobHost {
 public:
  Layer(const Config& config, const DecoupledLayer& layer, LayerLeft& left, const contract::ProgressCallback& progress,
        bool replay)
      : JobHost(config.host, registers_),
        layer_(layer),
        left_(left),
        progress_(progress),
        memory_((replay ? timing::trains::make_memory : timing::make_memory)(config.ddr, config.axi.beat_bytes(),
                                                                             config.clock_mhz, config.ports())),
        load_(Unit::load, config, tokens_, *memory_, replay),
        load_weights_(Unit::load_weights, config, tokens_, *memory_, replay),
        compute_(config, tokens_, buckets_),
        store_(Unit::store, config, tokens_, *memory_, replay) {
    for (std::size_t i = 0; i < store_.lanes().size(); ++i) store_.lanes()[i].writes().idle_from(left.idle_from[i]);
  }

 private:
  void count(contract::LayerResult& result) override {
    result.bytes_read = load_.bytes() + load_weights_.bytes();
    result.bytes_written = store_.bytes();
    result.buckets.assign(buckets_.begin(), buckets_.end());
    for (std::size_t i = 0; i < store_.lanes().size(); ++i)
      left_.idle_from[i] = std::max(timing::kLongAgo, store_.lanes()[i].writes().idle_from() - now());
  }

  // The units pop the job an edge after its start is taken.
  Edge run_job(const contract::JobRegisters& registers, Edge taken) override {
    const std::size_t job = job_of(registers);
    const Edge start = taken + 1;
    if (job >= layer_.jobs.size()) throw std::logic_error(fmt::format("timing: decoupled: no job {}", job));
    tokens_.clear();
    const std::array<UnitTime*, kUnits> units{&load_, &load_weights_, &compute_, &store_};
    for (UnitTime* unit : units) unit->start(layer_.jobs[job], start);
    const auto done = [&] { return std::all_of(units.begin(), units.end(), [](auto* unit) { return unit->done(); }); };
    for (int decisions = 0; get_on(units), !done(); ++decisions) {
      if (progress_ && decisions % kDecisionsPerCall == 0) progress_();
      if (!memory_->next()) throw std::logic_error("timing: decoupled: units wait for each other's tokens");
    }
    const Edge loaded = std::max({compute_.ended(), load_.ended(), load_weights_.ended()});
    const Edge stored = std::max(loaded, store_.ended());
    buckets_[kLoad] += loaded - compute_.ended();
    buckets_[kStore] += stored - loaded;
    return std::max(stored, start);
  }

  // Everything that needs no decision of the memory.
  static void get_on(const std::array<UnitTime*, kUnits>& units) {
    for (bool moved = true; moved;) {
      moved = false;
      for (UnitTime* unit : units) moved |= unit->advance() | unit->ask();
    }
  }

  static constexpr int kDecisionsPerCall = 1024;
  JobRegisters registers_;
  const DecoupledLayer& layer_;
  LayerLeft& left_;
  const contract::ProgressCallback& progress_;
  const std::unique_ptr<timing::Memory> memory_;
  Tokens tokens_;
  Buckets buckets_{};
  MoverTime<LoadLaneTime> load_, load_weights_;
  ComputeTime compute_;
  MoverTime<StoreLaneTime> store_;
};

}  // namespace

contract::LayerResult run_layer(const Config& config, const contract::Program& program,
                                const contract::LayerSteps& layer, LayerLeft& left,
                                const contract::ProgressCallback& progress, bool replay) {
  return Layer(config, layer_of(*layer.plan), left, progress, replay).run(program, layer, progress);
}

}  // namespace fansim::decoupled
