// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "contract/code_table.h"
#include "network/network.h"

namespace fansim::compile {

// Returns whether the layer is a function of one code of up to 8 bits, so that a hardware table can stand for it.
bool has_code_table(const network::Layer& layer);

// Returns the layer's table. Entries for codes that the input cannot have are never looked up.
contract::CodeTable code_table(const network::Layer& layer);

}  // namespace fansim::compile
