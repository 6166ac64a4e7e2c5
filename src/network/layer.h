// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "arith/quantisation/component.h"
#include "arith/quantiser.h"
#include "base/error.h"
#include "network/float_stage.h"
#include "network/function.h"
#include "network/number_format.h"
#include "network/shape.h"
#include "openvx/stage.h"

namespace fansim::network {

enum class LayerType { conv, fc, maxpool, avgpool, lstm, gru, add, relu, flatten, softmax, vision, function };
enum class Activation { none, relu };

const char* type_name(LayerType type);

// Describes the square window of the input that an output is computed from.
struct Window {
  int kernel = 1, stride = 1;
  std::array<int, 4> padding{};  // top, left, bottom, right
  bool ceil_mode = false;

  int area() const { return kernel * kernel; }
};

// Holds the factors that requantise sums: one value, or one per output channel.
struct Scales {
  std::vector<int> scale, shift;
  bool given = false;  // the network gives them; otherwise they are derived
};

// Random weights that are not drawn yet (random_tensors.h).
struct LaterWeights {
  std::uint64_t seed = 1;
  int limit = 1;
};

// Returns whether codes of these steps stand for the same numbers: a step that is not known (0) is like any other.
bool same_step(double a, double b);

// Describes sums in 32-bit floats: y = sat(zero_point + floor(sum * scale + 1/2)).
struct FloatSums {
  float scale = 1;
  // The order: element e = (t * lanes + lane) * steps + k of the fan-in [channel][kr][kc] is product `lane` of beat
  // (t, k). A beat's products are added as a tree, then the beats one after the other, then the bias.
  int lanes = 1, steps = 1;
};

// Holds the weights and the bias of a layer, and what its sums become.
struct Parameters {
  // Shapes: conv [filters, channels / groups, kernel, kernel]; fc [units, inputs]; lstm [4 hidden, features + hidden]
  // in gate order i, f, g, o; gru [3 hidden, features + hidden] in gate order r, z, n. Values are integers, or codes of
  // one byte each; codes of more than 8 bits have two bytes, little-endian.
  std::vector<std::int8_t> weights;
  std::optional<LaterWeights> later;  // if set, `weights` is empty, and whoever needs the weights draws them
  int weight_bits = 8;
  std::shared_ptr<const arith::WeightCodec> codec;  // decodes the codes of a quantisation method; null: int8 integers
  int lowest_weight = -128;  // no integer of the weights is lower; the same whether they are there or not
  // One per output channel (conv, fc); lstm 4 hidden; gru 6 hidden: b_x, then b_h. Files hold 32 bits; codes of more
  // than 8 bits multiply them.
  std::vector<std::int64_t> bias;
  bool weights_given = false, bias_given = false;  // the network gives them; otherwise they are random

  Scales scales;
  std::optional<FloatSums> float_sums;  // empty: sums are integers

  unsigned code(std::size_t i) const {
    if (weight_bits <= 8) return static_cast<std::uint8_t>(weights[i]);
    const auto byte = [this](std::size_t at) { return static_cast<std::uint8_t>(weights[at]); };
    return static_cast<unsigned>(byte(2 * i) | byte(2 * i + 1) << 8);
  }
  // Returns what the activation is multiplied by, coarse grain.
  int integer(std::size_t i) const { return codec ? codec->integer(code(i)) : weights[i]; }
  // Returns what the activation is multiplied by, fine grain.
  float operand(std::size_t i) const { return codec ? codec->operand(code(i)) : weights[i]; }

  // Gives sums in floats, if there are any, the scale that integer sums have.
  void scale_float_sums();
  // Drops weights and bias, where only the other fields are needed.
  void drop_values();
};

// The kinds of layers follow. Each has the fields that it alone needs.

struct Convolution {
  int filters = 0, groups = 1;
  Window window;
  Parameters parameters;
};

struct FullyConnected {
  int units = 0;
  Parameters parameters;
};

struct Pooling {
  bool average = false;  // false: the largest value
  Window window;
};

struct Recurrent {
  bool gru = false;  // false: LSTM
  int hidden = 0, steps = 0;
  // LSTM: the factor hidden_scale / 2^hidden_shift from the new hidden state to the scale that the next step reads.
  int hidden_scale = 1, hidden_shift = 0;
  Parameters parameters;
};

struct Addition {
  // The weights of the operands in a sum that is requantised. The operands may then have any two number formats.
  // 0: they have one format and are added without weights.
  std::array<int, 2> weights{};
  Scales scales;  // one value, if there are weights
};

struct Relu {};
struct Flatten {};
struct Softmax {};

// Holds what a layer computes. A FunctionStage is a function, an openvx::Stage is a stage of a pipeline.
using Operation = std::variant<Convolution, FullyConnected, Pooling, Recurrent, Addition, Relu, Flatten, Softmax,
                               FunctionStage, openvx::Stage>;

// Holds what a layer computes with: integers, single precision, or floating point of any width.
using Arithmetic = std::variant<std::monostate, std::shared_ptr<const SingleStage>, std::shared_ptr<const FloatStage>>;

// Describes one layer with everything that a compiler or an executor needs.
struct Layer {
  static constexpr int kInput = -1;  // stands for the network's input as a producer's index

  std::string name;
  base::Location where;
  int source = kInput;  // the producer's index in Network::layers
  int with = kInput;    // the second operand's producer, if reads_two()

  Operation operation;
  Activation activation = Activation::none;  // follows the operation
  double limit = 0;                          // upper limit of relu in layers that compute floats; 0: none
  Arithmetic arithmetic;

  Shape in, out;
  // The number formats of the producer's output and of this layer's.
  NumberFormat in_format, out_format;
  // The steps of codes: of the output, of the input and of the second operand. A step is the real value of one unit of
  // a code; 0: not known.
  double step = 0, in_step = 0, with_step = 0;

  LayerType type() const;
  const char* kind() const;  // its type, or the name of its function
  bool reads_two() const;    // `with` is an operand
  bool joins() const;        // concat
  bool rescales() const;     // it has no weights, but its output has a number format of its own
  bool keeps_step() const;   // its codes are those that it reads, so their step is no other
  bool weighs() const;       // an addition whose operands have weights
  bool pools() const { return std::holds_alternative<Pooling>(operation); }
  bool recurs() const { return std::holds_alternative<Recurrent>(operation); }

  // Return the fields of one kind. They throw std::bad_variant_access if the layer is of another kind.
  const Convolution& conv() const { return std::get<Convolution>(operation); }
  Convolution& conv() { return std::get<Convolution>(operation); }
  const FullyConnected& fc() const { return std::get<FullyConnected>(operation); }
  FullyConnected& fc() { return std::get<FullyConnected>(operation); }
  const Pooling& pooling() const { return std::get<Pooling>(operation); }
  Pooling& pooling() { return std::get<Pooling>(operation); }
  const Recurrent& recurrent() const { return std::get<Recurrent>(operation); }
  Recurrent& recurrent() { return std::get<Recurrent>(operation); }
  const Addition& addition() const { return std::get<Addition>(operation); }
  Addition& addition() { return std::get<Addition>(operation); }
  // Return null if the layer is of another kind.
  const FunctionStage* function() const { return std::get_if<FunctionStage>(&operation); }
  FunctionStage* function() { return std::get_if<FunctionStage>(&operation); }
  const openvx::Stage* vision() const { return std::get_if<openvx::Stage>(&operation); }
  // Return null if the layer computes with something else.
  const SingleStage* single() const { return arithmetic_of<SingleStage>(); }
  const FloatStage* floating() const { return arithmetic_of<FloatStage>(); }

  // Return what several kinds have.
  bool computes() const { return find_parameters() != nullptr; }  // it has weights: conv, fc, lstm, gru
  const Parameters& parameters() const;                           // std::logic_error unless it computes()
  Parameters& parameters();
  const Scales& scales() const;  // std::logic_error unless it computes() or weighs()
  Scales& scales();
  const Window& window() const;  // the window of conv and poolings, 1 x 1 for others
  int groups() const;            // the groups of conv, 1 for others
  // Makes sums of a layer that computes() floats, which add the elements of a window one after another, or integers.
  void sum_in_floats(bool floats);

  int outputs() const;          // output channels: filters, units or gate rows
  std::int64_t fan_in() const;  // products in one sum
  std::int64_t macs() const;    // multiply-accumulates of the layer, with those at the border
  std::vector<std::int64_t> weight_dims() const;
  std::int64_t weight_count() const;
  std::int64_t weight_bytes() const;
  std::int64_t bias_count() const;
  arith::Requantise requantise(int output) const;  // for one output channel

 private:
  const Parameters* find_parameters() const {
    if (const auto* conv = std::get_if<Convolution>(&operation)) return &conv->parameters;
    if (const auto* fc = std::get_if<FullyConnected>(&operation)) return &fc->parameters;
    if (const auto* recurrent = std::get_if<Recurrent>(&operation)) return &recurrent->parameters;
    return nullptr;
  }
  template <class Stage>
  const Stage* arithmetic_of() const {
    const auto* stage = std::get_if<std::shared_ptr<const Stage>>(&arithmetic);
    return stage ? stage->get() : nullptr;
  }
};

}  // namespace fansim::network
