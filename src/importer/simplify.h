// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "importer/file/model.h"

namespace fansim::importer {

// Makes functions one node each where exporters spell them out: x * clip(x + 3, 0, 6) / 6, and x * hard_sigmoid(x) of
// slope 1/6, are HardSwish.
void recognise(Model& model);

// Spells QLinearConv and QLinearMatMul out: floats of codes, the operator, codes of floats.
void spell_out(Model& model);

// Takes out the nodes that no output needs, and gives their names.
std::vector<std::string> drop_unneeded(Model& model);

}  // namespace fansim::importer
