// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "contract/host_steps.h"
#include "contract/program.h"

namespace fansim::contract {

// Holds the registers of a machine that does jobs, one word after another from offset 0. All but the last describe a
// job; a write to the last starts it.
struct JobRegisters {
  explicit JobRegisters(std::size_t count) : words(count) {}

  std::uint32_t start_offset() const { return static_cast<std::uint32_t>(4 * (words.size() - 1)); }
  // Returns whether the write starts the job that the words describe.
  bool write(std::uint32_t address, std::uint32_t value) {
    words.at(address / 4) = value;
    return address == start_offset();
  }

  std::vector<std::uint32_t> words;
};

// Adds the host's steps of a job. The host writes the registers that do not hold the right value, and the first
// `always` of them in any case; then it writes the start and waits for the job's end. `held` says what the registers
// hold; null means that nobody knows.
inline void add_job(std::vector<HostOp>& ops, const JobRegisters& job, const JobRegisters* held = nullptr,
                    std::size_t always = 0) {
  for (std::size_t i = 0; i < job.words.size(); ++i)
    if (!held || i < always || i + 1 == job.words.size() || job.words[i] != held->words[i])
      ops.push_back({HostOp::Kind::write_core, static_cast<std::uint32_t>(4 * i), job.words[i]});
  ops.push_back({HostOp::Kind::wait_output});
}

// Calls start() whenever a step of the layer starts the job that the registers then describe.
template <class Start>
void each_job(const Program& program, const LayerSteps& layer, JobRegisters& registers, Start&& start,
              const ProgressCallback& progress = {}) {
  struct Follower : HostFollower {
    Follower(JobRegisters& registers, Start& start) : registers_(registers), start_(start) {}
    void software(std::uint32_t, bool) {}
    void write_core(std::uint32_t address, std::uint32_t value) {
      if (registers_.write(address, value)) start_();
    }
    void wait_output() {}

   private:
    JobRegisters& registers_;
    Start& start_;
  } follower(registers, start);
  follow(program, layer, follower, progress);
}

}  // namespace fansim::contract
