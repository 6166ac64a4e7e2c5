// SPDX-License-Identifier: Apache-2.0
#include "accelerators/accelerator.h"

#include <fmt/format.h>

#include "base/error.h"

namespace fansim::accelerators {

CompiledBatch Accelerator::compile_batch(const network::Network&, const Batch&) const {
  CompiledBatch refused = compile::Unschedulable{};
  std::get<compile::Unschedulable>(refused).reason = "the accelerator runs networks as they are and trains none";
  return refused;
}

contract::Mapping Accelerator::mapping(const contract::Program&, const contract::LayerSteps&) const {
  throw base::UserError(
      fmt::format("run: --mapping: {} computes a network as it is, out of its own memories: it has no tiles to choose",
                  config().name));
}

}  // namespace fansim::accelerators
