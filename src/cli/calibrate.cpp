// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "accelerators/registry.h"
#include "base/console.h"
#include "base/file.h"
#include "base/output_files.h"
#include "cli/options/exit_code.h"
#include "cli/options/options.h"
#include "cli/options/shipped.h"
#include "cli/options/subcommand.h"
#include "estimate/calibration.h"
#include "report/utilisation.h"

namespace fansim::cli {
namespace {

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

}  // namespace

int calibrate(const Arguments& arguments) {
  Options options("calibrate");
  options.positional("REPORT", true)
      .positional("CONFIG", false)
      .value("output,o", "F.yaml", "the device with these scales, for `device:`")
      .values("set", "key.path=value", "override a configuration key; may repeat");
  options.example("calibrate utilisation.rpt", "a report of Vivado or Yosys beside the estimate")
      .example("calibrate r.rpt zcu102_stream -o mine.yaml", "then: --set device=$PWD/mine.yaml");
  if (!options.parse(arguments)) return kDone;
  const auto accelerator =
      accelerators::read_accelerator(config_file(options.text("CONFIG", "zcu102_stream")), options.list("set"));
  const std::string out = options.text("output");
  base::check_outputs({out});
  const contract::ConfigBase& config = accelerator->config();
  const estimate::Utilisation report = estimate::read_utilisation(options.text("REPORT"));
  const estimate::Calibration calibration = estimate::calibrate(config.device, accelerator->estimate(), report);

  const estimate::Scale& s = calibration.scale;
  std::string text =
      fmt::format("scales that fit {} to {}'s report of {}: DSP {:.3f}, LUT {:.3f}, FF {:.3f}, BRAM36 {:.3f}\n\n",
                  config.name, report.tool, report.top.module, s.dsp, s.lut, s.ff, s.bram36);
  text += report::utilisation(calibration);
  if (report.has_hierarchy) {
    text += "\n";
    for (const estimate::Match& match : calibration.matches)
      text += fmt::format("{}: {}\n", match.block, listed(match.modules));
  }
  if (!calibration.missing.empty()) text += fmt::format("not in the report: {}\n", listed(calibration.missing));
  (base::is_standard_output(out) ? base::print_error_text : base::print_text)(text);
  if (!out.empty()) base::write_file(out, estimate::calibrated_device(config.device, s, options.text("REPORT")));
  return kDone;
}

}  // namespace fansim::cli
