// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "base/console.h"
#include "base/error.h"
#include "base/npy.h"
#include "cli/models/codes.h"
#include "cli/models/import_scale_sim.h"
#include "cli/models/imported_network.h"
#include "cli/options/exit_code.h"
#include "cli/options/options.h"
#include "cli/options/subcommand.h"
#include "network/float/float_network.h"
#include "post_training/calibrate.h"

namespace fansim::cli {

namespace {

void write_outputs(const std::string& file, const std::string& inputs, const std::string& out) {
  const network::FloatNetwork network = network::load_float_network(file);
  std::vector<float> all;
  base::NpyShape shape = network.network.layers.back().out.dims();
  shape.insert(shape.begin(), 0);
  for (const network::Tensor& input : post_training::read_inputs(inputs, network.network)) {
    const network::Tensor last = network::run_float(network, input).back();
    const auto values = last.view<float>();
    for (std::size_t i = 0; i < values.size(); ++i) all.push_back(values[i]);
    ++shape[0];
  }
  base::write_npy(out, shape, all);
}

bool formats_given(const std::string& file) { return post_training::formats_given(network::load_float_network(file)); }

}  // namespace

int import_model(const Arguments& arguments) {
  Options options("import");
  options.positional("MODEL", true)
      .value("output,o", "DIR", "write DIR/network.yaml and its tensors; required")
      .value("shape", "N,C,H,W", "of the input, where the file leaves it open")
      .value("outputs", "NAME,NAME...", "values that are wanted; what is computed from them alone is left out")
      .value("inputs", "X.npy", "inputs in float32, one or a batch, through the network of floats; needs --out")
      .value("out", "Y.npy", "what it makes of --inputs, float32")
      .value("calibrate", "X.npy", "inputs in float32: write DIR/METHOD/network.yaml in codes too");
  add_code_options(options);
  options.example("import model.onnx -o model", "a network of floats")
      .example("import model.onnx -o model --calibrate x.npy", "and in codes");
  if (!options.parse(arguments)) return kDone;
  if (!options.has("output")) throw base::UserError("import: --output is missing");
  if (is_of_scale_sim(options.text("MODEL"))) return import_scale_sim(options);
  if (options.has("inputs") != options.has("out")) throw base::UserError("import: --inputs and --out go together");
  if (has_code_options(options) && !options.has("calibrate"))
    throw base::UserError("import: how floats become codes is said, but no --calibrate");
  const std::string path = options.text("MODEL"), folder = options.text("output");
  const arith::QuantisationMethods methods;
  const std::vector<post_training::Coder> coders = coders_of(options, methods);
  std::string said;
  if (!import_floats({path, parse_shape("import", options.text("shape")), parse_names(options.text("outputs"))}, folder,
                     said))
    return kUserError;
  base::print_text(said);
  const std::string written = folder + "/network.yaml";
  if (options.has("inputs")) write_outputs(written, options.text("inputs"), options.text("out"));
  if (!options.has("calibrate") && formats_given(written))
    write_codes(written, "", folder, {{methods.find("linear"), 8, 8}}, "", "");
  if (options.has("calibrate")) write_codes(written, options.text("calibrate"), folder, coders, "", "");
  return kDone;
}

}  // namespace fansim::cli
