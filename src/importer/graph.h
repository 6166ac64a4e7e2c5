// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "importer/convert.h"
#include "importer/parts.h"
#include "importer/plain_text.h"

namespace fansim::importer {

// What a name of the model stands for while its nodes are walked.
struct Value {
  enum class Kind { constant, map, refused } kind = Kind::refused;
  const Constant* constant = nullptr;
  int layer = ImportedLayer::kInput;   // whose output it is, or what lies in it in another shape
  Dims dims;                           // with the number of inputs
  std::array<std::int64_t, 4> pads{};  // zeros about it, not there yet: top, left, bottom, right
  bool coded = false;                  // as QuantizeLinear leaves it
  bool dynamic = false;                // its codes have a step that follows each input
  bool rounded = false;                // its floats are what codes stand for
  bool sequence = false;               // of steps, one behind the other, or one of them: any of its dims may be 1
};

// The network as far as the nodes have been walked: what an operator reads of it and adds to it. Throws Refused where a
// node asks for what is not there.
class Graph {
 public:
  // UserError if the model has not one input of floats, or leaves its shape open.
  Graph(const Model& model, const Dims& shape, const std::string& path);

  const Model& model() const { return model_; }
  // Whether the next node only moves elements, codes as well as floats.
  void let_codes(bool pass) { codes_pass_ = pass; }
  bool input_is_signed() const { return model_.inputs.front().is_signed; }

  const Value& value(const Node& node, std::size_t input) const;
  bool has(const Node& node, std::size_t input) const;
  bool is_map(const Node& node, std::size_t input) const { return value(node, input).kind == Value::Kind::map; }
  const Value& map(const Node& node, std::size_t input) const;
  const Value& elements(const Node& node, std::size_t input) const;    // of a map or a sequence
  const Value& padded_map(const Node& node, std::size_t input) const;  // zeros may be missing about it
  const Value& made(const Node& node) const { return values_.at(node.outputs[0]); }
  const Constant& constant(const Node& node, std::size_t input, const char* what) const;
  const std::vector<float>& floats(const Node& node, std::size_t input, const char* what, std::int64_t count) const;
  const Constant* constant_or_null(const std::string& name) const;
  bool is_end(const std::string& name) const;  // an output that no node reads
  bool is_read(const std::string& name) const { return readers_.count(name) > 0; }

  // The layer that the node's first input is the output of, if nothing else reads it, under this name or another; of a
  // convolution whose results are not all taken, the convolution.
  ImportedLayer* only_read(const Node& node);

  // The node's first output: a new layer's; what another value is, in another shape perhaps; a constant; nothing.
  ImportedLayer& put(const Node& node, ImportedLayer::Type type, const Value& in, Dims out);
  void alias(const Node& node, const Value& in);
  // The layer whose output is the value in its own shape: flattened if it is that.
  int layer_of(const Node& node, const Value& value);
  // Of the layer's output, or of the input.
  const Dims& stored(int layer) const;
  bool is_series(int layer) const;
  // The value's layer, or the input, is to have these codes; Refused if it has others.
  void give_codes(const Value& value, const Codes& codes);
  // What it has been given, or what it keeps of those that it reads; none: not known.
  std::optional<Codes> codes_of(const Value& value) const { return codes_of(value.layer); }
  bool has_own_codes(const Value& value) const;
  ImportedLayer& made_by(const Value& value) { return network_.layers[static_cast<std::size_t>(value.layer)]; }
  // The node that makes codes of the node's output, if one does.
  const Node* quantised_by(const Node& node) const;
  // Lets the network take its input as [C, H, W] where the node turns it into that; false if others read it too.
  bool turn_input(const Node& node);
  void keep(const Node& node, Constant constant);
  void refuse(const Node& node, const std::string& reason);
  void note(std::string text) { network_.notes.push_back(std::move(text)); }

  Imported finish();

 private:
  [[noreturn]] void fail(const std::string& what) const;
  void read_input(const Dims& shape);
  std::optional<std::size_t> batch_of_sequence() const;
  bool takes_codes(const std::string& name) const;
  std::optional<Codes> codes_of(int layer) const;
  const std::optional<Codes>& given_codes(int layer) const;

  const Model& model_;
  const std::string path_;
  Imported network_;
  std::map<std::string, Value> values_;
  std::map<std::string, int> readers_;  // of each name
  std::vector<bool> shared_;            // of each layer: more than one name or node reads it
  FileNames names_;                     // of layers
  bool codes_pass_ = false;
  std::vector<std::unique_ptr<Constant>> folded_;
};

}  // namespace fansim::importer
