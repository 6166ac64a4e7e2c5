// SPDX-License-Identifier: Apache-2.0
#include "accelerators/decoupled/compile/command_list.h"

#include <algorithm>

namespace fansim::decoupled {

void CommandList::add(Command command, const std::vector<Place>& reads, const std::vector<Place>& writes) {
  const int number = static_cast<int>(job_.commands.size());
  const std::size_t own = index(command.unit);
  ByUnit needed = kNone;
  const auto behind = [&needed](const ByUnit& others) {
    for (std::size_t unit = 0; unit < kUnits; ++unit) needed[unit] = std::max(needed[unit], others[unit]);
  };
  for (const Place& place : reads) behind(uses_[place].written);
  for (const Place& place : writes) {
    behind(uses_[place].written);
    behind(uses_[place].read);
  }
  for (const Place& place : reads) uses_[place].read[own] = number;
  // A later command that waits for this writer also comes after everything that used the place before.
  for (const Place& place : writes) {
    uses_[place] = {};
    uses_[place].written[own] = number;
  }
  job_.commands.push_back(command);
  needed_.push_back(needed);
}

Job CommandList::take() {
  std::array<ByUnit, kUnits> known{kNone, kNone, kNone, kNone};  // for each unit, the last command of each other unit
                                                                 // for which it has waited
  for (std::size_t i = 0; i < needed_.size(); ++i) {
    Command& command = job_.commands[i];
    ByUnit& last = known[index(command.unit)];
    for (std::size_t other = 0; other < kUnits; ++other) {
      if (other == index(command.unit) || needed_[i][other] <= last[other]) continue;
      last[other] = needed_[i][other];
      command.waits |= bit(static_cast<Unit>(other));
      job_.commands[static_cast<std::size_t>(last[other])].gives |= bit(command.unit);
    }
  }
  Job job = std::move(job_);
  *this = {};
  return job;
}

}  // namespace fansim::decoupled
