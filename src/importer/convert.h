// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "importer/file/model.h"

namespace fansim::importer {

// Defines the codes that floats are to become: (code - zero_point) * step.
struct Codes {
  float step = 1;
  int zero_point = 0;
  bool is_signed = false;
};
inline bool operator==(const Codes& a, const Codes& b) {
  return !(a.step < b.step) && !(a.step > b.step) && a.zero_point == b.zero_point && a.is_signed == b.is_signed;
}
inline bool operator!=(const Codes& a, const Codes& b) { return !(a == b); }

// Holds a layer of the project's networks (docs/networks.md), with weights in float32.
struct ImportedLayer {
  enum class Type { conv, fc, maxpool, avgpool, add, relu, flatten, softmax, lstm, gru, function };
  static constexpr int kInput = -1;

  Type type = Type::conv;
  std::string name;
  std::string node;  // the node that it was made from
  int source = kInput;
  std::optional<int> with;  // the second operand, of layers with two
  bool sequence = false;    // the output is a sequence
  // True if the layer picks some results of a convolution that nothing else reads. An activation may then move in front
  // of this layer.
  bool takes_some = false;
  Dims out;  // C, H, W, or the dims of a flat output; steps and features of a sequence

  int outputs = 0;  // conv, fc; hidden units of lstm, gru
  int kernel = 1, stride = 1, groups = 1;
  std::array<int, 4> padding{};  // top, left, bottom, right
  bool ceil_mode = false;
  bool relu = false;                      // a ReLU follows
  double limit = 0;                       // upper limit of the ReLU; 0: none
  std::string function;                   // name of the function in network files
  std::map<std::string, double> numbers;  // keys of the function
  std::map<std::string, std::vector<double>> lists;
  std::map<std::string, std::string> words;
  Dims weight_dims;
  std::vector<float> weights, bias;  // bias: one for each output (gru: all of b_x, then all of b_h), or none
  std::vector<float> weight_steps;   // steps of which the weights are multiples: one for each output or one for all;
                                     // empty: unknown
  std::optional<Codes> codes;        // codes of the output

  bool is_recurrent() const { return type == Type::lstm || type == Type::gru; }
  // Returns whether the output has the codes of the input.
  bool keeps_codes() const;
  std::vector<int> sources() const { return with ? std::vector<int>{source, *with} : std::vector<int>{source}; }
};

// Names a node that no layer can represent.
struct Refusal {
  std::string node, op, reason;
};

struct Imported {
  std::string name;
  Dims input;  // C, H, W; 1, 1, F of a vector; steps and features of a sequence
  std::optional<Codes> input_codes;
  std::vector<ImportedLayer> layers;
  std::vector<Refusal> refused;    // all such nodes; empty: the network is complete
  std::vector<std::string> notes;  // what was left out, and why that changes nothing
};

// Makes these values the outputs of the model, and drops what only other outputs need. Throws UserError, with the
// nearest name, if a name is unknown.
void cut(Model& model, const std::vector<std::string>& outputs);

// Converts a model. `shape` gives the input's dimensions, the first of which is the number of inputs, for a file that
// leaves some open; empty: the file's own. `path` is for messages. Throws UserError if the shape stays open, or if
// there is not exactly one input.
Imported convert(Model model, const Dims& shape, const std::string& path);

// Writes DIR/network.yaml and its tensors. Throws UserError if they cannot be written.
void write(const Imported& network, const std::string& folder);

}  // namespace fansim::importer
