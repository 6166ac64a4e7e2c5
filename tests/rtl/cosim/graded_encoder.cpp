// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "accelerators/tiled/hardware/map_encoder.h"
#include "cosim/lane.h"
#include "cosim/tiled.h"
#include "twins.h"

namespace fansim::cosim {
namespace {

constexpr int kFaults = 4;
constexpr std::size_t kHalf = 1 << 12;

std::uint64_t bits(int value) { return static_cast<std::uint64_t>(value); }

// A phase is some tiles of random runs out of two halves whose values stand still.
template <class Model>
class GradedEncoderLane final : public Lane<Model> {
 public:
  GradedEncoderLane(const std::string& name, const Parameters& p)
      : Lane<Model>(name, p, kFaults),
        e_(encoding_of(p)),
        store_(2, kHalf),
        banks_(this->random),
        runs((name + "_runs").c_str()),
        filled((name + "_filled").c_str()),
        freed((name + "_freed").c_str()),
        beats((name + "_beats").c_str()),
        encoder_(name.c_str(), e_, store_, true) {
    encoder_.runs(runs);
    encoder_.filled(filled);
    encoder_.freed(freed);
    encoder_.beats(beats);
    for (int half = 0; half < 2; ++half)
      for (std::size_t i = 0; i < kHalf; ++i)
        store_[half][i] = static_cast<std::int16_t>(banks_.bytes(half)[2 * i] | banks_.bytes(half)[2 * i + 1] << 8);
    wire_inputs();
    this->output(COSIM_OUTPUT(freed), [](Model& m, const tiled::Half& half, const auto& field) {
      field("half", 0, m.freed_half, 0, 1, bits(half.index));
    });
    this->output(COSIM_OUTPUT(beats), [this](Model& m, const tiled::ExtentBeat& beat, const auto& field) {
      data_fields(m.beats_data, beat, e_, field);
      field("strobe", 0, m.beats_strobe, 0, e_.beat_bytes(), beat.strobe);
      field("last", 0, m.beats_last, 0, 1, beat.last);
    });
    this->reads(
        "read", banks_, tiled::StoreConfig::read_latency(),
        [this](Model& m) -> std::optional<Read> {
          if (!m.read_enable) return {};
          return Read{m.read_half, 2 * (static_cast<int>(m.read_row) * e_.per_beat() + static_cast<int>(m.read_lane))};
        },
        [this](Model& m, const std::uint8_t* values) { drive_banks(m, values); });
  }

 private:
  void wire_inputs() {
    this->input(
        COSIM_INPUT(runs),
        [](Model& m, const tiled::Extent& run, const auto& field) {
          field("skip", 0, m.runs_skip, 0, 16, bits(run.skip));
          field("values", 0, m.runs_values, 0, 32, bits(run.values));
          field("last", 0, m.runs_last, 0, 1, run.last);
        },
        runs_left_, [this](tiled::Extent& run) { run = planned_[planned_.size() - bits(runs_left_) - 1]; });
    this->input(
        COSIM_INPUT(filled),
        [](Model& m, const tiled::Half& half, const auto& field) {
          field("half", 0, m.filled_half, 0, 1, bits(half.index));
        },
        halves_left_, [this](tiled::Half& half) { half.index = this->random.uniform(0, 1); });
  }

  // Value p + i lies in the bank behind value p's by i.
  void drive_banks(Model& m, const std::uint8_t* values) {
    const std::vector<std::uint8_t>&first = banks_.bytes(0), &second = banks_.bytes(1);
    const bool in_second = values >= second.data() && values < second.data() + second.size();
    const std::uint8_t* half = (in_second ? second : first).data();
    const int banks = e_.per_beat(), lane = static_cast<int>(values - half) / 2 % banks;
    for (int i = 0; i < banks; ++i)
      put_bits(m.read_data, 16 * ((lane + i) % banks), 16, values[2 * i] | bits(values[2 * i + 1]) << 8);
  }

  void next_phase() override {
    base::Random& r = this->random;
    planned_.clear();
    halves_left_ = r.uniform(1, 12);
    for (int tile = halves_left_; tile > 0; --tile)
      for (int run = r.uniform(1, 6); run > 0; --run) {
        int skip = r.uniform(0, e_.per_beat() - 1);
        while (e_.bit_of(skip) % 8 != 0) --skip;
        planned_.push_back(run_of(e_, skip, r.uniform(1, r.chance(50) ? 4 : 3 * e_.per_beat()), run == 1));
      }
    runs_left_ = static_cast<int>(planned_.size());
  }

  const tiled::Encoding e_;
  tiled::TileStore<std::int16_t> store_;
  Memory banks_;
  sim::Stream<tiled::Extent> runs;
  sim::Stream<tiled::Half> filled, freed;
  sim::Stream<tiled::ExtentBeat> beats;
  tiled::MapEncoder encoder_;
  std::vector<tiled::Extent> planned_;  // of the phase
  int runs_left_ = 0, halves_left_ = 0;
};

}  // namespace

int add_lanes(Session& session) {
#define ADD(Model, parameters) session.add<GradedEncoderLane<Model>>(parameters);
  FOR_EACH_TWIN(ADD)
#undef ADD
  return kFaults;
}

}  // namespace fansim::cosim
