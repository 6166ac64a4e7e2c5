// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <utility>

#include "accelerators/stream/replay/transfer_table.h"
#include "accelerators/stream/timing/output_path.h"
#include "timing/trains/fixed_trains.h"

namespace fansim::stream {

// The output path with transfers that it replays: on a quiet bus, or where they meet a running read as another transfer
// of their kind did.
class ReplayedOutputs final : public OutputPath {
 public:
  // `table`: transfers through such a port and memory. `trains`: the memory, if it takes whole transfers; or null.
  ReplayedOutputs(const Config& config, timing::Memory& memory, timing::trains::FixedTrains* trains,
                  TransferTable table);

  // Makes whole transfers, up to the end of a tile, where nothing else is on the bus and no read arrives before the
  // last burst of each is decided; or one transfer that meets the running read as another of its kind did. false: the
  // next transfer must be made burst by burst.
  bool ask_all(timing::Edge read_arrives = timing::kNever);
  // The first edge at which a burst may be decided, as far as that can be told; kNever: the path is idle.
  timing::Edge first_decided();
  bool ask() override;
  void take(timing::Edge from) override;

  // The last call to an output path.
  TransferTable take_table() { return std::move(table_); }

 private:
  // The next transfer has not begun, and its outcome on a quiet bus is in the table.
  bool replays() { return busy_ && !begun_ && kind().quiet; }
  // The kind of the transfer that has not begun.
  TransferKind& kind();
  bool meet();
  void learn(timing::Edge answered);
  bool begin_bursts() override;
  bool accept(std::int64_t beats) override;
  void push(int beats, timing::Edge edge) override;
  void end_transfer(timing::Edge answered) override;

  const std::int64_t
      burst_mask_;  // an address's bits within a burst: all, where bursts do not fill the boundaries' space
  timing::trains::FixedTrains* const trains_;
  TransferTable table_;
  std::int64_t key_ = -1;  // of kind_
  TransferKind* kind_ = nullptr;

  // The transfer, once its bursts are asked for.
  std::size_t bursts_ = 0;            // pushed
  timing::trains::WriteOnBus write_;  // as far as it has come
  timing::trains::Meeting meeting_;   // with a read
  bool meets_ = false;                // there is one
  bool quiet_ = true;                 // nothing else has held up its bursts
};

}  // namespace fansim::stream
