// SPDX-License-Identifier: Apache-2.0
// This file has faults for recordings of AXI ports. Each breaks one rule at a random place.
#pragma once

#include <functional>
#include <vector>

#include "axi/checker/view.h"
#include "base/random.h"

namespace against {

using namespace fansim;

struct Fault {
  const char* name;
  // Returns false if the recording has no place for the fault.
  std::function<bool(std::vector<axi::Axi4View>&, base::Random&)> plant;
  bool lite = false;  // AXI4-Lite has the wires that it needs
};

const std::vector<Fault>& faults();

}  // namespace against
