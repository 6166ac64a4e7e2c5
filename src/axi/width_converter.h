// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "axi/ring.h"
#include "axi/types.h"
#include "contract/converters.h"
#include "sim/module.h"
#include "sim/stream.h"

namespace fansim::axi {

// Converts an AXI4 port from one bus width to another. The bytes stay the same, in whole beats of either side. Up:
// narrow beats share a wide one, and lanes that no beat fills are not written. Down: a wide beat becomes several narrow
// ones. A burst of more than `burst_beats` beats of the subordinate is split; its read beats and responses come back as
// one, with the worst response. All bursts in flight have one ID and a burst with another ID waits, so that responses
// can be matched in order.
// Throughput: one beat per cycle of the narrower side, one burst per cycle (split: per part).
// Latency:    one cycle on every channel: the beat, or burst, that completes a beat of the other side at t has it
//             pushed at t + 1; of those that one beat makes, one per cycle follows.
// Stall:      per channel, while the other side is full; a burst while `outstanding` are in flight.
class WidthConverter final : public sim::Module {
 public:
  sim::StreamIn<ReadBurst> s_ar{"s_ar"};
  sim::StreamOut<ReadBeat> s_r{"s_r"};
  sim::StreamIn<WriteBurst> s_aw{"s_aw"};
  sim::StreamIn<WriteBeat> s_w{"s_w"};
  sim::StreamOut<WriteResponse> s_b{"s_b"};
  sim::StreamOut<ReadBurst> m_ar{"m_ar"};
  sim::StreamIn<ReadBeat> m_r{"m_r"};
  sim::StreamOut<WriteBurst> m_aw{"m_aw"};
  sim::StreamOut<WriteBeat> m_w{"m_w"};
  sim::StreamIn<WriteResponse> m_b{"m_b"};

  WidthConverter(const sc_core::sc_module_name& name, const contract::WidthConverterConfig& config);

 private:
  // A manager's burst in flight.
  struct Flight {
    std::uint64_t address;  // address of its next beat
    int beats;              // still to come
    int parts;              // bursts on the subordinate's side that have no response yet
    Resp resp;
  };
  // A burst that is being passed on: what is left of it, in the subordinate's beats.
  template <class Burst>
  struct Open {
    Burst next{};
    int beats = 0;
  };
  // A beat between the two widths. `lane` is the first lane that is still to be read or filled: of the subordinate's
  // beat when going up, of the manager's beat when going down.
  struct Gear {
    BeatBytes data{};
    std::uint64_t strobe = 0;
    Resp resp = Resp::okay;
    std::uint8_t id = 0;
    bool last = false;
    bool full = false;  // complete, and about to leave
    int lane = 0;
  };

  void step() override;
  template <class Burst>
  void hand_over(sim::StreamOut<Burst>& out, Open<Burst>& open);
  template <class Burst>
  Flight open(const Burst& burst, Open<Burst>& open);
  void take_bursts();
  int subordinate_beats(std::uint64_t address, int beats) const;
  void begin_writing(const Flight& flight);
  bool ends_part();
  void spread_reads();
  void gather_reads();
  void gather_writes();
  void spread_writes();
  void respond();

  const contract::WidthConverterConfig config_;
  const int manager_bytes_;
  const int subordinate_bytes_;
  Open<ReadBurst> read_open_;
  Open<WriteBurst> write_open_;
  Ring<Flight> reads_;
  Ring<Flight> writes_;   // until their data have passed
  Ring<Flight> answers_;  // until their response has passed
  std::uint8_t read_id_ = 0;
  std::uint8_t write_id_ = 0;
  Gear read_gear_;
  Gear write_gear_;
  int to_send_ = 0;     // beats to be sent on m_w of the burst whose data are taken
  int part_beats_ = 0;  // those of them that belong to the current part
  bool answered_ = false;

  sim::Counter read_beats_{*this, "read_beats", "beats", "read beats towards the manager"};
  sim::Counter write_beats_{*this, "write_beats", "beats", "write beats towards the subordinate"};
  sim::Counter splits_{*this, "splits", "bursts", "further bursts made of one too long for the narrower side"};
};

}  // namespace fansim::axi
