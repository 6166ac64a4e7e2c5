// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <optional>

#include "accelerators/configure.h"
#include "accelerators/registry.h"
#include "base/build_id.h"
#include "base/console.h"
#include "base/error.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/interrupt.h"
#include "base/output_files.h"
#include "base/temporary_folder.h"
#include "base/text.h"
#include "base/workers.h"
#include "cli/explore/explore_options.h"
#include "cli/explore/explore_report.h"
#include "cli/explore/shards.h"
#include "cli/options/command_line.h"
#include "cli/options/exit_code.h"
#include "cli/options/options.h"
#include "cli/options/part.h"
#include "cli/options/progress.h"
#include "cli/options/shipped.h"
#include "cli/options/subcommand.h"
#include "explore/search.h"
#include "explore/shards/folder_peers.h"
#include "report/pages/page.h"
#include "training/formats/format_space.h"

namespace fansim::cli {
namespace {

void parse_shares(const Options& options, ExploreOptions& explore) {
  explore.folder = options.text("dir");
  if (options.has("shard")) {
    const Part part = parse_part("explore", options.text("shard"));
    explore.share = explore::Share{part.index, part.of};
  }
  if (options.on("slurm")) {
    const auto tasks = options.natural("array");
    if (!tasks || *tasks < 1 || *tasks > Part::kMost)
      throw base::UserError(
          fmt::format("explore: --slurm: --array says how many tasks: 1..{}", std::uint64_t{Part::kMost}));
    explore.slurm = SlurmOptions{static_cast<int>(*tasks), options.text("partition"), options.text("time")};
  }
  const auto needs = [&](const char* option, bool has, const char* what, bool there) {
    if (has && !there) throw base::UserError(fmt::format("explore: {} needs {}", option, what));
  };
  const bool shared = explore.share || explore.slurm;
  for (const char* name : {"array", "partition", "time"})
    needs(("--" + std::string(name)).c_str(), options.has(name), "--slurm", explore.slurm.has_value());
  needs("--dir", options.has("dir"), "--shard or --slurm", shared);
  needs(explore.share ? "--shard" : "--slurm", shared, "--dir", !explore.folder.empty());
  if (explore.share && explore.slurm) throw base::UserError("explore: --shard and --slurm exclude each other");
  for (const char* name : {"resume", "json", "csv", "html"})
    if (shared && options.has(name))
      throw base::UserError(
          fmt::format("explore: --{} is of a search by one task; of shares: explore merge DIR", name));
}

ExploreOptions parse(const Arguments& arguments) {
  Options options("explore");
  options.positional("SPACE", true)
      .positional("NETWORK", true)
      .value("jobs", "N", "threads (default: one per processor)")
      .value("seed", "N", "of the methods that draw (1)")
      .flag("allow-slack", "points whose clock is above Fmax too; they are marked")
      .value("resume", "FILE", "keep results in FILE, and continue from what it has")
      .value("json", "FILE", "write the front and the counts")
      .value("csv", "FILE", "write the front, a row for each point")
      .value("html", "FILE", "write a page with the front as a chart")
      .group("On several machines (docs/cluster.md)")
      .value("dir", "DIR", "the folder that the tasks of a search share")
      .value("shard", "I/N", "search the I-th of N shares; then: explore merge DIR")
      .value("status", "DIR", "how far the tasks are")
      .flag("slurm", "submit an array job, and one that merges")
      .value("array", "N", "--slurm: tasks")
      .value("partition", "P", "--slurm: where")
      .value("time", "T", "--slurm: how long at most");
  options.example("explore tiny_stream tiny_conv", "the best of a small space, proven")
      .example("explore uestc_stream alexnet --resume alexnet.db --html front.html",
               "go on where it stopped; the front as a chart")
      .example("explore faq_alexnet alexnet --slurm --array 16 --dir faq", "by 16 tasks of a cluster");
  ExploreOptions explore;
  explore.help = !options.parse(arguments);
  if (explore.help) return explore;
  explore.space = space_file(options.text("SPACE"));
  explore.network = network_file(options.text("NETWORK"));
  explore.json = options.text("json");
  explore.csv = options.text("csv");
  explore.html = options.text("html");
  explore.store = options.text("resume");
  explore.seed = options.natural("seed").value_or(1);
  explore.allow_slack = options.on("allow-slack");
  constexpr unsigned kMostJobs = 1024;
  const auto jobs = options.natural("jobs").value_or(base::cores());
  if (jobs < 1 || jobs > kMostJobs)
    throw base::UserError(fmt::format("explore: --jobs {}: allowed: 1..{}", jobs, kMostJobs));
  explore.jobs = static_cast<int>(jobs);
  parse_shares(options, explore);
  return explore;
}

void write(const ExploreOptions& options, const report::Exploration& exploration) {
  const std::vector<std::string> outputs{options.json, options.csv, options.html};
  const bool piped = std::any_of(outputs.begin(), outputs.end(), base::is_standard_output);
  (piped ? base::print_error_text : base::print_text)(report::text(exploration));
  if (!options.json.empty()) base::write_file(options.json, report::json(exploration));
  if (!options.csv.empty()) base::write_file(options.csv, report::csv(exploration));
  if (!options.html.empty()) base::write_file(options.html, report::front_page(exploration));
}

void say(const explore::Guard::Crash& crash) {
  std::string at;
  for (const std::string& task : crash.at) at += (at.empty() ? " at " : ", ") + task;
  base::print_error("{}{}; the search goes on without it\n", crash.signal, at.empty() ? " between evaluations" : at);
}

// Holds what is searched.
struct Subject {
  const explore::Space& space;
  const contract::ConfigBase& config;
  accelerators::AcceleratorModel& model;
  const std::vector<accelerators::RefusedValue>& refused;
  const Settings& said;  // the settings of the configuration's file alone
};

report::Exploration exploration_of(const Arguments& arguments, const ExploreOptions& options, const Subject& subject,
                                   const explore::SearchResult& result) {
  const auto& [space, config, model, refused, said] = subject;
  report::Exploration exploration = cli::exploration_of(space, said, options.network, result);
  exploration.tool = {FANSIM_VERSION, command_line("explore", arguments)};
  exploration.config = {config.name, config.hash};
  exploration.network = {model.network().name, model.network().hash};
  exploration.device = config.device.name;
  exploration.seed = options.seed;
  exploration.layers_simulated = model.simulated_layers();
  exploration.refused = rows_of(refused);
  return exploration;
}

// Loads a space whose points must meet their clock unless slack is allowed.
explore::Space timed_space(const std::string& path, bool allow_slack) {
  explore::Space space = explore::load_space(path);
  space.allow_slack = space.allow_slack || allow_slack;
  explore::demand_timing(space);
  return space;
}

void say_unmet(const explore::SearchResult& result) {
  for (const explore::Constraint& one : result.unmet)
    base::print_error(
        "{}{}\n",
        base::at(one.where, fmt::format("constraint '{}' holds for no point of the space", one.expression.text())),
        one.where.file.empty() ? "; --allow-slack goes on without it" : "");
}

void say_lost(const explore::Space& space, const explore::SearchResult& result) {
  for (const explore::Scored& lost : result.failures)
    base::print_error("lost: {}: {}\n", space.text(lost.point), lost.outcome.reason);
}

// Returns what the tasks of a search must agree on beside what results depend on: each rules points out by it.
explore::Identity shared_identity(explore::Identity identity, const explore::Space& space) {
  std::vector<std::string> constraints, objectives;
  for (const explore::Constraint& one : space.constraints) constraints.push_back(one.expression.text());
  for (const explore::Objective& one : space.objectives) objectives.emplace_back(row(one.metric).name);
  identity.emplace_back("set of constraints", base::joined(constraints));
  identity.emplace_back("set of objectives", base::joined(objectives));
  identity.emplace_back("method", fmt::format("{}, {} %", name(space.search.method), space.search.tolerance_percent));
  return identity;
}

// Reports that no point of the space meets its constraints. Nothing is stored, and no folder is made.
int refuse_unmet(const Arguments& arguments, const ExploreOptions& options, const Subject& subject) {
  const explore::SearchResult result = explore::search(subject.space, subject.model, {});
  if (!options.share) write(options, exploration_of(arguments, options, subject, result));
  say_unmet(result);
  return kDoesNotFit;
}

// Runs in a process of its own, which a crash may end early; the store keeps what it found.
int search(const Arguments& arguments, const ExploreOptions& options, const Subject& subject,
           const explore::Guard& guard, const std::string& own_store) {
  const auto& [space, config, model, refused, said] = subject;
  if (!explore::unmet_constraints(space, model).empty()) return refuse_unmet(arguments, options, subject);
  const explore::Identity identity = identity_of(space.name, space.identity(), config.hash, model.network().hash);
  std::string store_file = own_store;
  if (options.share) {
    const explore::shards::Folder shared(options.folder);
    shared.join(plan_of(options, shared_identity(identity, space)));
    store_file = shared.store(options.share->index + 1);
  }
  using Users = explore::Database::Users;
  explore::Store store(store_file, identity, options.share ? Users::one : Users::several);
  model.keep_in(&store, &guard);
  explore::SearchOptions search_options;
  search_options.jobs = options.jobs;
  search_options.seed = options.seed;
  search_options.store = &store;
  search_options.guard = &guard;
  search_options.stop_requested = [&guard] { return base::interrupted() || guard.stop_requested(); };
  std::optional<explore::shards::Folder> folder;
  std::optional<explore::shards::FolderPeers> peers;
  if (options.share) {
    folder.emplace(options.folder);
    explore::shards::Task task;
    task.index = options.share->index + 1;
    peers.emplace(space, *folder, task, options.share->of, [&store] { store.flush(); });
    search_options.share = *options.share;
    search_options.peers = &*peers;
  }
  explore::SearchResult result;
  {
    Progress progress;
    search_options.on_progress = [&progress](double fraction) { progress.show(fraction); };
    result = explore::search(space, model, search_options);
  }
  if (peers) {
    peers->finish(result, model.simulated_layers());
    base::print("task {} of {}: {} of {:.0f} points evaluated, a front of {}; fansim explore merge {}\n",
                options.share->index + 1, options.share->of, result.counts.evaluated, result.counts.space,
                result.front.size(), base::shell_word(options.folder));
    if (result.stopped) throw base::Interrupted();
    return kDone;
  }
  report::Exploration exploration = exploration_of(arguments, options, subject, result);
  if (!options.html.empty() && !result.stopped) {
    search_options.on_progress = nullptr;
    add_neighbours(space, said, options.network,
                   explore::infeasible_neighbours(space, model, result.front, search_options), exploration);
  }
  write(options, exploration);
  if (result.stopped) {
    if (!options.store.empty()) base::print_error("continue with --resume {}\n", base::shell_word(options.store));
    throw base::Interrupted();
  }
  say_lost(space, result);
  return result.front.empty() ? kDoesNotFit : kDone;
}

// Returns no settings if the file alone is refused, which happens if it needs the space to complete it.
Settings settings_of_file(const explore::Space& space) {
  try {
    return settings_of(accelerators::read_accelerator(space.config, {})->resolved());
  } catch (const base::UserError&) {
    return {};
  }
}

int guarded_search(const Arguments& arguments, const ExploreOptions& options, const explore::Space& space,
                   const accelerators::Accelerator& accelerator) {
  accelerators::check_keys(space, accelerator.keys());
  const std::vector<accelerators::RefusedValue> refused = accelerator.refused_values(space);
  const auto model = accelerator.model(space, options.network);
  base::check_outputs({options.json, options.csv, options.html, options.store});
  const Settings said = settings_of_file(space);
  const Subject subject{space, accelerator.config(), *model, refused, said};
  std::optional<base::TemporaryFolder> folder;
  std::string store = options.store;
  if (!options.share && store.empty()) store = folder.emplace().path() + "/store.db";
  explore::Guard guard;
  const int code = guard.run([&] { return search(arguments, options, subject, guard, store); }, say, base::interrupted);
  if (code == explore::Guard::kSignalled + SIGKILL) base::print_error("explore: the search was ended by SIGKILL\n");
  return code;
}

// Runs `explore merge DIR`, which combines what the tasks have found.
int merge(const Arguments& arguments) {
  Options options("explore");
  options.positional("merge", true)
      .positional("DIR", true)
      .value("json", "FILE", "write the front and the counts")
      .value("csv", "FILE", "write the front, a row for each point")
      .value("html", "FILE", "write a page with the front as a chart");
  options.example("explore merge faq --html front.html", "what the tasks that share faq/ have found");
  if (!options.parse(arguments)) return kDone;
  const explore::shards::Folder folder(options.text("DIR"));
  const explore::shards::Plan plan = folder.plan();
  ExploreOptions as;
  as.space = plan.space;
  as.network = plan.network;
  as.seed = plan.seed;
  as.allow_slack = plan.allow_slack;
  as.share = explore::Share{0, plan.tasks};
  as.json = options.text("json");
  as.csv = options.text("csv");
  as.html = options.text("html");
  const explore::Space space = timed_space(plan.space, plan.allow_slack);
  const auto accelerator = accelerators::read_faultless("explore", space.config, space.set);
  const std::vector<accelerators::RefusedValue> refused = accelerator->refused_values(space);
  const auto model = accelerator->model(space, plan.network);
  base::check_outputs({as.json, as.csv, as.html});
  const explore::Identity identity =
      identity_of(space.name, space.identity(), accelerator->config().hash, model->network().hash);
  folder.join(plan_of(as, shared_identity(identity, space)));
  std::vector<explore::shards::Task> tasks;
  std::string missing;
  for (int i = 1; i <= plan.tasks; ++i) {
    auto task = folder.task(i);
    if (!task || task->state != explore::shards::Task::State::finished) missing += fmt::format(" {}", i);
    if (task) tasks.push_back(std::move(*task));
  }
  const explore::SearchResult result = explore::shards::merged(space, folder, tasks, plan.tasks);
  const Settings said = settings_of_file(space);
  const Subject subject{space, accelerator->config(), *model, refused, said};
  report::Exploration exploration = exploration_of(arguments, as, subject, result);
  for (const explore::shards::Task& task : tasks) exploration.layers_simulated += task.layers_simulated;
  write(as, exploration);
  say_lost(space, result);
  if (!missing.empty()) {
    base::print_error("not finished: task{}; the front is that of what has been seen\n", missing);
    return kDiffers;
  }
  return result.front.empty() ? kDoesNotFit : kDone;
}

}  // namespace

explore::Identity identity_of(const std::string& space, const std::string& space_identity,
                              const std::string& config_hash, const std::string& network_hash) {
  return {{explore::kBuild, base::build_id()},
          {"space", space + " " + base::Fnv1a().add(space_identity).text()},
          {"configuration", config_hash},
          {"network", network_hash}};
}

int explore(const Arguments& arguments) {
  if (!arguments.empty() && arguments.front() == "merge") return merge(arguments);
  if (std::any_of(arguments.begin(), arguments.end(), [](const auto& a) { return a.rfind("--status", 0) == 0; }))
    return explore_status(arguments);
  const ExploreOptions options = parse(arguments);
  if (options.help) return kDone;
  if (!options.slurm && training::formats::is_format_space(options.space)) return explore_formats(arguments, options);
  const explore::Space space = timed_space(options.space, options.allow_slack);
  const auto accelerator = accelerators::read_faultless("explore", space.config, space.set);
  if (options.share) explore::check_shares(space, *options.share);
  if (options.slurm) {
    explore::check_shares(space, {0, options.slurm->tasks});
    accelerators::check_keys(space, accelerator->keys());
    return submit(options);
  }
  return guarded_search(arguments, options, space, *accelerator);
}

}  // namespace fansim::cli
