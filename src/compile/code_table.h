// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "contract/code_table.h"
#include "network/network.h"

namespace fansim::compile {

// Whether the layer is a function of one code of up to 8 bits, so that a table in hardware can stand for it.
bool has_code_table(const network::Layer& layer);

// Codes that the input cannot have are not looked up.
contract::CodeTable code_table(const network::Layer& layer);

}  // namespace fansim::compile
