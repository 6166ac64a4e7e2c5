// SPDX-License-Identifier: Apache-2.0
#include "importer/convert.h"

#include <utility>

#include "importer/graph.h"
#include "importer/operators.h"
#include "importer/simplify.h"

namespace fansim::importer {
namespace {

Operators all_operators() {
  Operators all;
  for (const Operators& some : {weighted_operators(), pooling_operators(), elementwise_operators(), shape_operators()})
    all.insert(some.begin(), some.end());
  return all;
}

// Constants, and the arithmetic on shapes that exporters spell out.
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
  found->second(graph, node);
}

}  // namespace

Imported convert(Model model, const Dims& shape, const std::string& path) {
  const Operators operators = all_operators();
  const std::vector<std::string> unneeded = drop_unneeded(model);
  recognise(model);
  drop_unneeded(model);
  Graph graph(model, shape, path);
  for (const std::string& name : unneeded) graph.note(name + " is left out: no output needs it");
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
