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

// Functions that no array of multipliers computes: activations by formula, and tensors that are joined or cut
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
  bool moves;    // elements are moved unchanged: the output has the input's number format
  bool unit;     // results lie in -1..1
  bool of_each;  // an element of the output depends on one element of the input
};
const FunctionFacts& facts(Function function);
std::optional<Function> function_named(const std::string& name);
std::vector<std::string> function_names();

using RowsColumns = std::array<int, 2>;

// Where an element of an enlarged map lies between the elements from which it is interpolated (ONNX, Resize).
enum class Corners { half_pixel, asymmetric, align };

// A function with its parameters. Parameters that it does not use keep their defaults.
struct FunctionStage {
  Function function = Function::sigmoid;
  double alpha = 0, beta = 0, bias = 0;  // hard_sigmoid: clip(alpha x + beta, 0, 1); lrn
  std::vector<double> slopes;            // leaky_relu: slope below 0, for all channels or for each
  double low = 0, high = 0;              // clip
  int size = 0;                          // lrn: channels
  RowsColumns factor{1, 1};  // resize, bilinear: how often each element appears; stretch: the distance of elements,
                             // with 0 between; space_to_depth: rows and columns of a block
  Corners corners = Corners::half_pixel;
  int first = 0, channels = 0;  // slice

  // window_max, window_mean
  RowsColumns kernel{1, 1}, stride{1, 1};
  std::array<int, 4> padding{};  // top, left, bottom, right
  bool ceil_mode = false;
  bool count_padding = false;  // the divisor of a mean counts padding
};

const std::vector<std::string>& corner_words();
// Returns its parameters as network files have them.
std::vector<std::pair<std::string, std::string>> keys_of(const FunctionStage& stage);

// The shape of the output for maps of these shapes. The second operand of multiply may be one number per channel.
// `refusal` says why the function does not take them; empty if it does.
struct FunctionShape {
  Shape out;
  std::string refusal;
};
FunctionShape shape_of(const FunctionStage& stage, const Shape& in, const Shape& with);

// Returns how many elements of its first input the function reads, counting repetitions.
std::int64_t values_read(const FunctionStage& stage, const Shape& in);

// Returns the output's elements in order. Inputs are real numbers; `in` is the first input's shape.
std::vector<double> apply(const FunctionStage& stage, const Shape& in, const std::vector<double>& values,
                          const std::vector<double>& others);

}  // namespace fansim::network
