// SPDX-License-Identifier: Apache-2.0
#include "importer/simplify.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>

namespace fansim::importer {
namespace {

bool near(double value, double wanted) { return std::abs(value - wanted) < 1e-4; }

class Patterns {
 public:
  explicit Patterns(const Model& model) : model_(model) {
    for (const Node& node : model_.nodes)
      if (!node.outputs[0].empty() && !node.inputs.empty()) makers_[node.outputs[0]] = &node;
    for (const Node& node : model_.nodes)
      if (node.op == "Constant" && !node.tensors.empty()) numbers_[node.outputs[0]] = &node.tensors.begin()->second;
  }

  // Returns the simplified nodes by the number of the node that they replace.
  std::map<std::size_t, Node> found() const {
    std::map<std::size_t, Node> simple;
    for (std::size_t i = 0; i < model_.nodes.size(); ++i)
      if (const auto x = hard_swish_of(model_.nodes[i])) simple[i] = renamed(model_.nodes[i], *x);
    return simple;
  }

 private:
  static Node renamed(const Node& node, const std::string& x) {
    Node simple;
    simple.name = node.name;
    simple.op = "HardSwish";
    simple.inputs = {x};
    simple.outputs = node.outputs;
    return simple;
  }

  const Node* maker(const std::string& name, const char* op) const {
    const auto found = makers_.find(name);
    return found != makers_.end() && found->second->op == op ? found->second : nullptr;
  }
  // Returns the number that a constant holds, be it an initializer or a node.
  std::optional<double> number(const std::string& name) const {
    const Constant* constant = nullptr;
    if (const auto found = model_.constants.find(name); found != model_.constants.end()) constant = &found->second;
    if (const auto found = numbers_.find(name); found != numbers_.end()) constant = found->second;
    if (!constant || constant->size() != 1) return std::nullopt;
    return constant->floating ? static_cast<double>(constant->floats[0]) : static_cast<double>(constant->integers[0]);
  }
  // Returns the other input, if one of the two is that number.
  std::optional<std::string> beside(const Node& node, double wanted) const {
    if (node.inputs.size() != 2) return std::nullopt;
    for (std::size_t i = 0; i < 2; ++i)
      if (const auto value = number(node.inputs[i]); value && near(*value, wanted)) return node.inputs[1 - i];
    return std::nullopt;
  }

  std::optional<double> bound(const Node& clip, std::size_t input, const char* attribute) const {
    if (clip.floats.count(attribute) > 0) return clip.floats.at(attribute);
    return input < clip.inputs.size() ? number(clip.inputs[input]) : std::nullopt;
  }
  // Returns x if the value is clip(x + 3, 0, 6).
  std::optional<std::string> ramp_of(const std::string& name) const {
    const Node* clip = maker(name, "Clip");
    if (!clip) return std::nullopt;
    const auto low = bound(*clip, 1, "min"), high = bound(*clip, 2, "max");
    const Node* sum = maker(clip->inputs[0], "Add");
    if (!low || !high || !near(*low, 0) || !near(*high, 6) || !sum) return std::nullopt;
    return beside(*sum, 3);
  }
  // Returns x if the value is clip(x + 3, 0, 6) / 6, however it is written.
  std::optional<std::string> gate_of(const std::string& name) const {
    if (const Node* hard = maker(name, "HardSigmoid");
        hard && near(hard->number("alpha", 0.2), 1.0 / 6) && near(hard->number("beta", 0.5), 0.5))
      return hard->inputs[0];
    return sixth_of(name, [this](const std::string& whole) { return ramp_of(whole); });
  }
  template <class Of>
  std::optional<std::string> sixth_of(const std::string& name, Of of) const {
    if (const Node* divide = maker(name, "Div"))
      if (const auto by = divide->inputs.size() == 2 ? number(divide->inputs[1]) : std::nullopt; by && near(*by, 6))
        return of(divide->inputs[0]);
    if (const Node* multiply = maker(name, "Mul"))
      if (const auto other = beside(*multiply, 1.0 / 6)) return of(*other);
    return std::nullopt;
  }
  // Returns x if the value is x * clip(x + 3, 0, 6).
  std::optional<std::string> product_of(const std::string& name) const {
    const Node* multiply = maker(name, "Mul");
    if (!multiply || multiply->inputs.size() != 2) return std::nullopt;
    for (std::size_t i = 0; i < 2; ++i)
      if (const auto x = ramp_of(multiply->inputs[i]); x && *x == multiply->inputs[1 - i]) return x;
    return std::nullopt;
  }
  std::optional<std::string> hard_swish_of(const Node& node) const {
    if (node.op == "Mul" && node.inputs.size() == 2)
      for (std::size_t i = 0; i < 2; ++i)
        if (const auto x = gate_of(node.inputs[i]); x && *x == node.inputs[1 - i]) return x;
    if (node.op != "Mul" && node.op != "Div") return std::nullopt;
    return sixth_of(node.outputs[0], [this](const std::string& whole) { return product_of(whole); });
  }

  const Model& model_;
  std::map<std::string, const Node*> makers_;       // value -> the node that makes it, of nodes with inputs
  std::map<std::string, const Constant*> numbers_;  // constants of nodes that hold one number
};

}  // namespace

void recognise(Model& model) {
  for (auto& [i, node] : Patterns(model).found()) model.nodes[i] = node;
}

namespace {

Node part_of(const Node& node, const char* op, const std::vector<std::string>& inputs, const std::string& output) {
  Node part;
  part.name = node.name + "_" + op;
  part.op = op;
  part.inputs = inputs;
  part.outputs = {output};
  return part;
}

// Describes an operator on codes by the float operator that computes the same. `read` lists the inputs that are codes,
// each followed by its scale and zero point. `made` is the input with the output's scale, followed by its zero point.
struct Spelling {
  const char* computes;
  std::vector<std::size_t> read;
  std::size_t made = 0, bias = 0;  // 0: no bias
  bool weighted = false;           // the second operand is a weight, whose outputs may have steps of their own
};
const std::map<std::string, Spelling>& spellings() {
  static const std::map<std::string, Spelling> kSpellings{
      {"QLinearConv", {"Conv", {0, 3}, 6, 8, true}},
      {"QLinearMatMul", {"MatMul", {0, 3}, 6, 0, true}},
      {"com.microsoft.QGemm", {"Gemm", {0, 3}, 7, 6, true}},
      {"com.microsoft.QLinearAdd", {"Add", {0, 3}, 6}},
      {"com.microsoft.QLinearMul", {"Mul", {0, 3}, 6}},
      {"com.microsoft.QLinearAveragePool", {"AveragePool", {0}, 3}},
      {"com.microsoft.QLinearGlobalAveragePool", {"GlobalAveragePool", {0}, 3}},
      {"com.microsoft.QLinearSigmoid", {"Sigmoid", {0}, 3}},
      {"com.microsoft.QLinearLeakyRelu", {"LeakyRelu", {0}, 3}},
      {"com.microsoft.QLinearConcat", {"Concat", {}, 0}}};  // reads all inputs that follow
  return kSpellings;
}

// Computes the scale of the bias: the scale of the input times that of the weights.
void give_bias_scale(Model& model, const Node& node, const std::string& name) {
  const auto first = model.constants.find(node.inputs[1]), second = model.constants.find(node.inputs[4]);
  if (first == model.constants.end() || second == model.constants.end() || first->second.floats.size() != 1) return;
  Constant scale = second->second;
  const auto alpha = static_cast<float>(node.number("alpha", 1));
  for (float& value : scale.floats) value *= alpha * first->second.floats[0];
  model.constants[name] = scale;
}

void spell_out(Model& model, const Node& node, const Spelling& spelling, std::vector<Node>& nodes) {
  const std::vector<std::string>& in = node.inputs;
  const auto own = [&](const std::string& what) { return node.name + "/" + what; };
  const auto input = [&](std::size_t i) { return i < in.size() ? in[i] : std::string(); };
  std::vector<std::string> read;
  std::vector<std::size_t> groups = spelling.read;
  if (groups.empty())
    for (std::size_t i = 2; i + 2 < in.size(); i += 3) groups.push_back(i);
  const bool rows = node.op == "QLinearConv" || (node.op == "com.microsoft.QGemm" && node.integer("transB", 0) != 0);
  for (const std::size_t i : groups) {
    read.push_back(own(std::to_string(read.size())));
    nodes.push_back(part_of(node, "DequantizeLinear", {input(i), input(i + 1), input(i + 2)}, read.back()));
    if (spelling.weighted && read.size() == 2 && rows) nodes.back().integers["axis"] = 0;
  }
  if (spelling.bias > 0 && !input(spelling.bias).empty()) {
    give_bias_scale(model, node, own("bias scale"));
    read.push_back(own("bias"));
    nodes.push_back(part_of(node, "DequantizeLinear", {input(spelling.bias), own("bias scale")}, read.back()));
    nodes.back().integers["axis"] = 0;
  }
  Node computed = node;
  computed.op = spelling.computes;
  computed.inputs = read;
  computed.outputs = {own("floats")};
  const bool floats = node.op == "com.microsoft.QGemm" && input(spelling.made).empty();  // QGemm may leave out the
                                                                                         // scale of its output
  if (floats) computed.outputs = node.outputs;
  nodes.push_back(std::move(computed));
  if (!floats)
    nodes.push_back(part_of(node, "QuantizeLinear", {own("floats"), input(spelling.made), input(spelling.made + 1)},
                            node.outputs[0]));
}

}  // namespace

void spell_out(Model& model) {
  std::vector<Node> nodes;
  for (Node& node : model.nodes) {
    // ONNX Runtime's own quantisers are those of ONNX, and take more types.
    if (node.op == "com.microsoft.QuantizeLinear" || node.op == "com.microsoft.DequantizeLinear")
      node.op.erase(0, node.op.rfind('.') + 1);
    const auto found = spellings().find(node.op);
    if (found == spellings().end())
      nodes.push_back(std::move(node));
    else
      spell_out(model, node, found->second, nodes);
  }
  model.nodes = std::move(nodes);
}

std::vector<std::string> drop_unneeded(Model& model) {
  std::set<std::string> needed(model.outputs.begin(), model.outputs.end());
  std::vector<Node> kept;
  std::vector<std::string> dropped;
  for (std::size_t i = model.nodes.size(); i-- > 0;) {
    Node& node = model.nodes[i];
    const bool wanted = std::any_of(node.outputs.begin(), node.outputs.end(),
                                    [&](const std::string& output) { return needed.count(output) > 0; });
    if (!wanted) {
      dropped.push_back(node.name);
      continue;
    }
    needed.insert(node.inputs.begin(), node.inputs.end());
    kept.push_back(std::move(node));
  }
  std::reverse(kept.begin(), kept.end());
  std::reverse(dropped.begin(), dropped.end());
  model.nodes = std::move(kept);
  return dropped;
}

}  // namespace fansim::importer
