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
    check_memory(problems, "axi", c.ddr, c.memory_ports());
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

void add_idle(contract::IdleKeys& idle, const Config& c) {
  contract::add_above(idle, "axi.burst_beats", c.axi.burst_beats, c.axi.most_burst_beats(), "a burst ends at 4 KiB");
  if (c.post.where == PostPlace::store)
    contract::add_idle(idle, "post", {"passes", "interval", "setup"}, "only 'where: array' has passes");
  const int inputs = std::max(c.block(), c.array.tn);
  if (c.schedule.inputs % inputs != 0)
    contract::add_idle(idle, "schedule", {"inputs"},
                       fmt::format("tiles have whole blocks of {} input channels; allowed: 0 and multiples", inputs));
  if (c.schedule.weight_pieces > 1)
    contract::add_idle(idle, "schedule", {"outputs", "rows"},
                       "with weight_pieces a tile is one row of array.tm outputs");
  else if (c.schedule.outputs % c.array.tm != 0)
    contract::add_idle(
        idle, "schedule", {"outputs"},
        fmt::format("tiles have whole blocks of array.tm {} output channels; allowed: 0 and multiples", c.array.tm));
  if (c.schedule.outputs <= c.array.tm && c.schedule.tiles.empty())
    contract::add_idle(idle, "schedule", {"weight_rows"},
                       "a tile has the weights of array.tm outputs (schedule.outputs)");
  if (!c.load.two_units())
    contract::add_idle(idle, "load", {"weight_ports"}, "only 'order: parallel' has a second unit");
  if (c.schedule.maps == Inputs::lines) {
    contract::add_idle(idle, "schedule", {"order", "rows", "columns"}, "with 'maps: lines' rows are whole");
    contract::add_idle(idle, "store", {"rows"}, "with 'maps: lines' a row is stored at a time");
    if (!c.schedule.weight_rows)
      contract::add_idle(idle, "load", {"rows"}, "with 'maps: lines' a row is loaded at a time");
  } else {
    contract::add_idle(idle, "schedule", {"fill_rows"}, "only 'maps: lines' has lines to fill");
    contract::add_idle(idle, "host", {"clear_per_kib"}, "only 'maps: lines' has partial sums in memory");
  }
  if (c.data.type == DataType::float32)
    contract::add_idle(idle, "quantiser", {"accumulator_bits", "operand_bits", "rounding"},
                       "'type: float32' is not quantised");
}

}  // namespace fansim::decoupled
