// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "base/console.h"
#include "base/error.h"
#include "base/npy.h"
#include "base/temporary_folder.h"
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

// Returns whether the options ask for the codes that a model may have of its own, and for no others.
bool asks_for_own_codes(const Options& options, const std::vector<post_training::Coder>& coders) {
  if (!options.has("method") || options.has("ranges")) return false;
  if (options.on("symmetric") || options.on("per-channel") || options.on("correct-bias")) return false;
  return coders.size() == 1 && coders[0].method->name() == std::string("linear") && coders[0].weight_bits == 8 &&
         coders[0].activation_bits == 8;
}

// Throws UserError, before anything is written, if the model has no codes of its own. Returns false if it is refused.
bool has_own_codes(const ModelFile& file) {
  const base::TemporaryFolder folder;
  std::string said;
  if (!import_floats(file, folder.path(), said)) return false;
  const std::string why = why_no_codes(network::load_float_network(folder.path() + "/network.yaml"));
  if (!why.empty()) throw base::UserError(base::Location{file.path, 0, 0}, why);
  return true;
}

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
      .example("import model.onnx -o model --calibrate x.npy", "and in codes")
      .example("import model.onnx -o model --calibrate x.npy --for zcu102_stream", "in that machine's");
  if (!options.parse(arguments)) return kDone;
  if (!options.has("output")) throw base::UserError("import: --output is missing");
  if (is_of_scale_sim(options.text("MODEL"))) return import_scale_sim(options);
  if (options.has("inputs") != options.has("out")) throw base::UserError("import: --inputs and --out go together");
  const std::string folder = options.text("output");
  const ModelFile file{options.text("MODEL"), parse_shape("import", options.text("shape")),
                       parse_names(options.text("outputs"))};
  const arith::QuantisationMethods methods;
  const std::vector<post_training::Coder> coders = coders_of(options, methods);
  if (has_code_options(options) && !options.has("calibrate")) {
    if (!asks_for_own_codes(options, coders))
      throw base::UserError("import: how floats become codes is said, but no --calibrate");
    if (!has_own_codes(file)) return kUserError;
  }
  std::string said;
  if (!import_floats(file, folder, said)) return kUserError;
  base::print_text(said);
  const std::string written = folder + "/network.yaml";
  if (options.has("inputs")) write_outputs(written, options.text("inputs"), options.text("out"));
  if (!options.has("calibrate")) {
    const std::string why = why_no_codes(network::load_float_network(written));
    if (why.empty())
      write_codes({written, "", folder, {{methods.find("linear"), 8, 8}}});
    else
      base::print_text(why + "\n");
  }
  if (options.has("calibrate"))
    write_codes({written, options.text("calibrate"), folder, coders, "", "", machine_name(options)});
  return kDone;
}

}  // namespace fansim::cli
