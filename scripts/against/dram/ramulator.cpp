// SPDX-License-Identifier: Apache-2.0
// Runs Ramulator 2.1 under closed-loop traffic: CONFIG.json TRACE.csv MAP OUTSTANDING HANDOVER prints the clocks taken.
#include <cstdio>
#include <cstdlib>

#include "closed_loop.h"
#include "ramulator/base/config.h"
#include "ramulator/frontend/i_frontend.h"
#include "ramulator/memory_system/i_memory_system.h"

int main(int count, char** words) {
  if (count != 6) return 2;
  const auto config = Ramulator::Config::parse_config_file(words[1]);
  Ramulator::IFrontEnd* front = Ramulator::Factory::create_frontend(config);
  Ramulator::IMemorySystem* memory = Ramulator::Factory::create_memory_system(config);
  front->connect_memory_system(memory);
  memory->connect_frontend(front);

  against::ClosedLoop loop(words[2], words[3], std::atoi(words[4]), words[5] == std::string("burst"));
  const auto send = [&](std::uint64_t address, bool write) {
    const auto done = [&loop, address, write](Ramulator::Request&) {
      if (!write) loop.done(address);
    };
    return front->receive_external_requests(write ? 1 : 0, static_cast<Ramulator::Addr_t>(address), 0, done, 64);
  };
  std::printf("%lld\n", static_cast<long long>(loop.run({send, [&] { memory->tick(); }})));
}
