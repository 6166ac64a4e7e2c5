// SPDX-License-Identifier: Apache-2.0
#include "post_training/write_network.h"

#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "base/npy.h"
#include "base/output_folder.h"
#include "post_training/code_recurrent.h"

namespace fansim::post_training {
namespace {

using network::Layer;
using network::LayerType;

// Writes a double-quoted scalar: a string of JSON is also one of YAML.
std::string quoted(const std::string& text) { return nlohmann::json(text).dump(); }

std::string producer(const network::Network& network, int index) {
  return quoted(index == Layer::kInput ? "input" : network.layers[static_cast<std::size_t>(index)].name);
}

// Returns whether the weights have a codebook of floats. A method that is only fine-grained has no integers, and so no
// step.
bool has_codebook(const network::Parameters& parameters) { return parameters.codec && parameters.codec->step() == 0; }

std::string tensor_name(const Layer& layer, const char* tensor) { return layer.name + "." + tensor + ".npy"; }

std::string window_text(const Layer& layer) {
  const network::Window& window = layer.window();
  const auto [top, left, bottom, right] = window.padding;
  std::string text = fmt::format(", kernel: {}, stride: {}, padding: [{}, {}, {}, {}]", window.kernel, window.stride,
                                 top, left, bottom, right);
  if (layer.pools()) text += fmt::format(", ceil_mode: {}", window.ceil_mode);
  return text;
}

std::string function_text(const network::Network& network, const Layer& layer) {
  std::string text = layer.reads_two() ? ", with: " + producer(network, layer.with) : "";
  for (const auto& [key, value] : network::keys_of(*layer.function())) text += fmt::format(", {}: {}", key, value);
  return text;
}

std::string geometry_text(const network::Network& network, const Layer& layer) {
  switch (layer.type()) {
    case LayerType::conv:
      return fmt::format(", filters: {}, groups: {}", layer.outputs(), layer.groups()) + window_text(layer);
    case LayerType::fc:
      return fmt::format(", units: {}", layer.outputs());
    case LayerType::maxpool:
    case LayerType::avgpool:
      return window_text(layer);
    case LayerType::lstm:
    case LayerType::gru:
      return fmt::format(", hidden: {}", layer.recurrent().hidden);
    case LayerType::add:
      return ", with: " + producer(network, layer.with);
    case LayerType::function:
      return function_text(network, layer);
    default:
      return "";
  }
}

std::string format_text(const network::NumberFormat& format) {
  return fmt::format("zero_point: {}, type: {}", format.zero_point, base::facts(format.type).word);
}

// Writes a single value, or a list with one for each output.
std::string list_text(const std::vector<int>& values) {
  if (values.size() == 1) return std::to_string(values[0]);
  std::string list;
  for (const int value : values) list += (list.empty() ? "" : ", ") + std::to_string(value);
  return "[" + list + "]";
}

std::string codes_text(const Layer& layer) {
  const network::Parameters& parameters = layer.parameters();
  std::string text = fmt::format(",\n     weights: {}, bias: {}", quoted(tensor_name(layer, "weights")),
                                 quoted(tensor_name(layer, "bias")));
  if (has_codebook(parameters)) text += ", codebook: " + quoted(tensor_name(layer, "codebook"));
  // The output of a recurrent layer has only one possible format.
  const std::string format = layer.recurs() ? "" : ", " + format_text(layer.out_format);
  return text + fmt::format(",\n     quant: {{scale: {}, shift: {}{}}}", list_text(parameters.scales.scale),
                            list_text(parameters.scales.shift), format);
}

std::string sum_text(const network::Addition& sum) {
  return fmt::format("weights: [{}, {}], scale: {}, shift: {}, ", sum.weights[0], sum.weights[1], sum.scales.scale[0],
                     sum.scales.shift[0]);
}

std::string layer_text(const network::Network& network, const Layer& layer, const Activation& out) {
  std::string text = fmt::format("  - {{name: {}, type: {}, input_from: {}, step: {}", quoted(layer.name), layer.kind(),
                                 producer(network, layer.source), out.step);
  text += geometry_text(network, layer);
  if (layer.activation == network::Activation::relu) text += ", activation: relu";
  if (layer.computes()) text += codes_text(layer);
  if (layer.rescales())
    text += ", quant: {" + (layer.weighs() ? sum_text(layer.addition()) : "") + format_text(layer.out_format) + "}";
  return text + "}\n";
}

std::string yaml(const network::Network& network, const Calibration& calibration) {
  const network::Coding& coding = *network.coding;
  const network::Tensor& input = network.input;
  const std::string extents =
      input.shape.sequence
          ? fmt::format("steps: {}, features: {}", input.shape.steps, input.shape.features)
          : fmt::format("shape: [{}, {}, {}]", input.shape.channels, input.shape.height, input.shape.width);
  std::string text = fmt::format(
      "version: 1\nname: {}\nquantised: {{method: {}, weight_bits: {}, activation_bits: {}{}}}\n"
      "input: {{{}, type: {}, zero_point: {}, step: {}}}\nlayers:\n",
      quoted(network.name), coding.method, coding.weight_bits, coding.activation_bits,
      coding.floats.empty() ? "" : ", floats: " + quoted(coding.floats), extents, base::facts(input.format.type).word,
      input.format.zero_point, calibration.of(Layer::kInput).step);
  for (std::size_t i = 0; i < network.layers.size(); ++i)
    text += layer_text(network, network.layers[i], calibration.activations[i + 1]);
  return text;
}

void write_tensors(const base::OutputFolder& files, const Layer& layer) {
  const auto path = [&](const char* tensor) { return files.at(tensor_name(layer, tensor)); };
  const network::Parameters& parameters = layer.parameters();
  const base::DataType codes = parameters.weight_bits > 8 ? base::DataType::uint16 : base::DataType::uint8;
  base::write_npy(path("weights"), layer.weight_dims(), codes, {parameters.weights.begin(), parameters.weights.end()});
  const std::vector<std::int32_t> bias(parameters.bias.begin(), parameters.bias.end());
  base::write_npy(path("bias"), {layer.bias_count()}, bias);
  if (!has_codebook(parameters)) return;
  std::vector<float> codebook;
  for (unsigned code = 0; code < parameters.codec->codes(); ++code) codebook.push_back(parameters.codec->inverse(code));
  base::write_npy(path("codebook"), {static_cast<std::int64_t>(codebook.size())}, codebook);
}

std::vector<std::string> file_names(const network::Network& network) {
  std::vector<std::string> names{"input.npy"};
  for (const Layer& layer : network.layers) {
    if (!layer.computes()) continue;
    names.push_back(tensor_name(layer, "weights"));
    names.push_back(tensor_name(layer, "bias"));
    if (has_codebook(layer.parameters())) names.push_back(tensor_name(layer, "codebook"));
  }
  names.emplace_back("network.yaml");
  return names;
}

void write_network(base::OutputFolder& files, const network::Network& network, const Calibration& calibration) {
  for (const Layer& layer : network.layers)
    if (layer.computes()) write_tensors(files, layer);
  const network::Tensor& input = network.input;
  base::write_npy(files.at("input.npy"), input.shape.dims(), input.format.type, input.bytes);
  base::write_file(files.at("network.yaml"), yaml(network, calibration));
  files.keep();
}

}  // namespace

void write_networks(const std::string& folder, const std::string& floats, const std::vector<Coded>& coded) {
  const auto path_of = [&](const Coded& one) { return folder + "/" + one.network->coding->method; };
  std::vector<std::unique_ptr<base::OutputFolder>> folders;  // all are known to be writable before one is written
  for (const Coded& one : coded)
    folders.push_back(one.network ? std::make_unique<base::OutputFolder>(path_of(one), file_names(*one.network))
                                  : nullptr);
  for (std::size_t i = 0; i < coded.size(); ++i) {
    if (!coded[i].network) continue;
    network::Network network = *coded[i].network;
    network.coding->floats =
        std::filesystem::absolute(floats).lexically_relative(std::filesystem::absolute(path_of(coded[i]))).string();
    write_network(*folders[i], network, coded[i].calibration);
  }
}

}  // namespace fansim::post_training
