// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "accelerators/stream/config/command.h"
#include "accelerators/stream/timing/waits.h"
#include "timing/edge.h"

namespace fansim::stream {

// Edges of jobs, by who held the core.
struct CoreAccount {
  std::int64_t compute = 0, drain = 0, fill = 0, wait_output = 0, weight_waits = 0;

  void add(const CoreAccount& other, int sign = 1) {
    compute += sign * other.compute, drain += sign * other.drain, fill += sign * other.fill;
    wait_output += sign * other.wait_output, weight_waits += sign * other.weight_waits;
  }
};

// What a job did in a core at rest; edges count from its start.
struct KnownJob {
  timing::Edge finished = 0;
  timing::Edge tile = timing::kNever;
  timing::Edge first_window = 0;  // the first edge at which what is left of the job before can matter
  timing::Edge at_rest = 0;       // nothing of it is left
  CoreAccount account;
  Waits waits;  // for weights
};

// The jobs of a layer are a few, run over and over on other data, and those of layers alike: what has been seen of them
// on one kind of array, by all that decides it.
class KnownJobs {
 public:
  std::size_t size() const { return jobs_.size(); }
  // nullptr: it has not been seen.
  const KnownJob* find(const Command& job);
  // The job that find() was asked for last.
  const KnownJob* add(KnownJob known) {
    last_ = &*jobs_.emplace(key_, std::move(known)).first;
    return &last_->second;
  }

 private:
  using Key = std::vector<int>;
  struct Hash {
    std::size_t operator()(const Key& key) const;
  };

  // A job as it is said; of its last fields, where its rows lie in the map, the key has what they come to.
  static constexpr std::size_t kFields = 26, kLayerFields = 22;
  using Shape = std::array<int, kFields>;
  using Jobs = std::unordered_map<Key, KnownJob, Hash>;

  Shape shape_{};
  Key key_;
  Jobs jobs_;
  Jobs::const_pointer last_ = nullptr;  // that of shape_: most jobs are as the one before
};

}  // namespace fansim::stream
