// SPDX-License-Identifier: Apache-2.0
#include "importer/convert.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <memory>
#include <optional>
#include <set>

#include "base/error.h"
#include "importer/parts.h"

namespace fansim::importer {
namespace {

using Type = ImportedLayer::Type;

// What a name stands for while the graph is walked.
struct Value {
  enum class Kind { constant, map, refused } kind = Kind::refused;
  const Constant* constant = nullptr;
  int layer = ImportedLayer::kInput;  // whose output it is
  Dims dims;                          // with the number of inputs
};

class Converter {
 public:
  Converter(const Model& model, const Dims& shape, const std::string& path)
      : model_(model), shape_(shape), path_(path) {}

  Imported run() {
    network_.name = model_.name;
    for (const auto& [name, constant] : model_.constants) values_[name] = of(constant);
    read_input();
    for (const Node& node : model_.nodes)
      for (const std::string& input : node.inputs) ++readers_[input];
    for (const std::string& output : model_.outputs) ++readers_[output];
    for (const Node& node : model_.nodes) {
      try {
        convert(node);
      } catch (const Refused& refused) {
        network_.refused.push_back({node.name, node.op, refused.reason});
        for (const std::string& output : node.outputs) values_[output] = {};
      }
    }
    finish();
    return std::move(network_);
  }

 private:
  static Value of(const Constant& constant) {
    return {Value::Kind::constant, &constant, ImportedLayer::kInput, constant.dims};
  }

  [[noreturn]] void fail(const std::string& what) const { throw base::UserError(base::Location{path_, 0, 0}, what); }

  void read_input() {
    if (model_.inputs.size() != 1) {
      std::string names;
      for (const Input& input : model_.inputs) names += (names.empty() ? "" : ", ") + input.name;
      fail(fmt::format("{} inputs ({}); a network has one", model_.inputs.size(), names.empty() ? "none" : names));
    }
    const Input& input = model_.inputs.front();
    Dims dims = input.dims;
    if (!input.floating) fail(fmt::format("input {} is not of float32", input.name));
    if (!shape_.empty()) {
      if (!dims.empty() && shape_.size() != dims.size())
        fail(fmt::format("--shape has {} dimensions, input {} has {}", shape_.size(), input.name, dims.size()));
      for (std::size_t i = 0; i < dims.size(); ++i)
        if (i > 0 && dims[i] >= 0 && dims[i] != shape_[i])
          fail(fmt::format("--shape has {} where input {} has {}", shape_[i], input.name, dims[i]));
      dims = shape_;
    }
    if (dims.size() != 2 && dims.size() != 4)
      fail(fmt::format("input {} has {} dimensions; taken are [N, C, H, W] and [N, F]", input.name, dims.size()));
    dims[0] = 1;
    for (const std::int64_t dim : dims)
      if (dim < 1 || dim > (1 << 20))
        fail(fmt::format("input {} has a dimension that the file leaves open; give it by --shape 1,C,H,W", input.name));
    network_.input = {dims.begin() + 1, dims.end()};
    if (network_.input.size() == 1) network_.input = {network_.input[0], 1, 1};
    values_[input.name] = {Value::Kind::map, nullptr, ImportedLayer::kInput, dims};
  }

  const Value& value(const Node& node, std::size_t input) const {
    if (input >= node.inputs.size() || node.inputs[input].empty())
      throw Refused{fmt::format("its input {} is missing", input)};
    const Value& found = values_.at(node.inputs[input]);
    if (found.kind == Value::Kind::refused) throw Refused{"it reads what a node above it should have made"};
    return found;
  }
  bool has(const Node& node, std::size_t input) const {
    return input < node.inputs.size() && !node.inputs[input].empty();
  }
  const Value& map(const Node& node, std::size_t input) const {
    const Value& found = value(node, input);
    if (found.kind != Value::Kind::map) throw Refused{fmt::format("its input {} is a constant", input)};
    return found;
  }
  const Constant& constant(const Node& node, std::size_t input, const char* what) const {
    const Value& found = value(node, input);
    if (found.kind != Value::Kind::constant) throw Refused{fmt::format("{} is computed, not given", what)};
    return *found.constant;
  }
  const std::vector<float>& floats(const Node& node, std::size_t input, const char* what, std::int64_t count) const {
    const Constant& found = constant(node, input, what);
    if (!found.floating) throw Refused{fmt::format("{} is not of floats", what)};
    if (static_cast<std::int64_t>(found.floats.size()) != count)
      throw Refused{fmt::format("{} has {} values, expected {}", what, found.floats.size(), count)};
    return found.floats;
  }

  void convert(const Node& node) {
    if (fold(node)) return;
    static const std::map<std::string, void (Converter::*)(const Node&)> kOperators{
        {"Conv", &Converter::convolution},
        {"Gemm", &Converter::gemm},
        {"MatMul", &Converter::matmul},
        {"MaxPool", &Converter::pool},
        {"AveragePool", &Converter::pool},
        {"GlobalMaxPool", &Converter::global_pool},
        {"GlobalAveragePool", &Converter::global_pool},
        {"ReduceMean", &Converter::reduce_mean},
        {"Relu", &Converter::relu},
        {"BatchNormalization", &Converter::batch_normalization},
        {"Add", &Converter::add},
        {"Mul", &Converter::scale},
        {"Flatten", &Converter::flatten},
        {"Reshape", &Converter::reshape},
        {"Squeeze", &Converter::reshape},
        {"Identity", &Converter::pass},
        {"Dropout", &Converter::pass},
        {"Cast", &Converter::pass},
        {"Softmax", &Converter::softmax},
        {"LogSoftmax", &Converter::softmax},
    };
    const auto found = kOperators.find(node.op);
    if (found == kOperators.end()) throw Refused{"no layer computes it"};
    (this->*found->second)(node);
  }

  // Constants, and the arithmetic on shapes that exporters spell out.
  bool fold(const Node& node) {
    std::vector<const Constant*> inputs;
    for (const std::string& input : node.inputs) inputs.push_back(input.empty() ? nullptr : values_.at(input).constant);
    const Dims shape = node.op == "Shape" ? value(node, 0).dims : Dims{};
    std::optional<Constant> constant = folded(node, inputs, shape);
    if (constant) keep(node, std::move(*constant));
    return constant.has_value();
  }

  void keep(const Node& node, Constant constant) {
    folded_.push_back(std::make_unique<Constant>(std::move(constant)));
    values_[node.outputs.at(0)] = of(*folded_.back());
  }

  ImportedLayer& put(const Node& node, Type type, const Value& in, Dims out) {
    ImportedLayer layer;
    layer.type = type, layer.node = node.name, layer.name = name_of(node);
    layer.source = in.layer, layer.out = {out.begin() + 1, out.end()};
    network_.layers.push_back(std::move(layer));
    values_[node.outputs.at(0)] = {Value::Kind::map, nullptr, static_cast<int>(network_.layers.size()) - 1,
                                   std::move(out)};
    return network_.layers.back();
  }

  // What serves as a file's name too.
  std::string name_of(const Node& node) {
    std::string name;
    for (const char c : node.name) {
      const bool plain = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-' || c == '.';
      name += plain ? c : '_';
    }
    while (!name.empty() && (name.front() == '.' || name.front() == '_' || name.front() == '-')) name.erase(0, 1);
    constexpr std::size_t kLongest = 60;
    if (name.size() > kLongest) name.erase(0, name.size() - kLongest);
    if (name.empty() || name == "input") name = "node";
    std::string unique = name;
    for (int i = 2; !names_.insert(unique).second; ++i) unique = fmt::format("{}_{}", name, i);
    return unique;
  }

  // The layer that a value is the output of, if this node alone reads it.
  ImportedLayer* only_read(const Value& in, const std::string& name) {
    if (in.layer < 0 || readers_[name] != 1) return nullptr;
    return &network_.layers[static_cast<std::size_t>(in.layer)];
  }
  void alias(const Node& node, const Value& in) { values_[node.outputs.at(0)] = in; }

  static void take(ImportedLayer& layer, const Window& w) {
    layer.kernel = w.kernel, layer.stride = w.stride, layer.padding = w.padding, layer.ceil_mode = w.ceil_mode;
  }

  void convolution(const Node& node) {
    const Value in = map(node, 0);
    const Constant& weights = constant(node, 1, "its weight");
    if (weights.dims.size() != 4 || in.dims.size() != 4)
      throw Refused{fmt::format("its weight has {} dimensions; taken are [M, C, K, K]", weights.dims.size())};
    const std::int64_t groups = node.integer("group", 1), outputs = weights.dims[0];
    if (groups < 1 || in.dims[1] != weights.dims[1] * groups || outputs < 1 || outputs % groups != 0)
      throw Refused{fmt::format("a weight of {} for {} channels in {} groups", text(weights.dims), in.dims[1], groups)};
    const Window w = window_of(node, in.dims, {weights.dims[2], weights.dims[3]});
    const std::vector<float> values = floats(node, 1, "its weight", product(weights.dims));
    const std::vector<float> bias = has(node, 2) ? floats(node, 2, "its bias", outputs) : std::vector<float>{};
    ImportedLayer& layer = put(node, Type::conv, in, {1, outputs, w.height, w.width});
    take(layer, w);
    layer.outputs = static_cast<int>(outputs), layer.groups = static_cast<int>(groups);
    layer.weight_dims = weights.dims, layer.weights = values, layer.bias = bias;
  }

  // A map is flattened as fc reads it: channel by channel, row by row.
  static std::int64_t flat(const Value& in) {
    if (in.dims.empty() || in.dims[0] != 1) throw Refused{"its input is no batch of one"};
    return product(in.dims);
  }

  void fully_connected(const Node& node, const Value& in, const Constant& weights, bool transposed, double factor,
                       std::vector<float> bias) {
    if (weights.dims.size() != 2) throw Refused{fmt::format("its weight has {} dimensions", weights.dims.size())};
    const std::int64_t inputs = weights.dims[transposed ? 1 : 0], units = weights.dims[transposed ? 0 : 1];
    if (inputs != flat(in)) throw Refused{fmt::format("a weight of {} for {} inputs", text(weights.dims), flat(in))};
    const std::vector<float>& given = weights.floats;
    if (static_cast<std::int64_t>(given.size()) != inputs * units) throw Refused{"its weight is not of floats"};
    ImportedLayer& layer = put(node, Type::fc, in, {1, units});
    layer.outputs = static_cast<int>(units), layer.bias = std::move(bias), layer.weight_dims = {units, inputs};
    layer.weights.resize(given.size());
    for (std::int64_t unit = 0; unit < units; ++unit)
      for (std::int64_t i = 0; i < inputs; ++i)
        layer.weights[static_cast<std::size_t>(unit * inputs + i)] = static_cast<float>(
            factor *
            static_cast<double>(given[static_cast<std::size_t>(transposed ? unit * inputs + i : i * units + unit)]));
  }

  void gemm(const Node& node) {
    const Value in = map(node, 0);
    if (node.integer("transA", 0) != 0) throw Refused{"its first matrix is transposed"};
    if (in.dims.size() != 2) throw Refused{fmt::format("its input has {} dimensions", in.dims.size())};
    const Constant& weights = constant(node, 1, "its weight");
    const bool transposed = node.integer("transB", 0) != 0;
    std::vector<float> bias;
    if (has(node, 2)) {
      const auto units = weights.dims.size() == 2 ? weights.dims[transposed ? 0 : 1] : 0;
      const Constant& given = constant(node, 2, "its bias");
      const double beta = node.number("beta", 1);
      if (given.floats.size() == 1) bias.assign(static_cast<std::size_t>(units), given.floats[0]);
      if (bias.empty()) bias = floats(node, 2, "its bias", units);
      for (float& value : bias) value = static_cast<float>(beta * static_cast<double>(value));
    }
    fully_connected(node, in, weights, transposed, node.number("alpha", 1), std::move(bias));
  }

  void matmul(const Node& node) {
    const Value in = map(node, 0);
    if (in.dims.size() != 2)
      throw Refused{fmt::format("its input has {} dimensions; a vector is taken", in.dims.size())};
    fully_connected(node, in, constant(node, 1, "its second matrix"), false, 1, {});
  }

  void pool(const Node& node) {
    const Value in = map(node, 0);
    const bool average = node.op == "AveragePool";
    const Window w = window_of(node, in.dims, node.list("kernel_shape", {}));
    if (node.outputs.size() > 1 && !node.outputs[1].empty() && readers_[node.outputs[1]] > 0)
      throw Refused{"its indices are read"};
    const bool padded = std::any_of(w.padding.begin(), w.padding.end(), [](int pad) { return pad > 0; });
    if (average && padded && node.integer("count_include_pad", 0) == 0)
      throw Refused{"its averages leave out the padding; those that count it are computed"};
    if (average && w.ceil_mode &&
        ((w.height - 1) * w.stride + w.kernel > in.dims[2] + w.padding[0] + w.padding[2] ||
         (w.width - 1) * w.stride + w.kernel > in.dims[3] + w.padding[1] + w.padding[3]))
      throw Refused{"its last averages are of fewer values"};
    for (const int pad : w.padding)
      if (pad >= w.kernel) throw Refused{"a pad as large as the window"};
    take(put(node, average ? Type::avgpool : Type::maxpool, in, {1, in.dims[1], w.height, w.width}), w);
  }

  void pool_whole(const Node& node, const Value& in, Type type, bool keeps_dims) {
    if (in.dims.size() != 4 || in.dims[2] != in.dims[3])
      throw Refused{fmt::format("a map of {}; square ones are pooled as a whole", text(in.dims))};
    ImportedLayer& layer = put(node, type, in, keeps_dims ? Dims{1, in.dims[1], 1, 1} : Dims{1, in.dims[1]});
    layer.kernel = layer.stride = static_cast<int>(in.dims[2]);
    layer.out = {in.dims[1], 1, 1};
  }

  void global_pool(const Node& node) {
    pool_whole(node, map(node, 0), node.op == "GlobalMaxPool" ? Type::maxpool : Type::avgpool, true);
  }

  void reduce_mean(const Node& node) {
    Dims axes = node.list("axes", {});
    for (std::int64_t& axis : axes) axis += axis < 0 ? 4 : 0;
    if (axes != Dims{2, 3}) throw Refused{"a mean over other axes than height and width"};
    pool_whole(node, map(node, 0), Type::avgpool, node.integer("keepdims", 1) != 0);
  }

  void relu(const Node& node) {
    const Value in = map(node, 0);
    ImportedLayer* before = only_read(in, node.inputs[0]);
    if (before && !before->relu &&
        (before->type == Type::conv || before->type == Type::fc || before->type == Type::add)) {
      before->relu = true;
      return alias(node, in);
    }
    put(node, Type::relu, in, in.dims);
  }

  // factor * x + offset for each channel, into the layer before.
  void fold_affine(const Node& node, const Value& in, const std::vector<double>& factor,
                   const std::vector<double>& offset) {
    ImportedLayer* before = only_read(in, node.inputs[0]);
    if (!before || before->relu || (before->type != Type::conv && before->type != Type::fc))
      throw Refused{"no convolution or fully connected layer before it takes it in"};
    const auto outputs = static_cast<std::size_t>(before->outputs);
    if (before->bias.empty()) before->bias.assign(outputs, 0);
    const std::size_t each = before->weights.size() / outputs;
    for (std::size_t c = 0; c < outputs; ++c) {
      for (std::size_t i = 0; i < each; ++i) {
        float& weight = before->weights[c * each + i];
        weight = static_cast<float>(static_cast<double>(weight) * factor[c]);
      }
      before->bias[c] = static_cast<float>(static_cast<double>(before->bias[c]) * factor[c] + offset[c]);
    }
    alias(node, in);
  }

  void batch_normalization(const Node& node) {
    const Value in = map(node, 0);
    if (in.dims.size() < 2) throw Refused{"its input has no channels"};
    if (node.integer("training_mode", 0) != 0 || (model_.opset < 7 && node.integer("is_test", 0) == 0))
      throw Refused{"it is in training mode"};
    const std::int64_t channels = in.dims[1];
    const auto& scale = floats(node, 1, "its scale", channels);
    const auto& bias = floats(node, 2, "its bias", channels);
    const auto& mean = floats(node, 3, "its mean", channels);
    const auto& variance = floats(node, 4, "its variance", channels);
    const double epsilon = node.number("epsilon", 1e-5);
    std::vector<double> factor, offset;
    for (std::size_t c = 0; c < scale.size(); ++c) {
      const double deviation = std::sqrt(static_cast<double>(variance[c]) + epsilon);
      if (!(deviation > 0)) throw Refused{"a variance that is not positive"};
      factor.push_back(static_cast<double>(scale[c]) / deviation);
      offset.push_back(static_cast<double>(bias[c]) - static_cast<double>(mean[c]) * factor.back());
    }
    fold_affine(node, in, factor, offset);
  }

  // A constant for each channel of a map, or for all.
  static std::vector<double> per_channel(const Constant& constant, const Dims& map) {
    const std::int64_t channels = map[1];
    if (!constant.floating) throw Refused{"a constant that is not of floats"};
    Dims dims = constant.dims;
    while (dims.size() < map.size()) dims.insert(dims.begin(), 1);
    Dims wanted(map.size(), 1);
    wanted[1] = channels;
    if (constant.size() == 1)
      return std::vector<double>(static_cast<std::size_t>(channels), static_cast<double>(constant.floats[0]));
    if (dims != wanted) throw Refused{fmt::format("a constant of {} for a map of {}", text(constant.dims), text(map))};
    return {constant.floats.begin(), constant.floats.end()};
  }

  // Before opset 7 an axis says where the second operand lies in the first.
  void refuse_axis(const Node& node) const {
    if (node.integers.count("axis") > 0) throw Refused{"it is broadcast along an axis, as before opset 7"};
  }

  void add(const Node& node) {
    refuse_axis(node);
    const bool first_is_map = value(node, 0).kind == Value::Kind::map,
               second_is_map = value(node, 1).kind == Value::Kind::map;
    if (first_is_map != second_is_map) {
      Node turned = node;
      if (second_is_map) std::swap(turned.inputs[0], turned.inputs[1]);
      const Value in = map(turned, 0);
      const std::vector<double> offset = per_channel(constant(turned, 1, "what is added"), in.dims);
      return fold_affine(turned, in, std::vector<double>(offset.size(), 1), offset);
    }
    const Value a = map(node, 0), b = map(node, 1);
    if (a.dims != b.dims)
      throw Refused{fmt::format("maps of {} and {}; equal ones are added", text(a.dims), text(b.dims))};
    put(node, Type::add, a, a.dims).with = b.layer;
  }

  void scale(const Node& node) {
    refuse_axis(node);
    Node turned = node;
    if (value(node, 0).kind == Value::Kind::constant) std::swap(turned.inputs[0], turned.inputs[1]);
    const Value in = map(turned, 0);
    const std::vector<double> factor = per_channel(constant(turned, 1, "what it multiplies by"), in.dims);
    fold_affine(turned, in, factor, std::vector<double>(factor.size(), 0));
  }

  void flatten(const Node& node) {
    Value in = map(node, 0);
    std::int64_t axis = node.integer("axis", 1);
    axis += axis < 0 ? static_cast<std::int64_t>(in.dims.size()) : 0;
    if (axis != 1) throw Refused{fmt::format("it flattens from axis {} on; the first is the batch", axis)};
    in.dims = {1, flat(in)};
    alias(node, in);
  }

  // Only what keeps a map as it is, or flattens it.
  void reshape(const Node& node) {
    Value in = map(node, 0);
    Dims dims;
    if (node.op == "Squeeze") {
      for (std::size_t i = 0; i < in.dims.size(); ++i)
        if (i == 0 || in.dims[i] != 1) dims.push_back(in.dims[i]);
    } else {
      dims = constant(node, 1, "its shape").integers;
      const std::int64_t all = product(in.dims);
      std::int64_t known = 1;
      for (std::size_t i = 0; i < dims.size(); ++i) {
        if (dims[i] == 0 && i < in.dims.size()) dims[i] = in.dims[i];
        if (dims[i] < -1 || dims[i] == 0) throw Refused{"a shape with a dimension of nothing"};
        if (dims[i] > 0) known *= dims[i];
        if (known > all) throw Refused{fmt::format("{} to a shape of more elements", text(in.dims))};
      }
      for (std::int64_t& dim : dims)
        if (dim == -1) dim = all / known;
      if (product(dims) != all) throw Refused{fmt::format("{} to {}", text(in.dims), text(dims))};
    }
    if (dims != in.dims && dims != Dims{1, product(in.dims)})
      throw Refused{fmt::format("{} to {}; a map stays as it is, or becomes a vector", text(in.dims), text(dims))};
    in.dims = dims;
    alias(node, in);
  }

  void pass(const Node& node) { alias(node, map(node, 0)); }

  // The network's end: which element is the largest does not change.
  void softmax(const Node& node) {
    const Value in = map(node, 0);
    const auto& outputs = model_.outputs;
    if (std::find(outputs.begin(), outputs.end(), node.outputs.at(0)) == outputs.end())
      throw Refused{"it is computed at a network's end alone, by the host"};
    network_.notes.push_back(
        fmt::format("{} ({}) is left to the host: it does not change which output is the largest", node.name, node.op));
    alias(node, in);
  }

  void finish() {
    if (model_.outputs.size() != 1)
      network_.notes.push_back(fmt::format("{} outputs; the last layer's is the network's", model_.outputs.size()));
    if (!network_.refused.empty()) return;
    if (network_.layers.empty()) fail("no node of it becomes a layer");
    std::vector<bool> read(network_.layers.size());
    for (const std::string& output : model_.outputs)
      if (const int layer = values_.at(output).layer; layer >= 0) read[static_cast<std::size_t>(layer)] = true;
    for (const ImportedLayer& layer : network_.layers)
      for (const int source : {layer.source, layer.type == Type::add ? layer.with : layer.source})
        if (source >= 0) read[static_cast<std::size_t>(source)] = true;
    for (std::size_t i = 0; i < read.size(); ++i)
      if (!read[i]) network_.notes.push_back(fmt::format("nothing reads {}", network_.layers[i].name));
  }

  const Model& model_;
  const Dims shape_;
  const std::string path_;
  Imported network_;
  std::map<std::string, Value> values_;
  std::map<std::string, int> readers_;
  std::set<std::string> names_;
  std::vector<std::unique_ptr<Constant>> folded_;
};

}  // namespace

Imported convert(const Model& model, const Dims& shape, const std::string& path) {
  return Converter(model, shape, path).run();
}

}  // namespace fansim::importer
