// SPDX-License-Identifier: Apache-2.0
#include "cli/layer_output.h"

#include <fmt/format.h>

#include "base/hash.h"
#include "base/npy.h"

namespace fansim::cli {

network::Tensor read_output(const network::Layer& layer, const arch::TensorPlace& place, const std::uint8_t* ddr) {
  network::Tensor tensor;
  tensor.shape = layer.out;
  tensor.is_unsigned = layer.is_unsigned;
  tensor.zero_point = layer.zero_point;
  tensor.bytes.reserve(static_cast<std::size_t>(layer.out.elements()));
  if (place.sequence) {
    for (int step = 0; step < place.height; ++step)
      for (int feature = 0; feature < place.channels; ++feature)
        tensor.bytes.push_back(static_cast<std::int8_t>(ddr[place.at(step, feature)]));
    return tensor;
  }
  for (int channel = 0; channel < place.channels; ++channel)
    for (int row = 0; row < place.height; ++row)
      for (int column = 0; column < place.width; ++column)
        tensor.bytes.push_back(static_cast<std::int8_t>(ddr[place.at(channel, row, column)]));
  return tensor;
}

std::string hash_of(const network::Tensor& tensor) {
  return base::Fnv1a().add(tensor.bytes.data(), tensor.bytes.size()).text();
}

void dump(const std::string& folder, const std::string& layer, const network::Tensor& tensor) {
  const std::string path = fmt::format("{}/{}.npy", folder, layer);
  if (tensor.is_unsigned) {
    base::write_npy(path, tensor.shape.dims(), std::vector<std::uint8_t>(tensor.bytes.begin(), tensor.bytes.end()));
  } else {
    base::write_npy(path, tensor.shape.dims(), tensor.bytes);
  }
}

std::optional<std::string> first_difference(const network::Tensor& simulated, const network::Tensor& reference) {
  if (simulated.bytes.size() != reference.bytes.size())
    return fmt::format("output has {} values, the reference {}", simulated.bytes.size(), reference.bytes.size());
  for (std::size_t i = 0; i < simulated.bytes.size(); ++i) {
    if (simulated.bytes[i] == reference.bytes[i]) continue;
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
