// SPDX-License-Identifier: Apache-2.0
#include "accelerators/vision/hardware/job_registers.h"

#include <fmt/format.h>

namespace fansim::vision {

JobRegisterFile::JobRegisterFile(const sc_core::sc_module_name& name, std::size_t blocks,
                                 const sim::Reg<std::int64_t>& rows_done, const sim::Reg<std::int64_t>& results_done)
    : Module(name), rows_done_(rows_done), results_done_(results_done) {
  for (std::size_t i = 0; i < blocks; ++i)
    starts.push_back(std::make_unique<sim::StreamOut<JobStart>>(fmt::format("start{}", i).c_str()));
}

void JobRegisterFile::step() {
  const bool busy = jobs_.value() > jobs_done();
  if (busy) ++busy_;
  if (request.empty() && !busy) {
    sleep();
    return;
  }
  if (!request.can_pop() || !response.can_push()) return;
  const axi::LiteRequest access = request.pop();
  axi::LiteResponse& answer = response.push();
  answer = {};
  ++accesses_;
  const auto word = static_cast<std::size_t>(access.address / 4);
  if (word > static_cast<std::size_t>(JobRegisters::count()))
    violation(fmt::format("no register at {:#x}", access.address));
  if (!access.write) {
    answer.value = registers_.words[word];
    return;
  }
  registers_.words[word] = access.value;
  if (access.address != registers_.start_offset()) return;
  if (busy) violation("a job is started before the one before has ended");
  job_ = decode(registers_);
  for (auto& start : starts) start->push({&job_});
  ++jobs_;
}

}  // namespace fansim::vision
