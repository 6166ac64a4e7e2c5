// SPDX-License-Identifier: Apache-2.0
#include "network/reference/reference_layers.h"
#include "openvx/image_type.h"

namespace fansim::network {
namespace {

openvx::Image image_of(const Tensor& tensor) {
  openvx::Image image({tensor.shape.width, tensor.shape.height, tensor.shape.channels, tensor.format.type});
  tensor.visit_integers([&image](auto values) {
    for (std::size_t i = 0; i < values.size(); ++i) image.values[i] = values[i];
  });
  return image;
}

}  // namespace

void run_vision(const Layer& layer, const Tensor& in, const Tensor& with, Tensor& out) {
  const openvx::Image first = image_of(in);
  const bool two = openvx::facts(layer.vision()->function).two_inputs;
  const openvx::Image second = two ? image_of(with) : openvx::Image();
  openvx::Image result({layer.out.width, layer.out.height, layer.out.channels, layer.out_format.type});
  openvx::compute(*layer.vision(), first, two ? &second : nullptr, result);
  out.visit_integers([&result](auto values) {
    for (std::size_t i = 0; i < values.size(); ++i)
      values.set(i, static_cast<typename decltype(values)::Value>(result.values[i]));
  });
}

}  // namespace fansim::network
