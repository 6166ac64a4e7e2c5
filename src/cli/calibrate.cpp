// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "accelerators/registry.h"
#include "base/console.h"
#include "base/data.h"
#include "cli/exit_code.h"
#include "cli/options.h"
#include "cli/subcommand.h"
#include "estimate/calibration.h"
#include "report/table.h"

namespace fansim::cli {
namespace {

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

std::string count(double value) { return fmt::format("{:.10g}", value); }

std::string error(double estimated, double reported) {
  return reported > 0 ? fmt::format("{:+.1f}", 100 * (estimated - reported) / reported) : "-";
}

void add_kind(report::Table& table, const std::string& block, const char* kind, double estimated, double reported,
              double scale) {
  if (estimated == 0 && reported == 0) return;
  table.row({block, kind, count(reported), count(estimated), error(estimated, reported),
             fmt::format("{:.1f}", estimated * scale), error(estimated * scale, reported)});
}

void add(report::Table& table, const estimate::Match& match, const estimate::Scale& scale) {
  add_kind(table, match.block, "DSP", match.estimated.dsp, match.reported.dsp, scale.dsp);
  add_kind(table, match.block, "LUT", match.estimated.lut, match.reported.lut, scale.lut);
  add_kind(table, match.block, "FF", match.estimated.ff, match.reported.ff, scale.ff);
  add_kind(table, match.block, "BRAM36", match.estimated.bram36, match.reported.bram36, scale.bram36);
}

std::string comparison(const estimate::Calibration& calibration) {
  report::Table table(2);
  table.row({"block", "resource", "report", "estimate", "error %", "fitted", "error %"});
  table.rule();
  estimate::Match sum{"sum", {}, {}, {}};
  for (const estimate::Match& match : calibration.matches) {
    add(table, match, calibration.scale);
    sum.estimated += match.estimated;
    sum.reported += match.reported;
  }
  if (calibration.matches.size() > 1) {
    table.rule();
    add(table, sum, calibration.scale);
  }
  return table.text();
}

}  // namespace

int calibrate(const Arguments& arguments) {
  Options options("calibrate");
  options.positional("REPORT", true)
      .positional("CONFIG", false)
      .values("set", "key.path=value", "override a configuration key; may repeat");
  if (!options.parse(arguments)) return kDone;
  const auto accelerator = accelerators::read_accelerator(
      options.text("CONFIG", base::data_path("configs/systems/zcu102_stream.yaml")), options.list("set"));
  const contract::ConfigBase& config = accelerator->config();
  const estimate::Utilisation report = estimate::read_utilisation(options.text("REPORT"));
  const estimate::Calibration calibration = estimate::calibrate(config.device, accelerator->estimate(), report);

  const estimate::Scale& s = calibration.scale;
  base::print("scales that fit {} to {}'s report of {}: DSP {:.3f}, LUT {:.3f}, FF {:.3f}, BRAM36 {:.3f}\n\n",
              config.name, report.tool, report.top.module, s.dsp, s.lut, s.ff, s.bram36);
  base::print_text(comparison(calibration));
  if (report.has_hierarchy) {
    base::print("\n");
    for (const estimate::Match& match : calibration.matches)
      base::print("{}: {}\n", match.block, listed(match.modules));
  }
  if (!calibration.missing.empty()) base::print("not in the report: {}\n", listed(calibration.missing));
  return kDone;
}

}  // namespace fansim::cli
