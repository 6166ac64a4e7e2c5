// SPDX-License-Identifier: Apache-2.0
// These targets are configurations of every accelerator, the parts of which they consist, and settings. Each is read,
// estimated and run.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <sstream>

#include "accelerators/registry.h"
#include "base/file.h"
#include "fuzz/target.h"
#include "fuzz/workshop.h"

namespace fansim::test {
namespace {

const std::string kFile = "configs/mutant/m.yaml";

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> words;
  for (std::string word; stream >> word;)
    if (word != "|") words.push_back(word);
  return words;
}

// Returns the least and the most of "2..1024", or empty texts for a key without a range.
std::pair<std::string, std::string> range_of(const base::FieldRow& row) {
  const std::size_t dots = row.allowed.find("..");
  const bool counted = row.type == "int" || row.type == "cost" || row.type == "bandwidth";
  if ((!counted && row.type != "number") || dots == std::string::npos) return {};
  return {row.allowed.substr(0, dots), row.allowed.substr(dots + 2, row.allowed.find(' ', dots) - dots - 2)};
}

// Returns a value from the key's range, most often one of its ends.
std::string any_value(const base::FieldRow& row, base::Random& random) {
  if (row.type == "bool") return random.chance(50) ? "true" : "false";
  if (const auto [least, most] = range_of(row); !least.empty()) {
    if (random.chance(60)) return random.chance(50) ? least : most;
    const double low = std::stod(least), high = std::stod(most), share = random.uniform(0, 1000) / 1000.0;
    // Small values are as likely as large ones.
    const double value = random.chance(50) ? low + (high - low) * share : low + std::pow(high - low + 1, share) - 1;
    if (row.type == "number") return fmt::format("{}", value);
    const std::string number = fmt::format("{:.0f}", std::floor(value));
    if (row.type == "int" || random.chance(50)) return number;
    constexpr const char* kUnits[] = {
        " ps",   " ns",   " us",  " s", " cycles", " cycles of 1600/3 MHz", " ns - 2 cycles",
        " MB/s", " GB/s", " nss", "ns"};
    return number + kUnits[random.uniform(0, static_cast<int>(std::size(kUnits)) - 1)];
  }
  const std::vector<std::string> words = words_of(row.allowed);
  if (words.empty()) return random.chance(50) ? row.fallback : "x";
  return words[static_cast<std::size_t>(random.uniform(0, static_cast<int>(words.size()) - 1))];
}

struct Key {
  std::string path;
  base::FieldRow row;
};

std::vector<Key> keys_of(const std::string& system) {
  std::vector<Key> keys;
  for (const accelerators::Kind& kind : accelerators::registry())
    if (kind.system == system)
      for (const accelerators::Block& block : kind.blocks())
        for (const base::FieldRow& row : block.rows) keys.push_back({block.key + "." + row.name, row});
  return keys;
}

std::vector<std::string> words_of(const std::vector<Key>& keys) {
  std::vector<std::string> words;
  for (const Key& key : keys) {
    words.push_back(key.row.name);
    words.push_back(key.path.substr(0, key.path.find('.')));
    const auto [least, most] = range_of(key.row);
    const std::vector<std::string> values = least.empty() ? words_of(key.row.allowed) : std::vector{least, most};
    words.insert(words.end(), values.begin(), values.end());
  }
  return words;
}

// Draws one to five keys, each with a value from its range.
std::function<std::string(base::Random&)> drawn_settings(const std::vector<Key>& keys) {
  return [keys](base::Random& random) {
    std::string lines;
    for (int count = random.uniform(1, 5); count > 0; --count) {
      const Key& key = keys[static_cast<std::size_t>(random.uniform(0, static_cast<int>(keys.size()) - 1))];
      lines += key.path + "=" + any_value(key.row, random) + "\n";
    }
    return lines;
  };
}

struct Machine {
  const char* name;
  const char* system;
  std::vector<std::string> seeds;
  std::string config;                // for settings
  std::vector<std::string> command;  // "CONFIG" is it
};

std::vector<std::string> with_config(std::vector<std::string> command, const std::string& config) {
  std::replace(command.begin(), command.end(), std::string("CONFIG"), config);
  return command;
}

// Returns the files of a system among those of a folder.
std::vector<std::string> configs_of(const std::string& system) {
  std::vector<std::string> seeds;
  for (const char* folder : {"configs/systems", "configs/boards"})
    for (const std::string& seed : text_seeds(folder, ".yaml"))
      if (seed.find("system: " + system + "\n") != std::string::npos)
        seeds.push_back(replaced(seed, "tiles: ", "tiles: ../boards/"));
  return seeds;
}

void add_machine(const Machine& machine, std::vector<Target>& targets) {
  const std::vector<Key> keys = keys_of(machine.system);
  Target config;
  config.name = std::string("config_") + machine.name;
  config.file = kFile;
  config.seeds = machine.seeds;
  config.words = words_of(keys);
  config.command = with_config(machine.command, "@");
  config.codes = {0, 2, 3};  // 1 would be another result than the reference's
  config.mib = 1024;         // both halves of buffers of up to 64 MiB
  targets.push_back(config);

  Target settings;
  settings.name = std::string("set_") + machine.name;
  settings.file = "settings.txt";
  settings.words = config.words;
  settings.draw = drawn_settings(keys);
  for (const Key& key : keys) settings.seeds.push_back(key.path + "=" + key.row.fallback + "\n");
  settings.command = with_config(machine.command, machine.config);
  settings.command.emplace_back("@lines --set");
  settings.codes = config.codes;
  settings.mib = config.mib;
  targets.push_back(settings);
}

// Adds a part of a configuration in a file of its own, under the key that names it.
void add_part(const std::string& name, const std::vector<std::string>& files, const std::vector<std::string>& command,
              std::vector<Target>& targets) {
  Target part;
  part.name = name;
  part.file = "configs/mutant/part.yaml";
  part.command = command;
  for (const std::string& file : files)
    part.seeds.push_back(
        replaced(without_comments(base::read_file(std::string(FANSIM_SOURCE_DIR) + "/configs/" + file)),
                 "part: ", "part: ../parts/"));
  targets.push_back(part);
}

}  // namespace

void add_machines(std::vector<Target>& targets) {
  const std::vector<std::string> run{"run", "CONFIG", kTiny, "--verify"};
  add_machine({"stream", "stream", configs_of("stream"), "tiny_stream", run}, targets);
  add_machine({"tiled", "tiled", configs_of("tiled"), "faq_zcu102_dorefa8_dsp", run}, targets);
  add_machine({"decoupled", "decoupled", configs_of("decoupled"), "tiny_decoupled", run}, targets);
  add_machine({"vision",
               "vision",
               configs_of("vision"),
               "vision_zcu102",
               {"run", "CONFIG", "models/mutant/view.yaml", "--verify"}},
              targets);
  add_machine({"trainer",
               "float_trainer",
               configs_of("float_trainer"),
               "float_trainer",
               {"train", "CONFIG", "models/mutant/digits.yaml", "--data", "digits", "--images", "2"}},
              targets);

  const std::vector<std::string> timing{"run", "tiny_stream", kTiny, "--timing-only"};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), timing.begin(), timing.end());
    return more;
  };
  add_part("part_ddr", {"parts/zcu102_ps_ddr4.yaml", "parts/round_numbers_ddr.yaml"},
           with({"--set", "ddr=@", "--set", "ddr.fidelity=banked"}), targets);
  add_part("part_banked", {"parts/zcu102_ddr4_2133.yaml", "parts/ddr4_2400_x8.yaml", "parts/ddr4_2133_x16.yaml"},
           with({"--set", "ddr.fidelity=banked", "--set", "ddr.write_latency=40", "--set", "ddr.part=@"}), targets);
  add_part("part_dma", {"parts/axi_dma.yaml"}, with({"--set", "dma=@"}), targets);
  add_part("part_host", {"parts/zynq_ps_bare_metal.yaml"}, with({"--set", "host=@"}), targets);
  add_part("device", {"devices/zcu102.yaml", "devices/xc7z020.yaml", "devices/vu9p.yaml"},
           {"estimate", "tiny_stream", kTiny, "--set", "device=@"}, targets);

  Target tiles;
  tiles.name = "tiles";
  tiles.file = "configs/mutant/tiles.csv";
  tiles.seeds = text_seeds("configs/tiles", ".csv");
  for (const std::string& seed : text_seeds("configs/boards", ".csv")) tiles.seeds.push_back(seed);
  tiles.words = {"c", "p", "f", "outputs", "rows", "none"};
  tiles.command = {"run", "tiny_decoupled", kTiny, "--timing-only", "--set", "schedule.tiles=@"};
  targets.push_back(tiles);
}

}  // namespace fansim::test
