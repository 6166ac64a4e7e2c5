// SPDX-License-Identifier: Apache-2.0
#include "axi/extent_reader.h"

#include "cosim/lane.h"
#include "cosim/payload.h"
#include "cosim/tiled_jobs.h"
#include "twins.h"

namespace fansim::cosim {
namespace {

constexpr int kFaults = 5;

// A phase is some extents; the lane is the memory and answers the bursts that it has taken.
template <class Model>
class ExtentReaderLane final : public Lane<Model> {
 public:
  ExtentReaderLane(const std::string& name, const Parameters& p)
      : Lane<Model>(name, p, kFaults),
        beat_bytes_(p["BEAT_BYTES"]),
        burst_beats_(p["BURST_BEATS"]),
        runs((name + "_runs").c_str()),
        ar((name + "_ar").c_str()),
        r((name + "_r").c_str()),
        beats((name + "_beats").c_str()),
        block_(name.c_str(), {8 * p["BEAT_BYTES"], p["BURST_BEATS"], p["OUTSTANDING"], p["GAP"]}) {
    block_.runs(runs);
    block_.ar(ar);
    block_.r(r);
    block_.beats(beats);
    this->input(
        COSIM_INPUT(runs),
        [](Model& m, const contract::Extent& extent, const auto& field) {
          field("address", 0, m.runs_address, 0, 32, extent.address);
          field("beats", 0, m.runs_beats, 0, 32, bits(extent.beats));
        },
        runs_left_,
        [this](contract::Extent& extent) {
          base::Random& draw = this->random;
          extent.address = static_cast<std::uint32_t>(beat_bytes_ * draw.uniform(0, 1 << 14));
          extent.beats = draw.uniform(1, draw.chance(50) ? 4 : 4 * burst_beats_);
        });
    this->input(
        COSIM_INPUT(r),
        [this](Model& m, const axi::ReadBeat& beat, const auto& field) {
          byte_fields(m.r_data, beat.data, beat_bytes_, field);
          field("last", 0, m.r_last, 0, 1, beat.last);
        },
        beats_left_,
        [this](axi::ReadBeat& beat) {
          for (int i = 0; i < beat_bytes_; ++i) beat.data[bits(i)] = static_cast<std::uint8_t>(this->random.next());
          beat.last = --asked_.front() == 0;
          if (beat.last) asked_.pop_front();
        });
    this->output(COSIM_OUTPUT(ar), [](Model& m, const axi::ReadBurst& burst, const auto& field) {
      field("address", 0, m.ar_address, 0, 32, burst.address);
      field("beats", 0, m.ar_beats, 0, 9, bits(burst.beats));
    });
    this->output(COSIM_OUTPUT(beats), [this](Model& m, const contract::ExtentBeat& beat, const auto& field) {
      byte_fields(m.beats_data, beat.data, beat_bytes_, field);
      field("last", 0, m.beats_last, 0, 1, beat.last);
    });
  }

 private:
  void next_phase() override { runs_left_ = this->random.uniform(1, 20); }
  void before_edge() override {
    bursts_.look([this](int length) {
      asked_.push_back(length);
      beats_left_ += length;
    });
  }
  static int length(const axi::ReadBurst& burst) { return burst.beats; }

  const int beat_bytes_, burst_beats_;
  sim::Stream<contract::Extent> runs;
  sim::Stream<axi::ReadBurst> ar;
  sim::Stream<axi::ReadBeat> r;
  sim::Stream<contract::ExtentBeat> beats;
  axi::ExtentReader block_;
  Gone<axi::ReadBurst, int (*)(const axi::ReadBurst&)> bursts_{ar, &length};
  std::deque<int> asked_;  // beats to come of the bursts taken
  int runs_left_ = 0, beats_left_ = 0;
};

}  // namespace

int add_lanes(Session& session) {
#define ADD(Model, parameters) session.add<ExtentReaderLane<Model>>(parameters);
  FOR_EACH_TWIN(ADD)
#undef ADD
  return kFaults;
}

}  // namespace fansim::cosim
