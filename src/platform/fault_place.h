// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "axi/dma_registers.h"
#include "base/random.h"
#include "contract/faults.h"
#include "memory/ddr.h"
#include "platform/interrupt_line.h"
#include "sim/scheduler.h"
#include "sim/storage.h"

namespace fansim::platform {

// What a place needs to let a fault happen.
struct FaultScene {
  sim::Scheduler& scheduler;
  std::function<void(const std::string& what)> tell;  // that it has happened
};

// Where faults of some kinds happen, by its name in configurations.
class FaultPlace {
 public:
  explicit FaultPlace(std::string place_name) : name(std::move(place_name)) {}
  FaultPlace(const FaultPlace&) = delete;
  FaultPlace& operator=(const FaultPlace&) = delete;
  virtual ~FaultPlace() = default;

  // Whether the kind happens here; if it does, what of the fault does not fit, empty if all does.
  virtual bool has(contract::Fault::Kind kind) const = 0;
  virtual std::string misfit(const contract::Fault&) const { return {}; }
  // Between two edges: now, and what the fault does from here on. `next` is the coming edge.
  virtual void happen(const contract::Fault& fault, const FaultScene& scene, sim::Edge next, base::Random random) = 0;

  // Bits that turn over; null: none.
  virtual const sim::Storage* storage() const { return nullptr; }

  const std::string name;
};

// All that the elaborated modules have, by name; they expect faults from then on.
std::vector<std::unique_ptr<FaultPlace>> fault_places(memory::Ddr& ddr);

}  // namespace fansim::platform
