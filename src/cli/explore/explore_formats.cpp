// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "accelerators/registry.h"
#include "base/console.h"
#include "base/error.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/interrupt.h"
#include "base/output_files.h"
#include "base/temporary_folder.h"
#include "cli/explore/explore_options.h"
#include "cli/options/command_line.h"
#include "cli/options/exit_code.h"
#include "cli/options/progress.h"
#include "estimate/timing.h"
#include "network/network.h"
#include "training/data/digits.h"
#include "training/formats/format_report.h"

namespace fansim::cli {

using namespace training::formats;

namespace {

// Hashes the images, not the name of their folder.
std::string hash_of(const training::DataSet& data) {
  base::Fnv1a hash;
  for (const training::Labelled* part : {&data.train, &data.test})
    hash.add(part->pixels.data(), part->pixels.size()).add(part->labels.data(), part->labels.size());
  return hash.text();
}

estimate::Timing timing_of(const FormatSpace& space, const std::vector<std::string>& overrides) {
  const auto accelerator = accelerators::read_accelerator(space.config, overrides);
  return estimate::timing(accelerator->config().clock_hz(), accelerator->estimate().fmax);
}

// Says that the clock of the combination that was picked is not met for sure.
void say_timing(const FormatSpace& space, const FormatResult& result) {
  if (!result.best) return;
  const estimate::Timing timing = timing_of(space, space.overrides(result.trials[*result.best].combination));
  if (timing.verdict() == estimate::TimingVerdict::fits) return;
  base::print_error("{}{}\n", timing.missed() ? "slack allowed: " : "", timing.text());
}

}  // namespace

int explore_formats(const Arguments& arguments, const ExploreOptions& options) {
  FormatSpace space = load_format_space(options.space);
  if (!options.html.empty())
    throw base::UserError("explore: --html: a search of formats has no page; --json has it all");
  if (!options.csv.empty())
    throw base::UserError("explore: --csv: a search of formats has no front; --json has it all");
  base::check_outputs({options.json, options.store});
  // The configuration is read with formats for every layer, so that an unknown key is reported before training begins.
  const auto accelerator = accelerators::read_faultless("explore", space.config,
                                                        space.overrides(Combination(space.layers.size(), Format{})));
  network::LoadOptions none;
  none.values = false;
  const network::Network network = network::load_network(options.network, none);
  const training::DataSet data = space.data.empty() ? training::drawn_digits(options.seed, space.images, space.test)
                                                    : training::read_directory(space.data);
  // No more images are used than the folder has.
  space.images = std::min(space.images, static_cast<int>(data.train.size()));
  space.test = std::min(space.test, static_cast<int>(data.test.size()));

  std::optional<base::TemporaryFolder> folder;
  if (options.store.empty()) folder.emplace();
  const std::string file = folder ? folder->path() + "/store.db" : options.store;
  const std::string identity = fmt::format("{} seed {} pictures {}", space.identity(), options.seed, hash_of(data));
  explore::Store store(file, identity_of(space.name, identity, accelerator->config().hash, network.hash));
  FormatOptions search;
  search.network = options.network;
  search.seed = options.seed;
  search.jobs = options.jobs;
  search.store = &store;
  if (!options.allow_slack)
    search.meets_clock = [&space](const std::vector<std::string>& overrides) {
      const estimate::Timing timing = timing_of(space, overrides);
      return timing.clock_hz <= timing.fmax_hz;
    };
  FormatResult result;
  try {
    Progress progress;
    search.on_progress = [&progress](double fraction) { progress.show(fraction); };
    result = search_formats(space, data, search);
  } catch (const base::Interrupted&) {
    if (!options.store.empty()) base::print_error("continue with --resume {}\n", base::shell_word(options.store));
    throw;
  }
  (base::is_standard_output(options.json) ? base::print_error_text : base::print_text)(text(space, result));
  say_timing(space, result);
  if (!options.json.empty())
    base::write_file(options.json, json(space, result, FANSIM_VERSION, command_line("explore", arguments)));
  return result.best ? kDone : kDoesNotFit;
}

}  // namespace fansim::cli
