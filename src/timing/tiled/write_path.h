// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "arch/encoding.h"
#include "timing/queue.h"
#include "timing/tiled/burst_channel.h"
#include "timing/tiled/memory_ports.h"
#include "timing/tiled/two_stage_pipe.h"

namespace fansim::timing {

// Tiles of outputs into memory: datapath::MapEncoder, axi::RunWriter, and the channels to the memory's port and back,
// beat by beat. Every edge is computed as soon as those that it depends on are known.
class WritePath final : public WriteSource {
 public:
  // granted_at_once: the memory takes data without deciding about the burst.
  WritePath(const PathConfig& config, const arch::Encoding& encoding, MemoryPorts& memory, bool granted_at_once);

  // The next run may be pushed from room() on, once has_room(), to encoder and writer alike.
  bool has_room() const { return writer_popped_.count() >= runs_ - 1 && encoder_popped_.count() >= runs_ - 1; }
  Edge room() const { return std::max(writer_popped_[runs_ - 2], encoder_popped_[runs_ - 2]) + 1; }
  void push(const arch::Run& run, Edge pushed);
  // A filled half for the encoder; before the tile's first run.
  void open(Edge pushed) { filled_.push(pushed), changed_ = true; }

  bool advance();
  void take(Edge from) override;
  void respond(Edge from) override;

  // The edges at which the encoder freed a half, and at which a tile's last response was taken; oldest first.
  Queue<Edge>& freed() { return freed_; }
  Queue<Edge>& ends() { return ends_; }
  std::int64_t beats_sent() const { return sent_.count(); }
  std::int64_t bytes() const { return bytes_; }

 private:
  struct Run {
    arch::Run run;
    Edge pushed;
  };
  struct Burst {
    std::uint64_t address;  // of its next beat
    int beats;              // to come at the stage that looks at it
    Edge from;              // from which that stage may begin with it
  };
  struct Part {
    std::uint64_t address;
    int beats;
    Edge from;
    bool granted;  // `from` is known
  };
  struct Answer {
    int parts;  // to come
    bool ends_tile;
  };

  // What can be known now of a stage, or of its next item; false: nothing.
  bool fill();
  bool drain();
  bool encode();
  bool leave();
  bool accept();
  bool start_run();
  bool issue();
  bool convert();
  bool ask();
  bool send();
  bool write();
  bool cross();
  bool gear();
  bool hand_over();
  bool pass();
  bool pop();
  std::int64_t bytes_of(const arch::Run& run) const;

  static constexpr int kPort = 0;
  const PathConfig config_;
  const arch::Encoding encoding_;
  const bool granted_at_once_;
  const int buffer_beats_;
  MemoryPorts& memory_;

  bool changed_ = false;  // something is known that a stage may depend on

  // Encoder.
  std::int64_t runs_ = 0;
  Queue<Run> to_encode_;
  History encoder_popped_{4};
  Queue<Edge> filled_, freed_, ends_;
  bool open_ = false;
  int to_read_ = 0;  // beats of the run
  std::int64_t bytes_ = 0;
  TwoStagePipe encoder_;

  // Writer.
  Queue<Run> to_write_;
  History writer_popped_{4};
  std::uint64_t address_ = 0;  // of the next burst
  int to_issue_ = 0;           // beats of the run
  bool ends_tile_ = false;
  Edge issued_ = kLongAgo;  // the last burst, or the next one's earliest edge less one
  std::int64_t beats_issued_ = 0, bursts_issued_ = 0, bursts_converted_ = 0, parts_asked_ = 0;
  BurstChannel channel_;

  // Beats of the manager, then of the port, in the order of their way.
  History accepted_, sent_, written_, crossed_{4}, geared_{4};
  History places_;  // of the clock crossing: free again
  History handed_{4}, passed_{4}, popped_{4};
  Queue<Burst> to_send_, to_gear_;
  int to_hand_over_ = 0;  // beats of the port that are complete in the width converter
  Queue<Part> to_pass_, to_pop_;

  // Responses, of parts, then of bursts.
  Queue<Answer> to_answer_;
  History responded_{4}, returned_, gathered_{4}, joined_, response_written_{4}, response_crossed_, answered_;
};

}  // namespace fansim::timing
