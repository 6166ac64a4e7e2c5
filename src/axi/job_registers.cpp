// SPDX-License-Identifier: Apache-2.0
#include "axi/job_registers.h"

#include <algorithm>

namespace fansim::axi {

std::int64_t JobRegisters::jobs_done() const {
  std::int64_t done = ended_.front()->get();
  for (const auto* ended : ended_) done = std::min(done, ended->get());
  return done;
}

void JobRegisters::step() {
  if (request.empty()) return sleep();
  take_access();
}

void JobRegisters::take_access() {
  if (!request.can_pop() || !response.can_push()) return;
  const LiteRequest access = request.pop();
  ++accesses_;
  if (!registers_.has(access.address)) violation(fmt::format("no register at {:#x}", access.address));
  response.push(LiteResponse{access.write ? 0 : registers_.words[access.address / 4]});
  if (!access.write || !registers_.write(access.address, access.value)) return;
  if (busy()) violation("a job is started before the one before has ended");
  start();
  ++started_;
}

}  // namespace fansim::axi
