// SPDX-License-Identifier: Apache-2.0
#include "axi/s2mm.h"

#include <deque>

#include "cosim/lane.h"
#include "cosim/payload.h"
#include "twins.h"

namespace fansim::cosim {
namespace {

constexpr int kFaults = 7;

contract::AxiConfig axi_of(const Parameters& p) {
  contract::AxiConfig axi;
  axi.data_bits = 8 * p["BEAT_BYTES"];
  axi.burst_beats = p["BURST_BEATS"];
  axi.outstanding = p["OUTSTANDING"];
  return axi;
}

contract::DmaConfig dma_of(const Parameters& p) {
  contract::DmaConfig dma;
  dma.s2mm_start = p["START"];
  dma.s2mm_store = p["STORE"];
  dma.s2mm_gap = p["GAP"];
  return dma;
}

// The lane commands transfers, sends packets of any length and answers the bursts whose data it has taken.
template <class Model>
class S2mmLane final : public Lane<Model> {
 public:
  S2mmLane(const std::string& name, const Parameters& p)
      : Lane<Model>(name, p, kFaults),
        beat_bytes_(p["BEAT_BYTES"]),
        burst_beats_(p["BURST_BEATS"]),
        command((name + "_command").c_str()),
        s_axis((name + "_s_axis").c_str()),
        aw((name + "_aw").c_str()),
        w((name + "_w").c_str()),
        b((name + "_b").c_str()),
        done((name + "_done").c_str()),
        s2mm_(name.c_str(), dma_of(p), axi_of(p)) {
    s2mm_.command(command);
    s2mm_.s_axis(s_axis);
    s2mm_.aw(aw);
    s2mm_.w(w);
    s2mm_.b(b);
    s2mm_.done(done);
    wire_transfers();
    wire_memory();
  }

 private:
  static std::uint64_t bits(int value) { return static_cast<std::uint64_t>(value); }

  void wire_transfers() {
    const int beat_bytes = beat_bytes_;
    this->input(
        COSIM_INPUT(command),
        [](Model& m, const axi::TransferCommand& transfer, const auto& field) {
          field("address", 0, m.command_address, 0, 32, transfer.address);
          field("bytes", 0, m.command_bytes, 0, 26, transfer.bytes);
          field("ends", 0, m.command_ends, 0, 1, transfer.ends);
          field("fresh", 0, m.command_fresh, 0, 1, transfer.fresh);
        },
        left_commands_,
        [this](axi::TransferCommand& transfer) {
          transfer.address = bits(this->random.uniform(0, 1 << 20));
          transfer.bytes = static_cast<std::uint32_t>(this->random.uniform(1, longest_));
          transfer.ends = this->random.chance(30);
          transfer.fresh = this->random.chance(10);
        });
    this->input(
        COSIM_INPUT(s_axis),
        [beat_bytes](Model& m, const axi::StreamBeat& beat, const auto& field) {
          byte_fields(m.s_axis_data, beat.data, beat_bytes, field);
          field("bytes", 0, m.s_axis_bytes, 0, 7, bits(beat.bytes));
          field("last", 0, m.s_axis_last, 0, 1, beat.last);
        },
        left_stream_,
        [this](axi::StreamBeat& beat) {
          for (int i = 0; i < beat_bytes_; ++i)
            beat.data[static_cast<std::size_t>(i)] = static_cast<std::uint8_t>(this->random.next());
          beat.last = this->random.chance(ends_);
          beat.bytes = beat.last ? this->random.uniform(1, beat_bytes_) : beat_bytes_;
        });
    this->output(COSIM_OUTPUT(done), [](Model& m, const axi::TransferDone& end, const auto& field) {
      field("bytes", 0, m.done_bytes, 0, 26, end.bytes);
      field("error", 0, m.done_error, 0, 3, end.errors / contract::dma_map::kSrDmaIntErr);
      field("begins", 0, m.done_begins, 0, 1, end.begins);
      field("ends", 0, m.done_ends, 0, 1, end.ends);
    });
  }

  void wire_memory() {
    const int beat_bytes = beat_bytes_;
    this->output(COSIM_OUTPUT(aw), [](Model& m, const axi::WriteBurst& burst, const auto& field) {
      field("address", 0, m.aw_address, 0, 32, burst.address);
      field("beats", 0, m.aw_beats, 0, 9, bits(burst.beats));
    });
    this->output(COSIM_OUTPUT(w), [beat_bytes](Model& m, const axi::WriteBeat& beat, const auto& field) {
      // Bytes without a strobe mean nothing.
      for (int i = 0; i < beat_bytes; ++i)
        if (beat.strobe >> i & 1) field("bytes", i, m.w_data, 8 * i, 8, beat.data[static_cast<std::size_t>(i)]);
      field("strobe", 0, m.w_strobe, 0, beat_bytes, beat.strobe);
      field("last", 0, m.w_last, 0, 1, beat.last);
    });
    this->input(
        COSIM_INPUT(b),
        [](Model& m, const axi::WriteResponse& response, const auto& field) {
          field("resp", 0, m.b_resp, 0, 2, static_cast<std::uint64_t>(response.resp));
        },
        left_responses_,
        [this](axi::WriteResponse& response) {
          response.resp =
              this->random.chance(errors_) ? static_cast<axi::Resp>(this->random.uniform(1, 3)) : axi::Resp::okay;
        });
  }

  void next_phase() override {
    left_stream_ = this->random.uniform(1, 300);
    longest_ = this->random.chance(50) ? 3 * beat_bytes_ : 12 * burst_beats_ * beat_bytes_;
    ends_ = this->random.chance(50) ? 30 : 2;
    errors_ = this->random.chance(30) ? 10 : 0;
  }

  // There are commands as long as there is something to receive; bursts are answered when their data have been taken.
  void before_edge() override {
    // Two commands are in progress only while enough data will come for both, so that no data remain in the stream at
    // the end.
    const auto under_way = command.pushes() + left_commands_ - done.pops();
    const bool enough = left_stream_ * beat_bytes_ > 2 * longest_;
    if (under_way < (enough ? 2 : left_stream_ > 0 || s_axis.occupancy() > 0 ? 1 : 0)) ++left_commands_;
    if (seen_ < aw.shown()) {
      shown_.push_back(aw.newest().beats);
      ++seen_;
    }
    while (!shown_.empty() && taken_ < aw.pops() && answered_beats_ + shown_.front() <= w.pops()) {
      answered_beats_ += shown_.front();
      shown_.pop_front();
      ++taken_;
      ++left_responses_;
    }
  }

  const int beat_bytes_, burst_beats_;
  sim::Stream<axi::TransferCommand> command;
  sim::Stream<axi::StreamBeat> s_axis;
  sim::Stream<axi::WriteBurst> aw;
  sim::Stream<axi::WriteBeat> w;
  sim::Stream<axi::WriteResponse> b;
  sim::Stream<axi::TransferDone> done;
  axi::S2mm s2mm_;
  int left_commands_ = 0, left_stream_ = 0, left_responses_ = 0, longest_ = 1, ends_ = 0, errors_ = 0;
  std::deque<int> shown_;  // beats of bursts pushed and not answered
  std::int64_t taken_ = 0, seen_ = 0, answered_beats_ = 0;
};

}  // namespace

int add_lanes(Session& session) {
#define ADD(Model, parameters) session.add<S2mmLane<Model>>(parameters);
  FOR_EACH_TWIN(ADD)
#undef ADD
  return kFaults;
}

}  // namespace fansim::cosim
