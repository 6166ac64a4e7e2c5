// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <deque>

#include "accelerators/tiled/hardware/map_decoder.h"
#include "cosim/lane.h"
#include "cosim/tiled.h"
#include "twins.h"

namespace fansim::cosim {
namespace {

constexpr int kFaults = 4;
constexpr int kEngines = tiled::Config::kEngines;
constexpr std::size_t kHalf = 1 << 12;
constexpr int kAddressBits = 12;

std::uint64_t bits(int value) { return static_cast<std::uint64_t>(value); }

// A phase is some tiles of random runs, each for one of three engines.
template <class Model>
class GradedDecoderLane final : public Lane<Model> {
 public:
  GradedDecoderLane(const std::string& name, const Parameters& p)
      : Lane<Model>(name, p, kFaults),
        e_(encoding_of(p)),
        halves_(p["HALVES"]),
        stores_{{{halves_, kHalf}, {halves_, kHalf}, {halves_, kHalf}}},
        runs((name + "_runs").c_str()),
        beats((name + "_beats").c_str()),
        filled_conv((name + "_filled_conv").c_str()),
        filled_first((name + "_filled_first").c_str()),
        filled_fc((name + "_filled_fc").c_str()),
        turn((name + "_turn").c_str()),
        decoder_(name.c_str(), e_, {&stores_[0], &stores_[1], &stores_[2]}, true) {
    decoder_.runs(runs);
    decoder_.beats(beats);
    decoder_.turn(turn);
    decoder_.filled(0)(filled_conv);
    decoder_.filled(1)(filled_first);
    decoder_.filled(2)(filled_fc);
    wire_inputs();
    this->output(COSIM_OUTPUT(filled_conv), [](Model& m, const tiled::Half& half, const auto& field) {
      field("half", 0, m.filled_conv_half, 0, 1, bits(half.index));
    });
    this->output(COSIM_OUTPUT(filled_first), [](Model& m, const tiled::Half& half, const auto& field) {
      field("half", 0, m.filled_first_half, 0, 1, bits(half.index));
    });
    this->output(COSIM_OUTPUT(filled_fc), [](Model& m, const tiled::Half& half, const auto& field) {
      field("half", 0, m.filled_fc_half, 0, 1, bits(half.index));
    });
    this->output(COSIM_OUTPUT(turn), [](Model&, const tiled::Turn&, const auto&) {});
  }

 private:
  void wire_inputs() {
    this->input(
        COSIM_INPUT(runs),
        [](Model& m, const tiled::MapExtent& item, const auto& field) {
          field("skip", 0, m.runs_skip, 0, 16, bits(item.run.skip));
          field("values", 0, m.runs_values, 0, 32, bits(item.run.values));
          field("last", 0, m.runs_last, 0, 1, item.run.last);
          field("engine", 0, m.runs_engine, 0, 2, bits(item.engine));
          field("unsigned", 0, m.runs_unsigned, 0, 1, item.is_unsigned);
        },
        runs_left_, [this](tiled::MapExtent& item) { item = planned_[planned_.size() - bits(runs_left_) - 1]; });
    this->input(
        COSIM_INPUT(beats),
        [this](Model& m, const tiled::ExtentBeat& beat, const auto& field) {
          data_fields(m.beats_data, beat, e_, field);
        },
        beats_left_,
        [this](tiled::ExtentBeat& beat) {
          for (std::uint8_t& byte : beat.data) byte = static_cast<std::uint8_t>(this->random.next());
          beat.last = lasts_[lasts_.size() - bits(beats_left_) - 1];
        });
  }

  void next_phase() override {
    base::Random& r = this->random;
    planned_.clear();
    lasts_.clear();
    run_ = 0;
    for (int tile = r.uniform(1, 12); tile > 0; --tile) {
      const int engine = r.uniform(0, kEngines - 1);
      const bool is_unsigned = r.chance(50);
      for (int run = r.uniform(1, 6); run > 0; --run) {
        const int longest = r.chance(50) ? 4 : 3 * e_.per_beat();
        planned_.push_back(
            {run_of(e_, r.uniform(0, e_.per_beat() - 1), r.uniform(1, longest), run == 1), engine, is_unsigned});
        for (int beat = planned_.back().run.beats; beat > 0; --beat) lasts_.push_back(beat == 1);
      }
    }
    runs_left_ = static_cast<int>(planned_.size());
    beats_left_ = static_cast<int>(lasts_.size());
  }

  // Returns the number of values that the decoder wrote at the edge, by which its counter has grown; they follow those
  // of the tile before.
  int written() const { return static_cast<int>(test::counter(decoder_, "values") - counted_); }
  void compare_at_edge(Model& m, const Compare& field) override {
    const int count = written(), banks = e_.per_beat(), lane = position_ % banks;
    for (int i = 0; i < banks; ++i) {
      const int value = position_ + (i - lane + banks) % banks;
      field("write", i, m.write, i, 1, value < position_ + count);
      if (value >= position_ + count) continue;
      const std::int16_t data = stores_[engine()][half_[engine()]][static_cast<std::size_t>(value)];
      field("address", i, m.write_address, kAddressBits * i, kAddressBits, bits(value / banks));
      field("data", i, m.write_data, 16 * i, 16, static_cast<std::uint16_t>(data));
    }
    if (count == 0) return;
    field("engine", 0, m.write_engine, 0, 2, engine());
    field("half", 0, m.write_half, 0, 1, bits(half_[engine()]));
  }
  void before_edge() override {
    const int count = written();
    if (count == 0) return;
    counted_ += count;
    position_ += count;
    in_run_ += count;
    if (in_run_ < planned_[run_].run.values) return;
    in_run_ = 0;
    if (planned_[run_++].run.last) {
      int& half = half_[bits(planned_[run_ - 1].engine)];
      half = (half + 1) % halves_;
      position_ = 0;
    }
  }
  std::size_t engine() const { return run_ < planned_.size() ? bits(planned_[run_].engine) : 0; }

  const tiled::Encoding e_;
  const int halves_;
  std::array<tiled::TileStore<std::int16_t>, 3> stores_;
  sim::Stream<tiled::MapExtent> runs;
  sim::Stream<tiled::ExtentBeat> beats;
  sim::Stream<tiled::Half> filled_conv, filled_first, filled_fc;
  sim::Stream<tiled::Turn> turn;
  tiled::MapDecoder decoder_;
  std::vector<tiled::MapExtent> planned_;  // of the phase
  std::vector<bool> lasts_;                // of its beats
  std::size_t run_ = 0;                    // being decoded
  int in_run_ = 0, position_ = 0;          // values of the run, and of the tile, that are written
  std::array<int, kEngines> half_{};
  std::int64_t counted_ = 0;
  int runs_left_ = 0, beats_left_ = 0;
};

}  // namespace

int add_lanes(Session& session) {
#define ADD(Model, parameters) session.add<GradedDecoderLane<Model>>(parameters);
  FOR_EACH_TWIN(ADD)
#undef ADD
  return kFaults;
}

}  // namespace fansim::cosim
