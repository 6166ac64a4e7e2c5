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

// Makes faults happen in a machine.
class Injector {
 public:
  // `tell` is called with what happens, at the edge at which it does. Whatever a fault leaves open follows from `seed`
  // and the fault's number.
  Injector(sim::Scheduler& scheduler, memory::Ddr& ddr, std::uint64_t seed,
           std::function<void(const std::string& what)> tell);

  // Adds a fault before the run. Throws UserError if the machine has no such place or the fault does not fit it.
  void add(const contract::Fault& fault);
  // To be called at the edge at which a layer begins.
  void begin_layer(const std::string& name, sim::Edge begin);
  // Makes a fault happen before the edge `next`, whatever cycle and layer it gives. It is checked as in add().
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
