// SPDX-License-Identifier: Apache-2.0
// Runs DRAMsim3 under closed-loop traffic: CONFIG.ini FOLDER TRACE.csv MAP OUTSTANDING HANDOVER prints the clocks
// taken.
#include <cstdio>
#include <cstdlib>

#include "closed_loop.h"
#include "dramsim3.h"

int main(int count, char** words) {
  if (count != 7) return 2;
  against::ClosedLoop loop(words[3], words[4], std::atoi(words[5]), words[6] == std::string("burst"));
  dramsim3::MemorySystem* memory = dramsim3::GetMemorySystem(
      words[1], words[2], [&](std::uint64_t address) { loop.done(address); }, [](std::uint64_t) {});
  const auto send = [&](std::uint64_t address, bool write) {
    if (!memory->WillAcceptTransaction(address, write)) return false;
    memory->AddTransaction(address, write);
    return true;
  };
  std::printf("%lld\n", static_cast<long long>(loop.run({send, [&] { memory->ClockTick(); }})));
}
