// SPDX-License-Identifier: Apache-2.0
#include "axi/interconnect.h"
#include "axi/port_streams.h"
#include "cosim/lane.h"
#include "cosim/manager.h"
#include "cosim/payload.h"
#include "cosim/subordinate.h"
#include "twins.h"

namespace fansim::cosim {
namespace {

constexpr int kFaults = 9;

contract::InterconnectConfig config_of(const Parameters& p) {
  contract::InterconnectConfig config;
  config.arbitration = p.get("PRIORITY", 0) ? contract::Arbitration::priority : contract::Arbitration::round_robin;
  config.managers = p["MANAGERS"];
  config.data_bits = 8 * p["BEAT_BYTES"];
  config.outstanding = p["OUTSTANDING"];
  for (int j = 0; j < p["SUBORDINATES"]; ++j) {
    const auto value = [&](const char* name) { return static_cast<std::uint64_t>(p[name + std::to_string(j)]); };
    config.subordinates.push_back({value("BASE"), value("BYTES")});
  }
  return config;
}

// Sets the payload of the i-th port in vectors over all ports.
template <class Address, class Beats, class Id, class Burst, class Field>
void burst_fields(Address& address, Beats& beats, Id& id, int id_bits, int i, const Burst& burst, const Field& field) {
  field("address", i, address, 32 * i, 32, burst.address);
  field("beats", i, beats, 9 * i, 9, static_cast<std::uint64_t>(burst.beats));
  field("id", i, id, id_bits * i, id_bits, burst.id);
}
template <class Port, class Field>
void data_fields(Port& port, int i, int bytes, const axi::BeatBytes& data, const Field& field) {
  for (int k = 0; k < bytes; ++k) field("bytes", k, port, 8 * (bytes * i + k), 8, data[static_cast<std::size_t>(k)]);
}

template <class Model>
class AxiInterconnectLane final : public Lane<Model> {
 public:
  AxiInterconnectLane(const std::string& name, const Parameters& p)
      : Lane<Model>(name, p, kFaults),
        config_(config_of(p)),
        beat_bytes_(config_.data_bits / 8),
        interconnect_(name.c_str(), config_) {
    for (int i = 0; i < config_.managers; ++i) {
      managers_.push_back(std::make_unique<Manager>(fmt::format("{}_s{}", name, i)));
      auto& port = interconnect_.manager(i);
      axi::PortStreams& streams = managers_.back()->streams;
      port.ar(streams.ar);
      port.r(streams.r);
      port.aw(streams.aw);
      port.w(streams.w);
      port.b(streams.b);
      wire_bursts(i, *managers_.back());
      wire_answers(i, *managers_.back());
    }
    for (int j = 0; j < nowhere(); ++j) {
      subordinates_.push_back(std::make_unique<Subordinate>(fmt::format("{}_m{}", name, j), this->random));
      auto& port = interconnect_.subordinate(j);
      axi::PortStreams& streams = subordinates_.back()->streams;
      port.ar(streams.ar);
      port.r(streams.r);
      port.aw(streams.aw);
      port.w(streams.w);
      port.b(streams.b);
      wire_subordinate(j, *subordinates_.back());
      wire_data(j, subordinates_.back()->streams);
    }
  }

  std::vector<std::string> unreached() const override {
    std::vector<std::string> states;
    const auto need = [&](std::int64_t count, const char* state) {
      if (count == 0) states.push_back(state);
    };
    if (config_.managers > 1) need(test::counter(interconnect_, "contended"), "contention");
    need(test::counter(interconnect_, "lost"), "burst of no subordinate");
    need(turns_, "burst that waits for those with another subordinate");
    need(limits_, "burst that waits for a place in flight");
    return states;
  }

 private:
  static std::uint64_t bits(int value) { return static_cast<std::uint64_t>(value); }
  int nowhere() const { return static_cast<int>(config_.subordinates.size()); }

  int decode(std::uint64_t address, int beats) const {
    const std::uint64_t last = address + bits(beats * beat_bytes_) - 1;
    for (int j = 0; j < nowhere(); ++j) {
      const contract::AddressRange& range = config_.subordinates[static_cast<std::size_t>(j)];
      if (range.holds(address) && range.holds(last)) return j;
    }
    return nowhere();
  }

  void wire_bursts(int i, Manager& manager) {
    this->input(
        COSIM_INPUT_AT(s_ar, manager.streams.ar, i),
        [i](Model& m, const axi::ReadBurst& burst, const auto& field) {
          burst_fields(m.s_ar_address, m.s_ar_beats, m.s_ar_id, 4, i, burst, field);
        },
        manager.left_reads, [&](axi::ReadBurst& burst) { make(burst, manager); });
    this->input(
        COSIM_INPUT_AT(s_aw, manager.streams.aw, i),
        [i](Model& m, const axi::WriteBurst& burst, const auto& field) {
          burst_fields(m.s_aw_address, m.s_aw_beats, m.s_aw_id, 4, i, burst, field);
        },
        manager.left_writes,
        [&](axi::WriteBurst& burst) {
          make(burst, manager);
          manager.beats.push_back(burst.beats);
          manager.left_data += burst.beats;
        });
    const int bytes = beat_bytes_;
    this->input(
        COSIM_INPUT_AT(s_w, manager.streams.w, i),
        [i, bytes](Model& m, const axi::WriteBeat& beat, const auto& field) {
          data_fields(m.s_w_data, i, bytes, beat.data, field);
          field("strobe", i, m.s_w_strobe, bytes * i, bytes, beat.strobe);
          field("last", i, m.s_w_last, i, 1, beat.last);
        },
        manager.left_data,
        [&](axi::WriteBeat& beat) {
          fill(beat.data);
          beat.strobe = this->random.next() & axi::byte_mask(beat_bytes_);
          beat.last = --manager.beats.front() == 0;
          if (beat.last) manager.beats.pop_front();
        });
  }

  void wire_answers(int i, Manager& manager) {
    const int bytes = beat_bytes_;
    this->output(COSIM_OUTPUT_AT(s_r, manager.streams.r, i),
                 [i, bytes](Model& m, const axi::ReadBeat& beat, const auto& field) {
                   data_fields(m.s_r_data, i, bytes, beat.data, field);
                   field("resp", i, m.s_r_resp, 2 * i, 2, static_cast<std::uint64_t>(beat.resp));
                   field("id", i, m.s_r_id, 4 * i, 4, beat.id);
                   field("last", i, m.s_r_last, i, 1, beat.last);
                 });
    this->output(COSIM_OUTPUT_AT(s_b, manager.streams.b, i),
                 [i](Model& m, const axi::WriteResponse& response, const auto& field) {
                   field("resp", i, m.s_b_resp, 2 * i, 2, static_cast<std::uint64_t>(response.resp));
                   field("id", i, m.s_b_id, 4 * i, 4, response.id);
                 });
  }

  void wire_subordinate(int j, Subordinate& subordinate) {
    const int bytes = beat_bytes_;
    this->output(COSIM_OUTPUT_AT(m_ar, subordinate.streams.ar, j),
                 [j](Model& m, const axi::ReadBurst& burst, const auto& field) {
                   burst_fields(m.m_ar_address, m.m_ar_beats, m.m_ar_id, 8, j, burst, field);
                 });
    this->input(
        COSIM_INPUT_AT(m_r, subordinate.streams.r, j),
        [j, bytes](Model& m, const axi::ReadBeat& beat, const auto& field) {
          data_fields(m.m_r_data, j, bytes, beat.data, field);
          field("resp", j, m.m_r_resp, 2 * j, 2, static_cast<std::uint64_t>(beat.resp));
          field("id", j, m.m_r_id, 8 * j, 8, beat.id);
          field("last", j, m.m_r_last, j, 1, beat.last);
        },
        subordinate.left_beats,
        [&](axi::ReadBeat& beat) {
          fill(beat.data);
          subordinate.answer(beat);
        });
    this->input(
        COSIM_INPUT_AT(m_b, subordinate.streams.b, j),
        [j](Model& m, const axi::WriteResponse& response, const auto& field) {
          field("resp", j, m.m_b_resp, 2 * j, 2, static_cast<std::uint64_t>(response.resp));
          field("id", j, m.m_b_id, 8 * j, 8, response.id);
        },
        subordinate.left_responses, [&](axi::WriteResponse& response) { subordinate.answer(response); });
  }

  void wire_data(int j, axi::PortStreams& streams) {
    const int bytes = beat_bytes_;
    this->output(COSIM_OUTPUT_AT(m_aw, streams.aw, j), [j](Model& m, const axi::WriteBurst& burst, const auto& field) {
      burst_fields(m.m_aw_address, m.m_aw_beats, m.m_aw_id, 8, j, burst, field);
    });
    this->output(COSIM_OUTPUT_AT(m_w, streams.w, j),
                 [j, bytes](Model& m, const axi::WriteBeat& beat, const auto& field) {
                   data_fields(m.m_w_data, j, bytes, beat.data, field);
                   field("strobe", j, m.m_w_strobe, bytes * j, bytes, beat.strobe);
                   field("last", j, m.m_w_last, j, 1, beat.last);
                 });
  }

  // Draws a legal burst, most often to the manager's favourite.
  template <class Burst>
  void make(Burst& burst, Manager& manager) {
    constexpr int kTries = 40, kPage = 4096, kPages = 16;
    const int longest = std::min(256, kPage / beat_bytes_);
    if (this->random.chance(15)) manager.favourite = this->random.uniform(0, nowhere() - 1);
    const int wanted = this->random.chance(12) ? nowhere() : manager.favourite;
    for (int i = 0; i < kTries && (i == 0 || decode(burst.address, burst.beats) != wanted); ++i) {
      burst.beats = this->random.uniform(1, this->random.chance(10) ? longest : std::min(longest, 8));
      const int place = beat_bytes_ * this->random.uniform(0, kPage / beat_bytes_ - burst.beats);
      burst.address = bits(kPage * this->random.uniform(0, kPages - 1) + place);
    }
    burst.id = static_cast<std::uint8_t>(this->random.uniform(0, 15));
  }
  void fill(axi::BeatBytes& data) {
    for (int i = 0; i < beat_bytes_; ++i)
      data[static_cast<std::size_t>(i)] = static_cast<std::uint8_t>(this->random.next());
  }

  void next_phase() override {
    for (auto& manager : managers_) {
      manager->left_reads = this->random.uniform(0, 20);
      manager->left_writes = this->random.uniform(manager->left_reads == 0 ? 1 : 0, 20);
    }
  }

  void before_edge() override {
    for (auto& subordinate : subordinates_) subordinate->look();
    for (auto& manager : managers_) {
      axi::PortStreams& s = manager->streams;
      look(manager->reads, s.ar, s.r.shown(), s.r.shown() > 0 && s.r.newest().last);
      look(manager->writes, s.aw, s.b.shown(), true);
    }
  }
  template <class Burst>
  void look(Traffic& traffic, const sim::Stream<Burst>& bursts, std::int64_t shown, bool ends) {
    const int target = bursts.occupancy() > 0 ? decode(bursts.front().address, bursts.front().beats) : 0;
    traffic.look(bursts, shown, ends, target);
    turns_ += traffic.turns();
    limits_ += traffic.waiting && traffic.in_flight == config_.outstanding && *traffic.waiting == traffic.target;
  }

  const contract::InterconnectConfig config_;
  const int beat_bytes_;
  axi::Interconnect interconnect_;
  std::vector<std::unique_ptr<Manager>> managers_;
  std::vector<std::unique_ptr<Subordinate>> subordinates_;
  std::int64_t turns_ = 0, limits_ = 0;  // edges
};

}  // namespace

int add_lanes(Session& session) {
#define ADD(Model, parameters) session.add<AxiInterconnectLane<Model>>(parameters);
  FOR_EACH_TWIN(ADD)
#undef ADD
  return kFaults;
}

}  // namespace fansim::cosim
