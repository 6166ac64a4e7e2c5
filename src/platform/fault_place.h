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

// What a place needs to make a fault happen.
struct FaultScene {
  sim::Scheduler& scheduler;
  std::function<void(const std::string& what)> tell;  // says that it has happened
};

// A place at which faults of some kinds happen, with its name in configurations.
class FaultPlace {
 public:
  explicit FaultPlace(std::string place_name) : name(std::move(place_name)) {}
  FaultPlace(const FaultPlace&) = delete;
  FaultPlace& operator=(const FaultPlace&) = delete;
  virtual ~FaultPlace() = default;

  // has() returns whether a kind of fault happens here. If it does, misfit() returns what of a fault does not fit;
  // empty if all does.
  virtual bool has(contract::Fault::Kind kind) const = 0;
  virtual std::string misfit(const contract::Fault&) const { return {}; }
  // Makes a fault happen between two edges, and arranges what it does from here on. `next` is the coming edge.
  virtual void happen(const contract::Fault& fault, const FaultScene& scene, sim::Edge next, base::Random random) = 0;

  // Returns the bits that may flip, or null if there are none.
  virtual const sim::Storage* storage() const { return nullptr; }

  const std::string name;
};

// Returns the places of all elaborated modules. The modules expect faults from then on.
std::vector<std::unique_ptr<FaultPlace>> fault_places(memory::Ddr& ddr);

}  // namespace fansim::platform
