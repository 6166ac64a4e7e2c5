// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "memory_path/controller.h"
#include "memory_path/generator.h"
#include "memory_path/port.h"
#include "memory_path/traffic.h"

namespace fansim::memory_path {

// The generators of a case before the ports, the controller and the memory, both clocks exact.
class MemoryPath {
 public:
  MemoryPath(const PathConfig& config, const std::vector<Traffic>& traffic);
  MemoryPath(const MemoryPath&) = delete;
  MemoryPath& operator=(const MemoryPath&) = delete;

  // Up to so many cycles of the ports' clock since the start.
  void run(std::int64_t cycles);
  std::vector<GeneratorTotals> totals() const;
  const rules::BankedDdrState& memory() const { return controller_.memory(); }

 private:
  struct Stream {
    Generator generator;
    PortSide side;
    std::int64_t beats_due = 0;  // of write bursts that were requested
  };
  void step_port(Stream& stream, Edge now);

  const PathConfig config_;
  Controller controller_;
  std::vector<Stream> streams_;
  std::int64_t cycle_ = 0;  // of the ports' clock
  Edge clock_ = 0;          // the controller's next edge
};

}  // namespace fansim::memory_path
