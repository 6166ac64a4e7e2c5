// SPDX-License-Identifier: Apache-2.0
#include "network/definitions.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <stdexcept>

namespace fansim::definitions {
namespace {

using arith::QuantiserFormat;
using network::Function;
using network::FunctionStage;
using network::Layer;
using network::LayerType;
using network::Shape;
__extension__ using Integer = __int128;

Integer two_to(int n) { return Integer{1} << n; }

Integer floor_of_quotient(Integer v, Integer divisor) {
  Integer quotient = v / divisor;
  while (quotient * divisor > v) --quotient;
  return quotient;
}

Integer clipped(Integer v, Integer low, Integer high) { return v < low ? low : v > high ? high : v; }

Integer signed_of(Integer v, int bits) { return clipped(v, -two_to(bits - 1), two_to(bits - 1) - 1); }

// v modulo 2^bits, read as two's complement.
Integer modulo(Integer v, int bits) {
  v -= floor_of_quotient(v, two_to(bits)) * two_to(bits);
  return v >= two_to(bits - 1) ? v - two_to(bits) : v;
}

Integer round_shift(Integer v, int n, bool half_up) {
  return half_up ? floor_of_quotient(2 * v + two_to(n), two_to(n + 1)) : floor_of_quotient(v, two_to(n));
}

Integer scaled(Integer sum, int m, int n, const QuantiserFormat& format) {
  const Integer operand = signed_of(modulo(sum, format.accumulator_bits), format.operand_bits);
  return round_shift(operand * m, n, format.rounding == arith::Rounding::half_up);
}

int saturated(Integer code, const network::NumberFormat& format) {
  const Integer lowest = format.is_unsigned() ? 0 : -two_to(format.bits - 1);
  return static_cast<int>(clipped(code, lowest, lowest + two_to(format.bits) - 1));
}

int one_of(const std::vector<int>& values, int channel) {
  return values.size() == 1 ? values[0] : values[static_cast<std::size_t>(channel)];
}

int activated(int code, const Layer& layer) {
  return layer.activation == network::Activation::relu ? std::max(code, layer.out_format.zero_point) : code;
}

// A tensor's codes, less the zero point.
struct Map {
  Shape shape;
  std::vector<int> values;

  explicit Map(const network::Tensor& tensor) : shape(tensor.shape) {
    for (std::size_t i = 0; i < tensor.size(); ++i) values.push_back(tensor.at(i) - tensor.format.zero_point);
  }
  bool inside(int y, int x) const { return y >= 0 && x >= 0 && y < shape.height && x < shape.width; }
  int at(int c, int y, int x) const {
    return values[(static_cast<std::size_t>(c) * static_cast<std::size_t>(shape.height) + static_cast<std::size_t>(y)) *
                      static_cast<std::size_t>(shape.width) +
                  static_cast<std::size_t>(x)];
  }
};

// Calls value(channel, row, column) for each place of a map, in order.
template <class Value, class Of>
std::vector<Value> each(const Shape& shape, Of value) {
  std::vector<Value> all;
  for (int c = 0; c < shape.channels; ++c)
    for (int y = 0; y < shape.height; ++y)
      for (int x = 0; x < shape.width; ++x) all.push_back(value(c, y, x));
  return all;
}

std::vector<int> convolution(const Layer& layer, const QuantiserFormat& format, const Map& in) {
  const network::Convolution& conv = layer.conv();
  const int k = conv.window.kernel, channels = in.shape.channels / conv.groups;
  return each<int>(layer.out, [&](int f, int y, int x) {
    Integer sum = conv.parameters.bias[static_cast<std::size_t>(f)];
    const int group = f / (conv.filters / conv.groups);
    for (int c = 0; c < channels; ++c)
      for (int i = 0; i < k; ++i)
        for (int j = 0; j < k; ++j) {
          const int row = y * conv.window.stride + i - conv.window.padding[0];
          const int column = x * conv.window.stride + j - conv.window.padding[1];
          const auto w = static_cast<std::size_t>(((f * channels + c) * k + i) * k + j);
          if (in.inside(row, column))
            sum += Integer{conv.parameters.weights[w]} * in.at(group * channels + c, row, column);
        }
    const network::Scales& scales = conv.parameters.scales;
    const Integer code =
        layer.out_format.zero_point + scaled(sum, one_of(scales.scale, f), one_of(scales.shift, f), format);
    return activated(saturated(code, layer.out_format), layer);
  });
}

std::vector<int> fully_connected(const Layer& layer, const QuantiserFormat& format, const Map& in) {
  const network::Parameters& parameters = layer.parameters();
  std::vector<int> out;
  for (int unit = 0; unit < layer.fc().units; ++unit) {
    Integer sum = parameters.bias[static_cast<std::size_t>(unit)];
    for (std::size_t i = 0; i < in.values.size(); ++i)
      sum += Integer{parameters.weights[static_cast<std::size_t>(unit) * in.values.size() + i]} * in.values[i];
    const network::Scales& scales = parameters.scales;
    const Integer code =
        layer.out_format.zero_point + scaled(sum, one_of(scales.scale, unit), one_of(scales.shift, unit), format);
    out.push_back(activated(saturated(code, layer.out_format), layer));
  }
  return out;
}

std::vector<int> pooling(const Layer& layer, const QuantiserFormat& format, const Map& in) {
  const network::Pooling& pool = layer.pooling();
  const int k = pool.window.kernel, z = layer.out_format.zero_point;
  return each<int>(layer.out, [&](int c, int y, int x) {
    Integer sum = 0, largest = -two_to(40);
    for (int i = 0; i < k; ++i)
      for (int j = 0; j < k; ++j) {
        const int row = y * pool.window.stride + i - pool.window.padding[0];
        const int column = x * pool.window.stride + j - pool.window.padding[1];
        if (!in.inside(row, column)) continue;
        sum += in.at(c, row, column);
        largest = std::max<Integer>(largest, in.at(c, row, column));
      }
    if (!pool.average) return static_cast<int>(z + largest);
    if (k == 1) return static_cast<int>(z + sum);
    const int m = static_cast<int>(std::floor(65536.0 / (k * k) + 0.5));
    return saturated(z + scaled(sum, m, 16, format), layer.out_format);
  });
}

std::vector<int> addition(const Layer& layer, const QuantiserFormat& format, const Map& a, const Map& b) {
  const network::Addition& add = layer.addition();
  std::vector<int> out;
  for (std::size_t i = 0; i < a.values.size(); ++i) {
    Integer sum = a.values[i] + b.values[i];
    if (add.weights[0] > 0) {
      sum = Integer{add.weights[0]} * a.values[i] + Integer{add.weights[1]} * b.values[i];
      sum = scaled(sum, add.scales.scale[0], add.scales.shift[0], format);
    }
    out.push_back(activated(saturated(layer.out_format.zero_point + sum, layer.out_format), layer));
  }
  return out;
}

// x is in units of 2^-12; the result in units of 2^-15.
Integer sigma(Integer x) {
  const Integer step = floor_of_quotient(x, 16);  // 1/256
  if (step < -6 * 256) return 0;
  if (step > 6 * 256) return 32767;
  const long double real = static_cast<long double>(step) / 256;
  const auto nearest = static_cast<Integer>(std::floor(32768 / (1 + std::exp(-real)) + 0.5L));
  return std::min<Integer>(nearest, 32767);
}

Integer tangent(Integer x) { return 2 * sigma(signed_of(2 * x, 16)) - 32768; }

// The parts of a gate's sum: of the features, of the hidden state, and the bias of one row.
class Gates {
 public:
  Gates(const Layer& layer, const QuantiserFormat& format, const Map& in)
      : recurrent_(layer.recurrent()), format_(format), in_(in), features_(in.shape.features) {}

  Integer of_x(int step, int row) const {
    Integer sum = 0;
    for (int i = 0; i < features_; ++i) sum += weight(row, i) * in_.values[at(step * features_ + i)];
    return sum;
  }
  Integer of_h(const std::vector<Integer>& h, int row) const {
    Integer sum = 0;
    for (int i = 0; i < recurrent_.hidden; ++i) sum += weight(row, features_ + i) * h[at(i)];
    return sum;
  }
  Integer bias(int row) const { return recurrent_.parameters.bias[at(row)]; }
  // A sum as Q3.12 of 16 bits.
  Integer pre(Integer sum) const {
    const network::Scales& scales = recurrent_.parameters.scales;
    return signed_of(scaled(sum, scales.scale[0], scales.shift[0], format_), 16);
  }

 private:
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }
  Integer weight(int row, int column) const {
    return recurrent_.parameters.weights[at(row * (features_ + recurrent_.hidden) + column)];
  }

  const network::Recurrent& recurrent_;
  const QuantiserFormat& format_;
  const Map& in_;
  const int features_;
};

std::vector<int> lstm(const Layer& layer, const QuantiserFormat& format, const Map& in) {
  const network::Recurrent& r = layer.recurrent();
  const Gates gates(layer, format, in);
  std::vector<Integer> c(static_cast<std::size_t>(r.hidden)), h = c, next = c;
  std::vector<int> out;
  for (int step = 0; step < r.steps; ++step) {
    for (int u = 0; u < r.hidden; ++u) {
      const auto gate = [&](int which) {
        const int row = which * r.hidden + u;
        return gates.pre(gates.of_x(step, row) + gates.of_h(h, row) + gates.bias(row));
      };
      const Integer i = sigma(gate(0)), f = sigma(gate(1)), g = tangent(gate(2)), o = sigma(gate(3));
      Integer& cell = c[static_cast<std::size_t>(u)];
      cell = signed_of(round_shift(f * cell + floor_of_quotient(i * g, 8), 15, true), 16);
      next[static_cast<std::size_t>(u)] =
          signed_of(round_shift(o * tangent(cell) * r.hidden_scale, 23 + r.hidden_shift, true), 8);
    }
    h = next;
    for (const Integer value : h) out.push_back(static_cast<int>(value));
  }
  return out;
}

std::vector<int> gru(const Layer& layer, const QuantiserFormat& format, const Map& in) {
  const network::Recurrent& recurrent = layer.recurrent();
  const Gates gates(layer, format, in);
  const int hidden = recurrent.hidden;
  std::vector<Integer> h(static_cast<std::size_t>(hidden)), next = h;
  std::vector<int> out;
  for (int step = 0; step < recurrent.steps; ++step) {
    for (int u = 0; u < hidden; ++u) {
      const auto gate = [&](int which) {
        const int row = which * hidden + u;
        return sigma(
            gates.pre(gates.of_x(step, row) + gates.of_h(h, row) + gates.bias(row) + gates.bias(3 * hidden + row)));
      };
      const Integer r = gate(0), z = gate(1);
      const int row = 2 * hidden + u;
      const Integer nx = gates.pre(gates.of_x(step, row) + gates.bias(row));
      const Integer nh = gates.pre(gates.of_h(h, row) + gates.bias(3 * hidden + row));
      const Integer n = tangent(signed_of(nx + round_shift(r * nh, 15, true), 16));
      const Integer mixed = (32768 - z) * n + 256 * z * h[static_cast<std::size_t>(u)];
      next[static_cast<std::size_t>(u)] = signed_of(round_shift(mixed, 23, true), 8);
    }
    h = next;
    for (const Integer value : h) out.push_back(static_cast<int>(value));
  }
  return out;
}

// A function's operand in real numbers.
struct Reals {
  Shape shape;
  std::vector<double> values;

  Reals(const network::Tensor& tensor, double step) : shape(tensor.shape) {
    for (const int value : Map(tensor).values) values.push_back(value * step);
  }
  double at(int c, int y, int x) const {
    return values[(static_cast<std::size_t>(c) * static_cast<std::size_t>(shape.height) + static_cast<std::size_t>(y)) *
                      static_cast<std::size_t>(shape.width) +
                  static_cast<std::size_t>(x)];
  }
};

double clip(double x, double low, double high) { return x < low ? low : x > high ? high : x; }

double of_one(const FunctionStage& f, double x, int channel) {
  switch (f.function) {
    case Function::sigmoid:
      return 1 / (1 + std::exp(-x));
    case Function::tanh:
      return std::tanh(x);
    case Function::hard_sigmoid:
      return clip(f.alpha * x + f.beta, 0, 1);
    case Function::hard_swish:
      return x * clip(x + 3, 0, 6) / 6;
    case Function::clip:
      return clip(x, f.low, f.high);
    default: {
      const double slope = f.slopes.size() == 1 ? f.slopes[0] : f.slopes[static_cast<std::size_t>(channel)];
      return x < 0 ? slope * x : x;
    }
  }
}

// ONNX, LRN: of `size` channels, floor((size - 1) / 2) lie before.
double normalised(const FunctionStage& f, const Reals& in, int c, int y, int x) {
  double squares = 0;
  for (int i = 0; i < f.size; ++i) {
    const int other = c - (f.size - 1) / 2 + i;
    if (other >= 0 && other < in.shape.channels) squares += in.at(other, y, x) * in.at(other, y, x);
  }
  return in.at(c, y, x) / std::pow(f.bias + f.alpha / f.size * squares, f.beta);
}

// ONNX, Resize: where place `i` of an enlarged axis lies.
double origin(network::Corners corners, int i, int factor, int size) {
  double at = 0;
  if (corners == network::Corners::half_pixel) at = (i + 0.5) / factor - 0.5;
  if (corners == network::Corners::asymmetric) at = static_cast<double>(i) / factor;
  if (corners == network::Corners::align && size * factor > 1)
    at = static_cast<double>(i) * (size - 1) / (size * factor - 1);
  return clip(at, 0, size - 1);
}

double interpolated(const FunctionStage& f, const Reals& in, int c, int y, int x) {
  const double down = origin(f.corners, y, f.factor[0], in.shape.height);
  const double across = origin(f.corners, x, f.factor[1], in.shape.width);
  double sum = 0;
  for (int row = 0; row < in.shape.height; ++row) {
    const double of_row = std::max(0.0, 1 - std::abs(down - row));
    double line = 0;
    for (int column = 0; column < in.shape.width; ++column)
      line += std::max(0.0, 1 - std::abs(across - column)) * in.at(c, row, column);
    sum += of_row * line;
  }
  return sum;
}

double of_window(const FunctionStage& f, const Reals& in, int c, int y, int x) {
  const auto [top, left, bottom, right] = f.padding;
  double sum = 0, largest = -HUGE_VAL;
  int cells = 0;
  for (int i = 0; i < f.kernel[0]; ++i)
    for (int j = 0; j < f.kernel[1]; ++j) {
      const int row = y * f.stride[0] + i - top, column = x * f.stride[1] + j - left;
      const bool inside = row >= 0 && column >= 0 && row < in.shape.height && column < in.shape.width;
      // Beyond the padding there is nothing, not even padding.
      const bool padded = row < in.shape.height + bottom && column < in.shape.width + right;
      cells += inside || (f.count_padding && padded) ? 1 : 0;
      if (!inside) continue;
      sum += in.at(c, row, column);
      largest = std::max(largest, in.at(c, row, column));
    }
  return f.function == Function::window_mean ? sum / cells : largest;
}

double of_map(const FunctionStage& f, const Reals& in, const Reals& with, int c, int y, int x) {
  switch (f.function) {
    case Function::lrn:
      return normalised(f, in, c, y, x);
    case Function::concat:
      return c < in.shape.channels ? in.at(c, y, x) : with.at(c - in.shape.channels, y, x);
    case Function::slice:
      return in.at(f.first + c, y, x);
    case Function::resize:
      return in.at(c, y / f.factor[0], x / f.factor[1]);
    case Function::stretch:
      return y % f.factor[0] == 0 && x % f.factor[1] == 0 ? in.at(c, y / f.factor[0], x / f.factor[1]) : 0;
    case Function::space_to_depth: {
      const int block = c / in.shape.channels, row = block / f.factor[1], column = block % f.factor[1];
      return in.at(c % in.shape.channels, y * f.factor[0] + row, x * f.factor[1] + column);
    }
    case Function::bilinear:
      return interpolated(f, in, c, y, x);
    case Function::window_max:
    case Function::window_mean:
      return of_window(f, in, c, y, x);
    case Function::multiply:
      return in.at(c, y, x) * (with.shape == in.shape ? with.at(c, y, x) : with.at(c, 0, 0));
    case Function::sum:
      return in.at(c, y, x) + with.at(c, y, x);
    case Function::subtract:
      return in.at(c, y, x) - with.at(c, y, x);
    default:
      return of_one(f, in.at(c, y, x), c);
  }
}

std::vector<double> softmax(const std::vector<double>& values) {
  long double sum = 0;
  for (const double value : values) sum += std::exp(static_cast<long double>(value));
  std::vector<double> out;
  for (const double value : values) out.push_back(static_cast<double>(std::exp(static_cast<long double>(value)) / sum));
  return out;
}

// The nearest code, the larger of two.
std::vector<int> codes_of(const std::vector<double>& values, double step, const network::NumberFormat& format) {
  std::vector<int> codes;
  for (const double value : values)
    codes.push_back(saturated(static_cast<Integer>(std::floor(value / step + 0.5)) + format.zero_point, format));
  return codes;
}

// Where a step is not known, codes are moved as they are.
std::vector<int> function(const Layer& layer, const network::Tensor& in, const network::Tensor& with) {
  const bool known = layer.step > 0;
  const double step = known ? layer.step : 1;
  const Reals a(in, known && layer.in_step > 0 ? layer.in_step : step);
  if (layer.type() == LayerType::softmax) return codes_of(softmax(a.values), step, layer.out_format);
  const Reals b(with, known && layer.with_step > 0 ? layer.with_step : step);
  const auto value = [&](int c, int y, int x) { return of_map(*layer.function(), a, b, c, y, x); };
  return codes_of(each<double>(layer.out, value), step, layer.out_format);
}

}  // namespace

std::vector<int> output_of(const Layer& layer, const QuantiserFormat& format, const network::Tensor& in,
                           const network::Tensor& with) {
  std::vector<int> out;
  switch (layer.type()) {
    case LayerType::conv:
      return convolution(layer, format, Map(in));
    case LayerType::fc:
      return fully_connected(layer, format, Map(in));
    case LayerType::maxpool:
    case LayerType::avgpool:
      return pooling(layer, format, Map(in));
    case LayerType::lstm:
      return lstm(layer, format, Map(in));
    case LayerType::gru:
      return gru(layer, format, Map(in));
    case LayerType::add:
      return addition(layer, format, Map(in), Map(with));
    case LayerType::relu:
      for (std::size_t i = 0; i < in.size(); ++i) out.push_back(std::max(in.at(i), in.format.zero_point));
      return out;
    case LayerType::flatten:
      for (std::size_t i = 0; i < in.size(); ++i) out.push_back(in.at(i));
      return out;
    case LayerType::softmax:
    case LayerType::function:
      return function(layer, in, with);
    case LayerType::vision:
      break;
  }
  throw std::logic_error("definitions: no layer of a network");
}

}  // namespace fansim::definitions
