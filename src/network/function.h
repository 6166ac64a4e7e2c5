// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
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
  stretch,
  bilinear,
  window_max,
  window_mean,
  space_to_depth
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

using RowsColumns = std::array<int, 2>;

// Where an element of an enlarged map lies between those that it is made of (ONNX, Resize).
enum class Corners { half_pixel, asymmetric, align };

// A function and what it is told; fields that it does not use keep their default.
struct FunctionStage {
  Function function = Function::sigmoid;
  double alpha = 0, beta = 0, bias = 0;  // hard_sigmoid: clip(alpha x + beta, 0, 1); lrn
  std::vector<double> slopes;            // leaky_relu: below 0, of all, or of each channel
  double low = 0, high = 0;              // clip
  int size = 0;                          // lrn: channels
  RowsColumns factor{1, 1};              // resize: each element so often; stretch: so far apart, 0 between; bilinear;
                                         // space_to_depth: rows and columns of a block
  Corners corners = Corners::half_pixel;
  int first = 0, channels = 0;  // slice

  // window_max, window_mean
  RowsColumns kernel{1, 1}, stride{1, 1};
  std::array<int, 4> padding{};  // top, left, bottom, right
  bool ceil_mode = false;
  bool count_padding = false;  // among what a mean is divided by
};

const std::vector<std::string>& corner_words();
// What it is told, as network files have it.
std::vector<std::pair<std::string, std::string>> keys_of(const FunctionStage& stage);

// Of maps of these shapes; of multiply, the second may be a number for each channel. Empty if it cannot be: a reason.
struct FunctionShape {
  Shape out;
  std::string refusal;
};
FunctionShape shape_of(const FunctionStage& stage, const Shape& in, const Shape& with);

// How often it reads an element of its first input.
std::int64_t values_read(const FunctionStage& stage, const Shape& in);

// The output's elements, in order, of the inputs' in real numbers; `in` is the first's shape.
std::vector<double> apply(const FunctionStage& stage, const Shape& in, const std::vector<double>& values,
                          const std::vector<double>& others);

}  // namespace fansim::network
