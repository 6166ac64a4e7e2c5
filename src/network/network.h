// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "arith/quantisation/component.h"
#include "arith/quantiser.h"
#include "base/error.h"
#include "network/float_stage.h"
#include "network/function.h"
#include "network/tensor.h"
#include "openvx/stage.h"

namespace fansim::network {

enum class LayerType { conv, fc, maxpool, avgpool, lstm, gru, add, relu, flatten, softmax, vision, function };
enum class Activation { none, relu };

const char* type_name(LayerType type);

// Random weights that are not drawn yet (random_tensors.h).
struct LaterWeights {
  std::uint64_t seed = 1;
  int limit = 1;
};

// One layer with everything that a compiler or executor needs. Fields that a type does not use keep their defaults.
struct Layer {
  static constexpr int kInput = -1;  // stands for the network's input as a producer's index

  std::string name;
  LayerType type = LayerType::conv;
  int source = kInput;  // the producer's index in Network::layers
  int with = kInput;    // the second operand's producer, if reads_two()

  int filters = 0;  // conv
  int kernel = 1, stride = 1, groups = 1;
  std::array<int, 4> padding{};  // top, left, bottom, right
  bool ceil_mode = false;
  int units = 0;              // fc
  int hidden = 0, steps = 0;  // lstm, gru
  // lstm: the factor hidden_scale / 2^hidden_shift from the new hidden state to the scale that the next step reads.
  int hidden_scale = 1, hidden_shift = 0;
  // add: the weights of its operands in a sum that is requantised. The operands may then have any two number formats.
  // 0: they have one format and are added without weights.
  std::array<int, 2> sum_weights{};
  Activation activation = Activation::none;
  double limit = 0;  // upper limit of relu in layers that compute floats; 0: none

  Shape in, out;
  // The number formats of the producer's output and of this layer's.
  NumberFormat in_format, out_format;

  // Requantisation of a layer that computes() or weighs(): one value, or one per output channel.
  std::vector<int> scale, shift;
  bool quant_given = false;  // the network gives it; otherwise it is derived

  // The codec of weights in a quantisation method's codes; null: int8 integers.
  int weight_bits = 8;
  std::shared_ptr<const arith::WeightCodec> codec;
  // The sum is computed in 32-bit floats, in the order below; then y = sat(zero_point + floor(sum * out_scale + 1/2)).
  bool float_sum = false;
  float out_scale = 1;
  // The steps of codes: of the output, of the input and of the second operand. A step is the real value of one unit of
  // a code; 0: not known.
  double step = 0, in_step = 0, with_step = 0;
  // The order of a float sum: element e = (t * sum_lanes + lane) * sum_steps + k of the fan-in [channel][kr][kc] is
  // product `lane` of beat (t, k). A beat's products are added as a tree, then the beats one after the other, then the
  // bias.
  int sum_lanes = 1, sum_steps = 1;

  // Shapes: conv [filters, channels / groups, kernel, kernel]; fc [units, inputs]; lstm [4 hidden, features + hidden]
  // in gate order i, f, g, o; gru [3 hidden, features + hidden] in gate order r, z, n. Values are integers, or codes of
  // one byte each; codes of more than 8 bits have two bytes, little-endian.
  std::vector<std::int8_t> weights;
  std::optional<LaterWeights> later;  // if set, `weights` is empty, and whoever needs the weights draws them
  int lowest_weight = -128;           // no integer of the weights is lower; also set if the weights are absent
  // One per output channel (conv, fc); lstm 4 hidden; gru 6 hidden: b_x, then b_h.
  std::vector<std::int32_t> bias;
  bool weights_given = false, bias_given = false;  // the network gives them; otherwise they are random

  std::shared_ptr<const openvx::Stage> vision;  // for a stage of a pipeline
  std::optional<FunctionStage> function;        // for a function
  // Set if the layer computes in floating point of any width, or in single precision; otherwise it computes in
  // integers.
  std::shared_ptr<const FloatStage> floating;
  std::shared_ptr<const SingleStage> single;

  base::Location where;

  const char* kind() const;  // its type, or the name of its function
  bool reads_two() const;    // `with` is an operand
  bool joins() const;        // concat
  bool computes() const;     // it has weights: conv, fc, lstm, gru
  bool rescales() const;     // it has no weights, but its output has a number format of its own
  bool weighs() const { return sum_weights[0] > 0; }
  int outputs() const;          // output channels: filters, units or gate rows
  std::int64_t fan_in() const;  // products in one sum
  std::int64_t macs() const;    // multiply-accumulates of the layer, with those at the border
  std::vector<std::int64_t> weight_dims() const;
  std::int64_t weight_count() const;
  std::int64_t weight_bytes() const;
  std::int64_t bias_count() const;
  unsigned weight_code(std::size_t i) const;
  int weight_integer(std::size_t i) const;         // coarse: the factor of the activation
  float weight_operand(std::size_t i) const;       // fine: the factor of the activation
  arith::Requantise requantise(int output) const;  // for one output channel
};

// Names the quantisation method in whose codes a network's files have its weights.
struct Coding {
  std::string method;
  int weight_bits = 8, activation_bits = 8;
  std::string floats;  // file of the network of floats from which it was made; empty: not known
};

struct Network {
  std::string name;
  std::string hash;  // FNV-1a of the YAML text and the tensors' files
  Tensor input;
  bool input_given = false;  // a file gives it; otherwise it is random
  double input_step = 0;     // real value of one unit of the input's codes; 0: not known
  std::vector<Layer> layers;
  std::optional<Coding> coding;  // empty: int8 integers, or floats

  NumberFormat computed_format() const;  // number format of what conv and fc compute, unless they have another one
  const NumberFormat& format(int producer) const;  // the layer's output, or the input for Layer::kInput
  const Shape& shape(int producer) const;
  double step(int producer) const;  // step of its codes; 0: not known
};

// Rounds floats to a tensor's codes.
void give_codes(Tensor& tensor, const std::vector<float>& values, double step);
// Sets the network's input, whose step must be known.
void give_input(Network& network, const std::vector<float>& values);

struct LoadOptions {
  std::uint64_t seed = 1;      // for tensors that the network does not carry
  std::string input;           // .npy file of the input tensor; empty: random
  bool values = true;          // false: no input, weights or bias (timing needs none)
  bool weights_later = false;  // random weights become Layer::later
  std::string checkpoint;      // file of a training, whose weights replace the network's; empty: none
  std::function<std::vector<bool>(const Network&)> wanted;  // returns the layers whose weights are drawn; null: all
};

// Reads a network (section "Networks" of the documentation), infers every shape, and loads or derives every tensor.
Network load_network(const std::string& path, const LoadOptions& options = {});

}  // namespace fansim::network
