// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <variant>
#include <vector>

#include "contract/program.h"
#include "network/network.h"

namespace fansim::compile {

struct Options {
  // Indices of the layers to compile; empty: all. Layers that are fused are one unit: choosing one chooses all, so that
  // a layer's program does not depend on which other layers are chosen.
  std::vector<int> layers;
  // The tensors that the chosen layers read from layers that are not chosen, by index in the network.
  std::map<int, network::Tensor> tensors;
  bool values = true;  // false: memory has its size but no content
  bool memory = true;  // false: there is no memory, because only time is wanted
  // Leaves the layers' parameters to be written while the program runs, by LayerPlan::parameters. The network must live
  // that long.
  bool parameters_later = false;
  bool strict = false;  // leaves nothing to the host's software
};

// Says that the network does not fit the accelerator's buffers. This is a result, not an error.
struct Unschedulable {
  std::string layer;  // empty for the accelerator or the network as a whole
  base::Location where;
  std::string reason;  // the resource, the need and the limit
};

using Compiled = std::variant<contract::Program, Unschedulable>;

// Why a layer does not fit: the resource, the need and the limit.
struct Misfit {
  std::string reason;
};

template <class T>
using Fit = std::variant<T, Misfit>;

}  // namespace fansim::compile
