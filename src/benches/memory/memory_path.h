// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "benches/memory/controller.h"
#include "benches/memory/generator.h"
#include "benches/memory/port.h"
#include "benches/memory/traffic.h"

namespace fansim::benches {

// Connects the generators of a case to the ports, the controller and the memory. Both clocks are exact.
class MemoryPath {
 public:
  MemoryPath(const PathConfig& config, const std::vector<Traffic>& traffic);
  MemoryPath(const MemoryPath&) = delete;
  MemoryPath& operator=(const MemoryPath&) = delete;

  // Runs up to this number of cycles of the ports' clock since the start.
  void run(std::int64_t cycles);
  std::vector<GeneratorTotals> totals() const;
  const rules::BankedDdrState& memory() const { return controller_.memory(); }

 private:
  struct Stream {
    Generator generator;
    PortSide side;
    std::int64_t beats_due = 0;  // beats of requested write bursts that are still to be sent
  };
  void step_port(Stream& stream, Edge now);

  const PathConfig config_;
  Controller controller_;
  std::vector<Stream> streams_;
  std::int64_t cycle_ = 0;  // in the ports' clock
  Edge clock_ = 0;          // next edge of the controller
};

}  // namespace fansim::benches
