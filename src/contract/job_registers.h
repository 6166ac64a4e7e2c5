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
  bool has(std::uint32_t address) const { return address % 4 == 0 && address / 4 < words.size(); }
  // Returns whether the write starts the job that the words describe.
  bool write(std::uint32_t address, std::uint32_t value) {
    words.at(address / 4) = value;
    return address == start_offset();
  }

  std::vector<std::uint32_t> words;
};

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
