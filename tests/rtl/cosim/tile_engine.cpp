// SPDX-License-Identifier: Apache-2.0
#include "accelerators/tiled/hardware/tile_engine.h"

#include "cosim/lane.h"
#include "twins.h"

namespace fansim::cosim {
namespace {

constexpr int kFaults = 5;

tiled::EngineConfig engine_of(const Parameters& p) {
  tiled::EngineConfig engine;
  engine.tm = p["TM"];
  engine.tn = p["TN"];
  engine.macs = p.get("BY_INPUT", 0) ? tiled::MacPlace::by_input : tiled::MacPlace::by_output;
  engine.dsp_channels = p["DSP_CHANNELS"];
  if (p.get("CHAIN", 0) > 0) {
    engine.macs = tiled::MacPlace::int8_chain;
    engine.terms = p["CHAIN"];
  }
  engine.output_words = p["OUTPUT_WORDS"];
  engine.double_buffer = p["HALVES"] == 2;
  return engine;
}

// A weight's code is its own two's complement byte.
tiled::CodeBook bytes() {
  tiled::CodeBook book;
  for (int code = 0; code < 256; ++code) book.integers.push_back(static_cast<std::int8_t>(code));
  return book;
}

// A phase fills one half, or two one after the other; while it drains, the sums of a half that has been reported
// complete are read back, entry by entry. Or it fills many, so small that `sums` is full now and then, and reads none.
template <class Model>
class TileEngineLane final : public Lane<Model> {
 public:
  TileEngineLane(const std::string& name, const Parameters& p)
      : Lane<Model>(name, p, kFaults),
        engine_(engine_of(p)),
        bits_(p["ACCUMULATOR_BITS"]),
        store_(engine_, engine_.halves(), false, bits_),
        points((name + "_points").c_str()),
        sets((name + "_sets").c_str()),
        sums((name + "_sums").c_str()),
        block_(name.c_str(), engine_, book_, store_) {
    this->plant_port_fault();
    block_.points(points);
    block_.sets(sets);
    block_.sums(sums);
    const int tm = engine_.tm, tn = engine_.tn;
    this->input(
        COSIM_INPUT(points),
        [=](Model& m, const tiled::Point& item, const auto& field) {
          for (int i = 0; i < tn; ++i)
            field("values", i, m.points_values, 9 * i, 9,
                  static_cast<std::uint64_t>(item.values[static_cast<std::size_t>(i)]));
          m.points_entry = static_cast<std::decay_t<decltype(m.points_entry)>>(item.entry);
          m.points_half = item.half != 0;
          m.points_new_set = item.new_set;
          m.points_first = item.first;
          m.points_last = item.last;
        },
        points_left_, [this](tiled::Point& item) { make(item); });
    this->input(
        COSIM_INPUT(sets),
        [=](Model& m, const tiled::WeightSet& item, const auto& field) {
          for (int i = 0; i < tm * tn; ++i)
            field("weights", i, m.sets_weights, 8 * i, 8, item.codes[static_cast<std::size_t>(i)]);
        },
        sets_left_,
        [=](tiled::WeightSet& item) {
          item.codes.resize(static_cast<std::size_t>(tm * tn));
          for (std::uint16_t& code : item.codes)
            code = static_cast<std::uint16_t>(this->random.chance(20) ? 128 : this->random.uniform(0, 255));
        });
    this->output(COSIM_OUTPUT(sums), [](Model& m, const tiled::Half& item, const auto& field) {
      field("half", 0, m.sums_half, 0, 1, static_cast<std::uint64_t>(item.index));
    });
  }

 private:
  void make(tiled::Point& p) {
    p.entry = entry_;
    p.half = half_;
    p.new_set = point_ % points_per_set_ == 0;
    p.first = step_ == 0;
    p.last = step_ + 1 == steps_ && entry_ + 1 == entries_;
    for (int i = 0; i < engine_.tn; ++i)
      p.values[static_cast<std::size_t>(i)] =
          static_cast<std::int16_t>(this->random.chance(20) ? 255 : this->random.uniform(-128, 255));
    ++point_;
    if (++entry_ < entries_) return;
    entry_ = 0;
    if (++step_ < steps_) return;
    step_ = 0;
    half_ = engine_.halves() - 1 - half_;
  }

  void next_phase() override {
    base::Random& draw = this->random;
    entries_ = draw.uniform(1, draw.chance(50) ? std::min(3, engine_.output_words) : engine_.output_words);
    steps_ = draw.uniform(1, 12);
    reads_ = draw.chance(70);
    if (!reads_) {
      entries_ = 1;
      steps_ = draw.uniform(1, 2);
    }
    const int filled = reads_ ? draw.uniform(1, engine_.halves()) : draw.uniform(3, 30);
    points_left_ = entries_ * steps_ * filled;
    points_per_set_ = draw.chance(30) ? 1 : entries_;
    sets_left_ = points_left_ / points_per_set_;
    point_ = entry_ = step_ = 0;
    complete_ = -1;
    tiles_before_ = tiles_;
    tiles_ += filled;
  }

  // Reads of a half that is being filled are not looked at; nor would the post-processing ask for them.
  void before_edge() override {
    expected_.clear();
    asked_ = (asked_ + 1) % entries_;
    if (reads_ && sums.shown() > tiles_before_) complete_ = sums.newest().index;
    if (complete_ < 0) return;
    for (int o = 0; o < engine_.tm; ++o)
      expected_.push_back(static_cast<std::uint64_t>(bits_ > 32 ? store_.int64(complete_, asked_)[o]
                                                                : store_.int32(complete_, asked_)[o]));
  }
  void drive_levels(Model& m) override {
    m.read_enable = !expected_.empty();
    m.read_half = complete_ == 1;
    m.read_entry = static_cast<std::decay_t<decltype(m.read_entry)>>(asked_);
  }
  void compare_after_edge(Model& m, const Compare& compare) override {
    for (std::size_t o = 0; o < expected_.size(); ++o)
      compare("read_data", static_cast<int>(o), m.read_data, static_cast<int>(o) * bits_, bits_, expected_[o]);
  }

  const tiled::EngineConfig engine_;
  const int bits_;
  const tiled::CodeBook book_ = bytes();
  tiled::SumStore store_;
  sim::Stream<tiled::Point> points;
  sim::Stream<tiled::WeightSet> sets;
  sim::Stream<tiled::Half> sums;
  tiled::TileEngine block_;
  int points_left_ = 0, sets_left_ = 0;
  int entries_ = 1, steps_ = 1, points_per_set_ = 1;
  int point_ = 0, entry_ = 0, step_ = 0, half_ = 0;
  bool reads_ = true;
  int complete_ = -1;                          // the half reported last
  std::int64_t tiles_ = 0, tiles_before_ = 0;  // of all phases; of the phases before this one
  int asked_ = 0;                              // entry
  std::vector<std::uint64_t> expected_;        // of the entry being read, by channel
};

}  // namespace

int add_lanes(Session& session) {
#define ADD(Model, parameters) session.add<TileEngineLane<Model>>(parameters);
  FOR_EACH_TWIN(ADD)
#undef ADD
  return kFaults;
}

}  // namespace fansim::cosim
