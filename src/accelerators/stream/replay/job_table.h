// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "accelerators/stream/config/command.h"
#include "accelerators/stream/timing/core_account.h"
#include "timing/edge.h"
#include "timing/replay/outcome_table.h"

namespace fansim::stream {

// What a job does that meets nothing of the job before it. Edges count from its start.
struct JobOutcome {
  timing::Edge finished = 0;
  timing::Edge tile = timing::kNever;
  timing::Edge first_window = 0;  // the first edge at which something left of the job before could matter
  timing::Edge clear_from = 0;    // nothing of this job is left from here on
  CoreAccount account;
  Waits waits;  // for weights
};

// The outcomes of jobs on one kind of array, by all that decides them. A layer has few kinds of jobs, which run over
// and over on other data, and so do layers that are alike.
class JobTable {
 public:
  std::size_t size() const { return jobs_.size(); }
  // nullptr: the table has no such job.
  const JobOutcome* find(const Command& job);
  // Adds the outcome of the job that find() looked for last.
  const JobOutcome* add(JobOutcome outcome) { return last_ = jobs_.add(key_, std::move(outcome)); }

 private:
  // The fields of a command that decide its time. The last of them say where its rows lie in the map; the key has what
  // follows from that for pooling.
  static constexpr std::size_t kFields = 26, kLayerFields = 22;
  using Shape = std::array<int, kFields>;

  Shape shape_{};
  std::vector<int> key_;
  timing::OutcomeTable<std::vector<int>, JobOutcome> jobs_;
  const JobOutcome* last_ = nullptr;  // of shape_: most jobs are as the one before
};

}  // namespace fansim::stream
