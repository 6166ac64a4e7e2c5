// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "contract/faults.h"
#include "platform/fault_place.h"

namespace fansim::platform {

// Lets faults happen to a machine.
class Injector {
 public:
  // `tell` hears what happens, at its edge. What a fault leaves open follows from `seed` and its number.
  Injector(sim::Scheduler& scheduler, memory::Ddr& ddr, std::uint64_t seed,
           std::function<void(const std::string& what)> tell);

  // Before the run. UserError if the machine has no such place, or the fault does not fit it.
  void add(const contract::Fault& fault);
  // At the edge at which a layer begins.
  void begin_layer(const std::string& name, sim::Edge begin);
  // Ahead of the edge `next`, whatever the fault says of its cycle and layer; checked as by add().
  void happen_now(const contract::Fault& fault, sim::Edge next);

  const std::vector<std::unique_ptr<FaultPlace>>& places() const { return places_; }

 private:
  struct Numbered {
    contract::Fault fault;
    FaultPlace* place;
    int number;
  };
  FaultPlace& place_of(const contract::Fault& fault) const;
  void schedule(const Numbered& one, sim::Edge from);
  void happen(const Numbered& one, sim::Edge next);

  const std::uint64_t seed_;
  const FaultScene scene_;
  const std::vector<std::unique_ptr<FaultPlace>> places_;
  std::vector<Numbered> of_layers_;
  int count_ = 0;
};

}  // namespace fansim::platform
