// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cosim/tiled_jobs.h"

namespace fansim::cosim {

// Plays the surroundings of a loader: layers, and the answers of reader, decoder, engines and the other loader. A load
// ends a few edges after its last run, and its half is free a few edges later. In serial order a turn comes back for
// each one that is handed over.
template <class Model, class Command, class Block>
class LoaderLane : public Lane<Model> {
 public:
  LoaderLane(const std::string& name, const Parameters& p, int faults, const tiled::Config& config)
      : Lane<Model>(name, p, faults),
        config_(config),
        job((name + "_job").c_str()),
        requests((name + "_requests").c_str()),
        commands((name + "_commands").c_str()),
        done((name + "_done").c_str()),
        turn((name + "_turn").c_str()),
        turn_over((name + "_turn_over").c_str()),
        freed_conv((name + "_freed_conv").c_str()),
        freed_first((name + "_freed_first").c_str()),
        freed_fc((name + "_freed_fc").c_str()),
        block_(name.c_str(), config_) {
    block_.job(job);
    block_.requests(requests);
    block_.commands(commands);
    block_.done(done);
    block_.turn(turn);
    block_.turn_over(turn_over);
    block_.freed_conv(freed_conv);
    block_.freed_first(freed_first);
    block_.freed_fc(freed_fc);
    this->input(
        COSIM_INPUT(job),
        [](Model& m, const tiled::TiledJob& item, const auto& field) { job_fields(m.job_image, item, field); },
        jobs_left_, [this](tiled::TiledJob& item) { item = planned_[planned_.size() - bits(jobs_left_) - 1]; });
#define FREED(name, engine) \
  this->input(              \
      COSIM_INPUT(name), [](Model&, const tiled::Half&, const auto&) {}, freed_left_[engine], [](tiled::Half&) {});
    FREED(freed_conv, 0)
    FREED(freed_first, 1)
    FREED(freed_fc, 2)
#undef FREED
    this->input(
        COSIM_INPUT(done), [](Model&, const tiled::Turn&, const auto&) {}, done_left_, [this](tiled::Turn&) { end(); });
    this->input(
        COSIM_INPUT(turn), [](Model&, const tiled::Turn&, const auto&) {}, turns_left_, [](tiled::Turn&) {});
    this->output(COSIM_OUTPUT(turn_over), [](Model&, const tiled::Turn&, const auto&) {});
    this->output(COSIM_OUTPUT(requests),
                 [](Model& m, const tiled::Extent& run, const auto& field) { run_fields(m.requests_run, run, field); });
  }

 protected:
  struct Load {
    bool last;
    int engine;
    bool frees;
  };
  // load_of() returns the load of a command. The constant is the number of turns that exist before any has been handed
  // over.
  static Load load_of(const tiled::MapExtent& run) { return {run.run.last, run.engine, true}; }
  static Load load_of(const tiled::WeightExtent& run) { return {run.run.last, run.engine, !run.parameters}; }
  bool serial() const { return config_.load.order == tiled::LoadOrder::serial; }
  virtual int turns_at_start() const = 0;

 private:
  void next_phase() override {
    planned_.clear();
    turns_to_come_ = 0;
    for (int i = this->random.uniform(1, 3); i > 0; --i) {
      const int engine = this->random.chance(50) ? 0 : this->random.uniform(1, 2);
      planned_.push_back(random_job(config_, engine, this->random));
      if (serial()) turns_to_come_ += input_tiles(planned_.back(), config_);
    }
    jobs_left_ = static_cast<int>(planned_.size());
    turns_due_ = std::min(turns_at_start(), turns_to_come_);
  }
  void before_edge() override {
    loads_.look([this](const Load& load) {
      if (!load.last) return;
      ++done_left_;
      ending_.push_back(load);
    });
    for (; handed_over_ < turn_over.pops(); ++handed_over_) ++turns_due_;
    for (; turns_due_ > 0 && turns_to_come_ > 0; --turns_due_, --turns_to_come_) ++turns_left_;
    for (; ended_ > 0; --ended_) {
      if (ending_.front().frees) ++freed_left_[bits(ending_.front().engine)];
      ending_.pop_front();
    }
  }
  void end() { ++ended_; }

 protected:
  const tiled::Config config_;
  sim::Stream<tiled::TiledJob> job;
  sim::Stream<tiled::Extent> requests;
  sim::Stream<Command> commands;
  sim::Stream<tiled::Turn> done, turn, turn_over;
  sim::Stream<tiled::Half> freed_conv, freed_first, freed_fc;
  Block block_;

 private:
  Gone<Command, Load (*)(const Command&)> loads_{commands, &load_of};
  std::vector<tiled::TiledJob> planned_;  // of the phase
  std::deque<Load> ending_;               // asked for whole, and not over
  int jobs_left_ = 0, done_left_ = 0, turns_left_ = 0, ended_ = 0;
  std::array<int, tiled::Config::kEngines> freed_left_{};
  int turns_due_ = 0, turns_to_come_ = 0;  // given back; of the phase
  std::int64_t handed_over_ = 0;
};

}  // namespace fansim::cosim
