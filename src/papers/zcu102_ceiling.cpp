// SPDX-License-Identifier: Apache-2.0
#include "papers/zcu102_ceiling.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/data.h"
#include "base/random.h"
#include "base/yaml.h"
#include "benches/memory/ddr_traffic.h"
#include "contract/ddr_part.h"

namespace fansim::papers {
namespace {

constexpr int kPorts = 3, kOutstanding = 8, kBursts = 3000;
constexpr std::uint64_t kRegion = 1 << 28;  // bytes of each port
constexpr double kPublished = 75;           // percent

// Returns what the ports read, in percent of what the memory's pins could carry in the same time.
double share(const contract::DdrPart& part, int burst_bytes, bool linear) {
  base::Random random(1);
  std::vector<benches::DdrBurst> bursts;
  for (int i = 0; i < kBursts; ++i)
    for (int port = 0; port < kPorts; ++port) {
      const int place = linear ? i : random.uniform(0, (1 << 26) / burst_bytes - 1);
      bursts.push_back({port, false,
                        static_cast<std::uint64_t>(port) * kRegion +
                            static_cast<std::uint64_t>(place) * static_cast<std::uint64_t>(burst_bytes),
                        burst_bytes});
    }
  benches::run_closed_loop(part, {kOutstanding}, bursts);
  std::int64_t end = 0;
  for (const benches::DdrBurst& burst : bursts) end = std::max(end, burst.last);
  // The pins carry two transfers per clock.
  const double most = 2.0 * part.data_bits / 8 * static_cast<double>(end);
  return 100.0 * kPorts * kBursts * burst_bytes / most;
}

}  // namespace

std::vector<report::Row> zcu102_ceiling() {
  base::YamlNode document = base::load_yaml(base::data_path("configs/parts/zcu102_ddr4_2133.yaml"));
  base::YamlMap map(document);
  const contract::DdrPart part = contract::read_ddr_part(map);
  std::vector<report::Row> rows;
  for (const bool linear : {true, false})
    for (const int bytes : {128, 192})
      rows.push_back(
          {"faq-bandwidth",
           fmt::format("ZCU102, 3 ports reading, {} bursts of {} B", linear ? "linear" : "random", bytes),
           "% of the pins", kPublished, share(part, bytes, linear), std::nullopt,
           "Manev, Vaishnav, Koch, FPT 2019: 75 % effective, best with bursts of 128 and 192 B, reached by 3 "
           "ports; the abstract does not say at which addresses, so nothing is judged"});
  return rows;
}

}  // namespace fansim::papers
