// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/fields.h"
#include "base/random.h"
#include "contract/ddr.h"
#include "contract/idle_keys.h"

namespace fansim::test {

// Draws clock, DMA, DDR and host of a machine that streams images through an AXI DMA, whose transfer length has at
// least `length_bits` bits.
template <class Config>
void random_memory(base::Random& random, int length_bits, Config& config) {
  config.clock_mhz = {random.uniform(2, 8) * 50, random.chance(30) ? 3 : 1};
  config.axi.data_bits = 1 << random.uniform(5, 9);
  config.axi.burst_beats = random.chance(20) ? 256 : random.uniform(1, 40);
  config.axi.outstanding = random.uniform(1, 8);
  config.dma.mm2s_start = random.uniform(1, 20);
  config.dma.mm2s_stream = random.uniform(1, 12);
  config.dma.s2mm_start = random.uniform(1, 20);
  config.dma.s2mm_store = random.uniform(1, 4);
  config.dma.s2mm_gap = random.chance(70) ? 0 : random.uniform(1, 40);
  config.dma.length_bits = random.uniform(length_bits, 26);
  if (random.chance(15)) config.ddr.fidelity = contract::DdrFidelity::ideal;
  config.ddr.read_latency = random.uniform(1, 60);
  config.ddr.write_latency = random.uniform(1, 60);
  config.ddr.turnaround = random.uniform(0, 20);
  config.ddr.refresh_interval = random.uniform(150, 2000);
  config.ddr.refresh_cycles = random.chance(20) ? 0 : random.uniform(1, 100);
  config.ddr.request_latency = random.uniform(0, 30);
  config.ddr.response_latency = random.uniform(0, 30);
  if (random.chance(30)) config.ddr.arbitration = contract::DdrArbitration::priority;
  config.ddr.part.posted_writes = random.chance(50);
  config.ddr.data_bits = random.chance(50) ? config.axi.data_bits * random.uniform(1, 2) : 0;
  config.host = {random.uniform(0, 3), 1, random.uniform(0, 3), 0, random.chance(50) ? 0 : random.uniform(1, 40)};
}

// Leaves out settings of keys that change nothing in the configuration that they make, for the program refuses them.
template <class Config>
void leave_out_idle(const Config& config, std::vector<std::string>& settings) {
  const contract::IdleKeys idle = contract::idle_keys(config);
  const auto is_idle = [&idle](const std::string& setting) {
    try {
      contract::refuse_idle(idle, {setting});
    } catch (const base::UserError&) {
      return true;
    }
    return false;
  };
  settings.erase(std::remove_if(settings.begin(), settings.end(), is_idle), settings.end());
}

// Returns "block.field=value" for every field.
template <class Config>
std::vector<std::string> fields_of(Config config) {
  std::vector<std::string> fields{"clock_mhz=" + config.clock_mhz.text()};
  config.visit_blocks([&](const char* key, auto& block) {
    for (const base::FieldRow& row : base::field_rows(block))
      fields.push_back(fmt::format("{}.{}={}", key, row.name, row.fallback));
  });
  return fields;
}

}  // namespace fansim::test
