// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "importer/file/model.h"

namespace fansim::importer {

// The codes that floats are to become: (code - zero_point) * step.
struct Codes {
  float step = 1;
  int zero_point = 0;
  bool is_signed = false;
};
inline bool operator==(const Codes& a, const Codes& b) {
  return !(a.step < b.step) && !(a.step > b.step) && a.zero_point == b.zero_point && a.is_signed == b.is_signed;
}

// A layer of the project's networks (docs/networks.md), with weights in float32.
struct ImportedLayer {
  enum class Type { conv, fc, maxpool, avgpool, add, relu, flatten, softmax, lstm, gru, function };
  static constexpr int kInput = -1;

  Type type = Type::conv;
  std::string name;
  std::string node;  // that it was made from
  int source = kInput;
  std::optional<int> with;  // the second operand, of what has one
  bool sequence = false;    // its output
  // Some of the results of a convolution, which nothing else reads: what bends elements may come before it.
  bool takes_some = false;
  Dims out;  // C, H, W, or what is left of it once it is flat; of a sequence steps and features

  int outputs = 0;  // conv, fc; hidden units of lstm, gru
  int kernel = 1, stride = 1, groups = 1;
  std::array<int, 4> padding{};  // top, left, bottom, right
  bool ceil_mode = false;
  bool relu = false;                      // behind it
  double limit = 0;                       // of relu: nothing above; 0: none
  std::string function;                   // of a function: its name in network files
  std::map<std::string, double> numbers;  // and its keys
  std::map<std::string, std::vector<double>> lists;
  std::map<std::string, std::string> words;
  Dims weight_dims;
  std::vector<float> weights, bias;  // a bias for each output (gru: two, one behind the other), or none
  std::vector<float> weight_steps;   // that they are multiples of: of each output's, or of all; empty: not known
  std::optional<Codes> codes;        // of the output

  bool is_recurrent() const { return type == Type::lstm || type == Type::gru; }
  // Its output has the codes of what it reads.
  bool keeps_codes() const;
  std::vector<int> sources() const { return with ? std::vector<int>{source, *with} : std::vector<int>{source}; }
};

// A node that no layer stands for.
struct Refusal {
  std::string node, op, reason;
};

struct Imported {
  std::string name;
  Dims input;  // C, H, W, or 1, 1, F of a vector; of a sequence steps and features
  std::optional<Codes> input_codes;
  std::vector<ImportedLayer> layers;
  std::vector<Refusal> refused;    // all of them; empty: the network is whole
  std::vector<std::string> notes;  // what was left out, and why nothing is missed
};

// Makes these values of the model its outputs, so that what is computed from them alone is left out. UserError, with
// the nearest name, if there is none of that name.
void cut(Model& model, const std::vector<std::string>& outputs);

// `shape` gives the input's dimensions, its first the number of inputs, where the file leaves some open; empty: the
// file's. UserError if that is not enough, or not one input; `path` for messages.
Imported convert(Model model, const Dims& shape, const std::string& path);

// DIR/network.yaml and its tensors. UserError if they cannot be written.
void write(const Imported& network, const std::string& folder);

}  // namespace fansim::importer
