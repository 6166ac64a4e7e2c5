// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/console.h"
#include "base/data.h"
#include "base/error.h"
#include "base/file.h"
#include "base/interrupt.h"
#include "base/output_files.h"
#include "base/overrides.h"
#include "benches/ddr_trace.h"
#include "benches/ddr_waveform.h"
#include "cli/options/exit_code.h"
#include "cli/options/options.h"
#include "cli/options/progress.h"
#include "cli/options/subcommand.h"
#include "report/table.h"

namespace fansim::cli {
namespace {

constexpr const char* kParts = "configs/parts";
constexpr const char* kUsualPart = "zcu102_ddr4_2133";

// Holds the memory and the driver's own settings.
struct Setup {
  contract::DdrPart part;
  std::string mapping;
  benches::DdrDriver driver;
};

bool has_suffix(const std::string& text, const std::string& end) {
  return text.size() > end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

// Returns the file of a part that comes with the program, by its name, or the file that is named.
std::string part_file(const std::string& part) {
  if (has_suffix(part, ".yaml")) return part;
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(base::data_path(kParts))) {
    const std::string file = entry.path().string();
    if (base::load_yaml(file).find("mappings") != nullptr) names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  if (std::find(names.begin(), names.end(), part) == names.end()) {
    std::string known;
    for (const std::string& name : names) known += (known.empty() ? "" : ", ") + name;
    throw base::UserError(fmt::format("--set part={}: part '{}' unknown{} (a file, or one of {})", part, part,
                                      base::did_you_mean(part, names), known));
  }
  return base::data_path(fmt::format("{}/{}.yaml", kParts, part));
}

// Shortens the names that a configuration gives these settings: "ddr.part.trcd", "ddr.part", "axi.outstanding".
std::string short_name(const std::string& setting) {
  for (const char* prefix : {"ddr.part.", "ddr.", "axi."}) {
    const std::string text = prefix;
    if (setting.rfind(text, 0) == 0) return setting.substr(text.size());
  }
  return setting;
}

Setup read_setup(std::vector<std::string> settings) {
  std::transform(settings.begin(), settings.end(), settings.begin(), short_name);
  std::string part = kUsualPart;
  const auto names_part = [&](const std::string& setting) {
    if (setting.rfind("part=", 0) != 0) return false;
    part = setting.substr(5);
    return true;
  };
  settings.erase(std::remove_if(settings.begin(), settings.end(), names_part), settings.end());
  base::YamlNode document = base::load_yaml(part_file(part));
  base::apply_overrides(document, settings);
  base::YamlMap map(document);
  Setup setup;
  setup.driver.outstanding = map.integer("outstanding", 1, 1024, setup.driver.outstanding);
  if (map.has("handover"))
    setup.driver.handover = static_cast<benches::DdrHandover>(map.choice("handover", {"access", "burst"}));
  setup.part = contract::read_ddr_part(map);
  setup.mapping = map.text("mapping");
  map.finish();
  return setup;
}

// The first line is the answer.
std::string summary(const Setup& setup, const std::vector<benches::DdrBurst>& bursts,
                    const benches::DdrTotals& totals) {
  const contract::DdrPart& part = setup.part;
  std::int64_t bytes = 0, first = bursts[0].issue, last = 0, waited = 0;
  for (const benches::DdrBurst& burst : bursts) {
    bytes += burst.bytes;
    first = std::min(first, burst.issue);
    last = std::max(last, burst.last);
    waited += burst.last - burst.issue;
  }
  const double mhz = part.clock_mhz.value();
  const double ns = static_cast<double>(last - first) * 1000 / mhz;
  const auto share = [&](std::int64_t n) {
    return fmt::format("{:.1f} %", 100 * static_cast<double>(n) / static_cast<double>(totals.accesses));
  };
  std::string text =
      fmt::format("{}, mapping {}, {} outstanding: {:.2f} GB/s useful, {:.2f} GB/s at the pins of {:.2f}\n\n",
                  part.name, setup.mapping, setup.driver.outstanding, static_cast<double>(bytes) / ns,
                  static_cast<double>(totals.accesses * part.access_bytes()) / ns, part.data_bits * 2 * mhz / 8000);
  report::Table table(1);
  const auto row = [&](const char* name, std::int64_t value, const std::string& more) {
    table.row({name, report::grouped(value), more});
  };
  row("bursts", static_cast<std::int64_t>(bursts.size()), "");
  row("bytes", bytes, "");
  row("column accesses", totals.accesses, "");
  row("row hits", totals.row_hits, share(totals.row_hits));
  row("row misses", totals.row_misses, share(totals.row_misses));
  row("row conflicts", totals.row_conflicts, share(totals.row_conflicts));
  row("turnarounds", totals.turnarounds, "");
  row("refreshes", totals.refreshes, "");
  table.row({"time", fmt::format("{:.1f}", ns), "ns"});
  table.row({"mean latency",
             fmt::format("{:.1f}", static_cast<double>(waited) * 1000 / mhz / static_cast<double>(bursts.size())),
             "ns"});
  return text + table.text();
}

// Writes the text as comment lines, which a reader of the rows skips.
std::string commented(const std::string& text) {
  std::string result;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = text.find('\n', begin) + 1;
    if (end > begin + 1) result += "# " + text.substr(begin, end - begin);
    begin = end;
  }
  return result;
}

}  // namespace

int drive_ddr(const cli::Arguments& arguments) {
  cli::Options options("drive ddr");
  options.positional("TRACE.csv", true)
      .values("set", "KEY=VALUE",
              "part, mapping, outstanding, handover or any key of the part, also as a configuration names them "
              "(ddr.part.trcd); "
              "may repeat")
      .value("out", "F.csv", "the rows with issue_ns, first_ns and last_ns, instead of standard output")
      .value("vcd", "F", "a waveform of every stream's bursts (.vcd or .fst)")
      .value("vcd-words", "strings|enums|both", "how it shows states (docs/waveforms.md; enums)");
  options.example("drive ddr traces/ddr_bursts.csv --out times.csv", "when each burst's data come");
  if (!options.parse(arguments)) return kDone;
  const Setup setup = read_setup(options.list("set"));
  const waveforms::Words words = waveforms::parse_words("drive ddr", options.text("vcd-words", "enums"));
  if (options.has("vcd-words") && !options.has("vcd")) throw base::UserError("drive ddr: --vcd-words needs --vcd");
  const std::string file = options.text("TRACE.csv");
  std::vector<benches::DdrBurst> bursts = benches::parse_ddr_trace(base::read_file(file), file, setup.part);
  const std::string out = options.text("out", "-");
  base::check_outputs({out, options.text("vcd")});

  cli::Progress bar;
  const benches::DdrTotals totals = benches::run_closed_loop(setup.part, setup.driver, bursts, [&bar](double fraction) {
    base::stop_if_interrupted();
    bar.show(fraction);
  });
  const std::string csv = benches::ddr_trace_csv(bursts, setup.part);
  const std::string text = summary(setup, bursts, totals);
  base::write_file(out, base::is_standard_output(out) ? csv + commented(text) : csv);
  if (!base::is_standard_output(out)) base::print_text(text);
  if (options.has("vcd")) benches::write_ddr_waveform(options.text("vcd"), words, setup.part, bursts);
  return kDone;
}

}  // namespace fansim::cli
