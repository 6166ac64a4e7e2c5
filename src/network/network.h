// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "arith/quantisation/component.h"
#include "arith/requantise.h"
#include "base/error.h"

namespace fansim::network {

enum class LayerType { conv, fc, maxpool, avgpool, lstm, gru, add, relu, flatten };
enum class Activation { none, relu };

const char* type_name(LayerType type);

// A feature map (channels, height, width) or a sequence (steps, features).
struct Shape {
  bool sequence = false;
  int channels = 0, height = 0, width = 0;
  int steps = 0, features = 0;

  static Shape map(int channels, int height, int width) { return {false, channels, height, width, 0, 0}; }
  static Shape series(int steps, int features) { return {true, 0, 0, 0, steps, features}; }

  std::int64_t elements() const;
  std::vector<std::int64_t> dims() const;  // as in .npy files
  std::string text() const;                // "(3, 224, 224)"
};

bool operator==(const Shape& a, const Shape& b);
inline bool operator!=(const Shape& a, const Shape& b) { return !(a == b); }

// Quantised values in C,H,W or steps,features order: one byte each, or two, little-endian, of more than 8 bits. Bytes
// hold the value, two's complement or unsigned; a uint8 byte is kept as the int8 of the same bits.
struct Tensor {
  Shape shape;
  bool is_unsigned = false;
  int zero_point = 0;
  std::vector<std::int8_t> bytes;
  int bits = 8;  // of a value, 1..16

  std::size_t value_bytes() const { return bits > 8 ? 2 : 1; }
  std::size_t size() const { return bytes.size() / value_bytes(); }
  void resize(std::size_t values) { bytes.resize(values * value_bytes()); }
  int lowest() const { return is_unsigned ? 0 : -(1 << (bits - 1)); }
  int highest() const { return lowest() + (1 << bits) - 1; }

  int at(std::size_t i) const {
    if (bits > 8) {
      const int low = static_cast<std::uint8_t>(bytes[2 * i]), high = bytes[2 * i + 1];
      return is_unsigned ? (high & 0xff) * 256 + low : high * 256 + low;
    }
    return is_unsigned ? static_cast<std::uint8_t>(bytes[i]) : bytes[i];
  }
  void set(std::size_t i, int value) {
    if (bits > 8) {
      bytes[2 * i] = static_cast<std::int8_t>(value);
      bytes[2 * i + 1] = static_cast<std::int8_t>(value >> 8);
    } else {
      bytes[i] = static_cast<std::int8_t>(value);
    }
  }
};

// One layer with everything a compiler or executor needs; fields a type does not use keep their default.
struct Layer {
  static constexpr int kInput = -1;  // as a producer's index: the network's input

  std::string name;
  LayerType type = LayerType::conv;
  int source = kInput;  // the producer's index in Network::layers
  int with = kInput;    // the second operand's producer (add)

  int filters = 0;  // conv
  int kernel = 1, stride = 1, groups = 1;
  std::array<int, 4> padding{};  // top, left, bottom, right
  bool ceil_mode = false;
  int units = 0;              // fc
  int hidden = 0, steps = 0;  // lstm, gru
  Activation activation = Activation::none;

  Shape in, out;
  // The producer's and this layer's number format.
  int in_zero_point = 0;
  bool in_is_unsigned = false;
  int zero_point = 0;
  bool is_unsigned = false;
  int in_bits = 8, out_bits = 8;

  // Requantisation of a computing layer: one value or one per output channel.
  std::vector<int> scale, shift;
  bool quant_given = false;  // by the network, else derived

  // Weights in a quantisation method's codes; none: int8 integers.
  int weight_bits = 8;
  std::shared_ptr<const arith::WeightCodec> codec;
  // The sum in 32-bit floats, then y = sat(zero_point + floor(sum * out_scale + 1/2)); its order:
  bool float_sum = false;
  float out_scale = 1;
  // Element e = (t * sum_lanes + lane) * sum_steps + k of the fan-in [channel][kr][kc] is product `lane` of beat (t,
  // k): a beat's products are added as a tree, beats one after the other, then the bias.
  int sum_lanes = 1, sum_steps = 1;

  // conv [filters, channels / groups, kernel, kernel]; fc [units, inputs]; lstm [4 hidden, features + hidden] in
  // gate order i, f, g, o; gru [3 hidden, features + hidden] in gate order r, z, n. Integers, or codes: one byte each,
  // or two, little-endian, of more than 8 bits.
  std::vector<std::int8_t> weights;
  // One per output channel (conv, fc); lstm 4 hidden; gru 6 hidden: b_x then b_h.
  std::vector<std::int32_t> bias;
  bool weights_given = false, bias_given = false;  // by the network, else random

  base::Location where;

  bool computes() const;        // has weights: conv, fc, lstm, gru
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

struct Network {
  std::string name;
  std::string hash;  // FNV-1a of the YAML text and the tensors' files
  Tensor input;
  bool input_given = false;  // by a file, else random
  std::vector<Layer> layers;
};

struct LoadOptions {
  std::uint64_t seed = 1;  // of the tensors the network does not carry
  std::string input;       // .npy of the input tensor; empty: random
  bool values = true;      // false: no input, weights or bias (timing needs none)
};

// Reads a network (section "Networks" of the documentation), infers every shape, loads or derives every tensor.
Network load_network(const std::string& path, const LoadOptions& options = {});

}  // namespace fansim::network
