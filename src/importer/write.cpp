// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cctype>
#include <map>

#include "base/file.h"
#include "base/npy.h"
#include "base/output_folder.h"
#include "importer/convert.h"

namespace fansim::importer {
namespace {

using Type = ImportedLayer::Type;

std::string word(const ImportedLayer& layer) {
  static const std::map<Type, const char*> kWords{
      {Type::conv, "conv"}, {Type::fc, "fc"},     {Type::maxpool, "maxpool"}, {Type::avgpool, "avgpool"},
      {Type::add, "add"},   {Type::relu, "relu"}, {Type::flatten, "flatten"}, {Type::softmax, "softmax"},
      {Type::lstm, "lstm"}, {Type::gru, "gru"}};
  return layer.type == Type::function ? layer.function : kWords.at(layer.type);
}

std::string padding(const ImportedLayer& layer) {
  const auto& [top, left, bottom, right] = layer.padding;
  if (top == left && left == bottom && bottom == right) return top == 0 ? "" : fmt::format(", padding: {}", top);
  return fmt::format(", padding: [{}, {}, {}, {}]", top, left, bottom, right);
}

// Quotes a name, because YAML could read it as a number.
std::string quoted(const std::string& name) { return "\"" + name + "\""; }

std::string format_text(const Codes& codes) {
  return fmt::format("{{step: {:.9g}, zero_point: {}, type: {}}}", codes.step, codes.zero_point,
                     codes.is_signed ? "int8" : "uint8");
}

std::string list_text(const std::vector<double>& numbers) {
  std::string text;
  for (const double number : numbers) text += fmt::format("{}{:.9g}", text.empty() ? "" : ", ", number);
  return "[" + text + "]";
}

std::string line(const Imported& network, std::size_t index) {
  const ImportedLayer& layer = network.layers[index];
  const auto producer = [&](int source) {
    return source < 0 ? std::string("input") : quoted(network.layers[static_cast<std::size_t>(source)].name);
  };
  std::string text = fmt::format("  - {{name: {}, type: {}", quoted(layer.name), word(layer));
  if (layer.source != static_cast<int>(index) - 1) text += fmt::format(", input_from: {}", producer(layer.source));
  if (layer.with) text += fmt::format(", with: {}", producer(*layer.with));
  switch (layer.type) {
    case Type::conv:
      text += fmt::format(", filters: {}, kernel: {}, stride: {}{}", layer.outputs, layer.kernel, layer.stride,
                          padding(layer));
      if (layer.groups > 1) text += fmt::format(", groups: {}", layer.groups);
      break;
    case Type::fc:
      text += fmt::format(", units: {}", layer.outputs);
      break;
    case Type::lstm:
    case Type::gru:
      text += fmt::format(", hidden: {}", layer.outputs);
      break;
    case Type::maxpool:
    case Type::avgpool:
      text += fmt::format(", kernel: {}, stride: {}{}{}", layer.kernel, layer.stride, padding(layer),
                          layer.ceil_mode ? ", ceil_mode: true" : "");
      break;
    case Type::function:
      for (const auto& [key, number] : layer.numbers) text += fmt::format(", {}: {:.9g}", key, number);
      for (const auto& [key, list] : layer.lists) text += fmt::format(", {}: {}", key, list_text(list));
      for (const auto& [key, word] : layer.words) text += fmt::format(", {}: {}", key, word);
      break;
    case Type::add:
    case Type::relu:
    case Type::flatten:
    case Type::softmax:
      break;
  }
  if (layer.codes) text += ", format: " + format_text(*layer.codes);
  if (!layer.weight_steps.empty()) text += fmt::format(", weight_steps: {}", quoted(layer.name + ".weight_steps.npy"));
  if (layer.relu) text += ", activation: relu";
  if (layer.relu && layer.limit > 0) text += fmt::format(", limit: {:.9g}", layer.limit);
  if (!layer.weights.empty()) text += fmt::format(", weights: {}", quoted(layer.name + ".weights.npy"));
  if (!layer.bias.empty()) text += fmt::format(", bias: {}", quoted(layer.name + ".bias.npy"));
  return text + "}\n";
}

}  // namespace

void write(const Imported& network, const std::string& folder) {
  std::vector<std::string> names;
  for (const ImportedLayer& layer : network.layers) {
    if (!layer.weights.empty()) names.push_back(layer.name + ".weights.npy");
    if (!layer.bias.empty()) names.push_back(layer.name + ".bias.npy");
    if (!layer.weight_steps.empty()) names.push_back(layer.name + ".weight_steps.npy");
  }
  names.emplace_back("network.yaml");
  base::OutputFolder files(folder, names);
  std::string name;
  for (const char c : network.name)
    name += std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-' ? c : '_';
  const Dims& in = network.input;
  const std::string extents = in.size() == 2 ? fmt::format("steps: {}, features: {}", in[0], in[1])
                                             : fmt::format("shape: [{}, {}, {}]", in[0], in[1], in[2]);
  std::string text = fmt::format("version: 1\nname: {}\ninput: {{{}, type: float32{}}}\nlayers:\n",
                                 quoted(name.empty() ? "imported" : name), extents,
                                 network.input_codes ? ", format: " + format_text(*network.input_codes) : "");
  for (std::size_t i = 0; i < network.layers.size(); ++i) {
    const ImportedLayer& layer = network.layers[i];
    const std::string file = files.at(layer.name);
    if (!layer.weights.empty()) base::write_npy(file + ".weights.npy", layer.weight_dims, layer.weights);
    if (!layer.bias.empty())
      base::write_npy(file + ".bias.npy", {static_cast<std::int64_t>(layer.bias.size())}, layer.bias);
    if (!layer.weight_steps.empty())
      base::write_npy(file + ".weight_steps.npy", {static_cast<std::int64_t>(layer.weight_steps.size())},
                      layer.weight_steps);
    text += line(network, i);
  }
  base::write_file(files.at("network.yaml"), text);
  files.keep();
}

}  // namespace fansim::importer
