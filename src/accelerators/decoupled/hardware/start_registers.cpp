// SPDX-License-Identifier: Apache-2.0
#include "accelerators/decoupled/hardware/start_registers.h"

#include <fmt/format.h>

namespace fansim::decoupled {

void StartRegisters::start() {
  const std::size_t job = job_of(registers());
  if (!layer_ || job >= layer_->jobs.size()) violation(fmt::format("the layer has no job {}", job));
  give({layer_, &layer_->jobs[job]});
  ++jobs_;
}

}  // namespace fansim::decoupled
