// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "importer/file/model.h"

namespace fansim::importer {

// Replaces functions that exporters spell out by one node each: x * clip(x + 3, 0, 6) / 6, and x * hard_sigmoid(x) of
// slope 1/6, become HardSwish.
void recognise(Model& model);

// Spells out operators on codes such as QLinearConv and QLinearMatMul: dequantise, compute in floats, quantise.
void spell_out(Model& model);

// Removes the nodes that no output needs, and returns their names.
std::vector<std::string> drop_unneeded(Model& model);

}  // namespace fansim::importer
