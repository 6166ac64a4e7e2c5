// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <optional>

#include "base/console.h"
#include "base/file.h"
#include "base/output_files.h"
#include "cli/options/command_line.h"
#include "cli/options/exit_code.h"
#include "cli/options/options.h"
#include "cli/options/progress.h"
#include "cli/options/shipped.h"
#include "cli/options/subcommand.h"
#include "estimate/timing.h"
#include "training/data/digits.h"
#include "training/report.h"
#include "training/train.h"

namespace fansim::cli {
namespace {

constexpr int kDrawnToTrain = 12'000, kDrawnToTest = 2'000;

training::Pictures pictures_of(const training::Labelled& set) {
  return {set.pixels.data(), set.labels.data(), set.size()};
}

runs::Engine engine_named(const std::string& word) {
  if (const auto engine = runs::engine_of(word)) return *engine;
  throw base::UserError(
      fmt::format("train: --engine: no engine '{}'{}", word, base::did_you_mean(word, runs::engine_names())));
}

// Says what the machine exceeds, and what of its clock cannot be told or was allowed. Returns whether it fits.
bool say_fit(const training::Result& result, bool allow_slack) {
  const estimate::Estimate cost = result.accelerator->estimate();
  const estimate::Timing timing = estimate::timing(result.clock_hz(), cost.fmax);
  const std::vector<std::string> misfits = estimate::misfits(cost, timing, allow_slack);
  for (const std::string& reason : misfits) base::print_error("does not fit: {}\n", reason);
  if (timing.missed() && allow_slack) base::print_error("slack allowed: {}\n", timing.text());
  if (timing.verdict() == estimate::TimingVerdict::cannot_tell) base::print_error("{}\n", timing.text());
  return misfits.empty();
}

}  // namespace

int train(const Arguments& arguments) {
  Options options("train");
  options.positional("CONFIG", true)
      .positional("NETWORK", true)
      .value("data", "DIR", "IDX files under MNIST's names, or .npy (digits that are drawn from the seed)")
      .value("images", "N", "how many of the images an epoch learns (all)")
      .value("epochs", "N", "how often it learns them (1)")
      .value("checkpoint", "F", "goes on from F if it is there, and leaves what it learned in it")
      .value("engine", "fast|clocked", "the clocked engine learns one epoch (fast)")
      .flag("verify", "compare every weight with the reference; exit 1 if one differs, or the training diverged")
      .flag("cross-check", "learn on both engines and compare cycles, counts and weights")
      .value("seed", "N", "of the first weights, the images' order and the drawn digits (1)")
      .flag("allow-slack", "a clock above Fmax is no misfit; it is marked")
      .value("json", "F", "write the report as JSON")
      .values("set", "KEY=VALUE", "override a parameter of the configuration");
  options.example("train float_trainer digits --images 100", "a hundred drawn digits, once")
      .example("train float_trainer digits --epochs 3 --checkpoint w.ckpt", "three times, and keep what was learned");
  if (!options.parse(arguments)) return kDone;

  training::Request request;
  request.config = config_file(options.text("CONFIG"));
  request.network = network_file(options.text("NETWORK"));
  request.overrides = options.list("set");
  request.seed = options.natural("seed").value_or(1);
  request.engine = engine_named(options.text("engine", "fast"));
  request.cross_check = options.on("cross-check");
  request.verify = options.on("verify");
  request.checkpoint = options.text("checkpoint");
  const std::string json = options.text("json"), folder = options.text("data");
  base::check_outputs({json, request.checkpoint});

  const training::DataSet data = folder.empty() ? training::drawn_digits(request.seed, kDrawnToTrain, kDrawnToTest)
                                                : training::read_directory(folder);
  request.data = data.source;
  request.height = data.train.height;
  request.width = data.train.width;
  request.train = pictures_of(data.train);
  request.test = pictures_of(data.test);
  if (const auto images = options.natural("images")) {
    if (*images < 1 || *images > request.train.count)
      throw base::UserError(
          fmt::format("train: --images {} is out of range; allowed: 1..{}", *images, request.train.count));
    request.train.count = *images;
    request.data += fmt::format(", the first {}", *images);
  }
  const std::uint64_t epochs = options.natural("epochs").value_or(1);
  if (epochs < 1 || epochs > 10'000)
    throw base::UserError(fmt::format("train: --epochs {} is out of range; allowed: 1..10000", epochs));
  request.epochs = static_cast<int>(epochs);

  std::optional<Progress> progress;
  request.on_progress = [&](const training::Checkpoint& state, double fraction) {
    if (!progress) progress.emplace();
    progress->show(fraction, training::progress_text(state));
  };
  const training::Result result = training::train(request);
  progress.reset();
  if (result.unschedulable) {
    base::print_error(
        "{}\n", base::at(result.unschedulable->where, fmt::format("{}: does not fit: {}", result.unschedulable->layer,
                                                                  result.unschedulable->reason)));
    return kDoesNotFit;
  }
  (base::is_standard_output(json) ? base::print_error_text : base::print_text)(training::text(result));
  const bool fits = say_fit(result, options.on("allow-slack"));
  for (const std::string& difference : result.differences) base::print_error("{}\n", difference);
  if (request.verify && result.differences.empty())
    base::print_error("verified: every weight is the reference's after every batch\n");
  if (request.cross_check && result.differences.empty())
    base::print_error("cross-check: both engines agree in every cycle count, counter and weight\n");
  if (!json.empty()) base::write_file(json, training::json(result, FANSIM_VERSION, command_line("train", arguments)));
  if (!result.differences.empty() || (request.verify && result.diverged)) return kDiffers;
  return fits ? kDone : kDoesNotFit;
}

}  // namespace fansim::cli
