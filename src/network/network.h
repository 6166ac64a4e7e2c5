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

#include "arith/formats/quantiser.h"
#include "arith/quantisation/component.h"
#include "base/error.h"
#include "network/float_stage.h"
#include "network/function.h"
#include "network/tensor.h"
#include "openvx/stage.h"

namespace fansim::network {

enum class LayerType { conv, fc, maxpool, avgpool, lstm, gru, add, relu, flatten, softmax, vision, function };
enum class Activation { none, relu };

const char* type_name(LayerType type);

// One layer with everything a compiler or executor needs; fields a type does not use keep their default.
// Random weights that are not drawn yet (random_tensors.h).
struct LaterWeights {
  std::uint64_t seed = 1;
  int limit = 1;
};

struct Layer {
  static constexpr int kInput = -1;  // as a producer's index: the network's input

  std::string name;
  LayerType type = LayerType::conv;
  int source = kInput;  // the producer's index in Network::layers
  int with = kInput;    // the second operand's producer, if it reads_two()

  int filters = 0;  // conv
  int kernel = 1, stride = 1, groups = 1;
  std::array<int, 4> padding{};  // top, left, bottom, right
  bool ceil_mode = false;
  int units = 0;              // fc
  int hidden = 0, steps = 0;  // lstm, gru
  // lstm: the new hidden state times this, divided by 2 to the power of that, in the scale that the next step reads.
  int hidden_scale = 1, hidden_shift = 0;
  // add: what its operands, of any two number formats, count in a sum that is requantised; 0: they have one format, and
  // the sum is as it is.
  std::array<int, 2> sum_weights{};
  Activation activation = Activation::none;
  double limit = 0;  // of relu, where layers compute floats: nothing above; 0: none

  Shape in, out;
  // The producer's and this layer's.
  NumberFormat in_format, out_format;

  // Requantisation of a computing layer, one value or one per output channel, or of an add that weighs().
  std::vector<int> scale, shift;
  bool quant_given = false;  // by the network, else derived

  // Weights in a quantisation method's codes; none: int8 integers.
  int weight_bits = 8;
  std::shared_ptr<const arith::WeightCodec> codec;
  // The sum in 32-bit floats, then y = sat(zero_point + floor(sum * out_scale + 1/2)); its order:
  bool float_sum = false;
  float out_scale = 1;
  // What a code of the output, of what is read and of the second operand counts of the number that it stands for; 0:
  // not known.
  double step = 0, in_step = 0, with_step = 0;
  // Element e = (t * sum_lanes + lane) * sum_steps + k of the fan-in [channel][kr][kc] is product `lane` of beat (t,
  // k): a beat's products are added as a tree, beats one after the other, then the bias.
  int sum_lanes = 1, sum_steps = 1;

  // conv [filters, channels / groups, kernel, kernel]; fc [units, inputs]; lstm [4 hidden, features + hidden] in
  // gate order i, f, g, o; gru [3 hidden, features + hidden] in gate order r, z, n. Integers, or codes: one byte each,
  // or two, little-endian, of more than 8 bits.
  std::vector<std::int8_t> weights;
  std::optional<LaterWeights> later;  // whoever needs them draws them: there are none above
  int lowest_weight = -128;  // no integer of the weights is below, whether they are here or only their times are asked
  // One per output channel (conv, fc); lstm 4 hidden; gru 6 hidden: b_x then b_h.
  std::vector<std::int32_t> bias;
  bool weights_given = false, bias_given = false;  // by the network, else random

  std::shared_ptr<const openvx::Stage> vision;  // of a pipeline
  std::optional<FunctionStage> function;        // of a function
  // Computed in floating point of any width, or in single precision: what with; else in integers.
  std::shared_ptr<const FloatStage> floating;
  std::shared_ptr<const SingleStage> single;

  base::Location where;

  const char* kind() const;  // its type, or its function
  bool reads_two() const;    // `with` is an operand
  bool joins() const;        // concat
  bool computes() const;     // has weights: conv, fc, lstm, gru
  bool rescales() const;     // has none, but its output has a number format of its own
  bool weighs() const { return sum_weights[0] > 0; }
  int outputs() const;          // output channels: filters, units or gate rows
  std::int64_t fan_in() const;  // products in one sum
  std::int64_t macs() const;    // multiply-accumulates of the layer, border included
  std::vector<std::int64_t> weight_dims() const;
  std::int64_t weight_count() const;
  std::int64_t weight_bytes() const;
  std::int64_t bias_count() const;
  unsigned weight_code(std::size_t i) const;
  int weight_integer(std::size_t i) const;         // coarse: what the activation is multiplied by
  float weight_operand(std::size_t i) const;       // fine
  arith::Requantise requantise(int output) const;  // of one output channel
};

// Of a network whose weights are in a quantisation method's codes as its files have them.
struct Coding {
  std::string method;
  int weight_bits = 8, activation_bits = 8;
  std::string floats;  // the network of floats that it was made of, a file; empty: not known
};

struct Network {
  std::string name;
  std::string hash;  // FNV-1a of the YAML text and the tensors' files
  Tensor input;
  bool input_given = false;  // by a file, else random
  double input_step = 0;     // what a code of the input counts of the number that it stands for; 0: not known
  std::vector<Layer> layers;
  std::optional<Coding> coding;  // none: int8 integers, or floats

  NumberFormat computed_format() const;            // of what conv and fc compute, unless they say another
  const NumberFormat& format(int producer) const;  // of the layer's output; Layer::kInput: of the input
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
