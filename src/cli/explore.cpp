// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <optional>

#include "accelerators/configure.h"
#include "accelerators/registry.h"
#include "base/console.h"
#include "base/error.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/interrupt.h"
#include "base/output_files.h"
#include "base/temporary_folder.h"
#include "base/workers.h"
#include "cli/explore_options.h"
#include "cli/explore_report.h"
#include "cli/options/command_line.h"
#include "cli/options/exit_code.h"
#include "cli/options/options.h"
#include "cli/options/progress.h"
#include "cli/options/shipped.h"
#include "cli/options/subcommand.h"
#include "explore/search.h"
#include "report/pages/page.h"
#include "training/formats/format_space.h"

namespace fansim::cli {
namespace {

ExploreOptions parse(const Arguments& arguments) {
  Options options("explore");
  options.positional("SPACE", true)
      .positional("NETWORK", true)
      .value("jobs", "N", "threads (default: one per processor)")
      .value("seed", "N", "of the methods that draw (1)")
      .value("resume", "FILE", "keep results in FILE, and continue from what it has")
      .value("json", "FILE", "write the front and the counts")
      .value("csv", "FILE", "write the front, a row for each point")
      .value("html", "FILE", "write a page with the front as a chart");
  options.example("explore tiny_stream tiny_conv", "the best of a small space, proven")
      .example("explore uestc_stream alexnet --resume alexnet.db --html front.html",
               "go on where it stopped; the front as a chart");
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
  constexpr unsigned kMostJobs = 1024;
  const auto jobs = options.natural("jobs").value_or(base::cores());
  if (jobs < 1 || jobs > kMostJobs)
    throw base::UserError(fmt::format("explore: --jobs {}: allowed: 1..{}", jobs, kMostJobs));
  explore.jobs = static_cast<int>(jobs);
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

// What is searched.
struct Subject {
  const explore::Space& space;
  const contract::ConfigBase& config;
  accelerators::AcceleratorModel& model;
  const std::vector<accelerators::RefusedValue>& refused;
  const Settings& said;  // by the configuration as its file has it
};

// In a process of its own, which may end before its time: what it found is in the store.
int search(const Arguments& arguments, const ExploreOptions& options, const Subject& subject,
           const explore::Guard& guard, const std::string& store_file) {
  const auto& [space, config, model, refused, said] = subject;
  explore::Store store(store_file, identity_of(space.name, space.identity(), config.hash, model.network().hash));
  model.keep_in(&store, &guard);
  explore::SearchOptions search_options;
  search_options.jobs = options.jobs;
  search_options.seed = options.seed;
  search_options.store = &store;
  search_options.guard = &guard;
  search_options.stop_requested = [&guard] { return base::interrupted() || guard.stop_requested(); };
  explore::SearchResult result;
  {
    Progress progress;
    search_options.on_progress = [&progress](double fraction) { progress.show(fraction); };
    result = explore::search(space, model, search_options);
  }
  report::Exploration exploration = exploration_of(space, said, options.network, result);
  exploration.tool = {FANSIM_VERSION, command_line("explore", arguments)};
  exploration.config = {config.name, config.hash};
  exploration.network = {model.network().name, model.network().hash};
  exploration.device = config.device.name;
  exploration.seed = options.seed;
  exploration.layers_simulated = model.simulated_layers();
  exploration.refused = rows_of(refused);
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
  for (const explore::Scored& lost : result.failures)
    base::print_error("lost: {}: {}\n", space.text(lost.point), lost.outcome.reason);
  return result.front.empty() ? kDoesNotFit : kDone;
}

// Where the file alone is refused, as one is that the space completes, nothing is known.
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
  if (options.store.empty()) folder.emplace();
  const std::string store = folder ? folder->path() + "/store.db" : options.store;
  explore::Guard guard;
  const int code = guard.run([&] { return search(arguments, options, subject, guard, store); }, say, base::interrupted);
  if (code == explore::Guard::kSignalled + SIGKILL) base::print_error("explore: the search was ended by SIGKILL\n");
  return code;
}

}  // namespace

explore::Identity identity_of(const std::string& space, const std::string& space_identity,
                              const std::string& config_hash, const std::string& network_hash) {
  const std::string identity = base::Fnv1a().add(space_identity).text();
  // Another build of a version may count otherwise.
  const std::string build = base::Fnv1a().add(base::read_file("/proc/self/exe")).text();
  return {{"program", FANSIM_VERSION " build " + build},
          {"space", space + " " + identity},
          {"configuration", config_hash},
          {"network", network_hash}};
}

int explore(const Arguments& arguments) {
  const ExploreOptions options = parse(arguments);
  if (options.help) return kDone;
  if (training::formats::is_format_space(options.space)) return explore_formats(arguments, options);
  const explore::Space space = explore::load_space(options.space);
  const auto accelerator = accelerators::read_accelerator(space.config, space.set);
  return guarded_search(arguments, options, space, *accelerator);
}

}  // namespace fansim::cli
