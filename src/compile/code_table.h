// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "network/network.h"

namespace fansim::compile {

// Whether the layer is a function of one code of up to 8 bits, so that a table in hardware can stand for it.
bool has_code_table(const network::Layer& layer);

// What each code becomes, both as unsigned bytes; codes that the input cannot have are not looked up.
std::array<std::uint8_t, 256> code_table(const network::Layer& layer);

}  // namespace fansim::compile
