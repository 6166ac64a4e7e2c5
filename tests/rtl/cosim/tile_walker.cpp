// SPDX-License-Identifier: Apache-2.0
#include "accelerators/tiled/hardware/tile_walker.h"

#include <map>

#include "cosim/tiled_jobs.h"
#include "twins.h"

namespace fansim::cosim {
namespace {

constexpr int kFaults = 6;
constexpr std::size_t kValues = 1 << 13;  // of a half

// A phase is some layers, not all of them the walker's, and a token for each load of inputs; the store stands still. A
// half of the sums is free again some edges behind its last point.
template <class Model>
class TileWalkerLane final : public Lane<Model> {
 public:
  TileWalkerLane(const std::string& name, const Parameters& p)
      : Lane<Model>(name, p, kFaults),
        number_(p["ENGINE"]),
        tn_(p["TN"]),
        value_bits_(9),
        store_(2, kValues),
        job((name + "_job").c_str()),
        inputs((name + "_inputs").c_str()),
        sums_freed((name + "_sums_freed").c_str()),
        points((name + "_points").c_str()),
        freed((name + "_freed").c_str()),
        block_(name.c_str(), test::engine_of(p["TM"], p["TN"]), number_, store_, p["SUM_HALVES"]) {
    config_.conv = config_.first = config_.fc = test::engine_of(p["TM"], p["TN"]);
    for (int half = 0; half < 2; ++half)
      for (std::int16_t& value : store_[half]) value = static_cast<std::int16_t>(this->random.uniform(-256, 255));
    block_.job(job);
    block_.inputs(inputs);
    block_.sums_freed(sums_freed);
    block_.points(points);
    block_.freed(freed);
    wire_inputs();
    this->output(COSIM_OUTPUT(points), [this](Model& m, const tiled::Point& point, const auto& field) {
      for (int i = 0; i < tn_; ++i)
        field("values", i, m.points_values, value_bits_ * i, value_bits_,
              static_cast<std::uint64_t>(point.values[bits(i)]));
      field("entry", 0, m.points_entry, 0, 16, bits(point.entry));
      field("half", 0, m.points_half, 0, 1, bits(point.half));
      field("new_set", 0, m.points_new_set, 0, 1, point.new_set);
      field("first", 0, m.points_first, 0, 1, point.first);
      field("last", 0, m.points_last, 0, 1, point.last);
    });
    this->output(COSIM_OUTPUT(freed), [](Model& m, const tiled::Half& item, const auto& field) {
      field("half", 0, m.freed_half, 0, 1, bits(item.index));
    });
  }

 private:
  void wire_inputs() {
    this->input(
        COSIM_INPUT(job),
        [](Model& m, const tiled::TiledJob& item, const auto& field) { job_fields(m.job_image, item, field); },
        jobs_left_, [this](tiled::TiledJob& item) { item = planned_[planned_.size() - bits(jobs_left_) - 1]; });
    this->input(
        COSIM_INPUT(inputs),
        [](Model& m, const tiled::Half& item, const auto& field) {
          field("half", 0, m.inputs_half, 0, 1, bits(item.index));
        },
        tiles_left_, [this](tiled::Half& item) { item.index = this->random.uniform(0, 1); });
    this->input(
        COSIM_INPUT(sums_freed), [](Model&, const tiled::Half&, const auto&) {}, sums_left_, [](tiled::Half&) {});
  }

  void next_phase() override {
    planned_.clear();
    tiles_left_ = 0;
    for (int i = this->random.uniform(1, 4); i > 0; --i) {
      const int engine = this->random.chance(70) ? number_ : this->random.uniform(0, 2);
      planned_.push_back(random_job(config_, engine, this->random));
      if (engine == number_) tiles_left_ += input_tiles(planned_.back(), config_);
    }
    jobs_left_ = static_cast<int>(planned_.size());
  }
  void before_edge() override {
    gone_.look([this](bool last) { sums_left_ += last; });
    points_read_ = test::counter(block_, "points");
  }

  // The store of each twin: a block RAM and its output register.
  struct Store {
    std::vector<std::int16_t> read, out;
  };
  void drive_levels(Model& m) override {
    const std::vector<std::int16_t>& values = stores_[&m].out;
    for (std::size_t i = 0; i < values.size(); ++i)
      put_bits(m.read_data, static_cast<int>(i) * value_bits_, value_bits_, static_cast<std::uint64_t>(values[i]));
  }
  void compare_at_edge(Model& m, const Compare& field) override {
    if (m.read) field("read", 0, m.read, 0, 1, test::counter(block_, "points") > points_read_);
    if (!m.move) return;
    Store& store = stores_[&m];
    store.out = store.read;
    if (!m.read) return;
    store.read.clear();
    for (int i = 0; i < tn_; ++i) {
      const std::uint64_t at = m.read_index + bits(i) * m.read_pitch;
      store.read.push_back(store_[m.read_half][at % kValues]);
    }
  }
  static bool last(const tiled::Point& point) { return point.last; }

  const int number_, tn_, value_bits_;
  tiled::Config config_;
  tiled::TileStore<std::int16_t> store_;
  sim::Stream<tiled::TiledJob> job;
  sim::Stream<tiled::Half> inputs, sums_freed;
  sim::Stream<tiled::Point> points;
  sim::Stream<tiled::Half> freed;
  tiled::TileWalker block_;
  Gone<tiled::Point, bool (*)(const tiled::Point&)> gone_{points, &last};
  std::map<const Model*, Store> stores_;
  std::vector<tiled::TiledJob> planned_;  // of the phase
  int jobs_left_ = 0, tiles_left_ = 0, sums_left_ = 0;
  std::int64_t points_read_ = 0;
};

}  // namespace

int add_lanes(Session& session) {
#define ADD(Model, parameters) session.add<TileWalkerLane<Model>>(parameters);
  FOR_EACH_TWIN(ADD)
#undef ADD
  return kFaults;
}

}  // namespace fansim::cosim
