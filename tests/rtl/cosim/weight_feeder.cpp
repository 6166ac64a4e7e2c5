// SPDX-License-Identifier: Apache-2.0
#include "accelerators/tiled/hardware/weight_feeder.h"

#include "cosim/tiled_jobs.h"
#include "twins.h"

namespace fansim::cosim {
namespace {

constexpr int kFaults = 5;
constexpr int kFc = tiled::Config::kFc;
constexpr std::size_t kCodes = 1 << 12;  // of a half

// A phase is some layers, not all of them the feeder's, and a token for each tile; level 1 stands still.
template <class Model>
class WeightFeederLane final : public Lane<Model> {
 public:
  WeightFeederLane(const std::string& name, const Parameters& p)
      : Lane<Model>(name, p, kFaults),
        number_(p["ENGINE"]),
        per_word_(p["PER_WORD"]),
        codes_(p["TM"] * p["TN"]),
        level1_(2, kCodes),
        job((name + "_job").c_str()),
        weights((name + "_weights").c_str()),
        sets((name + "_sets").c_str()),
        freed((name + "_freed").c_str()),
        block_(name.c_str(), test::engine_of(p["TM"], p["TN"]), number_, per_word_, level1_) {
    config_.conv = config_.first = config_.fc = test::engine_of(p["TM"], p["TN"]);
    if (number_ != kFc) sets.hold_one();
    for (int half = 0; half < 2; ++half)
      for (std::uint16_t& code : level1_[half]) code = static_cast<std::uint8_t>(this->random.next());
    block_.job(job);
    block_.weights(weights);
    block_.sets(sets);
    block_.freed(freed);
    wire_inputs();
    this->output(COSIM_OUTPUT(sets), [this](Model& m, const tiled::WeightSet& set, const auto& field) {
      for (int i = 0; i < codes_; ++i) field("weights", i, m.sets_weights, 8 * i, 8, set.codes[bits(i)]);
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
        COSIM_INPUT(weights),
        [](Model& m, const tiled::Half& item, const auto& field) {
          field("half", 0, m.weights_half, 0, 1, bits(item.index));
        },
        tiles_left_, [this](tiled::Half& item) { item.index = this->random.uniform(0, 1); });
  }

  void next_phase() override {
    planned_.clear();
    tiles_left_ = 0;
    for (int i = this->random.uniform(1, 4); i > 0; --i) {
      const int engine = this->random.chance(70) ? number_ : this->random.uniform(0, 2);
      planned_.push_back(random_job(config_, engine, this->random));
      if (engine == number_) tiles_left_ += tiles(planned_.back());
    }
    jobs_left_ = static_cast<int>(planned_.size());
  }
  int tiles(const tiled::TiledJob& of) const {
    if (number_ != kFc) return input_tiles(of, config_);
    const tiled::TileNest nest(of, config_.fc);
    int sum = 0;
    for (int block = 0; block < nest.fc_blocks(); ++block) sum += nest.fc_m_tiles() * nest.fc_k_tiles(block);
    return sum;
  }

  // Level 1 answers at the edge; the SystemC block reads a word at each that it counts.
  void before_edge() override { words_ = test::counter(block_, "words"); }
  void compare_at_edge(Model& m, const Compare& field) override {
    field("read", 0, m.read, 0, 1, test::counter(block_, "words") > words_);
    if (!m.read) return;
    for (int i = 0; i < per_word_; ++i)
      put_bits(m.read_data, 8 * i, 8, level1_[m.read_half][(m.read_index + bits(i)) % kCodes]);
    m.eval();
  }

  const int number_, per_word_, codes_;
  tiled::Config config_;
  tiled::TileStore<std::uint16_t> level1_;
  sim::Stream<tiled::TiledJob> job;
  sim::Stream<tiled::Half> weights;
  sim::Stream<tiled::WeightSet> sets;
  sim::Stream<tiled::Half> freed;
  tiled::WeightFeeder block_;
  std::vector<tiled::TiledJob> planned_;  // of the phase
  int jobs_left_ = 0, tiles_left_ = 0;
  std::int64_t words_ = 0;
};

}  // namespace

int add_lanes(Session& session) {
#define ADD(Model, parameters) session.add<WeightFeederLane<Model>>(parameters);
  FOR_EACH_TWIN(ADD)
#undef ADD
  return kFaults;
}

}  // namespace fansim::cosim
