// SPDX-License-Identifier: Apache-2.0
#include "importer/file/model.h"

// These macros match Debian's build of the library.
#define ONNX_ML 1
#define ONNX_NAMESPACE onnx
#include <onnx/onnx_pb.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <set>

#include "base/error.h"
#include "base/file.h"

namespace fansim::importer {
namespace {

using ::onnx::AttributeProto;
using ::onnx::TensorProto;

constexpr std::size_t kLargestFile = (std::size_t{1} << 31) - 1;  // the limit of protobuf
constexpr std::int64_t kMostElements = std::int64_t{1} << 30;

class Reader {
 public:
  explicit Reader(const std::string& path) : path_(path) {}

  Model read() {
    const std::string file = base::read_file(path_, kLargestFile);
    if (!proto_.ParseFromString(file) || !proto_.has_graph())
      fail("no ONNX model: it is cut off, damaged, or something else");
    read_opset();
    const ::onnx::GraphProto& graph = proto_.graph();
    model_.name = graph.name();
    for (const TensorProto& tensor : graph.initializer())
      model_.constants[tensor.name()] = constant(tensor, "initializer " + tensor.name());
    if (graph.sparse_initializer_size() > 0) fail("sparse initializers are not read");
    for (const auto& value : graph.input())
      if (model_.constants.count(value.name()) == 0) model_.inputs.push_back(input(value));
    for (const auto& value : graph.output()) model_.outputs.push_back(value.name());
    for (const auto& node : graph.node()) model_.nodes.push_back(read(node));
    order();
    return std::move(model_);
  }

 private:
  [[noreturn]] void fail(const std::string& what) const { throw base::UserError(base::Location{path_, 0, 0}, what); }

  void read_opset() {
    for (const auto& set : proto_.opset_import())
      if (set.domain().empty() || set.domain() == "ai.onnx") model_.opset = set.version();
    if (model_.opset < kLeastOpset || model_.opset > kMostOpset)
      fail(fmt::format("opset {}; allowed: {}..{}", model_.opset, kLeastOpset, kMostOpset));
  }

  static Input input(const ::onnx::ValueInfoProto& value) {
    Input input;
    input.name = value.name();
    const auto& type = value.type().tensor_type();
    input.floating = type.elem_type() == TensorProto::FLOAT;
    input.is_signed = type.elem_type() == TensorProto::INT8;
    for (const auto& dim : type.shape().dim())
      input.dims.push_back(dim.has_dim_value() && dim.dim_value() > 0 ? dim.dim_value() : -1);
    return input;
  }

  Node read(const ::onnx::NodeProto& proto) {
    Node node;
    node.op = proto.domain().empty() || proto.domain() == "ai.onnx" ? proto.op_type()
                                                                    : proto.domain() + "." + proto.op_type();
    node.name = proto.name().empty() ? fmt::format("{}_{}", proto.op_type(), model_.nodes.size()) : proto.name();
    if (!names_.insert(node.name).second) node.name += fmt::format("_{}", model_.nodes.size());
    names_.insert(node.name);
    node.inputs = {proto.input().begin(), proto.input().end()};
    node.outputs = {proto.output().begin(), proto.output().end()};
    for (const AttributeProto& attribute : proto.attribute()) {
      switch (attribute.type()) {
        case AttributeProto::INT:
          node.integers[attribute.name()] = attribute.i();
          break;
        case AttributeProto::FLOAT:
          node.floats[attribute.name()] = static_cast<double>(attribute.f());
          break;
        case AttributeProto::INTS:
          node.lists[attribute.name()] = {attribute.ints().begin(), attribute.ints().end()};
          break;
        case AttributeProto::STRING:
          node.words[attribute.name()] = attribute.s();
          break;
        case AttributeProto::STRINGS:
          node.word_lists[attribute.name()] = {attribute.strings().begin(), attribute.strings().end()};
          break;
        case AttributeProto::TENSOR:
          node.tensors[attribute.name()] = constant(attribute.t(), "node " + node.name);
          break;
        default:  // graphs and lists of others are skipped, since their operators are refused by name
          break;
      }
    }
    return node;
  }

  // Returns the content of a tensor, after it has checked that dims and bytes agree.
  Constant constant(const TensorProto& proto, const std::string& where) const {
    Constant constant;
    std::int64_t elements = 1;
    for (const std::int64_t dim : proto.dims()) {
      if (dim < 0 || dim > kMostElements || (dim > 0 && elements > kMostElements / dim))
        fail(fmt::format("{}: a dimension of {}, or more than {} elements", where, dim, kMostElements));
      elements *= dim;
      constant.dims.push_back(dim);
    }
    const auto count = static_cast<std::size_t>(elements);
    const std::string bytes =
        proto.data_location() == TensorProto::EXTERNAL ? external(proto, where) : proto.raw_data();
    const bool raw = proto.data_location() == TensorProto::EXTERNAL || proto.has_raw_data();
    const auto require = [&](std::size_t found, std::size_t each) {
      if (found != count * each)
        fail(fmt::format("{}: {} elements, but {} of data", where, count, found / std::max<std::size_t>(each, 1)));
    };
    const auto take = [&](auto zero, const auto& field) {
      using T = decltype(zero);
      const auto put = [&](T value) {
        if constexpr (std::is_floating_point_v<T>)
          constant.floats.push_back(static_cast<float>(value));
        else
          constant.integers.push_back(static_cast<std::int64_t>(value));
      };
      constant.floating = std::is_floating_point_v<T>;
      if (raw) {
        require(bytes.size(), sizeof(T));
        for (std::size_t i = 0; i < count; ++i) {
          T value;
          std::memcpy(&value, bytes.data() + i * sizeof(T), sizeof(T));
          put(value);
        }
      } else {
        require(static_cast<std::size_t>(field.size()), 1);
        for (const auto value : field) put(static_cast<T>(value));
      }
    };
    switch (proto.data_type()) {
      case TensorProto::FLOAT:
        take(float{}, proto.float_data());
        break;
      case TensorProto::DOUBLE:
        take(double{}, proto.double_data());
        break;
      case TensorProto::INT64:
        take(std::int64_t{}, proto.int64_data());
        break;
      case TensorProto::INT32:
        take(std::int32_t{}, proto.int32_data());
        break;
      case TensorProto::INT8:
        constant.is_byte = constant.is_signed = true;
        take(std::int8_t{}, proto.int32_data());
        break;
      case TensorProto::UINT8:
        constant.is_byte = true;
        [[fallthrough]];
      case TensorProto::BOOL:
        take(std::uint8_t{}, proto.int32_data());
        break;
      default:
        fail(fmt::format("{}: elements of type {}; read are float, double, int8, uint8, int32, int64 and bool", where,
                         TensorProto::DataType_Name(static_cast<TensorProto::DataType>(proto.data_type()))));
    }
    if (!std::all_of(constant.floats.begin(), constant.floats.end(), [](float value) { return std::isfinite(value); }))
      fail(fmt::format("{}: a value is NaN or infinite", where));
    return constant;
  }

  // Reads external data, which must lie in the model's own folder or below it.
  std::string external(const TensorProto& proto, const std::string& where) const {
    std::map<std::string, std::string> entries;
    for (const auto& entry : proto.external_data()) entries[entry.key()] = entry.value();
    const std::filesystem::path name = entries["location"];
    const bool up = std::any_of(name.begin(), name.end(), [](const auto& part) { return part == ".."; });
    if (name.empty() || name.is_absolute() || up)
      fail(fmt::format("{}: external data '{}' is outside of the model's folder", where, name.string()));
    const auto number = [&](const char* key) -> std::size_t {
      const std::string& text = entries[key];
      if (text.size() > 18 || text.find_first_not_of("0123456789") != std::string::npos)
        fail(fmt::format("{}: external data with {} '{}'", where, key, text));
      return text.empty() ? 0 : std::stoull(text);
    };
    const std::size_t offset = number("offset"), length = number("length");
    const std::string all = base::read_file(base::beside(path_, name.string()), kLargestFile);
    if (offset > all.size() || length > all.size() - offset)
      fail(fmt::format("{}: {} has {} bytes, not {} from {} on", where, name.string(), all.size(), length, offset));
    return all.substr(offset, length == 0 ? std::string::npos : length);
  }

  // Sorts the nodes topologically by Kahn's algorithm, and keeps the file's order where possible.
  void order() {
    std::set<std::string> known{""};
    for (const auto& [name, constant] : model_.constants) known.insert(name);
    for (const Input& input : model_.inputs) known.insert(input.name);
    std::vector<Node> rest = std::move(model_.nodes);
    model_.nodes.clear();
    while (!rest.empty()) {
      std::vector<Node> later;
      for (Node& node : rest) {
        const bool ready = std::all_of(node.inputs.begin(), node.inputs.end(),
                                       [&](const std::string& input) { return known.count(input) > 0; });
        if (!ready) {
          later.push_back(std::move(node));
          continue;
        }
        for (const std::string& output : node.outputs)
          if (!output.empty() && !known.insert(output).second)
            fail(fmt::format("node {} computes '{}', which is there already", node.name, output));
        if (std::all_of(node.outputs.begin(), node.outputs.end(), [](const auto& output) { return output.empty(); }))
          fail(fmt::format("node {} computes nothing", node.name));
        model_.nodes.push_back(std::move(node));
      }
      if (later.size() == rest.size())
        fail(fmt::format("node {} reads '{}', which nothing computes, or itself in the end", later.front().name,
                         *std::find_if(later.front().inputs.begin(), later.front().inputs.end(),
                                       [&](const std::string& input) { return known.count(input) == 0; })));
      rest = std::move(later);
    }
    for (const std::string& output : model_.outputs)
      if (output.empty() || known.count(output) == 0) fail(fmt::format("output '{}' is computed by nothing", output));
    if (model_.outputs.empty()) fail("no outputs");
  }

  const std::string path_;
  ::onnx::ModelProto proto_;
  std::set<std::string> names_;
  Model model_;
};

template <class T>
T found_or(const std::map<std::string, T>& attributes, const std::string& name, const T& fallback) {
  const auto found = attributes.find(name);
  return found == attributes.end() ? fallback : found->second;
}

}  // namespace

std::int64_t Node::integer(const std::string& attribute, std::int64_t fallback) const {
  return found_or(integers, attribute, fallback);
}
double Node::number(const std::string& attribute, double fallback) const {
  return found_or(floats, attribute, fallback);
}
Dims Node::list(const std::string& attribute, const Dims& fallback) const {
  return found_or(lists, attribute, fallback);
}
std::string Node::word(const std::string& attribute, const std::string& fallback) const {
  return found_or(words, attribute, fallback);
}

Model read_model(const std::string& path) { return Reader(path).read(); }

}  // namespace fansim::importer
