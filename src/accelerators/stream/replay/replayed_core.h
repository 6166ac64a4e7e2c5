// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "accelerators/stream/replay/job_table.h"
#include "accelerators/stream/replay/steady_back_end.h"
#include "accelerators/stream/timing/host_trace.h"
#include "accelerators/stream/timing/stream_core.h"
#include "timing/replay/period.h"

namespace fansim::stream {

// The core with what it can leave out: jobs that meet nothing of the job before and have an outcome in the table,
// passes that leave everything as the pass before did, and the rest of a pass from where nothing waits.
class ReplayedCore final : public StreamCore {
 public:
  // `keeps_waits`: whether the waits of replayed jobs are asked for. `table`: outcomes of jobs on such an array, from
  // cores that kept waits or not as this one does. The trace outlives the core.
  ReplayedCore(const ArrayConfig& config, const HostTrace& trace, bool keeps_waits, JobTable table);

  // A job of the trace.
  Job run(const Command& job, timing::Edge start) override;

  // The outcome of a job of the trace that has run; or null.
  const JobOutcome* outcome(std::size_t command) const { return outcomes_[command]; }
  // Whether a job with this outcome at `start`, and once more `period` edges later, meets nothing of the job before.
  bool repeats(const JobOutcome& outcome, timing::Edge start, timing::Edge period) const {
    return start + outcome.first_window >= clear_from_ && period + outcome.first_window >= outcome.clear_from;
  }
  Job replay(const JobOutcome& outcome, const Command& job, timing::Edge start);

  // The last call to a core.
  JobTable take_table() { return std::move(table_); }

 private:
  // The last job, if it was replayed: the blocks are as they were before it.
  struct Replayed {
    const Command* job;
    timing::Edge start;
  };

  void groups(const Command& job, int row, const PassShape& shape, bool last, std::int64_t passes_after) override;
  bool rest_of_pass(const PassShape& shape, Column& at, PassRecord& record) override;
  timing::Edge last_sum() const override;
  void repeat(const PassShape& shape, int passes, bool waited, std::int64_t passes_after);
  const PassRecord& last_pass() const { return passes_[(next_pass_ + kPasses - 1) % kPasses]; }
  void catch_up();
  const JobOutcome* record(const Job& done, timing::Edge start, const CoreAccount& before, std::size_t waits_before);

  const bool keeps_waits_;
  const HostTrace& trace_;
  SteadyBackEnd& steady_;
  JobTable table_;
  std::vector<const JobOutcome*> outcomes_;     // by the trace's commands, once they have run
  timing::Edge clear_from_ = timing::kLongAgo;  // nothing of the jobs before is left
  std::optional<Replayed> replayed_;
  timing::Period<48> period_;  // of the front, from pass to pass
};

}  // namespace fansim::stream
