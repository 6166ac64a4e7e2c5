// SPDX-License-Identifier: Apache-2.0
#include "accelerators/accelerator.h"

namespace fansim::accelerators {

CompiledBatch Accelerator::compile_batch(const network::Network&, const Batch&) const {
  CompiledBatch refused = compile::Unschedulable{};
  std::get<compile::Unschedulable>(refused).reason = "the accelerator runs networks as they are and trains none";
  return refused;
}

}  // namespace fansim::accelerators
