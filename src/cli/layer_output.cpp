// SPDX-License-Identifier: Apache-2.0
#include "cli/layer_output.h"

#include <fmt/format.h>

#include "base/hash.h"
#include "base/npy.h"

namespace fansim::cli {

namespace {

void read_map(network::Tensor& tensor, const arch::EncodedMap& map, const std::uint8_t* ddr) {
  std::size_t i = 0;
  for (int channel = 0; channel < map.place.channels; ++channel)
    for (int row = 0; row < map.place.rows; ++row)
      for (int column = 0; column < map.place.columns; ++column) tensor.set(i++, map.value(ddr, channel, row, column));
}

void read_place(network::Tensor& tensor, const arch::TensorPlace& place, const std::uint8_t* ddr) {
  std::size_t i = 0;
  if (place.sequence) {
    for (int step = 0; step < place.height; ++step)
      for (int feature = 0; feature < place.channels; ++feature)
        tensor.bytes[i++] = static_cast<std::int8_t>(ddr[place.at(step, feature)]);
    return;
  }
  for (int channel = 0; channel < place.channels; ++channel)
    for (int row = 0; row < place.height; ++row)
      for (int column = 0; column < place.width; ++column)
        tensor.bytes[i++] = static_cast<std::int8_t>(ddr[place.at(channel, row, column)]);
}

}  // namespace

network::Tensor read_output(const network::Layer& layer, const arch::LayerPlan& plan, const std::uint8_t* ddr) {
  network::Tensor tensor;
  tensor.shape = layer.out;
  tensor.is_unsigned = layer.is_unsigned;
  tensor.zero_point = layer.zero_point;
  tensor.bits = layer.out_bits;
  tensor.resize(static_cast<std::size_t>(layer.out.elements()));
  plan.map ? read_map(tensor, *plan.map, ddr) : read_place(tensor, plan.output, ddr);
  return tensor;
}

std::string hash_of(const network::Tensor& tensor) {
  return base::Fnv1a().add(tensor.bytes.data(), tensor.bytes.size()).text();
}

namespace {

template <class T>
void write_values(const std::string& path, const network::Tensor& tensor) {
  std::vector<T> values(tensor.size());
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<T>(tensor.at(i));
  base::write_npy(path, tensor.shape.dims(), values);
}

}  // namespace

void dump(const std::string& folder, const std::string& layer, const network::Tensor& tensor) {
  const std::string path = fmt::format("{}/{}.npy", folder, layer);
  if (tensor.bits > 8) {
    tensor.is_unsigned ? write_values<std::uint16_t>(path, tensor) : write_values<std::int16_t>(path, tensor);
  } else {
    tensor.is_unsigned ? write_values<std::uint8_t>(path, tensor) : write_values<std::int8_t>(path, tensor);
  }
}

std::optional<std::string> first_difference(const network::Tensor& simulated, const network::Tensor& reference) {
  if (simulated.size() != reference.size())
    return fmt::format("output has {} values, the reference {}", simulated.size(), reference.size());
  for (std::size_t i = 0; i < simulated.size(); ++i) {
    if (simulated.at(i) == reference.at(i)) continue;
    base::NpyShape index = reference.shape.dims();
    auto rest = static_cast<std::int64_t>(i);
    for (std::size_t d = index.size(); d-- > 0;) {
      const std::int64_t extent = index[d];
      index[d] = rest % extent;
      rest /= extent;
    }
    return fmt::format("output differs at {}: simulated {}, reference {}", base::shape_text(index), simulated.at(i),
                       reference.at(i));
  }
  return std::nullopt;
}

}  // namespace fansim::cli
