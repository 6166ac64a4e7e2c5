// SPDX-License-Identifier: Apache-2.0
#include "post_training/quality.h"

#include <algorithm>
#include <optional>

#include "base/console.h"
#include "base/error.h"
#include "base/file.h"
#include "base/output_files.h"
#include "cli/models/machine_codes.h"
#include "cli/options/exit_code.h"
#include "cli/options/options.h"
#include "cli/options/shipped.h"
#include "cli/options/subcommand.h"

namespace fansim::cli {
namespace {

// Throws UserError unless the networks have the same shapes.
void check_same(const network::Network& floats, const network::Network& codes, const std::string& file) {
  const auto same = [](const network::Layer& a, const network::Layer& b) { return a.in == b.in && a.out == b.out; };
  if (!std::equal(floats.layers.begin(), floats.layers.end(), codes.layers.begin(), codes.layers.end(), same))
    throw base::UserError(base::Location{file, 0, 0},
                          "it has other layers than the network of codes, or of other shapes");
}

}  // namespace

int quality(const Arguments& arguments) {
  Options options("quality");
  options.positionals("[CONFIG] NETWORK")
      .value("input", "X.npy", "inputs in float32, one or a batch; required")
      .value("floats", "FILE", "the network of floats (the one that NETWORK names)")
      .values("set", "KEY=VALUE", "override a parameter of CONFIG; may repeat")
      .value("json", "F", "write the figures as JSON")
      .value("csv", "F", "write them as CSV");
  options.example("quality codes/vecq/network.yaml --input x.npy", "floats beside codes, the worst layer first")
      .example("quality zcu102_stream codes/linear/network.yaml --input x.npy",
               "the same in that machine's arithmetic");
  if (!options.parse(arguments)) return kDone;
  const std::vector<std::string> names = options.rest();
  if (names.empty()) throw base::UserError("quality: NETWORK is missing; usage: fansim quality [CONFIG] NETWORK");
  if (names.size() > 2) throw base::UserError("quality: too many arguments; usage: fansim quality [CONFIG] NETWORK");
  if (!options.has("input")) throw base::UserError("quality: --input is missing");
  if (options.has("set") && names.size() == 1) throw base::UserError("quality: --set needs a CONFIG");
  const std::string path = network_file(names.back()), json = options.text("json"), csv = options.text("csv");
  const arith::QuantisationMethods methods;
  const network::Network codes = network::load_network(path, {});
  const post_training::Coded coded = post_training::coded_of(codes, methods, path);
  std::optional<post_training::Machine> machine;
  if (names.size() == 2) machine = machine_of(config_file(names[0]), options.list("set"), codes);
  const std::string file = options.text("floats", codes.coding->floats);
  if (file.empty())
    throw base::UserError(base::Location{path, 0, 0}, "quantised: names no 'floats'; give it by --floats");
  const network::FloatNetwork floats = network::load_float_network(file);
  check_same(floats.network, codes, file);
  base::check_outputs({json, csv});
  const auto inputs = post_training::read_inputs(options.text("input"), floats.network);
  const auto qualities = post_training::measure(floats, inputs, {coded}, machine ? &*machine : nullptr);
  const bool piped = base::is_standard_output(json) || base::is_standard_output(csv);
  (piped ? base::print_error_text : base::print_text)(post_training::layers_text(codes.name, qualities[0]));
  if (!json.empty()) base::write_file(json, post_training::json(codes.name, qualities));
  if (!csv.empty()) base::write_file(csv, post_training::csv(qualities));
  return kDone;
}

}  // namespace fansim::cli
