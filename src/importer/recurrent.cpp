// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "importer/operators.h"

namespace fansim::importer {
namespace {

using Type = ImportedLayer::Type;

// Says where the network's gates lie among ONNX's, and which activations they have.
struct Cell {
  Type type;
  std::vector<std::size_t> gates;  // positions of i, f, g, o in i, o, f, c; of r, z, n in z, r, h
  std::vector<std::string> activations;
};
const Cell& cell_of(const Node& node) {
  static const Cell kLstm{Type::lstm, {0, 2, 3, 1}, {"Sigmoid", "Tanh", "Tanh"}},
      kGru{Type::gru, {1, 0, 2}, {"Sigmoid", "Tanh"}};
  return node.op == "LSTM" ? kLstm : kGru;
}

void refuse_variants(Graph& graph, const Node& node, std::int64_t steps) {
  const std::string direction = node.word("direction", "forward");
  if (direction == "bidirectional")
    throw Refused{"it walks in both directions; no layer reads a sequence from its end, or joins two"};
  if (direction != "forward")
    throw Refused{fmt::format("direction '{}'; no layer reads a sequence from its end", direction)};
  const auto given = node.word_lists.find("activations");
  if (given != node.word_lists.end() && given->second != cell_of(node).activations)
    throw Refused{"activations other than Sigmoid and Tanh in their places"};
  if (node.floats.count("clip") > 0) throw Refused{"its sums are clipped"};
  if (node.integer("input_forget", 0) != 0) throw Refused{"its input and forget gates are one"};
  if (node.op == "GRU" && node.integer("linear_before_reset", 0) == 0)
    throw Refused{"it resets the hidden state before it is multiplied (linear_before_reset 0); the layer does behind"};
  if (graph.has(node, 4)) {
    const Constant& lengths = graph.constant(node, 4, "its lengths");
    const auto whole = [&](std::int64_t length) { return length == steps; };
    if (!std::all_of(lengths.integers.begin(), lengths.integers.end(), whole))
      throw Refused{"lengths other than that of the sequence"};
  }
  for (std::size_t state = 5; state < (node.op == "LSTM" ? 7 : 6); ++state) {
    if (!graph.has(node, state)) continue;
    const Constant& first = graph.constant(node, state, "its first state");
    if (!std::all_of(first.floats.begin(), first.floats.end(), [](float one) { return !(one < 0) && !(one > 0); }))
      throw Refused{"a first state that is not 0"};
  }
  if (node.op == "LSTM" && graph.has(node, 7)) throw Refused{"peepholes, by which its gates see the cell state"};
  if (node.outputs.size() > 2 && !node.outputs[2].empty() && graph.is_read(node.outputs[2]))
    throw Refused{"its cell state is read"};
}

// Returns a row of [W, U] for each gate and unit, in the network's order.
std::vector<float> rows_of(const Cell& cell, const std::vector<float>& w, const std::vector<float>& u,
                           std::size_t hidden, std::size_t features) {
  std::vector<float> rows;
  rows.reserve(w.size() + u.size());
  const auto append = [&rows](const std::vector<float>& from, std::size_t row, std::size_t length) {
    const auto first = from.begin() + static_cast<std::ptrdiff_t>(row * length);
    rows.insert(rows.end(), first, first + static_cast<std::ptrdiff_t>(length));
  };
  for (const std::size_t gate : cell.gates)
    for (std::size_t unit = 0; unit < hidden; ++unit) {
      append(w, gate * hidden + unit, features);
      append(u, gate * hidden + unit, hidden);
    }
  return rows;
}

// ONNX gives b_x, then b_h, of each gate. A GRU keeps both; for an LSTM they are added.
std::vector<float> bias_of(const Cell& cell, const std::vector<float>& given, std::size_t hidden) {
  std::vector<float> x, h;
  for (const std::size_t gate : cell.gates)
    for (std::size_t unit = 0; unit < hidden; ++unit) {
      x.push_back(given[gate * hidden + unit]);
      h.push_back(given[(cell.gates.size() + gate) * hidden + unit]);
    }
  if (cell.type == Type::lstm)
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += h[i];
  else
    x.insert(x.end(), h.begin(), h.end());
  return x;
}

void recurrent(Graph& graph, const Node& node) {
  const Value in = graph.elements(node, 0);
  const bool batch_first = node.integer("layout", 0) != 0;
  if (!in.sequence || in.dims.size() != 3 || in.dims[batch_first ? 0 : 1] != 1)
    throw Refused{fmt::format("of {}; sequences of one batch are taken that the model is given, or that others make",
                              text(in.dims))};
  const std::int64_t steps = in.dims[batch_first ? 1 : 0], features = in.dims[2];
  if (graph.stored(in.layer) != Dims{steps, features})
    throw Refused{fmt::format("{} lie as {}", text(in.dims), text(graph.stored(in.layer)))};
  refuse_variants(graph, node, steps);
  const Cell& cell = cell_of(node);
  const auto gates = static_cast<std::int64_t>(cell.gates.size());
  const Constant& w = graph.constant(node, 1, "its weight");
  constexpr std::int64_t kMostUnits = kLargestExtent / 8;  // limit of network files
  const std::int64_t hidden = w.dims.size() == 3 ? w.dims[1] / gates : 0;
  if (hidden < 1 || hidden > kMostUnits || w.dims != Dims{1, gates * hidden, features} ||
      node.integer("hidden_size", hidden) != hidden)
    throw Refused{fmt::format("a weight of {} for {} features", text(w.dims), features)};
  const auto& of_x = graph.floats(node, 1, "its weight", gates * hidden * features);
  const auto& of_h = graph.floats(node, 2, "its weight of the hidden state", gates * hidden * hidden);
  std::vector<float> bias;
  if (graph.has(node, 3)) bias = graph.floats(node, 3, "its bias", 2 * gates * hidden);
  const Dims all = batch_first ? Dims{1, steps, 1, hidden} : Dims{steps, 1, 1, hidden};
  ImportedLayer& layer = graph.put(node, cell.type, in, all);
  const auto units = static_cast<std::size_t>(hidden);
  layer.outputs = static_cast<int>(hidden);
  layer.out = {steps, hidden};
  layer.sequence = true;
  layer.weight_dims = {gates * hidden, features + hidden};
  layer.weights = rows_of(cell, of_x, of_h, units, static_cast<std::size_t>(features));
  if (!bias.empty()) layer.bias = bias_of(cell, bias, units);
  if (node.outputs.size() < 2 || node.outputs[1].empty() || !graph.is_read(node.outputs[1])) return;
  Node last = node;
  last.name += "_last";
  last.outputs = {node.outputs[1]};
  put_step(graph, last, graph.made(node), steps - 1, {1, 1, hidden});
}

// Takes one step of a sequence; its number must be constant.
void gather(Graph& graph, const Node& node) {
  const Value in = graph.elements(node, 0);
  const Constant& index = graph.constant(node, 1, "its index");
  const auto rank = static_cast<std::int64_t>(in.dims.size());
  const std::int64_t axis = node.integer("axis", 0) + (node.integer("axis", 0) < 0 ? rank : 0);
  if (!in.sequence || index.integers.size() != 1 || axis < 0 || axis >= rank)
    throw Refused{fmt::format("{} indices of {}; one step of a sequence is taken", index.size(), text(in.dims))};
  Dims out = in.dims;
  const std::int64_t extent = in.dims[static_cast<std::size_t>(axis)];
  out.erase(out.begin() + axis);
  if (!index.dims.empty()) out.insert(out.begin() + axis, 1);
  take_step(graph, node, in, static_cast<std::size_t>(axis), index.integers[0] + (index.integers[0] < 0 ? extent : 0),
            out);
}

}  // namespace

void put_step(Graph& graph, const Node& node, const Value& in, std::int64_t step, const Dims& out) {
  const std::int64_t all = product(in.dims), each = product(out);
  if (all > kLargestExtent) throw Refused{fmt::format("a step of a sequence of {} values", all)};
  Value taken = in;
  if (each != all) {
    Value flat = in;
    flat.dims = {1, all};
    flat.sequence = false;
    put_function(graph, node, "slice", flat, {1, each}).numbers = {{"first", static_cast<double>(step * each)},
                                                                   {"channels", static_cast<double>(each)}};
    taken = graph.made(node);
  }
  graph.alias(node, in_shape(taken, out));
}

void take_step(Graph& graph, const Node& node, const Value& in, std::size_t axis, std::int64_t step, const Dims& out) {
  const std::int64_t extent = in.dims[axis];
  const bool outer = std::all_of(in.dims.begin(), in.dims.begin() + static_cast<std::ptrdiff_t>(axis),
                                 [](std::int64_t dim) { return dim == 1; });
  if (!outer) throw Refused{"elements of each step; steps are taken whole"};
  if (step < 0 || step >= extent) throw Refused{fmt::format("step {} of {}", step, extent)};
  put_step(graph, node, in, step, out);
}

Value in_shape(Value value, const Dims& dims) {
  value.dims = dims;
  value.sequence = dims != Dims{1, product(dims)};
  return value;
}

Operators recurrent_operators() { return {{"LSTM", recurrent}, {"GRU", recurrent}, {"Gather", gather}}; }

}  // namespace fansim::importer
