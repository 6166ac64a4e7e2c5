// SPDX-License-Identifier: Apache-2.0
// Faults for recordings of AXI ports: each breaks one rule at a place drawn at random.
#pragma once

#include <functional>
#include <vector>

#include "axi/checker/view.h"
#include "base/random.h"

namespace against {

using namespace fansim;

struct Fault {
  const char* name;
  // False where the recording has no place for it.
  std::function<bool(std::vector<axi::Axi4View>&, base::Random&)> plant;
  bool lite = false;  // AXI4-Lite has the wires for it
};

const std::vector<Fault>& faults();

}  // namespace against
