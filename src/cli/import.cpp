// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <sstream>

#include "base/console.h"
#include "base/error.h"
#include "cli/codes.h"
#include "cli/options/exit_code.h"
#include "cli/options/options.h"
#include "cli/options/subcommand.h"
#include "importer/convert.h"
#include "network/float/float_network.h"
#include "report/table.h"

namespace fansim::cli {
namespace {

importer::Dims parse_shape(const std::string& text) {
  importer::Dims dims;
  std::istringstream words(text + (text.empty() ? "" : ","));
  for (std::string word; std::getline(words, word, ',');) {
    const auto dim = parse_natural(word);
    if (!dim || *dim < 1 || *dim > (1U << 20))
      throw base::UserError(fmt::format("import: --shape {}: expected N,C,H,W, found '{}'", text, word));
    dims.push_back(static_cast<std::int64_t>(*dim));
  }
  return dims;
}

std::string refusals(const std::string& path, const importer::Imported& network) {
  report::Table table(3);
  table.row({"node", "operator", "why not"});
  table.rule();
  for (const importer::Refusal& refusal : network.refused) table.row({refusal.node, refusal.op, refusal.reason});
  return fmt::format("{}: {} nodes have no layer; nothing is written\n", path, network.refused.size()) + table.text();
}

}  // namespace

int import_model(const Arguments& arguments) {
  Options options("import");
  options.positional("MODEL", true)
      .value("output,o", "DIR", "write DIR/network.yaml and its tensors; required")
      .value("shape", "N,C,H,W", "of the input, where the file leaves it open")
      .value("calibrate", "X.npy", "inputs in float32: write DIR/METHOD/network.yaml in codes too")
      .value("method", "M,M...|all", "quantisation methods (all)")
      .value("weight-bits", "N", "width of a weight's code (that of the method's build)")
      .value("activation-bits", "N", "width of an activation (the same)");
  if (!options.parse(arguments)) return kDone;
  if (!options.has("output")) throw base::UserError("import: --output is missing");
  const std::string path = options.text("MODEL"), folder = options.text("output");
  const arith::QuantisationMethods methods;
  const std::vector<calibration::Coder> coders = coders_of(options, methods);
  const importer::Model model = importer::read_model(path);
  const importer::Imported network = importer::convert(model, parse_shape(options.text("shape")), path);
  if (!network.refused.empty()) {
    base::print_error_text(refusals(path, network));
    return kUserError;
  }
  importer::write(network, folder);
  const std::string written = folder + "/network.yaml";
  const network::FloatNetwork floats = network::load_float_network(written);
  std::int64_t weights = 0;
  for (const network::FloatWeights& layer : floats.weights)
    weights += static_cast<std::int64_t>(layer.weights.size() + layer.bias.size());
  base::print_text(fmt::format("{}: {} layers of {} nodes, {} weights: {}\n", path, network.layers.size(),
                               model.nodes.size(), report::grouped(weights), written));
  for (const std::string& note : network.notes) base::print_text(note + "\n");
  if (options.has("calibrate")) write_codes(written, options.text("calibrate"), folder, coders, "", "");
  return kDone;
}

}  // namespace fansim::cli
