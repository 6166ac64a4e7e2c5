// SPDX-License-Identifier: Apache-2.0
#include "axi/extent_writer.h"

#include "cosim/lane.h"
#include "cosim/payload.h"
#include "cosim/tiled_jobs.h"
#include "twins.h"

namespace fansim::cosim {
namespace {

constexpr int kFaults = 5;

// A phase is some extents and their beats; the lane answers each burst behind its last beat.
template <class Model>
class ExtentWriterLane final : public Lane<Model> {
 public:
  ExtentWriterLane(const std::string& name, const Parameters& p)
      : Lane<Model>(name, p, kFaults),
        beat_bytes_(p["BEAT_BYTES"]),
        burst_beats_(p["BURST_BEATS"]),
        runs((name + "_runs").c_str()),
        beats((name + "_beats").c_str()),
        aw((name + "_aw").c_str()),
        w((name + "_w").c_str()),
        b((name + "_b").c_str()),
        written((name + "_written").c_str()),
        block_(name.c_str(), {8 * p["BEAT_BYTES"], p["BURST_BEATS"], p["OUTSTANDING"], 0}) {
    block_.runs(runs);
    block_.beats(beats);
    block_.aw(aw);
    block_.w(w);
    block_.b(b);
    block_.written(written);
    wire_inputs();
    this->output(COSIM_OUTPUT(aw), [](Model& m, const axi::WriteBurst& burst, const auto& field) {
      field("address", 0, m.aw_address, 0, 32, burst.address);
      field("beats", 0, m.aw_beats, 0, 9, bits(burst.beats));
    });
    this->output(COSIM_OUTPUT(w), [this](Model& m, const axi::WriteBeat& beat, const auto& field) {
      byte_fields(m.w_data, beat.data, beat_bytes_, field);
      field("strobe", 0, m.w_strobe, 0, beat_bytes_, beat.strobe);
      field("last", 0, m.w_last, 0, 1, beat.last);
    });
    this->output(COSIM_OUTPUT(written), [](Model&, const contract::TileWritten&, const auto&) {});
  }

 private:
  void wire_inputs() {
    this->input(
        COSIM_INPUT(runs),
        [](Model& m, const contract::Extent& extent, const auto& field) {
          field("address", 0, m.runs_address, 0, 32, extent.address);
          field("beats", 0, m.runs_beats, 0, 32, bits(extent.beats));
          field("last", 0, m.runs_last, 0, 1, extent.last);
        },
        runs_left_, [this](contract::Extent& extent) { extent = planned_[planned_.size() - bits(runs_left_) - 1]; });
    this->input(
        COSIM_INPUT(beats),
        [this](Model& m, const contract::ExtentBeat& beat, const auto& field) {
          byte_fields(m.beats_data, beat.data, beat_bytes_, field);
          field("strobe", 0, m.beats_strobe, 0, beat_bytes_, beat.strobe);
        },
        beats_left_,
        [this](contract::ExtentBeat& beat) {
          for (int i = 0; i < beat_bytes_; ++i) beat.data[bits(i)] = static_cast<std::uint8_t>(this->random.next());
          beat.strobe = this->random.next() & mask(beat_bytes_);
          beat.last = lasts_[lasts_.size() - bits(beats_left_) - 1];
        });
    this->input(
        COSIM_INPUT(b), [](Model&, const axi::WriteResponse&, const auto&) {}, answers_left_,
        [](axi::WriteResponse& response) { response = {}; });
  }

  void next_phase() override {
    base::Random& draw = this->random;
    planned_.clear();
    lasts_.clear();
    for (int left = draw.uniform(1, 20); left > 0; --left) {
      contract::Extent next;
      next.address = static_cast<std::uint32_t>(beat_bytes_ * draw.uniform(0, 1 << 14));
      next.beats = draw.uniform(1, draw.chance(50) ? 4 : 4 * burst_beats_);
      next.last = left == 1 || draw.chance(40);
      planned_.push_back(next);
      for (int beat = next.beats; beat > 0; --beat) lasts_.push_back(beat == 1);
    }
    runs_left_ = static_cast<int>(planned_.size());
    beats_left_ = static_cast<int>(lasts_.size());
  }
  void before_edge() override {
    sent_.look([this](bool last) { answers_left_ += last; });
  }
  static bool last(const axi::WriteBeat& beat) { return beat.last; }

  const int beat_bytes_, burst_beats_;
  sim::Stream<contract::Extent> runs;
  sim::Stream<contract::ExtentBeat> beats;
  sim::Stream<axi::WriteBurst> aw;
  sim::Stream<axi::WriteBeat> w;
  sim::Stream<axi::WriteResponse> b;
  sim::Stream<contract::TileWritten> written;
  axi::ExtentWriter block_;
  Gone<axi::WriteBeat, bool (*)(const axi::WriteBeat&)> sent_{w, &last};
  std::vector<contract::Extent> planned_;  // of the phase
  std::vector<bool> lasts_;                // of its beats
  int runs_left_ = 0, beats_left_ = 0, answers_left_ = 0;
};

}  // namespace

int add_lanes(Session& session) {
#define ADD(Model, parameters) session.add<ExtentWriterLane<Model>>(parameters);
  FOR_EACH_TWIN(ADD)
#undef ADD
  return kFaults;
}

}  // namespace fansim::cosim
