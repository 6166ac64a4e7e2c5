// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "accelerators/decoupled/config/command.h"

namespace fansim::decoupled {

// What commands of several units read and write: a half of a buffer, a piece of it, a row of partial sums in memory.
struct Place {
  enum class Of { inputs, weights, sums, memory } of = Of::inputs;
  int number = 0, part = 0;

  bool operator<(const Place& other) const {
    return std::tie(of, number, part) < std::tie(other.of, other.number, other.part);
  }
};

// A job's commands in the order of the program. Tokens follow from what they read and write: a command waits for the
// last one of each other unit that wrote what it reads or that used what it writes, unless an earlier command of its
// own unit waited for that one or a later one. So every token that is given is taken, in the order they are given.
class CommandList {
 public:
  void add(Command command, const std::vector<Place>& reads, const std::vector<Place>& writes);
  bool empty() const { return job_.commands.empty(); }
  // The job so far; the list begins anew.
  Job take();

 private:
  using ByUnit = std::array<int, kUnits>;  // a command, or -1
  static constexpr ByUnit kNone{-1, -1, -1, -1};
  struct Uses {
    ByUnit read = kNone, written = kNone;  // the last command of each unit
  };

  Job job_;
  std::vector<ByUnit> needed_;  // by command: the last of each unit that it must come behind
  std::map<Place, Uses> uses_;
};

}  // namespace fansim::decoupled
