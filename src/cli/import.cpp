// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "base/console.h"
#include "base/error.h"
#include "cli/codes.h"
#include "cli/imported_network.h"
#include "cli/options/exit_code.h"
#include "cli/options/options.h"
#include "cli/options/subcommand.h"

namespace fansim::cli {

int import_model(const Arguments& arguments) {
  Options options("import");
  options.positional("MODEL", true)
      .value("output,o", "DIR", "write DIR/network.yaml and its tensors; required")
      .value("shape", "N,C,H,W", "of the input, where the file leaves it open")
      .value("outputs", "NAME,NAME...", "values that are wanted; what is computed from them alone is left out")
      .value("calibrate", "X.npy", "inputs in float32: write DIR/METHOD/network.yaml in codes too")
      .value("method", "M,M...|all", "quantisation methods (all)")
      .value("weight-bits", "N", "width of a weight's code (that of the method's build)")
      .value("activation-bits", "N", "width of an activation (the same)")
      .flag("per-channel", "each output's weights have a scale of their own");
  if (!options.parse(arguments)) return kDone;
  if (!options.has("output")) throw base::UserError("import: --output is missing");
  for (const char* name : {"method", "weight-bits", "activation-bits", "per-channel"})
    if (options.has(name) && (std::string(name) != "per-channel" || options.on(name)) && !options.has("calibrate"))
      throw base::UserError(fmt::format("import: --{} needs --calibrate", name));
  const std::string path = options.text("MODEL"), folder = options.text("output");
  const arith::QuantisationMethods methods;
  const std::vector<calibration::Coder> coders = coders_of(options, methods);
  std::string said;
  if (!import_floats({path, parse_shape("import", options.text("shape")), parse_names(options.text("outputs"))}, folder,
                     said))
    return kUserError;
  base::print_text(said);
  const std::string written = folder + "/network.yaml";
  if (options.has("calibrate")) write_codes(written, options.text("calibrate"), folder, coders, "", "");
  return kDone;
}

}  // namespace fansim::cli
