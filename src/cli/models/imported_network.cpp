// SPDX-License-Identifier: Apache-2.0
#include "cli/models/imported_network.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "base/console.h"
#include "base/error.h"
#include "base/random.h"
#include "cli/models/machine_codes.h"
#include "cli/options/options.h"
#include "network/float/float_network.h"
#include "post_training/write_network.h"
#include "report/table.h"

namespace fansim::cli {
namespace {

bool gives_formats(const network::FloatNetwork& network) {
  return std::any_of(network.given.begin(), network.given.end(),
                     [](const network::GivenFormat& given) { return given.step > 0; });
}

// Draws uniformly from -1..1.
std::vector<network::Tensor> drawn_inputs(const network::Network& network, std::uint64_t seed) {
  constexpr int kInputs = 2, kParts = 1 << 20;
  base::Random random(seed, "calibration");
  std::vector<network::Tensor> inputs;
  for (int i = 0; i < kInputs; ++i) {
    network::Tensor input{network.input.shape, network.input.format, {}};
    input.resize(static_cast<std::size_t>(input.shape.elements()));
    for (std::size_t at = 0; at < input.size(); ++at)
      input.set_real(at, static_cast<float>(random.uniform(-kParts, kParts)) / kParts);
    inputs.push_back(std::move(input));
  }
  return inputs;
}

}  // namespace

std::string refusals(const std::string& path, const char* what, const std::vector<importer::Refusal>& refused) {
  report::Table table(3);
  table.row({what, "operator", "why not"});
  table.rule();
  for (const importer::Refusal& refusal : refused) table.row({refusal.node, refusal.op, refusal.reason});
  return fmt::format("{}: {} {} have no layer; nothing is written\n", path, refused.size(), what) + table.text();
}

bool is_onnx(const std::string& path) {
  const std::string ending = ".onnx";
  return path.size() > ending.size() && path.compare(path.size() - ending.size(), ending.size(), ending) == 0;
}

importer::Dims parse_shape(const std::string& command, const std::string& text) {
  importer::Dims dims;
  std::istringstream words(text + (text.empty() ? "" : ","));
  for (std::string word; std::getline(words, word, ',');) {
    const auto dim = parse_natural(word);
    if (!dim || *dim < 1 || *dim > (1U << 20))
      throw base::UserError(fmt::format("{}: --shape {}: expected N,C,H,W, found '{}'", command, text, word));
    dims.push_back(static_cast<std::int64_t>(*dim));
  }
  return dims;
}

std::vector<std::string> parse_names(const std::string& text) {
  std::vector<std::string> names;
  std::istringstream words(text);
  for (std::string word; std::getline(words, word, ',');) names.push_back(word);
  return names;
}

bool import_floats(const ModelFile& file, const std::string& folder, std::string& said) {
  const std::string& model_file = file.path;
  importer::Model model = importer::read_model(model_file);
  importer::cut(model, file.outputs);
  const std::size_t nodes = model.nodes.size();
  const importer::Imported network = importer::convert(std::move(model), file.shape, model_file);
  if (!network.refused.empty()) {
    base::print_error_text(refusals(model_file, "nodes", network.refused));
    return false;
  }
  importer::write(network, folder);
  std::size_t weights = 0;
  for (const importer::ImportedLayer& layer : network.layers) weights += layer.weights.size() + layer.bias.size();
  said = fmt::format("{}: {} layers of {} nodes, {} weights\n", model_file, network.layers.size(), nodes,
                     report::grouped(static_cast<std::int64_t>(weights)));
  for (const std::string& note : network.notes) said += note + "\n";
  return true;
}

std::string why_no_codes(const network::FloatNetwork& network) {
  constexpr std::size_t kNamed = 5;
  const std::vector<std::string> without = post_training::tensors_without_format(network);
  if (without.empty()) return "";
  const bool weights = std::any_of(network.weights.begin(), network.weights.end(),
                                   [](const network::FloatWeights& one) { return !one.steps.empty(); });
  if (!weights && !gives_formats(network))
    return "no codes are written, for the model is of floats: give --calibrate X.npy";
  std::string names;
  for (std::size_t i = 0; i < std::min(without.size(), kNamed); ++i) names += (i == 0 ? "" : ", ") + without[i];
  if (without.size() > kNamed) names += fmt::format(" and {} more", without.size() - kNamed);
  return fmt::format(
      "no codes are written, for the model gives no step to {} of {} tensors: {}; give --calibrate X.npy",
      without.size(), network.given.size(), names);
}

ImportedNetwork::ImportedNetwork(const Wanted& wanted, const network::Coding& coding) : method_(method_of(coding)) {
  std::string said;
  whole_ = import_floats(wanted.model, folder_.path(), said);
  if (!whole_) return;
  const std::string floats = folder_.path() + "/network.yaml";
  const network::FloatNetwork network = network::load_float_network(floats);
  const arith::QuantisationMethods methods;
  const post_training::Coder coder{methods.find(method_), coding.weight_bits, coding.activation_bits};
  const bool known = !wanted.calibration.empty();
  const bool given = method_ == "linear" && coding.weight_bits == 8 && coding.activation_bits == 8 &&
                     post_training::tensors_without_format(network).empty();
  std::vector<network::Tensor> inputs = given   ? std::vector<network::Tensor>{}
                                        : known ? post_training::read_inputs(wanted.calibration, network.network)
                                                : drawn_inputs(network.network, wanted.seed);
  constexpr std::size_t kMostInputs = 64;  // enough to find ranges; import --calibrate takes all
  if (inputs.size() > kMostInputs) inputs.resize(kMostInputs);
  post_training::write_networks(folder_.path(), floats, post_training::code_networks(network, inputs, {coder}));
  std::string source = known ? fmt::format("{} inputs of {}", inputs.size(), wanted.calibration)
                             : "inputs drawn at random: give --calibrate X.npy for true ones";
  if (gives_formats(network) && coding.activation_bits == 8) source = "the model and, where it gives none, " + source;
  said += fmt::format("in codes of '{}', weights of {} bits, activations of {}, ranges from {}\n", method_,
                      coding.weight_bits, coding.activation_bits, given ? "the model" : source);
  base::print_error_text(said);
}

std::string ImportedNetwork::path() const { return folder_.path() + "/" + method_ + "/network.yaml"; }

}  // namespace fansim::cli
