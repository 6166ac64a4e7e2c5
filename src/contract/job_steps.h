// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "contract/host.h"
#include "contract/job_registers.h"
#include "contract/program.h"

namespace fansim::contract {

// Collects the host's steps for a machine that does jobs.
class JobSteps {
 public:
  explicit JobSteps(const HostConfig& host) : layer_setup_(static_cast<std::uint32_t>(host.layer_setup)) {}

  // Begins the layer with this number in the program, with the software ahead of its first job.
  void begin_layer(int number) { begin_layer(number, layer_setup_); }
  void begin_layer(int number, std::uint32_t cycles) {
    add(HostOp::Kind::begin_layer, 0, static_cast<std::uint32_t>(number));
    software(cycles);
  }
  void software(std::uint32_t cycles) { add(HostOp::Kind::software, 0, cycles); }
  // Writes the registers that do not hold what the job needs, and the first `always` of them in any case; then writes
  // the start and waits for the job's end. `held` says what the registers hold; null means that nobody knows.
  void job(const JobRegisters& job, const JobRegisters* held = nullptr, std::size_t always = 0) {
    for (std::size_t i = 0; i < job.words.size(); ++i)
      if (!held || i < always || i + 1 == job.words.size() || job.words[i] != held->words[i])
        add(HostOp::Kind::write_core, static_cast<std::uint32_t>(4 * i), job.words[i]);
    add(HostOp::Kind::wait_output);
  }
  void end_layer(int number) { add(HostOp::Kind::end_layer, 0, static_cast<std::uint32_t>(number)); }

  std::vector<HostOp> take() { return std::exchange(ops_, {}); }

 private:
  void add(HostOp::Kind kind, std::uint32_t address = 0, std::uint32_t value = 0) {
    ops_.push_back({kind, address, value});
  }

  const std::uint32_t layer_setup_;
  std::vector<HostOp> ops_;
};

}  // namespace fansim::contract
