// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "accelerators/trainer/config/phases.h"
#include "sim/module.h"
#include "sim/port_budget.h"
#include "sim/violation.h"

namespace fansim::trainer {

// Models a block RAM of words with one read port and one write port. Reads go through its output register.
class WordMemory {
 public:
  // `owner` is the instance that has the memory.
  WordMemory(std::string owner, std::string name, std::int64_t words)
      : owner_(std::move(owner)), name_(std::move(name)), words_(static_cast<std::size_t>(words), 0) {}

  std::uint32_t read(sim::Edge now, std::int64_t at) {
    if (!reads_.spend(1, now)) refuse(now, "read");
    return words_.at(static_cast<std::size_t>(at));
  }
  void write(sim::Edge now, std::int64_t at, std::uint32_t word) {
    if (!writes_.spend(1, now)) refuse(now, "written");
    words_.at(static_cast<std::size_t>(at)) = word;
  }

 private:
  [[noreturn]] void refuse(sim::Edge now, const char* what) const {
    throw sim::Violation(owner_, now, name_ + " is " + what + " twice at one edge");
  }

  const std::string owner_, name_;
  std::vector<std::uint32_t> words_;
  sim::PortBudget reads_{1}, writes_{1};
};

// Holds the on-chip memories. Every unit is connected to them, and one unit at a time uses them.
struct Chip {
  Chip(const std::string& owner, const MemoriesConfig& config)
      : activations(owner, "the memory of activations", config.activations),
        gradients(owner, "the memory of gradients", config.activations),
        weights(owner, "the memory of weights", config.weights),
        deltas(owner, "the memory of the weights' gradients", config.weights),
        choices(owner, "the memory of choices", config.activations) {}

  WordMemory activations, gradients, weights, deltas;
  WordMemory choices;  // which value of each window was the largest
};

// Starts a phase in a unit. The job does not change while the phase runs.
struct PhaseStart {
  const Job* job = nullptr;
  const Layout* layout = nullptr;
  Phase phase;
  template <class F>
  void wires(F&& f) const {
    f("kind", static_cast<std::uint64_t>(phase.kind), 4);
    f("layer", phase.layer, 3);
  }
};

}  // namespace fansim::trainer
