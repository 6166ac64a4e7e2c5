// SPDX-License-Identifier: Apache-2.0
#include "contract/ddr_part.h"

#include <fmt/format.h>

#include <vector>

#include "base/error.h"
#include "base/fields.h"

namespace fansim::contract {
namespace {

using base::YamlMap;

// Reads `mapping`, which is a name in `mappings` or a layout.
void read_mapping(YamlMap& map, DdrPart& part) {
  std::string layout = map.text("mapping");
  std::vector<std::string> names;
  if (map.has("mappings")) {
    YamlMap layouts = map.child("mappings");
    for (const base::YamlEntry& entry : map.at("mappings").entries) {
      names.push_back(entry.key);
      const std::string problem = part.mapping.set(layouts.text(entry.key), part);
      if (!problem.empty()) layouts.fail(entry.key, fmt::format("{}: {}", entry.key, problem));
    }
    if (layouts.has(layout)) layout = layouts.text(layout);
  }
  const bool one_word = layout.find(' ') == std::string::npos;
  if (one_word && layout.find_first_of("0123456789") == std::string::npos)
    map.fail("mapping", fmt::format("mapping '{}' unknown{}", layout, base::did_you_mean(layout, names)));
  const std::string problem = part.mapping.set(layout, part);
  if (!problem.empty()) map.fail("mapping", "mapping: " + problem);
}

void check(const YamlMap& map, const DdrPart& part) {
  if (part.data_bits != 16 && part.data_bits != 32 && part.data_bits != 64)
    map.fail("data_bits", fmt::format("data_bits {} is no bus width; allowed: 16, 32 or 64", part.data_bits));
  if (part.burst_length != 8 && part.burst_length != 16)
    map.fail("burst_length",
             fmt::format("burst_length {} is none of these memories; allowed: 8 or 16", part.burst_length));
  if (part.banks() > DdrPart::kMaxBanks)
    map.fail("bank_bits", fmt::format("bank_bits {} and group_bits {} make {} banks; allowed: {} at most",
                                      part.bank_bits, part.group_bits, part.banks(), DdrPart::kMaxBanks));
  if (part.tccd_s < part.burst_clocks())
    map.fail("tccd_s", fmt::format("tccd_s {} must not be below the {} clocks of a burst of {}", part.tccd_s,
                                   part.burst_clocks(), part.burst_length));
  if (part.trfc >= part.trefi) map.fail("trfc", fmt::format("trfc {} must be below trefi {}", part.trfc, part.trefi));
  if (part.cwl > part.cl) map.fail("cwl", fmt::format("cwl {} must not exceed cl {}", part.cwl, part.cl));
  if (part.write_low >= part.write_high)
    map.fail("write_low", fmt::format("write_low {} must be below write_high {}", part.write_low, part.write_high));
  if (part.write_high > part.write_queue)
    map.fail("write_high",
             fmt::format("write_high {} must not exceed write_queue {}", part.write_high, part.write_queue));
  if (part.tccd_s > part.tccd_l || part.trrd_s > part.trrd_l || part.twtr_s > part.twtr_l)
    map.fail("tccd_l", "a bank group's own spacing (tccd_l, trrd_l, twtr_l) must not be below that to another group");
}

}  // namespace

const char* word(PagePolicy policy) {
  if (policy == PagePolicy::open) return "open";
  return policy == PagePolicy::closed ? "closed" : "adaptive";
}

DdrPart read_ddr_part(YamlMap& map) {
  constexpr double kSlowestMhz = 300;   // the slowest clock that JESD79-3 gives with the DLL on
  constexpr double kFastestMhz = 2133;  // LPDDR4-4266
  DdrPart part;
  map.integer("version", 1, 1);
  part.name = map.text("name");
  part.clock_mhz = map.rational("clock_mhz");
  if (part.clock_mhz.value() < kSlowestMhz || part.clock_mhz.value() > kFastestMhz)
    map.fail("clock_mhz", fmt::format("clock_mhz {} is out of range; allowed: {}..{}", part.clock_mhz.text(),
                                      kSlowestMhz, kFastestMhz));
  base::read_fields(map, part);
  check(map, part);
  read_mapping(map, part);
  return part;
}

}  // namespace fansim::contract
