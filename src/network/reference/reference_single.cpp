// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <limits>
#include <stdexcept>

#include "base/interrupt.h"
#include "network/reference/reference_layers.h"
#include "network/reference/windows.h"

// Computes layers in single precision, an operation at a time. The compiler rounds each operation by itself
// (-ffp-contract=off).
namespace fansim::network {
namespace {

float cut(float value, Activation activation) { return activation == Activation::relu && value < 0 ? 0 : value; }

// Calls pool(window, row_pitch) for every output position.
template <class Pool>
void slide(const Layer& layer, const Bordered<float>& map, Tensor& out, Pool pool) {
  std::size_t to = 0;
  for (int c = 0; c < layer.out.channels; ++c)
    for (int row = 0; row < layer.out.height; ++row) {
      base::stop_if_interrupted();
      for (int column = 0; column < layer.out.width; ++column, ++to)
        out.set_real(to, pool(map.window(c, row, column), map.width()));
    }
}

// If several values are equal (zeros of either sign are), the first one wins, row by row.
void largest_of_windows(const Layer& layer, const Tensor& in, Tensor& out) {
  const Bordered<float> map(layer, in, -std::numeric_limits<float>::infinity());
  slide(layer, map, out, [kernel = layer.window().kernel](const float* window, int pitch) {
    float largest = window[0];
    for (int kr = 0; kr < kernel; ++kr)
      for (int kc = 0; kc < kernel; ++kc)
        if (largest < window[kr * pitch + kc]) largest = window[kr * pitch + kc];
    return largest;
  });
}

// Computes the mean in double precision and rounds once. Cells outside the map are 0 and count.
void mean_of_windows(const Layer& layer, const Tensor& in, Tensor& out) {
  const Bordered<float> map(layer, in);
  slide(layer, map, out, [kernel = layer.window().kernel](const float* window, int pitch) {
    double sum = 0;
    for (int kr = 0; kr < kernel; ++kr)
      for (int kc = 0; kc < kernel; ++kc) sum += static_cast<double>(window[kr * pitch + kc]);
    return static_cast<float>(sum / (kernel * kernel));
  });
}

}  // namespace

Tensor run_single(const Layer& layer, const Tensor& in, const Tensor* with) {
  if (layer.single()->weights.size() != static_cast<std::size_t>(layer.weight_count()))
    throw std::invalid_argument(layer.name + ": loaded without values");
  Tensor out{layer.out, layer.out_format, {}};
  out.resize(static_cast<std::size_t>(layer.out.elements()));
  switch (layer.type()) {
    case LayerType::conv:
    case LayerType::fc:
      run_single_sum(layer, in, out);
      break;
    case LayerType::maxpool:
      largest_of_windows(layer, in, out);
      break;
    case LayerType::avgpool:
      mean_of_windows(layer, in, out);
      break;
    case LayerType::add:
      for (std::size_t i = 0; i < out.size(); ++i) out.set_real(i, cut(in.real(i) + with->real(i), layer.activation));
      break;
    case LayerType::relu:
      for (std::size_t i = 0; i < out.size(); ++i) out.set_real(i, cut(in.real(i), Activation::relu));
      break;
    case LayerType::flatten:
      out.bytes = in.bytes;
      break;
    case LayerType::softmax:
      run_softmax(layer, in, out);
      break;
    case LayerType::function:
      run_function(layer, in, with, out);
      break;
    default:
      throw std::invalid_argument(layer.name + ": not computed in single precision");
  }
  return out;
}

}  // namespace fansim::network
