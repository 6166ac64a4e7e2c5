// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "accelerators/trainer/config/phases.h"
#include "sim/module.h"

namespace fansim::trainer {

// Models a block RAM of words with one read port and one write port. Reads go through its output register.
class WordMemory {
 public:
  WordMemory(std::string name, std::int64_t words)
      : name_(std::move(name)), words_(static_cast<std::size_t>(words), 0) {}

  std::uint32_t read(sim::Edge now, std::int64_t at) {
    take(now, read_, "read");
    return words_.at(static_cast<std::size_t>(at));
  }
  void write(sim::Edge now, std::int64_t at, std::uint32_t word) {
    take(now, written_, "written");
    words_.at(static_cast<std::size_t>(at)) = word;
  }

 private:
  void take(sim::Edge now, sim::Edge& last, const char* what) const {
    if (now == last) throw std::logic_error("trainer: " + name_ + " is " + what + " twice at one edge");
    last = now;
  }

  const std::string name_;
  std::vector<std::uint32_t> words_;
  sim::Edge read_ = -1, written_ = -1;
};

// Holds the on-chip memories. Every unit is connected to them, and one unit at a time uses them.
struct Chip {
  explicit Chip(const MemoriesConfig& config)
      : activations("the memory of activations", config.activations),
        gradients("the memory of gradients", config.activations),
        weights("the memory of weights", config.weights),
        deltas("the memory of the weights' gradients", config.weights),
        choices("the memory of choices", config.activations) {}

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
