// SPDX-License-Identifier: Apache-2.0
#include "axi/stream_receiver.h"

#include <optional>

#include "cosim/lane.h"
#include "cosim/payload.h"
#include "twins.h"

namespace fansim::cosim {
namespace {

constexpr int kFaults = 3;

// Records what the receiver did at an edge.
struct Sink final : axi::BeatSink {
  struct Write {
    int target, offset, bytes;
    std::array<std::uint8_t, contract::AxiConfig::kMaxBeatBytes> data;
  };
  void begin(int target) override { begun = target; }
  void write(int target, int offset, const std::uint8_t* data, int bytes) override {
    written = Write{target, offset, bytes, {}};
    std::copy_n(data, bytes, written->data.begin());
  }
  void done(int target) override { freed = target; }
  int capacity(int) const override { return 1 << 20; }
  void clear() {
    begun.reset();
    written.reset();
    freed.reset();
  }

  std::optional<int> begun, freed;
  std::optional<Write> written;
};

template <class Model>
class StreamReceiverLane final : public Lane<Model> {
 public:
  StreamReceiverLane(const std::string& name, const Parameters& p)
      : Lane<Model>(name, p, kFaults),
        beat_bytes_(p["BEAT_BYTES"]),
        command((name + "_command").c_str()),
        s_axis((name + "_s_axis").c_str()),
        receiver_(name.c_str(), sink_) {
    receiver_.command(command);
    receiver_.s_axis(s_axis);
    this->input(
        COSIM_INPUT(command),
        [](Model& m, const axi::ReceiveCommand& item, const auto& field) {
          field("target", 0, m.command_target, 0, 2, static_cast<std::uint64_t>(item.target));
        },
        packets_,
        [this](axi::ReceiveCommand& item) {
          item = {this->random.uniform(0, 2), 0};
        });
    this->input(
        COSIM_INPUT(s_axis),
        [](Model& m, const axi::StreamBeat& beat, const auto& field) {
          byte_fields(m.s_axis_data, beat.data, beat.bytes, field);
          field("last", 0, m.s_axis_last, 0, 1, beat.last);
        },
        beats_, [this](axi::StreamBeat& beat) { make(beat); });
  }

 private:
  void make(axi::StreamBeat& beat) {
    beat.last = --packet_left_ == 0;
    beat.bytes = beat.last ? this->random.uniform(1, beat_bytes_) : beat_bytes_;
    for (std::uint8_t& byte : beat.data) byte = static_cast<std::uint8_t>(this->random.next());
    if (beat.last) packet_left_ = packet_beats_;
  }
  void next_phase() override {
    packet_left_ = packet_beats_ = this->random.uniform(1, 40);
    packets_ = this->random.uniform(1, 12);
    beats_ = packets_ * packet_beats_;
  }
  void before_edge() override { sink_.clear(); }

  void compare_at_edge(Model& m, const Compare& field) override {
    field("claim", 0, m.claim, 0, 1, sink_.begun.has_value());
    if (sink_.begun) field("claim_target", 0, m.claim_target, 0, 2, static_cast<std::uint64_t>(*sink_.begun));
    field("write", 0, m.write, 0, 1, sink_.written.has_value());
    if (sink_.written) {
      const auto& w = *sink_.written;
      field("target", 0, m.target, 0, 2, static_cast<std::uint64_t>(w.target));
      field("write_address", 0, m.write_address, 0, 16, static_cast<std::uint64_t>(w.offset / beat_bytes_));
      byte_fields(m.write_data, w.data, w.bytes, field);
    }
    field("free", 0, m.free, 0, 1, sink_.freed.has_value());
    if (sink_.freed) field("free_target", 0, m.target, 0, 2, static_cast<std::uint64_t>(*sink_.freed));
  }
  void compare_after_edge(Model& m, const Compare& field) override {
    field("state", 0, m.state, 0, 2, static_cast<std::uint64_t>(receiver_.state()));
  }

  const int beat_bytes_;
  Sink sink_;
  sim::Stream<axi::ReceiveCommand> command;
  sim::Stream<axi::StreamBeat> s_axis;
  axi::StreamReceiver receiver_;
  int packets_ = 0, packet_beats_ = 1, packet_left_ = 1, beats_ = 0;
};

}  // namespace

int add_lanes(Session& session) {
#define ADD(Model, parameters) session.add<StreamReceiverLane<Model>>(parameters);
  FOR_EACH_TWIN(ADD)
#undef ADD
  return kFaults;
}

}  // namespace fansim::cosim
