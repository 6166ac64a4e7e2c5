// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "accelerators/registry.h"
#include "base/console.h"
#include "base/error.h"
#include "base/file.h"
#include "base/output_files.h"
#include "base/text.h"
#include "cli/options/exit_code.h"
#include "cli/options/options.h"
#include "cli/options/shipped.h"
#include "cli/options/subcommand.h"
#include "estimate/block_names.h"
#include "estimate/calibration.h"
#include "report/utilisation.h"

namespace fansim::cli {
namespace {

std::string said(const std::string& config, const estimate::Utilisation& report,
                 const estimate::Calibration& calibration, const std::vector<std::string>& blocks) {
  std::string text = fmt::format("scales that fit {} to {}'s report of {}: {}\n", config, report.tool,
                                 report.top.module, report::factors(calibration));
  if (report.has_hierarchy) text += fmt::format("matched of the design: {}\n", report::matched_share(calibration));
  text += "\n" + report::utilisation(calibration);
  if (!calibration.matches.empty()) text += "\n";
  for (const estimate::Match& match : calibration.matches)
    text += fmt::format("{}: {}\n", match.block, base::joined(match.instances));
  if (report.has_hierarchy && calibration.matches.empty())
    text += fmt::format(
        "no instance matches a block, so no scale is fitted; give --map block=instance; the blocks are {}\n",
        base::joined(blocks));
  else if (!calibration.missing.empty())
    text += fmt::format("not in the report: {}\n", base::joined(calibration.missing));
  if (report.top.use.uram > 0)
    text += fmt::format("UltraRAM: {} in the report; no block asks for one\n", report.top.use.uram);
  return text;
}

}  // namespace

int calibrate(const Arguments& arguments) {
  Options options("calibrate");
  options.positional("REPORT", true)
      .positional("CONFIG", false)
      .value("output,o", "F.yaml", "the device with these scales, for `device:`")
      .values("map", "block=instance",
              "the instance, or the end of its path a/b, builds the block; or a file of such "
              "lines; may repeat")
      .values("set", "key.path=value", "override a configuration key; may repeat");
  options.example("calibrate utilisation.rpt", "a report of Vivado or Yosys beside the estimate")
      .example("calibrate r.rpt zcu102_stream --map mac_array=u_core/u_macs", "whose array has a name of its own")
      .example("calibrate r.rpt zcu102_stream -o mine.yaml", "then: --set device=$PWD/mine.yaml");
  if (!options.parse(arguments)) return kDone;
  const auto accelerator =
      accelerators::read_accelerator(config_file(options.text("CONFIG", "zcu102_stream")), options.list("set"));
  const std::string out = options.text("output");
  base::check_outputs({out});
  const contract::ConfigBase& config = accelerator->config();
  const estimate::Utilisation report = estimate::read_utilisation(options.text("REPORT"));
  const estimate::Estimate estimate = accelerator->estimate();
  std::vector<std::string> blocks;
  for (const estimate::BlockUse& block : estimate.blocks) blocks.push_back(block.name);
  const estimate::Calibration calibration =
      estimate::calibrate(config.device, estimate, report, estimate::read_block_mappings(options.list("map"), blocks));
  if (!out.empty() && !calibration.factors.any())
    throw base::UserError(base::Location{report.file, 0, 0},
                          "no instance matches a block, so there are no scales to write; give --map block=instance");
  const std::string text = said(config.name, report, calibration, blocks);
  (base::is_standard_output(out) ? base::print_error_text : base::print_text)(text);
  if (!out.empty())
    base::write_file(out, estimate::calibrated_device(config.device, calibration.factors, options.text("REPORT")));
  return kDone;
}

}  // namespace fansim::cli
