// SPDX-License-Identifier: Apache-2.0
#include "accelerators/vision/hardware/job_registers.h"

namespace fansim::vision {

void JobRegisterFile::step() {
  if (!busy()) return JobRegisters::step();
  ++busy_edges_;
  take_access();
}

void JobRegisterFile::start() {
  job_ = decode(registers());
  give({&job_});
  ++jobs_;
}

}  // namespace fansim::vision
