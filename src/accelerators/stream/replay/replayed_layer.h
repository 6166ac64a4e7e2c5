// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "accelerators/stream/replay/replayed_core.h"
#include "accelerators/stream/replay/replayed_data_path.h"
#include "accelerators/stream/replay/tables.h"
#include "accelerators/stream/timing/stream_layer.h"

namespace fansim::stream {

// A layer with what it can leave out: whole rounds on a quiet machine, where no tile leaves and the round's job has an
// outcome, beside what core and data path replay.
class ReplayedLayer final : public StreamLayer {
 public:
  // `tables`: what layers on such a machine that kept buckets or not, as this one does, have added.
  ReplayedLayer(const Config& config, const HostTrace& trace, bool buckets, ReplayTables tables = {});

  // The last call to a layer.
  ReplayTables take_tables() { return {replayed_core_.take_table(), replayed_data_.take_table()}; }

 private:
  // A round on a quiet machine.
  struct QuietRound {
    const JobOutcome* outcome = nullptr;
    const Command* job = nullptr;
    timing::Edge start = 0, end = 0;  // of the job; of the round
    std::int64_t bytes = 0;
  };

  std::uint32_t replay_rounds(const Act* acts, const Round& round, std::uint32_t time) override;
  template <class Read>
  std::optional<QuietRound> quiet_round(const Act* acts, const Round& round, std::uint32_t time, Read&& read) const;
  void take(const QuietRound& round, timing::Edge by, std::int64_t times);

  ReplayedCore& replayed_core_;
  ReplayedDataPath& replayed_data_;
  std::vector<timing::Span> reads_;  // of a round: on the bus
};

}  // namespace fansim::stream
