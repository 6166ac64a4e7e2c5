// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <sstream>

#include "accelerators/registry.h"
#include "base/console.h"
#include "base/error.h"
#include "base/file.h"
#include "base/output_files.h"
#include "cli/models/codes.h"
#include "cli/models/machine_codes.h"
#include "cli/options/exit_code.h"
#include "cli/options/options.h"
#include "cli/options/shipped.h"
#include "cli/options/subcommand.h"
#include "post_training/quality.h"
#include "post_training/write_network.h"

namespace fansim::cli {
namespace {

std::optional<int> parse_bits(const Options& options, const std::string& name) {
  const std::optional<std::uint64_t> bits = options.natural(name);
  if (bits && (*bits < 1 || *bits > 16))
    throw base::UserError(fmt::format("quantise: --{} {} is out of range; allowed: 1..16", name, *bits));
  return bits;
}

post_training::Ranges parse_ranges(const Options& options) {
  static const std::vector<std::string> kWords{"mse", "minmax", "percentile", "kl"};
  const std::string word = options.text("ranges", kWords[0]);
  const auto found = std::find(kWords.begin(), kWords.end(), word);
  if (found == kWords.end())
    throw base::UserError(fmt::format("quantise: --ranges '{}' unknown{}", word, base::did_you_mean(word, kWords)));
  return static_cast<post_training::Ranges>(found - kWords.begin());
}

}  // namespace

void add_code_options(Options& options) {
  options.value("method", "M,M...|all", "quantisation methods (all)")
      .value("weight-bits", "N", "width of a weight's code (that of the method's build)")
      .value("activation-bits", "N", "width of an activation (the same)")
      .value("ranges", "mse|minmax|percentile|kl", "how activations' ranges are chosen from the inputs (mse)")
      .flag("symmetric", "activations are signed about 0, without a zero point")
      .flag("per-channel", "each output's weights have a scale of their own")
      .flag("correct-bias", "biases take off what coded weights add to outputs on average")
      .value("for", "CONFIG", "in that machine's codes, with scales that its registers carry")
      .values("set", "KEY=VALUE", "override a parameter of CONFIG; may repeat");
}

bool has_code_options(const Options& options) {
  for (const char* name : {"method", "weight-bits", "activation-bits", "ranges", "for", "set"})
    if (options.has(name)) return true;
  return options.on("symmetric") || options.on("per-channel") || options.on("correct-bias");
}

std::string machine_name(const Options& options) {
  if (!options.has("for")) return "";
  return accelerators::read_accelerator(config_file(options.text("for")), options.list("set"))->config().name;
}

std::vector<post_training::Coder> coders_of(const Options& options, const arith::QuantisationMethods& methods) {
  if (options.has("set") && !options.has("for")) throw base::UserError("quantise: --set needs --for");
  if (options.has("for")) {
    for (const char* name : {"method", "weight-bits", "activation-bits"})
      if (options.has(name)) throw base::UserError(fmt::format("quantise: --for chooses it; leave --{} out", name));
    post_training::Coder coder = coder_for(config_file(options.text("for")), options.list("set"), methods);
    coder.corrects = options.on("correct-bias");
    coder.fit = {parse_ranges(options), options.on("symmetric")};
    return {coder};
  }
  std::string list = options.text("method", "all");
  if (list == "all") {
    list.clear();
    for (const std::string& method : methods.names()) list += (list.empty() ? "" : ",") + method;
  }
  std::istringstream words(list + ",");
  const std::optional<int> weight_bits = parse_bits(options, "weight-bits");
  const std::optional<int> activation_bits = parse_bits(options, "activation-bits");
  const post_training::Fit fit{parse_ranges(options), options.on("symmetric")};
  std::vector<post_training::Coder> coders;
  for (std::string name; std::getline(words, name, ',');) {
    const arith::QuantisationMethod* method = methods.find(name);
    if (method == nullptr) throw base::UserError("quantise: --method: " + methods.unknown(name));
    post_training::Coder coder = post_training::usual_coder(*method);
    coder.weight_bits = weight_bits.value_or(coder.weight_bits);
    coder.activation_bits = activation_bits.value_or(coder.activation_bits);
    coder.per_channel = options.on("per-channel");
    coder.corrects = options.on("correct-bias");
    coder.fit = fit;
    coders.push_back(coder);
  }
  return coders;
}

namespace {

constexpr double kEnough = 95;     // percent
constexpr std::size_t kOneOf = 4;  // inputs, which is kept back

// Takes some inputs out of those that a network for a machine is calibrated with. A few are too few to be parted.
std::vector<network::Tensor> keep_back(std::vector<network::Tensor>& inputs) {
  constexpr std::size_t kFew = 8;
  std::vector<network::Tensor> kept, rest;
  if (inputs.size() < kFew) return kept;
  for (std::size_t i = 0; i < inputs.size(); ++i)
    (i % kOneOf == kOneOf - 1 ? kept : rest).push_back(std::move(inputs[i]));
  inputs = std::move(rest);
  return kept;
}

// Says how the machine's outputs agree with the floats, and which layer is in the way.
std::string verdict(const network::Network& network, const post_training::Quality& quality, bool kept_back) {
  std::string line =
      fmt::format("on {} top-1 agrees for {} of {} inputs {}, {:.1f} %\n", quality.machine, quality.agreeing,
                  quality.inputs, kept_back ? "kept back" : "of the calibration", quality.agreement_percent());
  const post_training::LayerQuality* worst = post_training::adds_most(network, quality);
  if (quality.agreement_percent() < kEnough && worst)
    line +=
        fmt::format("{}'s arithmetic does not carry it to {:.0f} %: {} ({}) adds most noise, its SQNR is {:.1f} dB\n",
                    quality.machine, kEnough, worst->name, worst->type, worst->sqnr.db().value_or(0));
  return line;
}

}  // namespace

void write_codes(const Codes& wanted) {
  const network::FloatNetwork network = network::load_float_network(wanted.file);
  auto inputs = wanted.calibration.empty() ? std::vector<network::Tensor>{}
                                           : post_training::read_inputs(wanted.calibration, network.network);
  std::vector<network::Tensor> kept;
  std::optional<post_training::Machine> machine;
  if (!wanted.machine.empty()) {
    machine = post_training::Machine{wanted.machine, *wanted.coders[0].machine};
    kept = keep_back(inputs);
  }
  const std::vector<post_training::Coded> coded = post_training::code_networks(network, inputs, wanted.coders);
  base::check_outputs({wanted.json, wanted.csv});
  post_training::write_networks(wanted.folder, wanted.file, coded);
  if (inputs.empty()) return;
  const auto* arithmetic = machine ? &*machine : nullptr;
  const auto qualities = post_training::measure(network, kept.empty() ? inputs : kept, coded, arithmetic);
  const std::string said = machine ? verdict(network.network, qualities[0], !kept.empty()) : "";
  const bool piped = base::is_standard_output(wanted.json) || base::is_standard_output(wanted.csv);
  (piped ? base::print_error_text : base::print_text)(said + post_training::text(network.network.name, qualities));
  if (!wanted.json.empty()) base::write_file(wanted.json, post_training::json(network.network.name, qualities));
  if (!wanted.csv.empty()) base::write_file(wanted.csv, post_training::csv(qualities));
}

int quantise(const Arguments& arguments) {
  Options options("quantise");
  options.positional("NETWORK", true)
      .value("calibrate", "X.npy", "inputs in float32, one or a batch; required")
      .value("output,o", "DIR", "write DIR/METHOD/network.yaml, its tensors and the first input; required")
      .value("json", "F", "write the table as JSON")
      .value("csv", "F", "write the table as CSV");
  add_code_options(options);
  options.example("quantise floats.yaml --calibrate x.npy -o codes", "every method, and what each loses")
      .example("quantise floats.yaml --calibrate x.npy --for zcu102_stream -o codes", "what that machine carries");
  if (!options.parse(arguments)) return kDone;
  for (const char* name : {"calibrate", "output"})
    if (!options.has(name)) throw base::UserError(fmt::format("quantise: --{} is missing", name));
  const arith::QuantisationMethods methods;
  const std::vector<post_training::Coder> coders = coders_of(options, methods);
  write_codes({network_file(options.text("NETWORK")), options.text("calibrate"), options.text("output"), coders,
               options.text("json"), options.text("csv"), machine_name(options)});
  return kDone;
}

}  // namespace fansim::cli
