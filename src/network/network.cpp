// SPDX-License-Identifier: Apache-2.0
#include "network/network.h"

namespace fansim::network {

NumberFormat Network::computed_format() const {
  return NumberFormat::of(input.format.type == DataType::float32 ? DataType::float32 : DataType::int8);
}

const NumberFormat& Network::format(int producer) const {
  return producer == Layer::kInput ? input.format : layers[static_cast<std::size_t>(producer)].out_format;
}

const Shape& Network::shape(int producer) const {
  return producer == Layer::kInput ? input.shape : layers[static_cast<std::size_t>(producer)].out;
}

double Network::step(int producer) const {
  return producer == Layer::kInput ? input_step : layers[static_cast<std::size_t>(producer)].step;
}

void give_codes(Tensor& tensor, const std::vector<float>& values, double step) {
  tensor.resize(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) tensor.set(i, tensor.format.code_of(values[i], step));
}

void give_input(Network& network, const std::vector<float>& values) {
  give_codes(network.input, values, network.input_step);
  network.input_given = true;
}

}  // namespace fansim::network
