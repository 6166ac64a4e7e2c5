// SPDX-License-Identifier: Apache-2.0
#include "contract/idle_keys.h"

#include <fmt/format.h>

#include "base/error.h"

namespace fansim::contract {

void add_idle(IdleKeys& idle, const std::string& block, const std::vector<const char*>& keys, const std::string& why) {
  for (const char* key : keys) idle.push_back({block + "." + key, why});
}

namespace {

void add_idle_of_part(IdleKeys& idle, const DdrPart& part) {
  if (part.write_starve > 0)
    add_idle(idle, "ddr.part", {"write_high", "write_low"}, "part.write_starve decides when writes go");
  else
    add_idle(idle, "ddr.part", {"write_run"}, "part.write_starve is 0");
  if (part.trfc == 0) add_idle(idle, "ddr.part", {"trefi"}, "part.trfc is 0: it never refreshes");
}

}  // namespace

void add_idle(IdleKeys& idle, const DdrConfig& ddr, const MemoryPorts& ports) {
  if (ports.count == 1) add_idle(idle, "ddr", {"arbitration"}, "the memory has one port");
  if (ddr.fidelity == DdrFidelity::banked) {
    add_idle(idle, "ddr", {"data_bits"}, "the width of a banked memory is its part's, ddr.part.data_bits");
    add_idle(idle, "ddr", {"read_latency", "turnaround", "refresh_interval", "refresh_cycles"},
             "a banked memory has its part's times, ddr.part");
    add_idle_of_part(idle, ddr.part);
    return;
  }
  const char* no_banks = "only fidelity banked has a part's banks behind a controller";
  add_idle(idle, "ddr", {"part", "request_latency", "response_latency", "arbitration"}, no_banks);
  if (ddr.fidelity == DdrFidelity::ideal)
    add_idle(idle, "ddr", {"read_latency", "write_latency", "turnaround", "refresh_interval", "refresh_cycles"},
             "fidelity ideal answers in the next cycle");
  else if (ddr.refresh_cycles == 0)
    add_idle(idle, "ddr", {"refresh_interval"}, "refresh_cycles is 0");
}

void add_above(IdleKeys& idle, const char* key, int value, int most, const std::string& why) {
  if (value > most) idle.push_back({key, fmt::format("{}: {} is as {}; allowed: {} at most", why, value, most, most)});
}

const std::string* why_idle(const IdleKeys& idle, const std::string& key) {
  for (const IdleKey& one : idle)
    if (key == one.key || key.rfind(one.key + ".", 0) == 0) return &one.why;
  return nullptr;
}

void refuse_idle(const IdleKeys& idle, const std::vector<std::string>& overrides) {
  for (const std::string& setting : overrides) {
    const std::string key = setting.substr(0, setting.find('='));
    if (const std::string* why = why_idle(idle, key))
      throw base::UserError(base::Location{"--set " + setting, 0, 0},
                            fmt::format("{} would not act here: {}", key, *why));
  }
}

}  // namespace fansim::contract
