// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "accelerators/registry.h"
#include "base/console.h"
#include "base/data.h"
#include "cli/options/exit_code.h"
#include "cli/options/options.h"
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
      .values("set", "key.path=value", "override a configuration key; may repeat");
  options.example("calibrate utilisation.rpt", "a report of Vivado or Yosys beside the estimate");
  if (!options.parse(arguments)) return kDone;
  const auto accelerator = accelerators::read_accelerator(
      options.text("CONFIG", base::data_path("configs/systems/zcu102_stream.yaml")), options.list("set"));
  const contract::ConfigBase& config = accelerator->config();
  const estimate::Utilisation report = estimate::read_utilisation(options.text("REPORT"));
  const estimate::Calibration calibration = estimate::calibrate(config.device, accelerator->estimate(), report);

  const estimate::Scale& s = calibration.scale;
  base::print("scales that fit {} to {}'s report of {}: DSP {:.3f}, LUT {:.3f}, FF {:.3f}, BRAM36 {:.3f}\n\n",
              config.name, report.tool, report.top.module, s.dsp, s.lut, s.ff, s.bram36);
  base::print_text(report::utilisation(calibration));
  if (report.has_hierarchy) {
    base::print("\n");
    for (const estimate::Match& match : calibration.matches)
      base::print("{}: {}\n", match.block, listed(match.modules));
  }
  if (!calibration.missing.empty()) base::print("not in the report: {}\n", listed(calibration.missing));
  return kDone;
}

}  // namespace fansim::cli
