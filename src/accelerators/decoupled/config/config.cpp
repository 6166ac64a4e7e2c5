// SPDX-License-Identifier: Apache-2.0
#include "accelerators/decoupled/config/config.h"

#include <fmt/format.h>

#include <filesystem>

#include "base/file.h"
#include "base/hash.h"
#include "contract/load_config.h"

namespace fansim::decoupled {
namespace {

struct Rules : contract::BlockRules {
  using BlockRules::check;

  static void check(contract::Problems& problems, const contract::DmaConfig& dma) {
    if (dma.scatter_gather())
      problems.push_back({"mode", "mode scatter_gather: transfers come from the units; allowed: direct"});
  }

  static contract::Problems between(const Config& c) {
    contract::Problems problems;
    if (c.ports() > Config::kMostPorts)
      problems.push_back({"load", fmt::format("load.ports {} and load.weight_ports {} are {} ports; the memory has {}",
                                              c.load.ports, c.load.weight_ports, c.ports(), Config::kMostPorts)});
    if (c.data.type != DataType::float32 && c.quantiser.accumulator_bits < c.data.bits())
      problems.push_back({"quantiser", fmt::format("quantiser.accumulator_bits {} must not be less than a value's {}",
                                                   c.quantiser.accumulator_bits, c.data.bits())});
    if (c.array.tm % c.block() != 0)
      problems.push_back({"schedule", fmt::format("schedule.block {} does not divide array.tm {}: channels that are "
                                                  "computed together are stored as whole blocks",
                                                  c.block(), c.array.tm)});
    if (c.array.tn % c.block() != 0 && c.block() % c.array.tn != 0)
      problems.push_back({"schedule", fmt::format("schedule.block {} and array.tn {}: neither divides the other",
                                                  c.block(), c.array.tn)});
    if (c.schedule.maps == Inputs::lines && (c.schedule.threads != Threads::none || c.schedule.weight_pieces > 1))
      problems.push_back({"schedule",
                          "schedule.maps lines: rows follow one another, with weights that are there; threads none "
                          "and weight_pieces 1 alone"});
    return problems;
  }
};

}  // namespace

Config Config::read(const std::string& path, const std::vector<std::string>& overrides) {
  auto config = contract::load_config<Config, Rules>(path, overrides);
  if (config.schedule.tiles.empty()) return config;
  const std::string file = base::beside(path, config.schedule.tiles), text = base::read_file(file);
  config.tiles = parse_tile_table(text, file);
  // The content of the tile table counts for the hash, not its path.
  config.schedule.tiles.clear();
  base::Fnv1a hash;
  hash.add(contract::hash_of(config));
  hash.add(text);
  config.hash = hash.text();
  config.schedule.tiles = std::filesystem::absolute(file).lexically_normal().string();
  return config;
}

std::string refusal(const Config& config) { return contract::first_refusal<Rules>(config); }

}  // namespace fansim::decoupled
