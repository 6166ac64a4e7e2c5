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

// Holds what a name of the model stands for while the nodes are converted.
struct Value {
  enum class Kind { constant, map, refused } kind = Kind::refused;
  const Constant* constant = nullptr;
  int layer = ImportedLayer::kInput;   // the layer whose output it is, perhaps in another shape
  Dims dims;                           // including the number of inputs
  std::array<std::int64_t, 4> pads{};  // zeros still to be added around it: top, left, bottom, right
  bool coded = false;                  // in the form that QuantizeLinear produces
  bool dynamic = false;                // the step of its codes follows each input
  bool rounded = false;                // its floats are exactly those that codes stand for
  bool sequence = false;               // a sequence of steps, or one step; any of its dims may be 1
};

// Holds the network that the nodes converted so far have produced. Operators read it and add to it. Throws Refused if a
// node asks for something that is not there.
class Graph {
 public:
  // Throws UserError if the model does not have exactly one input of floats, or leaves its shape open.
  Graph(const Model& model, const Dims& shape, const std::string& path);

  const Model& model() const { return model_; }
  // Says whether the next node only moves elements, and so may read codes as well as floats.
  void let_codes(bool pass) { codes_pass_ = pass; }
  bool input_is_signed() const { return model_.inputs.front().is_signed; }

  const Value& value(const Node& node, std::size_t input) const;
  bool has(const Node& node, std::size_t input) const;
  bool is_map(const Node& node, std::size_t input) const { return value(node, input).kind == Value::Kind::map; }
  const Value& map(const Node& node, std::size_t input) const;
  const Value& elements(const Node& node, std::size_t input) const;    // a map or a sequence
  const Value& padded_map(const Node& node, std::size_t input) const;  // padding of zeros may still be missing around
                                                                       // it
  const Value& made(const Node& node) const { return values_.at(node.outputs[0]); }
  const Constant& constant(const Node& node, std::size_t input, const char* what) const;
  const std::vector<float>& floats(const Node& node, std::size_t input, const char* what, std::int64_t count) const;
  const Constant* constant_or_null(const std::string& name) const;
  bool is_end(const std::string& name) const;  // an output that no node reads
  bool is_read(const std::string& name) const { return readers_.count(name) > 0; }
  bool is_read_unquantised(const std::string& name) const;  // as an output, or by other nodes than QuantizeLinear

  // Returns the layer whose output is the node's first input, if nothing else reads that output under any name. If the
  // layer only picks results of a convolution, it returns the convolution.
  ImportedLayer* only_read(const Node& node);

  // Define the node's first output: as the output of a new layer, as another value, perhaps in another shape, as a
  // constant, or as refused.
  ImportedLayer& put(const Node& node, ImportedLayer::Type type, const Value& in, Dims out);
  void alias(const Node& node, const Value& in);
  // Returns the layer whose output is the value in its own shape. It adds a flatten if the value is flat.
  int layer_of(const Node& node, const Value& value);
  // Return the dims of the layer's output, or of the input, and whether it is a sequence.
  const Dims& stored(int layer) const;
  bool is_series(int layer) const;
  // Sets the codes of the value's layer, or of the input. Throws Refused if it has others.
  void give_codes(const Value& value, const Codes& codes);
  // Returns the codes that the value was given, or those that its layer keeps from what it reads; none: unknown.
  std::optional<Codes> codes_of(const Value& value) const { return codes_of(value.layer); }
  bool has_own_codes(const Value& value) const;
  ImportedLayer& made_by(const Value& value) { return network_.layers[static_cast<std::size_t>(value.layer)]; }
  // Makes the network take its input as [C, H, W] if the node transposes it to that. Returns false if other nodes read
  // the input too.
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
  std::map<std::string, int> readers_;  // how many nodes read each name
  std::vector<bool> shared_;            // for each layer: more than one name or node reads it
  FileNames names_;                     // names of the layers
  bool codes_pass_ = false;
  std::vector<std::unique_ptr<Constant>> folded_;
};

}  // namespace fansim::importer
