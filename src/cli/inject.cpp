// SPDX-License-Identifier: Apache-2.0
#include "inject/campaign.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/console.h"
#include "base/error.h"
#include "base/file.h"
#include "base/output_files.h"
#include "base/workers.h"
#include "cli/options/command_line.h"
#include "cli/options/exit_code.h"
#include "cli/options/options.h"
#include "cli/options/progress.h"
#include "cli/options/shipped.h"
#include "cli/options/subcommand.h"
#include "report/campaign.h"
#include "report/pages/page.h"
#include "report/table.h"

namespace fansim::cli {
namespace {

using base::UserError;

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> words;
  for (std::size_t from = 0; from <= text.size();) {
    const std::size_t to = std::min(text.find(',', from), text.size());
    if (to > from) words.push_back(text.substr(from, to - from));
    from = to + 1;
  }
  return words;
}

int parse_number(const Options& options, const char* name, std::uint64_t fallback, std::uint64_t most) {
  const std::uint64_t number = options.natural(name).value_or(fallback);
  if (number < 1 || number > most) throw UserError(fmt::format("inject: --{} {}: allowed: 1..{}", name, number, most));
  return static_cast<int>(number);
}

inject::What parse_kind(const std::string& word) {
  std::vector<std::string> words;
  for (const auto& [what, known] : inject::kWhats) {
    if (word == known) return what;
    words.emplace_back(known);
  }
  throw UserError(fmt::format("inject: --kind '{}' unknown{}; allowed: flip, stuck or protocol", word,
                              base::did_you_mean(word, words)));
}

inject::Request request_of(const Options& options) {
  inject::Request request;
  request.run.config = config_file(options.text("CONFIG"));
  request.run.network = network_file(options.text("NETWORK"));
  request.run.overrides = options.list("set");
  request.run.input = options.text("input");
  const std::string engine = options.text("engine", runs::name(runs::Engine::clocked));
  const auto parsed = runs::engine_of(engine);
  if (!parsed)
    throw UserError(
        fmt::format("inject: --engine '{}' unknown{}", engine, base::did_you_mean(engine, runs::engine_names())));
  request.run.engine = *parsed;
  request.count = parse_number(options, "count", 100, 10'000'000);
  request.seed = options.natural("seed").value_or(1);
  request.what = parse_kind(options.text("kind", "flip"));
  request.at = split(options.text("at"));
  if (request.what == inject::What::protocol && !request.at.empty())
    throw UserError("inject: --at names places of bits, --kind protocol has none");
  request.each = options.on("each");
  request.jobs = parse_number(options, "jobs", static_cast<std::uint64_t>(base::cores()), 1024);
  request.resume = options.text("resume");
  return request;
}

bool is_vulnerable(inject::Outcome outcome) {
  return outcome != inject::Outcome::masked && outcome != inject::Outcome::recovered;
}

report::Campaign report_of(const Arguments& arguments, const inject::Request& request,
                           const inject::Campaign& campaign) {
  report::Campaign report;
  report.tool = {FANSIM_VERSION, command_line("inject", arguments)};
  report.config = {campaign.config_name, campaign.config_hash};
  report.network = {campaign.network_name, campaign.network_hash};
  report.engine = campaign.engine;
  report.seed = request.seed;
  report.cycles = campaign.cycles;
  report.kind = inject::kWhats[static_cast<std::size_t>(request.what)].second;
  report.by_bits = !request.each;
  for (const inject::OutcomeWord& word : inject::kOutcomes)
    report.outcomes.push_back({word.word, word.meaning, is_vulnerable(word.outcome)});
  for (const inject::PlaceBits& place : campaign.places)
    report.places.push_back({place.name, place.of, place.all(), 0, {}, 0, 0});
  for (std::size_t i = 0; i < campaign.faults.size(); ++i) {
    const inject::Drawn& drawn = campaign.faults[i];
    const inject::Result& result = campaign.results[i];
    report.faults.push_back({drawn.fault.text(), drawn.place, static_cast<std::size_t>(result.outcome),
                             result.first_wrong, result.wrong_values, result.values, result.top1_changed, result.seen,
                             result.lost, result.note});
    const auto is_its = [&drawn](const auto& place) { return place.place == drawn.place; };
    if (std::none_of(report.places.begin(), report.places.end(), is_its))
      report.places.push_back({drawn.place, "", std::nullopt, 0, {}, 0, 0});
  }
  std::sort(report.places.begin(), report.places.end(), [](auto& a, auto& b) { return a.place < b.place; });
  return report;
}

void print_places(const inject::Campaign& survey) {
  report::Table table(2);
  table.row({"place", "of", "words", "bits of a word", "bits"});
  table.rule();
  const auto count = [](std::uint64_t value) { return report::grouped(static_cast<std::int64_t>(value)); };
  for (const inject::PlaceBits& place : survey.places)
    if (place.all() > 0)
      table.row({place.name, place.of, count(place.words), std::to_string(place.bits), count(place.all())});
  base::print("{} on {}: {} cycles\n\n{}", survey.network_name, survey.config_name, report::grouped(survey.cycles),
              table.text());
}

}  // namespace

int inject_faults(const Arguments& arguments) {
  Options options("inject");
  options.positional("CONFIG", true)
      .positional("NETWORK", true)
      .value("count", "N", "faults, one in each run (100)")
      .value("seed", "S", "that they are drawn by (1)")
      .value("kind", "flip|stuck|protocol", "bits that turn over (default), bits that stay, or bursts, interrupts, DMA")
      .value("at", "PLACE,...", "bits of these places, patterns with * (all on the chip)")
      .flag("each", "as many in each place, whatever its bits")
      .flag("places", "list the machine's places and their bits, and end")
      .value("engine", "fast|clocked", "fast: flips of ddr.data alone, ahead of layers")
      .value("input", "F", ".npy, or a picture (.pgm, .ppm, .png)")
      .value("jobs", "N", "processes (one per processor)")
      .value("resume", "F", "keep results here, begin with those that are there")
      .values("set", "key.path=value", "override a configuration key; may repeat")
      .group("Results")
      .value("json", "F", "the campaign as JSON")
      .value("csv", "F", "its faults as CSV")
      .value("html", "F", "a page with plots")
      .example("inject zcu102_stream lenet5 --count 300 --seed 1", "upsets of every block")
      .example("inject zcu102_stream lenet5 --kind protocol --set host.retry=1",
               "errors of memory and interrupts, and a driver that tries again")
      .example("inject zcu102_stream alexnet --at ddr.data --engine fast", "upsets of the memory");
  if (!options.parse(arguments)) return kDone;
  inject::Request request = request_of(options);
  if (options.on("places")) {
    print_places(inject::survey(request.run));
    return kDone;
  }
  const std::string json = options.text("json"), csv = options.text("csv"), html = options.text("html");
  const std::vector<std::string> outputs{json, csv, html};
  base::check_outputs(outputs);
  Progress progress;
  request.on_progress = [&progress](double fraction) { progress.show(fraction); };
  const report::Campaign report = report_of(arguments, request, inject::run_campaign(request));
  const bool piped = std::any_of(outputs.begin(), outputs.end(), base::is_standard_output);
  (piped ? base::print_error_text : base::print_text)(report::text(report));
  if (!json.empty()) base::write_file(json, report::json(report));
  if (!csv.empty()) base::write_file(csv, report::csv(report));
  if (!html.empty()) base::write_file(html, report::campaign_page(report));
  return kDone;
}

}  // namespace fansim::cli
