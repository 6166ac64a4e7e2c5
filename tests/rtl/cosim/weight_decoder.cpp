// SPDX-License-Identifier: Apache-2.0
#include "accelerators/tiled/hardware/weight_decoder.h"

#include <array>
#include <cstring>
#include <map>

#include "cosim/lane.h"
#include "cosim/tiled.h"
#include "twins.h"

namespace fansim::cosim {
namespace {

constexpr int kFaults = 5;
constexpr int kEngines = tiled::Config::kEngines;
constexpr int kHalf = 1 << 12;

std::uint64_t bits(int value) { return static_cast<std::uint64_t>(value); }

// A phase is some tiles of random runs, dense or scattered, and loads of parameters between them.
template <class Model>
class WeightDecoderLane final : public Lane<Model> {
 public:
  WeightDecoderLane(const std::string& name, const Parameters& p)
      : Lane<Model>(name, p, kFaults),
        e_{p["VALUE_BITS"], p["SLOT_BITS"], p["BEAT_BITS"], p["BEAT_BITS"]},
        bytes_{8, 8, p["BEAT_BITS"], p["BEAT_BITS"]},
        halves_(p["HALVES"]),
        stores_{{{halves_, kHalf}, {halves_, kHalf}, {halves_, kHalf}}},
        runs((name + "_runs").c_str()),
        beats((name + "_beats").c_str()),
        filled_conv((name + "_filled_conv").c_str()),
        filled_first((name + "_filled_first").c_str()),
        filled_fc((name + "_filled_fc").c_str()),
        turn((name + "_turn").c_str()),
        parameters((name + "_parameters").c_str()),
        decoder_(name.c_str(), e_, {&stores_[0], &stores_[1], &stores_[2]}, records_, true) {
    decoder_.runs(runs);
    decoder_.beats(beats);
    decoder_.turn(turn);
    decoder_.parameters(parameters);
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
    this->output(COSIM_OUTPUT(parameters), [](Model&, const tiled::Turn&, const auto&) {});
  }

 private:
  void wire_inputs() {
    this->input(
        COSIM_INPUT(runs),
        [](Model& m, const tiled::WeightExtent& item, const auto& field) {
          field("skip", 0, m.runs_skip, 0, 16, bits(item.run.skip));
          field("values", 0, m.runs_values, 0, 32, bits(item.run.values));
          field("row", 0, m.runs_row, 0, 32, bits(item.row));
          field("last", 0, m.runs_last, 0, 1, item.run.last);
          field("engine", 0, m.runs_engine, 0, 2, bits(item.engine));
          field("parameters", 0, m.runs_parameters, 0, 1, item.parameters);
          field("dense", 0, m.runs_dense, 0, 1, item.scatter.dense());
          field("first", 0, m.runs_first, 0, 16, bits(item.scatter.first));
          field("inner", 0, m.runs_inner, 0, 16, bits(item.scatter.inner));
          field("inner_stride", 0, m.runs_inner_stride, 0, 16, bits(item.scatter.inner_stride));
          field("outer_stride", 0, m.runs_outer_stride, 0, 16, bits(item.scatter.outer_stride));
        },
        runs_left_, [this](tiled::WeightExtent& item) { item = planned_[planned_.size() - bits(runs_left_) - 1]; });
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
    for (int tile = r.uniform(1, 8); tile > 0; --tile) {
      const int engine = r.uniform(0, kEngines - 1);
      if (r.chance(30)) plan(parameter_run(r.chance(60)));
      for (int run = r.uniform(1, 5); run > 0; --run) {
        tiled::WeightExtent weights = r.chance(50) ? dense_run() : scattered_run();
        weights.engine = engine;
        weights.run.last = run == 1;
        plan(weights);
      }
    }
    runs_left_ = static_cast<int>(planned_.size());
    beats_left_ = static_cast<int>(lasts_.size());
  }
  void plan(const tiled::WeightExtent& run) {
    planned_.push_back(run);
    for (int beat = run.run.beats; beat > 0; --beat) lasts_.push_back(beat == 1);
  }
  tiled::WeightExtent dense_run() {
    base::Random& r = this->random;
    const int row = r.uniform(1, 2 * e_.per_beat()), rows = r.uniform(1, 4), skip = r.uniform(0, e_.per_beat() - 1);
    tiled::WeightExtent weights;
    const auto beats_of_run = static_cast<int>(e_.beats(skip + row) + (rows - 1) * e_.beats(row));
    weights.run = {0, beats_of_run, skip, rows * row, false};
    weights.row = row;
    weights.scatter.first = r.uniform(0, kHalf - rows * row);
    return weights;
  }
  tiled::WeightExtent scattered_run() {
    base::Random& r = this->random;
    tiled::WeightExtent weights;
    weights.row = r.uniform(1, 60);
    weights.run = run_of(e_, r.uniform(0, e_.per_beat() - 1), weights.row, false);
    weights.scatter = {r.uniform(0, 100), r.uniform(1, 10), r.uniform(1, 100), r.uniform(1, 50)};
    return weights;
  }
  tiled::WeightExtent parameter_run(bool last) {
    base::Random& r = this->random;
    tiled::WeightExtent weights;
    weights.row = 8 * r.uniform(1, 6);
    weights.run = run_of(bytes_, r.uniform(0, bytes_.per_beat() - 1), weights.row, last);
    weights.parameters = true;
    return weights;
  }

  // Returns the number of values of its run that the decoder wrote at the edge, by which its counter has grown.
  int written() const { return static_cast<int>(test::counter(decoder_, "values") - counted_); }
  void compare_at_edge(Model& m, const Compare& field) override {
    const int count = written();
    field("write", 0, m.write, 0, 1, count > 0);
    if (count == 0) return;
    const tiled::WeightExtent& run = planned_[run_];
    field("count", 0, m.write_count, 0, 8, bits(count));
    field("parameters", 0, m.write_parameters, 0, 1, run.parameters);
    if (run.parameters) {
      compare_parameters(m, field, count);
      return;
    }
    const auto engine = bits(run.engine);
    field("engine", 0, m.write_engine, 0, 2, engine);
    field("half", 0, m.write_half, 0, 1, bits(half_[engine]));
    field("index", 0, m.write_index, 0, 16, bits(run.scatter.index(in_run_)));
    for (int i = 0; i < count; ++i)
      field("data", i, m.write_data, e_.slot_bits * i, e_.value_bits,
            stores_[engine][half_[engine]][bits(run.scatter.index(in_run_ + i))]);
  }
  // The twin's bytes are gathered, and compared when SystemC has a channel's eight.
  void compare_parameters(Model& m, const Compare& field, int count) {
    field("index", 0, m.write_index, 0, 16, bits(parameter_));
    std::array<std::uint8_t, 8>& gathered = gathered_[&m];
    for (int i = 0; i < count; ++i) {
      const int at = parameter_ + i;
      gathered[bits(at % 8)] = static_cast<std::uint8_t>(get_bits(m.write_data, 8 * i, 8));
      if (at % 8 < 7) continue;
      const tiled::ChannelParameters& channel = records_.channels.at(bits(at / 8));
      std::array<std::uint8_t, 8> should;
      std::memcpy(should.data(), &channel.bias, 4);
      std::memcpy(should.data() + 4, &channel.float_scale, 4);
      for (std::size_t byte = 0; byte < 8; ++byte) field("record", at / 8, gathered[byte], 0, 8, should[byte]);
    }
  }
  void before_edge() override {
    const int count = written();
    if (count == 0) return;
    const tiled::WeightExtent& run = planned_[run_];
    counted_ += count;
    in_run_ += count;
    if (run.parameters) parameter_ += count;
    if (in_run_ < run.run.values) return;
    in_run_ = 0;
    ++run_;
    if (!run.run.last) return;
    if (run.parameters) {
      parameter_ = 0;
    } else {
      int& half = half_[bits(run.engine)];
      half = (half + 1) % halves_;
    }
  }

  const tiled::Encoding e_, bytes_;
  const int halves_;
  std::array<tiled::TileStore<std::uint16_t>, 3> stores_;
  tiled::ParameterStore records_;
  sim::Stream<tiled::WeightExtent> runs;
  sim::Stream<tiled::ExtentBeat> beats;
  sim::Stream<tiled::Half> filled_conv, filled_first, filled_fc;
  sim::Stream<tiled::Turn> turn, parameters;
  tiled::WeightDecoder decoder_;
  std::vector<tiled::WeightExtent> planned_;  // of the phase
  std::vector<bool> lasts_;                   // of its beats
  std::size_t run_ = 0;                       // being decoded
  int in_run_ = 0, parameter_ = 0;            // values of the run, bytes of parameters that are written
  std::array<int, kEngines> half_{};
  std::map<const Model*, std::array<std::uint8_t, 8>> gathered_;
  std::int64_t counted_ = 0;
  int runs_left_ = 0, beats_left_ = 0;
};

}  // namespace

int add_lanes(Session& session) {
#define ADD(Model, parameters) session.add<WeightDecoderLane<Model>>(parameters);
  FOR_EACH_TWIN(ADD)
#undef ADD
  return kFaults;
}

}  // namespace fansim::cosim
