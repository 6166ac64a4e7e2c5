// SPDX-License-Identifier: Apache-2.0
#include "runs/layer_output.h"

#include <fmt/format.h>

#include "base/hash.h"
#include "base/npy.h"

namespace fansim::runs {

network::Tensor read_output(const network::Layer& layer, const contract::LayerPlan& plan, const std::uint8_t* ddr) {
  network::Tensor tensor;
  tensor.shape = layer.out;
  tensor.format = layer.out_format;
  tensor.resize(static_cast<std::size_t>(layer.out.elements()));
  const std::vector<std::int32_t> values = plan.output->values(ddr);
  for (std::size_t i = 0; i < values.size(); ++i) tensor.set(i, values[i]);
  return tensor;
}

std::string hash_of(const network::Tensor& tensor) {
  return base::Fnv1a().add(tensor.bytes.data(), tensor.bytes.size()).text();
}

std::string dump_name(const std::string& layer) { return layer + ".npy"; }

void dump(const std::string& folder, const std::string& layer, const network::Tensor& tensor) {
  base::write_npy(folder + "/" + dump_name(layer), tensor.shape.dims(), tensor.format.type, tensor.bytes);
}

std::optional<std::string> first_difference(const network::Tensor& simulated, const network::Tensor& reference) {
  if (simulated.size() != reference.size())
    return fmt::format("output has {} values, the reference {}", simulated.size(), reference.size());
  const std::size_t values = reference.size();
  for (std::size_t i = 0; i < values; ++i) {
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

}  // namespace fansim::runs
