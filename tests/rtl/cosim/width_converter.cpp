// SPDX-License-Identifier: Apache-2.0
#include "axi/width_converter.h"

#include <deque>

#include "axi/port_streams.h"
#include "cosim/lane.h"
#include "cosim/payload.h"
#include "twins.h"

namespace fansim::cosim {
namespace {

constexpr int kFaults = 5;
constexpr int kOutstanding = 8;

contract::WidthConverterConfig config_of(const Parameters& p) {
  return {8 * p["MANAGER_BYTES"], 8 * p["SUBORDINATE_BYTES"], kOutstanding, p["BURST_BEATS"]};
}

// The lane is the manager and the subordinate: it answers the bursts that it has taken from the converter.
template <class Model>
class WidthConverterLane final : public Lane<Model> {
 public:
  WidthConverterLane(const std::string& name, const Parameters& p)
      : Lane<Model>(name, p, kFaults),
        manager_(p["MANAGER_BYTES"]),
        subordinate_(p["SUBORDINATE_BYTES"]),
        most_(p["BURST_BEATS"]),
        s_(name + "_s"),
        m_(name + "_m"),
        converter_(name.c_str(), config_of(p)) {
    converter_.s_ar(s_.ar);
    converter_.s_r(s_.r);
    converter_.s_aw(s_.aw);
    converter_.s_w(s_.w);
    converter_.s_b(s_.b);
    converter_.m_ar(m_.ar);
    converter_.m_r(m_.r);
    converter_.m_aw(m_.aw);
    converter_.m_w(m_.w);
    converter_.m_b(m_.b);
    wire_bursts();
    wire_reads();
    wire_writes();
  }

 private:
  static std::uint64_t bits(int value) { return static_cast<std::uint64_t>(value); }

  void wire_bursts() {
    this->input(
        COSIM_INPUT_OF(s_ar, s_.ar),
        [](Model& m, const axi::ReadBurst& burst, const auto& field) {
          field("address", 0, m.s_ar_address, 0, 32, burst.address);
          field("beats", 0, m.s_ar_beats, 0, 9, bits(burst.beats));
          field("id", 0, m.s_ar_id, 0, 8, burst.id);
        },
        left_reads_, [this](axi::ReadBurst& burst) { make(burst, read_parts_); });
    this->input(
        COSIM_INPUT_OF(s_aw, s_.aw),
        [](Model& m, const axi::WriteBurst& burst, const auto& field) {
          field("address", 0, m.s_aw_address, 0, 32, burst.address);
          field("beats", 0, m.s_aw_beats, 0, 9, bits(burst.beats));
          field("id", 0, m.s_aw_id, 0, 8, burst.id);
        },
        left_writes_,
        [this](axi::WriteBurst& burst) {
          make(burst, write_parts_);
          data_.push_back(burst.beats);
          left_data_ += burst.beats;
        });
    this->output(COSIM_OUTPUT_OF(m_ar, m_.ar), [](Model& m, const axi::ReadBurst& burst, const auto& field) {
      field("address", 0, m.m_ar_address, 0, 32, burst.address);
      field("beats", 0, m.m_ar_beats, 0, 9, bits(burst.beats));
      field("id", 0, m.m_ar_id, 0, 8, burst.id);
    });
    this->output(COSIM_OUTPUT_OF(m_aw, m_.aw), [](Model& m, const axi::WriteBurst& burst, const auto& field) {
      field("address", 0, m.m_aw_address, 0, 32, burst.address);
      field("beats", 0, m.m_aw_beats, 0, 9, bits(burst.beats));
      field("id", 0, m.m_aw_id, 0, 8, burst.id);
    });
  }

  void wire_reads() {
    const int manager = manager_, subordinate = subordinate_;
    this->input(
        COSIM_INPUT_OF(m_r, m_.r),
        [subordinate](Model& m, const axi::ReadBeat& beat, const auto& field) {
          byte_fields(m.m_r_data, beat.data, subordinate, field);
          field("resp", 0, m.m_r_resp, 0, 2, static_cast<std::uint64_t>(beat.resp));
          field("id", 0, m.m_r_id, 0, 8, beat.id);
        },
        left_beats_,
        [this](axi::ReadBeat& beat) {
          fill(beat.data, subordinate_);
          beat.resp = random_resp();
          beat.id = static_cast<std::uint8_t>(this->random.next());
          beat.last = --answering_.front() == 0;
          if (beat.last) answering_.pop_front();
        });
    this->output(COSIM_OUTPUT_OF(s_r, s_.r), [manager](Model& m, const axi::ReadBeat& beat, const auto& field) {
      byte_fields(m.s_r_data, beat.data, manager, field);
      field("resp", 0, m.s_r_resp, 0, 2, static_cast<std::uint64_t>(beat.resp));
      field("id", 0, m.s_r_id, 0, 8, beat.id);
      field("last", 0, m.s_r_last, 0, 1, beat.last);
    });
  }

  void wire_writes() {
    const int manager = manager_, subordinate = subordinate_;
    this->input(
        COSIM_INPUT_OF(s_w, s_.w),
        [manager](Model& m, const axi::WriteBeat& beat, const auto& field) {
          byte_fields(m.s_w_data, beat.data, manager, field);
          field("strobe", 0, m.s_w_strobe, 0, manager, beat.strobe);
        },
        left_data_,
        [this](axi::WriteBeat& beat) {
          fill(beat.data, manager_);
          beat.strobe = this->random.next() & axi::byte_mask(manager_);
          beat.last = --data_.front() == 0;
          if (beat.last) data_.pop_front();
        });
    this->output(COSIM_OUTPUT_OF(m_w, m_.w), [subordinate](Model& m, const axi::WriteBeat& beat, const auto& field) {
      // Bytes without a strobe mean nothing.
      for (int i = 0; i < subordinate; ++i)
        if (beat.strobe >> i & 1) field("bytes", i, m.m_w_data, 8 * i, 8, beat.data[static_cast<std::size_t>(i)]);
      field("strobe", 0, m.m_w_strobe, 0, subordinate, beat.strobe);
      field("last", 0, m.m_w_last, 0, 1, beat.last);
    });
    this->input(
        COSIM_INPUT_OF(m_b, m_.b),
        [](Model& m, const axi::WriteResponse& response, const auto& field) {
          field("resp", 0, m.m_b_resp, 0, 2, static_cast<std::uint64_t>(response.resp));
        },
        left_responses_, [this](axi::WriteResponse& response) { response.resp = random_resp(); });
    this->output(COSIM_OUTPUT_OF(s_b, s_.b), [](Model& m, const axi::WriteResponse& response, const auto& field) {
      field("resp", 0, m.s_b_resp, 0, 2, static_cast<std::uint64_t>(response.resp));
      field("id", 0, m.s_b_id, 0, 8, response.id);
    });
  }

  // A legal burst, and the beats of its parts on the other side.
  template <class Burst>
  void make(Burst& burst, std::deque<int>& parts) {
    const int longest = std::min(256, 4096 / manager_);
    burst.beats = this->random.uniform(1, this->random.chance(20) ? longest : std::min(longest, 12));
    const int slots = (4096 - burst.beats * manager_) / manager_;
    burst.address = bits(4096 * this->random.uniform(0, 1000) + manager_ * this->random.uniform(0, slots));
    burst.id = static_cast<std::uint8_t>(this->random.chance(90) ? id_ : id_ + 1);
    const int lane = static_cast<int>(burst.address % bits(subordinate_));
    int beats = (lane + burst.beats * manager_ + subordinate_ - 1) / subordinate_;
    for (; beats > most_; beats -= most_) parts.push_back(most_);
    parts.push_back(beats);
  }
  void fill(axi::BeatBytes& data, int count) {
    for (int i = 0; i < count; ++i) data[static_cast<std::size_t>(i)] = static_cast<std::uint8_t>(this->random.next());
  }
  axi::Resp random_resp() {
    return this->random.chance(90) ? axi::Resp::okay : static_cast<axi::Resp>(this->random.uniform(1, 3));
  }

  void next_phase() override {
    left_reads_ = this->random.uniform(0, 20);
    left_writes_ = this->random.uniform(left_reads_ == 0 ? 1 : 0, 20);
    id_ = this->random.uniform(0, 200);
  }

  // The subordinate may answer what it has accepted.
  void before_edge() override {
    for (; taken_reads_ < m_.ar.pops(); ++taken_reads_) {
      left_beats_ += read_parts_.front();
      answering_.push_back(read_parts_.front());
      read_parts_.pop_front();
    }
    while (!write_parts_.empty() && taken_writes_ < m_.aw.pops() &&
           answered_data_ + write_parts_.front() <= m_.w.pops()) {
      answered_data_ += write_parts_.front();
      write_parts_.pop_front();
      ++taken_writes_;
      ++left_responses_;
    }
  }

  const int manager_, subordinate_, most_;
  axi::PortStreams s_, m_;
  axi::WidthConverter converter_;
  int left_reads_ = 0, left_writes_ = 0, left_data_ = 0, left_beats_ = 0, left_responses_ = 0;
  int id_ = 0;
  std::deque<int> read_parts_, write_parts_;  // of bursts that the subordinate has not yet accepted
  std::deque<int> answering_;                 // beats to come of those taken
  std::deque<int> data_;                      // write beats to come, per burst
  std::int64_t taken_reads_ = 0, taken_writes_ = 0, answered_data_ = 0;
};

}  // namespace

int add_lanes(Session& session) {
#define ADD(Model, parameters) session.add<WidthConverterLane<Model>>(parameters);
  FOR_EACH_TWIN(ADD)
#undef ADD
  return kFaults;
}

}  // namespace fansim::cosim
