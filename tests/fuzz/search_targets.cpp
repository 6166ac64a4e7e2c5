// SPDX-License-Identifier: Apache-2.0
// These targets are searches: spaces of both kinds, stores, and the folder that tasks share.
#include <filesystem>

#include "accelerators/configure.h"
#include "accelerators/registry.h"
#include "base/error.h"
#include "base/file.h"
#include "explore/outcome_text.h"
#include "explore/search.h"
#include "explore/shards/folder_peers.h"
#include "explore/store.h"
#include "fuzz/target.h"
#include "fuzz/workshop.h"
#include "training/formats/format_space.h"

namespace fansim::test {
namespace {

namespace shards = explore::shards;

const std::string kSpace = "configs/spaces/tiny_stream.yaml", kNetwork = "models/mutant/tiny.yaml";
const explore::Identity kIdentity{{explore::kBuild, "1"}, {"space", "abc"}};

// As `explore` does, but for the process that watches; a search ends after a while.
void read_space(const std::string& file) {
  const explore::Space space = explore::load_space(file);
  const auto accelerator = accelerators::read_accelerator(space.config, space.set);
  accelerators::check_keys(space, accelerator->keys());
  accelerator->refused_values(space);
  const auto model = accelerator->model(space, kNetwork);
  explore::SearchOptions options;
  constexpr int kPieces = 30;
  int asked = 0;
  options.stop_requested = [&asked] { return ++asked > kPieces; };
  const explore::SearchResult result = explore::search(space, *model, options);
  for (const explore::Scored& scored : result.front) space.text(scored.point);
}

void read_format_space(const std::string& file) {
  using namespace training::formats;
  if (!is_format_space(file)) throw base::UserError("no space of formats");
  const FormatSpace space = load_format_space(file);
  const Combination combination(space.layers.size(), Format{5, 7});
  space.identity();
  space.text(combination);
  accelerators::read_accelerator(space.config, space.overrides(combination));
}

void read_store(const std::string& file) {
  for (const char* more : {"-wal", "-shm"}) std::filesystem::remove(file + more);
  explore::Store store(file, kIdentity);
  using Table = explore::Store::Table;
  for (const char* key : {"a=1", "a=2", "x"})
    if (const auto found = store.find(Table::points, key)) explore::outcome_of(*found);
  store.put(Table::points, "new", "misfit too large");
  store.put(Table::memo, "new", "1 2 3");
  store.flush();
}

std::string made_store() {
  {
    explore::Store store("made.db", kIdentity);
    explore::Outcome outcome{explore::Outcome::Kind::scored, {}, ""};
    store.put(explore::Store::Table::points, "a=1", explore::to_text(outcome));
    store.put(explore::Store::Table::points, "a=2", "misfit too large");
    for (int i = 0; i < 40; ++i)
      store.put(explore::Store::Table::memo, "layer " + std::to_string(i), std::string(60, 'm'));
  }
  return base::read_file("made.db");
}

// Runs `explore merge` and `--status` on a folder in which one file is a mutant.
void read_folder(const std::string&) {
  const shards::Folder folder("shared");
  const shards::Plan plan = folder.plan();
  const explore::Space space = explore::load_space(kSpace);
  std::vector<shards::Task> tasks;
  for (int i = 1; i <= std::min(plan.tasks, 3); ++i)
    if (auto task = folder.task(i)) tasks.push_back(std::move(*task));
  const explore::SearchResult result = shards::merged(space, folder, tasks, plan.tasks);
  for (const explore::Scored& scored : result.front) space.text(scored.point);
  for (const explore::Scored& scored : result.failures) space.text(scored.point);
}

// Makes a folder in which the only task has finished.
void make_folder() {
  const explore::Space space = explore::load_space(kSpace);
  const auto accelerator = accelerators::read_accelerator(space.config, space.set);
  const auto model = accelerator->model(space, kNetwork);
  const shards::Folder folder("shared");
  folder.join({kSpace, kNetwork, kIdentity, 1, 1});
  shards::Task task;
  task.index = 1;
  shards::FolderPeers peers(space, folder, task, 1, [] {});
  explore::SearchOptions options;
  options.peers = &peers;
  explore::SearchResult result = explore::search(space, *model, options);
  result.failures.push_back(result.front.front());
  peers.finish(result, 7);
}

}  // namespace

void add_searches(std::vector<Target>& targets) {
  Target space;
  space.name = "space";
  space.file = "configs/mutant/m.yaml";
  space.read = read_space;
  for (const char* name : {"tiny_stream", "tiny_tiled", "tiny_vision"})
    space.seeds.push_back(
        without_comments(base::read_file(std::string(FANSIM_SOURCE_DIR) + "/configs/spaces/" + name + ".yaml")));
  space.seeds.push_back(
      "version: 1\nname: d\nconfig: ../systems/tiny_stream.yaml\nset: {axi.burst_beats: 4}\nparameters:\n"
      "  array.input_channels: {range: [2, 8, 2]}\n  array.output_channels: {powers_of_two: [2, 16]}\n"
      "  buffers.weight_kib: {divisors: 24, least_waste_of: [7, 12]}\nderived:\n"
      "  axi.data_bits: max(32, min(128, 32 * floor(array.input_channels / 2)))\nconstraints:\n"
      "  - not (dsp > 400 or lut >= 1e5)\n  - array.input_channels * array.output_channels <= 64\n"
      "objectives: [latency_ms, frames_per_s]\nsearch: {method: nsga2, population: 8, generations: 2}\n");
  space.words = {"range",
                 "powers_of_two",
                 "divisors",
                 "least_waste_of",
                 "fits",
                 "dsp",
                 "lut",
                 "bram36",
                 "latency_ms",
                 "energy_mj",
                 "frames_per_s",
                 "and",
                 "or",
                 "not",
                 "min(",
                 "max(",
                 "floor(",
                 "ceil(",
                 "annealing",
                 "nsga2",
                 "exhaustive",
                 "derived",
                 "constraints",
                 "objectives",
                 "search",
                 "population",
                 "chains",
                 "steps",
                 "clock_mhz",
                 "device",
                 "maximise",
                 "<=",
                 "branch_and_bound",
                 "==",
                 "/ 0"};
  space.command = {"explore", "@", kNetwork, "--jobs", "2"};
  targets.push_back(space);

  Target formats;
  formats.name = "space_of_formats";
  formats.file = "configs/mutant/m.yaml";
  formats.read = read_format_space;
  formats.seeds = {
      without_comments(base::read_file(std::string(FANSIM_SOURCE_DIR) + "/configs/spaces/trainer_formats.yaml"))};
  targets.push_back(formats);

  Target store;
  store.name = "store";
  store.kind = Mutator::Kind::bytes;
  store.file = "m.db";
  store.read = read_store;
  store.seeds = {made_store()};
  store.command = {"explore", "tiny_stream", kNetwork, "--resume", "@"};
  targets.push_back(store);

  make_folder();
  for (const auto& [name, file] : {std::pair{"shared_plan", "shared/plan.json"},
                                   {"shared_task", "shared/task-1/told.json"},
                                   {"shared_front", "shared/front/1-1.json"}}) {
    Target shared;
    shared.name = name;
    shared.file = file;
    shared.read = read_folder;
    shared.seeds = {base::read_file(file)};
    shared.command = {"explore", "merge", "shared"};
    targets.push_back(shared);
  }
}

}  // namespace fansim::test
