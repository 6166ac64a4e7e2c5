// SPDX-License-Identifier: Apache-2.0
#include "post_training/quality.h"

#include <algorithm>

#include "base/console.h"
#include "base/error.h"
#include "base/file.h"
#include "base/output_files.h"
#include "cli/options/exit_code.h"
#include "cli/options/options.h"
#include "cli/options/shipped.h"
#include "cli/options/subcommand.h"

namespace fansim::cli {

int quality(const Arguments& arguments) {
  Options options("quality");
  options.positional("NETWORK", true)
      .value("input", "X.npy", "inputs in float32, one or a batch; required")
      .value("floats", "FILE", "the network of floats (the one that NETWORK names)")
      .value("json", "F", "write the figures as JSON")
      .value("csv", "F", "write them as CSV");
  options.example("quality codes/vecq/network.yaml --input x.npy", "floats beside codes, the worst layer first");
  if (!options.parse(arguments)) return kDone;
  if (!options.has("input")) throw base::UserError("quality: --input is missing");
  const std::string path = network_file(options.text("NETWORK")), json = options.text("json"),
                    csv = options.text("csv");
  const arith::QuantisationMethods methods;
  const network::Network codes = network::load_network(path, {});
  const post_training::Coded coded = post_training::coded_of(codes, methods, path);
  const std::string file = options.text("floats", codes.coding->floats);
  if (file.empty())
    throw base::UserError(base::Location{path, 0, 0}, "quantised: names no 'floats'; give it by --floats");
  const network::FloatNetwork floats = network::load_float_network(file);
  const auto same = [](const network::Layer& a, const network::Layer& b) { return a.in == b.in && a.out == b.out; };
  if (!std::equal(floats.network.layers.begin(), floats.network.layers.end(), codes.layers.begin(), codes.layers.end(),
                  same))
    throw base::UserError(base::Location{file, 0, 0},
                          "it has other layers than the network of codes, or of other shapes");
  base::check_outputs({json, csv});
  const auto inputs = post_training::read_inputs(options.text("input"), floats.network);
  const auto qualities = post_training::measure(floats, inputs, {coded});
  const bool piped = base::is_standard_output(json) || base::is_standard_output(csv);
  (piped ? base::print_error_text : base::print_text)(post_training::layers_text(codes.name, qualities[0]));
  if (!json.empty()) base::write_file(json, post_training::json(codes.name, qualities));
  if (!csv.empty()) base::write_file(csv, post_training::csv(qualities));
  return kDone;
}

}  // namespace fansim::cli
