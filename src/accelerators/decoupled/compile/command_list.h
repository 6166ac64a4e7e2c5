// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "accelerators/decoupled/config/command.h"

namespace fansim::decoupled {

// Names what commands of several units read and write: a half of a buffer, a piece of that half, or a row of partial
// sums in memory.
struct Place {
  enum class Of { inputs, weights, sums, memory } of = Of::inputs;
  int number = 0, part = 0;

  bool operator<(const Place& other) const {
    return std::tie(of, number, part) < std::tie(other.of, other.number, other.part);
  }
};

// Collects a job's commands in the order of the program. The tokens follow from what the commands read and write: a
// command waits for the last command of each other unit that wrote what it reads, or that used what it writes. It need
// not wait if an earlier command of its own unit has waited for the same command or a later one. So every token that is
// given is also taken, in the order in which tokens are given.
class CommandList {
 public:
  void add(Command command, const std::vector<Place>& reads, const std::vector<Place>& writes);
  bool empty() const { return job_.commands.empty(); }
  // Returns the job so far, and starts a new list.
  Job take();

 private:
  using ByUnit = std::array<int, kUnits>;  // number of a command, or -1
  static constexpr ByUnit kNone{-1, -1, -1, -1};
  struct Uses {
    ByUnit read = kNone, written = kNone;  // the last such command of each unit
  };

  Job job_;
  std::vector<ByUnit> needed_;  // for each command, the last command of each unit that it must follow
  std::map<Place, Uses> uses_;
};

}  // namespace fansim::decoupled
