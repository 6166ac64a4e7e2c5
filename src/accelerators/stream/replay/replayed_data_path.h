// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "accelerators/stream/replay/replayed_inputs.h"
#include "accelerators/stream/replay/replayed_outputs.h"
#include "accelerators/stream/replay/transfer_table.h"
#include "accelerators/stream/timing/data_path.h"
#include "timing/replay/period.h"
#include "timing/trains/fixed_trains.h"
#include "timing/trains/repeating_reads.h"

namespace fansim::stream {

// The data path with what it can leave out: reads that are trains, transfers of tiles that are replayed, and read
// bursts that repeat each other.
class ReplayedDataPath final : public DataPath {
 public:
  // `table`: transfers of tiles through such a port and memory.
  explicit ReplayedDataPath(const Config& config, bool keeps_waits = true, TransferTable table = {});

  timing::Edge read(timing::Edge written, std::uint32_t address, std::uint32_t bytes,
                    const std::function<void()>& on_fetched) override;

  // No tile is under way, and any read by itself is a train.
  bool quiet() const { return outputs_.idle() && inputs_.always_trains(); }
  // The beats on the bus of a read while quiet, if no refresh meets them, and the edge at which its last beat is
  // streamed.
  timing::Span alone(timing::Edge written, std::uint32_t address, std::uint32_t bytes) const {
    return inputs_.alone(written, address, bytes);
  }
  timing::Edge streamed(const timing::Span& bus, std::uint32_t address, std::uint32_t bytes) const {
    return inputs_.streamed(bus, address, bytes);
  }
  // Makes a read while quiet. Returns the edge at which its last beat is streamed.
  timing::Edge read_quiet(timing::Edge written, std::uint32_t address, std::uint32_t bytes);
  // Makes such reads, and again every `period` edges, as often as no refresh meets one of them, `most` times at most.
  // Returns how often.
  std::int64_t repeat(const std::vector<timing::Span>& reads, timing::Edge period, std::int64_t most);

  // The last call to a data path.
  TransferTable take_table() { return outputs_.take_table(); }

 private:
  struct Memories {
    explicit Memories(const Config& config);
    std::unique_ptr<timing::Memory> memory;
    timing::trains::FixedTrains* trains = nullptr;        // the memory, if it takes trains
    timing::trains::RepeatingReads* repeating = nullptr;  // the memory, if its bursts may repeat each other
  };
  // What decides the rest of a read.
  struct Reading {
    timing::trains::RepeatingReads& memory;
    ReplayedInputs& inputs;
    template <class State>
    void visit(State& state) {
      state.origin(memory.origin());
      memory.visit(state);
      inputs.visit(state);
    }
  };

  ReplayedDataPath(const Config& config, bool keeps_waits, TransferTable table, Memories memories);
  bool decide() override;
  timing::Edge read_whole(timing::Edge written, std::uint32_t address, std::uint32_t bytes,
                          const std::function<void()>& on_fetched);
  void skip_repeats();

  timing::trains::FixedTrains* const trains_;
  timing::trains::RepeatingReads* const repeating_;
  ReplayedInputs& inputs_;
  ReplayedOutputs& outputs_;
  timing::Period<512> period_;  // of the read, from burst to burst
};

}  // namespace fansim::stream
