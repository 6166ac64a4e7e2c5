// SPDX-License-Identifier: Apache-2.0
#include "accelerators/tiled/hardware/store_unit.h"

#include "cosim/tiled_jobs.h"
#include "twins.h"

namespace fansim::cosim {
namespace {

constexpr int kFaults = 4;

// A phase is some layers, of the engine of convolutions and of the FC engine.
template <class Model>
class StoreUnitLane final : public Lane<Model> {
 public:
  StoreUnitLane(const std::string& name, const Parameters& p)
      : Lane<Model>(name, p, kFaults),
        config_(machine(p)),
        job((name + "_job").c_str()),
        complete((name + "_complete").c_str()),
        half((name + "_half").c_str()),
        requests((name + "_requests").c_str()),
        commands((name + "_commands").c_str()),
        written((name + "_written").c_str()),
        block_(name.c_str(), config_) {
    block_.job(job);
    block_.complete(complete);
    block_.half(half);
    block_.requests(requests);
    block_.commands(commands);
    block_.written(written);
    this->input(
        COSIM_INPUT(job),
        [](Model& m, const tiled::TiledJob& item, const auto& field) { job_fields(m.job_image, item, field); },
        jobs_left_, [this](tiled::TiledJob& item) { item = planned_[planned_.size() - bits(jobs_left_) - 1]; });
    this->input(
        COSIM_INPUT(complete),
        [](Model& m, const tiled::Half& item, const auto& field) {
          field("half", 0, m.complete_half, 0, 1, bits(item.index));
        },
        tiles_left_, [this](tiled::Half& item) { item.index = this->random.uniform(0, 1); });
    this->input(
        COSIM_INPUT(written), [](Model&, const tiled::TileWritten&, const auto&) {}, written_left_,
        [](tiled::TileWritten&) {});
    this->output(COSIM_OUTPUT(half), [](Model& m, const tiled::Half& item, const auto& field) {
      field("half", 0, m.half_half, 0, 1, bits(item.index));
    });
    this->output(COSIM_OUTPUT(requests),
                 [](Model& m, const tiled::Extent& run, const auto& field) { run_fields(m.requests_run, run, field); });
    this->output(COSIM_OUTPUT(commands),
                 [](Model& m, const tiled::Extent& run, const auto& field) { run_fields(m.commands_run, run, field); });
  }

 private:
  static tiled::Config machine(const Parameters& p) {
    tiled::Config c = machine_of(p);
    c.store.bits = 8 * p["BEAT_BYTES"];
    return c;
  }
  void next_phase() override {
    planned_.clear();
    tiles_left_ = 0;
    for (int i = this->random.uniform(1, 4); i > 0; --i) {
      planned_.push_back(random_job(config_, this->random.chance(70) ? 0 : tiled::Config::kFc, this->random));
      tiles_left_ += output_tiles(planned_.back(), config_);
    }
    jobs_left_ = static_cast<int>(planned_.size());
  }
  void before_edge() override {
    runs_.look([this](bool last) { written_left_ += last; });
    layers_ = block_.layers_done();
  }
  void compare_after_edge(Model& m, const Compare& field) override {
    field("layer_done", 0, m.layer_done, 0, 1, block_.layers_done() > layers_);
  }
  static bool last(const tiled::Extent& run) { return run.last; }

  const tiled::Config config_;
  sim::Stream<tiled::TiledJob> job;
  sim::Stream<tiled::Half> complete, half;
  sim::Stream<tiled::Extent> requests, commands;
  sim::Stream<tiled::TileWritten> written;
  tiled::StoreUnit block_;
  Gone<tiled::Extent, bool (*)(const tiled::Extent&)> runs_{requests, &last};
  std::vector<tiled::TiledJob> planned_;  // of the phase
  int jobs_left_ = 0, tiles_left_ = 0, written_left_ = 0;
  std::int64_t layers_ = 0;
};

}  // namespace

int add_lanes(Session& session) {
#define ADD(Model, parameters) session.add<StoreUnitLane<Model>>(parameters);
  FOR_EACH_TWIN(ADD)
#undef ADD
  return kFaults;
}

}  // namespace fansim::cosim
