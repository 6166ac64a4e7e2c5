// SPDX-License-Identifier: Apache-2.0
#include "accelerators/trainer/config/config.h"

#include <fmt/format.h>

#include "contract/load_config.h"

namespace fansim::trainer {
namespace {

bool holds(const arith::FloatFormat& sum, const arith::FloatFormat& term) {
  return sum.exponent_bits >= term.exponent_bits && sum.mantissa_bits >= term.mantissa_bits;
}

struct Rules : contract::BlockRules {
  using BlockRules::check;

  static void check(contract::Problems& problems, const WeightedConfig& block) {
    const auto narrow = [&](const char* direction, const arith::FloatFormat& format) {
      if (!holds(block.sum, format))
        problems.push_back({"sum_mantissa", fmt::format("sum (1,{},{}) does not hold every product of {} (1,{},{})",
                                                        block.sum.exponent_bits, block.sum.mantissa_bits, direction,
                                                        format.exponent_bits, format.mantissa_bits)});
    };
    narrow("forward", block.forward);
    narrow("backward", block.backward);
  }
  static void check(contract::Problems& problems, const contract::DmaConfig& dma) {
    if (dma.scatter_gather())
      problems.push_back({"mode", "mode scatter_gather: transfers come from the controller; allowed: direct"});
  }

  static contract::Problems between(const Config& c) {
    contract::Problems problems;
    check_memory(problems, "axi", c.ddr, c.memory_ports());
    return problems;
  }
};

}  // namespace

Config Config::read(const std::string& path, const std::vector<std::string>& overrides) {
  return contract::load_config<Config, Rules>(path, overrides);
}

std::string refusal(const Config& config) { return contract::first_refusal<Rules>(config); }

void add_idle(contract::IdleKeys& idle, const Config& c) {
  contract::add_above(idle, "axi.burst_beats", c.axi.burst_beats, c.axi.most_burst_beats(), "a burst ends at 4 KiB");
  if (c.softmax.divider == Divider::array)
    contract::add_idle(idle, "softmax", {"seed_bits", "iterations"}, "only 'divider: reciprocal' iterates");
  else
    contract::add_idle(idle, "softmax", {"rows_per_stage"}, "only 'divider: array' has rows");
}

}  // namespace fansim::trainer
