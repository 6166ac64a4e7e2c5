// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "network/shape.h"

namespace fansim::network {

// What no array of multipliers computes: activations by formula, and tensors put together or taken apart
// (docs/networks.md, "Functions").
enum class Function {
  sigmoid,
  tanh,
  hard_sigmoid,
  hard_swish,
  leaky_relu,
  clip,
  lrn,
  multiply,
  sum,
  subtract,
  concat,
  slice,
  resize,
  stretch
};

struct FunctionFacts {
  const char* name;
  bool two_inputs;
  bool moves;    // elements stay what they are: the output has the input's number format
  bool unit;     // what comes out lies in -1..1
  bool of_each;  // an element of the output follows from one of the input
};
const FunctionFacts& facts(Function function);
std::optional<Function> function_named(const std::string& name);
std::vector<std::string> function_names();

// A function and what it is told; fields that it does not use keep their default.
struct FunctionStage {
  Function function = Function::sigmoid;
  double alpha = 0, beta = 0, bias = 0;  // hard_sigmoid: clip(alpha x + beta, 0, 1); leaky_relu: alpha below 0; lrn
  double low = 0, high = 0;              // clip
  int size = 0;                          // lrn: channels
  int factor = 1;                        // resize: each element so often, both ways; stretch: so far apart, 0 between
  int first = 0, channels = 0;           // slice
};

// What it is told, as network files have it.
std::vector<std::pair<std::string, double>> keys_of(const FunctionStage& stage);

// Of maps of these shapes; of multiply, the second may be a number for each channel. Empty if it cannot be: a reason.
struct FunctionShape {
  Shape out;
  std::string refusal;
};
FunctionShape shape_of(const FunctionStage& stage, const Shape& in, const Shape& with);

// The output's elements, in order, of the inputs' in real numbers; `in` is the first's shape.
std::vector<double> apply(const FunctionStage& stage, const Shape& in, const std::vector<double>& values,
                          const std::vector<double>& others);

}  // namespace fansim::network
