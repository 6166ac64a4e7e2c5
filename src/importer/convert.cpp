// SPDX-License-Identifier: Apache-2.0
#include "importer/convert.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "base/error.h"

#include "importer/graph.h"
#include "importer/operators.h"
#include "importer/simplify.h"

namespace fansim::importer {
namespace {

Operators all_operators() {
  Operators all;
  for (const Operators& some : {weighted_operators(), pooling_operators(), elementwise_operators(), code_operators(),
                                shape_operators(), recurrent_operators()})
    all.insert(some.begin(), some.end());
  return all;
}

// Replaces a node that computes a constant, or arithmetic on shapes that exporters spell out, by its value.
bool fold(Graph& graph, const Node& node) {
  std::vector<const Constant*> inputs;
  for (const std::string& input : node.inputs) inputs.push_back(graph.constant_or_null(input));
  const Dims shape = node.op == "Shape" ? graph.value(node, 0).dims : Dims{};
  std::optional<Constant> constant = folded(node, inputs, shape);
  if (constant) graph.keep(node, std::move(*constant));
  return constant.has_value();
}

void convert(Graph& graph, const Node& node, const Operators& operators) {
  if (fold(graph, node)) return;
  const auto found = operators.find(node.op);
  if (found == operators.end()) throw Refused{"no layer computes it"};
  static const std::set<std::string> kMoving{"Flatten",       "Reshape",   "Squeeze", "Unsqueeze",
                                             "Identity",      "Transpose", "MaxPool", "Slice",
                                             "GlobalMaxPool", "Split",     "Concat",  "Resize"};
  graph.let_codes(kMoving.count(node.op) > 0);
  found->second(graph, node);
}

}  // namespace

bool ImportedLayer::keeps_codes() const {
  static const std::set<std::string> kMoving{"concat", "slice", "resize", "stretch", "window_max"};
  switch (type) {
    case Type::maxpool:
    case Type::avgpool:
    case Type::relu:
    case Type::flatten:
      return true;
    case Type::function:
      return kMoving.count(function) > 0;
    default:
      return false;
  }
}

void cut(Model& model, const std::vector<std::string>& outputs) {
  if (outputs.empty()) return;
  std::vector<std::string> names;
  for (const Node& node : model.nodes) names.insert(names.end(), node.outputs.begin(), node.outputs.end());
  for (const std::string& output : outputs)
    if (std::find(names.begin(), names.end(), output) == names.end())
      throw base::UserError(
          fmt::format("--outputs: no node computes '{}'{}", output, base::did_you_mean(output, names)));
  model.outputs = outputs;
}

Imported convert(Model model, const Dims& shape, const std::string& path) {
  const Operators operators = all_operators();
  const std::vector<std::string> unneeded = drop_unneeded(model);
  spell_out(model);
  recognise(model);
  drop_unneeded(model);
  Graph graph(model, shape, path);
  if (!unneeded.empty()) {
    std::string names;
    for (const std::string& name : unneeded) names += (names.empty() ? "" : ", ") + name;
    graph.note(fmt::format("left out, as no output needs {}: {}", unneeded.size() == 1 ? "it" : "them", names));
  }
  for (const Node& node : model.nodes) {
    try {
      convert(graph, node, operators);
    } catch (const Refused& refused) {
      graph.refuse(node, refused.reason);
    }
  }
  return graph.finish();
}

}  // namespace fansim::importer
