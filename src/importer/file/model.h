// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

// This file describes a model as the ONNX file has it, without protobuf's types.
namespace fansim::importer {

using Dims = std::vector<std::int64_t>;

// Holds numbers that the file carries: floats, or integers of any width.
struct Constant {
  Dims dims;
  bool floating = false;
  std::vector<float> floats;
  std::vector<std::int64_t> integers;
  bool is_byte = false, is_signed = false;  // integers that were int8 or uint8; integers that were signed
  std::vector<float> steps = {};            // steps of which the floats are multiples: one for all, or one for each
                                            // index of `axis`
  std::size_t axis = 0;

  std::size_t size() const { return floating ? floats.size() : integers.size(); }
};

struct Node {
  std::string name;                          // unique: the file's name, else the operator and a number
  std::string op;                            // with its domain, unless that is ONNX's own
  std::vector<std::string> inputs, outputs;  // "" where an optional one is missing

  std::map<std::string, std::int64_t> integers;
  std::map<std::string, double> floats;
  std::map<std::string, Dims> lists;
  std::map<std::string, std::string> words;
  std::map<std::string, std::vector<std::string>> word_lists;
  std::map<std::string, Constant> tensors;

  std::int64_t integer(const std::string& attribute, std::int64_t fallback) const;
  double number(const std::string& attribute, double fallback) const;
  Dims list(const std::string& attribute, const Dims& fallback) const;
  std::string word(const std::string& attribute, const std::string& fallback) const;
};

struct Input {
  std::string name;
  Dims dims;  // -1: known only at run time
  bool floating = false, is_signed = false;
};

struct Model {
  std::string name;
  std::int64_t opset = 0;
  std::vector<Node> nodes;  // sorted: each after the nodes that it reads
  std::map<std::string, Constant> constants;
  std::vector<Input> inputs;  // without those that are constants
  std::vector<std::string> outputs;
};

constexpr std::int64_t kLeastOpset = 6, kMostOpset = 17;

// Throws UserError with file and node if the model cannot be read: no protobuf, a tensor whose size is wrong, external
// data outside the file's folder, a cycle, or an operator set outside 6 to 17.
Model read_model(const std::string& path);

}  // namespace fansim::importer
