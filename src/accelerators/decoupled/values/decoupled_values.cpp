// SPDX-License-Identifier: Apache-2.0
#include "accelerators/decoupled/values/decoupled_values.h"

#include "accelerators/decoupled/values/command_values.h"

namespace fansim::decoupled {
namespace {

template <class Sum>
arith::Saturation run(const Config& config, const DecoupledLayer& layer, std::uint8_t* memory,
                      const contract::ProgressCallback& progress) {
  CommandValues<Sum> values(config, layer, memory);
  constexpr std::size_t kCommandsPerCall = 64;
  for (const Job& job : layer.jobs)
    for (std::size_t i = 0; i < job.commands.size(); ++i) {
      if (progress && i % kCommandsPerCall == 0) progress();
      values.run(job.commands[i]);
    }
  return values.saturation();
}

}  // namespace

// Sums modulo 2^32 suffice if the accumulator is no wider, because it wraps too.
arith::Saturation compute_layer(const Config& config, const contract::LayerPlan& plan, contract::MemoryImage& memory,
                                const contract::ProgressCallback& progress) {
  if (config.data.type == DataType::float32) return run<float>(config, layer_of(plan), memory.data(), progress);
  if (config.quantiser.accumulator_bits <= 32)
    return run<std::int32_t>(config, layer_of(plan), memory.data(), progress);
  return run<std::int64_t>(config, layer_of(plan), memory.data(), progress);
}

}  // namespace fansim::decoupled
