// SPDX-License-Identifier: Apache-2.0
#include "importer/graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "base/error.h"
#include "importer/separate.h"

namespace fansim::importer {
namespace {

constexpr std::int64_t kMostElements = std::int64_t{1} << 31;

Value of(const Constant& constant) { return {Value::Kind::constant, &constant, ImportedLayer::kInput, constant.dims}; }

// Returns the end of a name, because the paths that exporters write tell most at their end.
std::string end_of(const std::string& name) {
  constexpr std::size_t kLongest = 50;
  return name.size() > kLongest ? name.substr(name.size() - kLongest) : name;
}

}  // namespace

Graph::Graph(const Model& model, const Dims& shape, const std::string& path) : model_(model), path_(path) {
  network_.name = model_.name;
  for (const auto& [name, constant] : model_.constants) values_[name] = of(constant);
  for (const Node& node : model_.nodes) {
    for (const std::string& input : node.inputs) ++readers_[input];
    for (const std::string& output : node.outputs) values_[output] = {};  // refused until the node has been converted
  }
  for (const std::string& output : model_.outputs) ++readers_[output];
  read_input(shape);
}

void Graph::fail(const std::string& what) const { throw base::UserError(base::Location{path_, 0, 0}, what); }

void Graph::read_input(const Dims& shape) {
  if (model_.inputs.size() != 1) {
    std::string names;
    for (const Input& input : model_.inputs) names += (names.empty() ? "" : ", ") + input.name;
    fail(fmt::format("{} inputs ({}); a network has one", model_.inputs.size(), names.empty() ? "none" : names));
  }
  const Input& input = model_.inputs.front();
  Dims dims = input.dims;
  const bool coded = !input.floating && takes_codes(input.name);
  if (!input.floating && !coded) fail(fmt::format("input {} is not of float32", input.name));
  if (!shape.empty()) {
    if (!dims.empty() && shape.size() != dims.size())
      fail(fmt::format("--shape has {} dimensions, input {} has {}", shape.size(), input.name, dims.size()));
    for (std::size_t i = 0; i < dims.size(); ++i)
      if (i > 0 && dims[i] >= 0 && dims[i] != shape[i])
        fail(fmt::format("--shape has {} where input {} has {}", shape[i], input.name, dims[i]));
    dims = shape;
  }
  if (dims.size() < 2 || dims.size() > 4)
    fail(fmt::format("input {} has {} dimensions; taken are [N, C, H, W], [N, C, W] and [N, F]", input.name,
                     dims.size()));
  const std::optional<std::size_t> batch = dims.size() == 3 ? batch_of_sequence() : std::nullopt;
  dims[batch.value_or(0)] = 1;
  for (const std::int64_t dim : dims)
    if (dim < 1 || dim > kLargestExtent)
      fail(fmt::format("input {} has a dimension that the file leaves open; give it by --shape 1,C,H,W", input.name));
  if (product(dims) >= kMostElements) fail(fmt::format("input {} has {} elements", input.name, text(dims)));
  network_.input = dims;
  network_.input.erase(network_.input.begin() + static_cast<std::ptrdiff_t>(batch.value_or(0)));
  while (network_.input.size() < 3 && !batch) network_.input.insert(network_.input.begin() + 1, 1);
  Value& value = values_[input.name] = {};
  value.kind = Value::Kind::map;
  value.dims = dims;
  value.coded = coded;
  value.sequence = batch.has_value();
}

// Returns which axis of the input counts the batch, if a recurrent layer reads the input either directly or transposed.
std::optional<std::size_t> Graph::batch_of_sequence() const {
  static const std::set<std::string> kKeeping{"Identity", "Cast", "Dropout", "QuantizeLinear", "DequantizeLinear"};
  std::map<std::string, Dims> axes{{model_.inputs.front().name, {0, 1, 2}}};  // value -> its axes, as axes of the input
  for (const Node& node : model_.nodes) {
    const auto known = node.inputs.empty() ? axes.end() : axes.find(node.inputs[0]);
    if (known == axes.end()) continue;
    Dims order = known->second;
    if (node.op == "LSTM" || node.op == "GRU")
      return static_cast<std::size_t>(order[node.integer("layout", 0) != 0 ? 0 : 1]);
    const Dims turned = node.list("perm", {2, 1, 0});
    const bool turns =
        node.op == "Transpose" && std::is_permutation(turned.begin(), turned.end(), order.begin(), order.end());
    if (!turns && kKeeping.count(node.op) == 0) continue;
    for (std::size_t i = 0; turns && i < order.size(); ++i)
      order[i] = known->second[static_cast<std::size_t>(turned[i])];
    axes[node.outputs[0]] = order;
  }
  return std::nullopt;
}

// Returns whether every reader converts the codes to floats or multiplies them as integers.
bool Graph::takes_codes(const std::string& name) const {
  static const std::set<std::string> kReaders{"DequantizeLinear", "ConvInteger", "MatMulInteger"};
  for (const Node& node : model_.nodes)
    for (std::size_t i = 0; i < node.inputs.size(); ++i)
      if (node.inputs[i] == name && (i > 0 || kReaders.count(node.op) == 0)) return false;
  return true;
}

const std::optional<Codes>& Graph::given_codes(int layer) const {
  return layer < 0 ? network_.input_codes : network_.layers[static_cast<std::size_t>(layer)].codes;
}

void Graph::give_codes(const Value& value, const Codes& codes) {
  std::optional<Codes>& given =
      value.layer < 0 ? network_.input_codes : network_.layers[static_cast<std::size_t>(value.layer)].codes;
  if (given && !(*given == codes))
    throw Refused{fmt::format("it has codes of step {}, zero point {} already", given->step, given->zero_point)};
  given = codes;
}

bool Graph::has_own_codes(const Value& value) const { return given_codes(value.layer).has_value(); }

std::optional<Codes> Graph::codes_of(int layer) const {
  while (layer >= 0 && !given_codes(layer) && network_.layers[static_cast<std::size_t>(layer)].keeps_codes())
    layer = network_.layers[static_cast<std::size_t>(layer)].source;
  return given_codes(layer);
}

const Value& Graph::value(const Node& node, std::size_t input) const {
  if (!has(node, input)) throw Refused{fmt::format("its input {} is missing", input)};
  static const Value kNone;
  const auto known = values_.find(node.inputs[input]);
  const Value& found = known == values_.end() ? kNone : known->second;
  if (found.kind == Value::Kind::refused)
    throw Refused{fmt::format("it reads {}, which is not made", node.inputs[input])};
  return found;
}

bool Graph::has(const Node& node, std::size_t input) const {
  return input < node.inputs.size() && !node.inputs[input].empty();
}

const Value& Graph::padded_map(const Node& node, std::size_t input) const {
  const Value& found = value(node, input);
  if (found.kind != Value::Kind::map) throw Refused{fmt::format("its input {} is a constant", input)};
  return found;
}

const Value& Graph::map(const Node& node, std::size_t input) const {
  const Value& found = elements(node, input);
  if (found.sequence) throw Refused{fmt::format("its input {} is a sequence, which it does not read as one", input)};
  return found;
}

const Value& Graph::elements(const Node& node, std::size_t input) const {
  const Value& found = padded_map(node, input);
  if (found.coded && !codes_pass_) throw Refused{fmt::format("its input {} is of codes", input)};
  if (found.pads != Value{}.pads) throw Refused{"its input is padded, which only a convolution takes in"};
  return found;
}

const Dims& Graph::stored(int layer) const {
  return layer < 0 ? network_.input : network_.layers[static_cast<std::size_t>(layer)].out;
}

bool Graph::is_series(int layer) const {
  return layer < 0 ? network_.input.size() == 2 : network_.layers[static_cast<std::size_t>(layer)].sequence;
}

int Graph::layer_of(const Node& node, const Value& value) {
  if (value.sequence) return value.layer;
  // Trailing ones do not matter: [C, 1, W] is [C, W], and [C, 1, 1] is [C].
  const auto without_ones = [](Dims dims) {
    while (dims.size() > 1 && dims.back() == 1) dims.pop_back();
    if (dims.size() == 3 && dims[1] == 1) dims.erase(dims.begin() + 1);
    return dims;
  };
  if (without_ones({value.dims.begin() + 1, value.dims.end()}) == without_ones(stored(value.layer)) &&
      !is_series(value.layer))
    return value.layer;
  ImportedLayer layer;
  layer.type = ImportedLayer::Type::flatten;
  layer.node = node.name;
  layer.name = names_.unique(end_of(node.name) + "_flatten", "node");
  layer.source = value.layer;
  layer.out = {product(value.dims)};
  network_.layers.push_back(std::move(layer));
  shared_.push_back(true);
  return static_cast<int>(network_.layers.size()) - 1;
}

bool Graph::turn_input(const Node& node) {
  const Value in = map(node, 0);
  const std::string& input = model_.inputs.front().name;  // the input itself; nodes may read it under another name
  if (node.inputs[0] != input || readers_.at(input) != 1 || in.dims.size() != 4) return false;
  const Dims turned{1, in.dims[3], in.dims[1], in.dims[2]};
  network_.input = {turned.begin() + 1, turned.end()};
  values_[node.outputs[0]] = {Value::Kind::map, nullptr, ImportedLayer::kInput, turned};
  note(fmt::format("the input is [{}, {}, {}], channels first, where the model takes them last", turned[1], turned[2],
                   turned[3]));
  return true;
}

const Constant& Graph::constant(const Node& node, std::size_t input, const char* what) const {
  const Value& found = value(node, input);
  if (found.kind != Value::Kind::constant) throw Refused{fmt::format("{} is computed, not given", what)};
  return *found.constant;
}

const std::vector<float>& Graph::floats(const Node& node, std::size_t input, const char* what,
                                        std::int64_t count) const {
  const Constant& found = constant(node, input, what);
  if (!found.floating) throw Refused{fmt::format("{} is not of floats", what)};
  if (static_cast<std::int64_t>(found.floats.size()) != count)
    throw Refused{fmt::format("{} has {} values, expected {}", what, found.floats.size(), count)};
  return found.floats;
}

const Constant* Graph::constant_or_null(const std::string& name) const {
  const auto known = values_.find(name);
  return known == values_.end() ? nullptr : known->second.constant;
}

bool Graph::is_end(const std::string& name) const {
  return readers_.at(name) == 1 &&
         std::find(model_.outputs.begin(), model_.outputs.end(), name) != model_.outputs.end();
}

bool Graph::is_read_unquantised(const std::string& name) const {
  if (readers_.at(name) == 1) return false;  // the one that asks
  int quantised = 0;
  for (const Node& node : model_.nodes)
    if (node.op == "QuantizeLinear" && !node.inputs.empty() && node.inputs[0] == name) ++quantised;
  return quantised < readers_.at(name);
}

ImportedLayer* Graph::only_read(const Node& node) {
  const int layer = value(node, 0).layer;
  if (layer < 0 || shared_[static_cast<std::size_t>(layer)] || readers_.at(node.inputs[0]) != 1) return nullptr;
  ImportedLayer& made = network_.layers[static_cast<std::size_t>(layer)];
  return made.takes_some && !made.codes ? &network_.layers[static_cast<std::size_t>(made.source)] : &made;
}

ImportedLayer& Graph::put(const Node& node, ImportedLayer::Type type, const Value& in, Dims out) {
  for (const std::int64_t dim : out)
    if (dim < 1 || dim > kLargestExtent) throw Refused{fmt::format("its output has {} elements", text(out))};
  if (product(out) >= kMostElements) throw Refused{fmt::format("its output has {} elements", text(out))};
  ImportedLayer layer;
  layer.type = type;
  layer.node = node.name;
  layer.source = type == ImportedLayer::Type::fc ? in.layer : layer_of(node, in);
  const bool coded = in.coded, dynamic = in.dynamic;
  const bool sequence = in.sequence && type != ImportedLayer::Type::fc;
  layer.name = names_.unique(end_of(node.name), "node");
  layer.sequence = sequence && is_series(in.layer);
  layer.out = sequence ? stored(in.layer) : Dims{out.begin() + 1, out.end()};
  network_.layers.push_back(std::move(layer));
  shared_.push_back(false);
  Value& value = values_[node.outputs[0]] = {};
  value.kind = Value::Kind::map;
  value.layer = static_cast<int>(network_.layers.size()) - 1;
  value.dims = std::move(out);
  value.sequence = sequence;
  value.coded = coded;
  value.dynamic = dynamic;
  return network_.layers.back();
}

void Graph::alias(const Node& node, const Value& in) {
  if (in.layer >= 0 && readers_.at(node.inputs[0]) > 1) shared_[static_cast<std::size_t>(in.layer)] = true;
  values_[node.outputs[0]] = in;
}

void Graph::keep(const Node& node, Constant constant) {
  folded_.push_back(std::make_unique<Constant>(std::move(constant)));
  values_[node.outputs[0]] = of(*folded_.back());
}

void Graph::refuse(const Node& node, const std::string& reason) {
  network_.refused.push_back({node.name, node.op, reason});
  for (const std::string& output : node.outputs) values_[output] = {};
}

Imported Graph::finish() {
  if (!network_.refused.empty()) return std::move(network_);
  if (network_.layers.empty()) fail("no node of it becomes a layer");
  for (const std::string& output : model_.outputs)
    if (values_.at(output).kind != Value::Kind::map) fail(fmt::format("output '{}' is no map", output));
  separate_codes(network_);
  if (!network_.refused.empty()) return std::move(network_);
  if (model_.outputs.size() > 1)
    note(fmt::format("{} outputs; the network's is that of its last layer, {}", model_.outputs.size(),
                     network_.layers.back().name));
  return std::move(network_);
}

}  // namespace fansim::importer
