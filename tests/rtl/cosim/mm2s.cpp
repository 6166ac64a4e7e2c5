// SPDX-License-Identifier: Apache-2.0
#include "axi/mm2s.h"

#include <deque>

#include "cosim/lane.h"
#include "cosim/payload.h"
#include "twins.h"

namespace fansim::cosim {
namespace {

constexpr int kFaults = 6;

contract::AxiConfig axi_of(const Parameters& p) {
  contract::AxiConfig axi;
  axi.data_bits = 8 * p["BEAT_BYTES"];
  axi.burst_beats = p["BURST_BEATS"];
  axi.outstanding = p["OUTSTANDING"];
  return axi;
}

contract::DmaConfig dma_of(const Parameters& p) {
  contract::DmaConfig dma;
  dma.mm2s_start = p["START"];
  dma.mm2s_stream = p["STREAM"];
  return dma;
}

// The lane commands transfers and is the memory: it answers the bursts that it has taken.
template <class Model>
class Mm2sLane final : public Lane<Model> {
 public:
  Mm2sLane(const std::string& name, const Parameters& p)
      : Lane<Model>(name, p, kFaults),
        beat_bytes_(p["BEAT_BYTES"]),
        burst_beats_(p["BURST_BEATS"]),
        command((name + "_command").c_str()),
        ar((name + "_ar").c_str()),
        r((name + "_r").c_str()),
        m_axis((name + "_m_axis").c_str()),
        done((name + "_done").c_str()),
        mm2s_(name.c_str(), dma_of(p), axi_of(p)) {
    mm2s_.command(command);
    mm2s_.ar(ar);
    mm2s_.r(r);
    mm2s_.m_axis(m_axis);
    mm2s_.done(done);
    wire_memory();
    wire_transfers();
  }

 private:
  static std::uint64_t bits(int value) { return static_cast<std::uint64_t>(value); }

  void wire_memory() {
    const int beat_bytes = beat_bytes_;
    this->output(COSIM_OUTPUT(ar), [](Model& m, const axi::ReadBurst& burst, const auto& field) {
      field("address", 0, m.ar_address, 0, 32, burst.address);
      field("beats", 0, m.ar_beats, 0, 9, bits(burst.beats));
    });
    this->input(
        COSIM_INPUT(r),
        [beat_bytes](Model& m, const axi::ReadBeat& beat, const auto& field) {
          byte_fields(m.r_data, beat.data, beat_bytes, field);
          field("resp", 0, m.r_resp, 0, 2, static_cast<std::uint64_t>(beat.resp));
          field("last", 0, m.r_last, 0, 1, beat.last);
        },
        left_beats_, [this](axi::ReadBeat& beat) { answer(beat); });
  }

  void wire_transfers() {
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
          transfer.ends = this->random.chance(60);
          transfer.fresh = this->random.chance(10);
        });
    this->output(COSIM_OUTPUT(m_axis), [](Model& m, const axi::StreamBeat& beat, const auto& field) {
      byte_fields(m.m_axis_data, beat.data, beat.bytes, field);
      field("bytes", 0, m.m_axis_bytes, 0, 7, bits(beat.bytes));
      field("last", 0, m.m_axis_last, 0, 1, beat.last);
    });
    this->output(COSIM_OUTPUT(done), [](Model& m, const axi::TransferDone& end, const auto& field) {
      field("bytes", 0, m.done_bytes, 0, 26, end.bytes);
      field("error", 0, m.done_error, 0, 2, end.errors / contract::dma_map::kSrDmaSlvErr);
      field("ends", 0, m.done_ends, 0, 1, end.ends);
    });
  }

  void answer(axi::ReadBeat& beat) {
    for (int i = 0; i < beat_bytes_; ++i)
      beat.data[static_cast<std::size_t>(i)] = static_cast<std::uint8_t>(this->random.next());
    beat.resp = this->random.chance(errors_) ? static_cast<axi::Resp>(this->random.uniform(1, 3)) : axi::Resp::okay;
    beat.last = --answering_.front() == 0;
    if (beat.last) answering_.pop_front();
  }

  void next_phase() override {
    left_commands_ = this->random.uniform(1, 12);
    longest_ = this->random.chance(50) ? 3 * beat_bytes_ : 20 * burst_beats_ * beat_bytes_;
    errors_ = this->random.chance(30) ? 2 : 0;
  }

  // The memory may answer what it has accepted.
  void before_edge() override {
    if (seen_ < ar.shown()) {
      shown_.push_back(ar.newest().beats);
      ++seen_;
    }
    for (; taken_ < ar.pops(); ++taken_) {
      left_beats_ += shown_.front();
      answering_.push_back(shown_.front());
      shown_.pop_front();
    }
  }

  const int beat_bytes_, burst_beats_;
  sim::Stream<axi::TransferCommand> command;
  sim::Stream<axi::ReadBurst> ar;
  sim::Stream<axi::ReadBeat> r;
  sim::Stream<axi::StreamBeat> m_axis;
  sim::Stream<axi::TransferDone> done;
  axi::Mm2s mm2s_;
  int left_commands_ = 0, left_beats_ = 0, longest_ = 1, errors_ = 0;
  std::deque<int> shown_;      // beats of bursts pushed and not taken
  std::deque<int> answering_;  // beats to come of those taken
  std::int64_t taken_ = 0, seen_ = 0;
};

}  // namespace

int add_lanes(Session& session) {
#define ADD(Model, parameters) session.add<Mm2sLane<Model>>(parameters);
  FOR_EACH_TWIN(ADD)
#undef ADD
  return kFaults;
}

}  // namespace fansim::cosim
