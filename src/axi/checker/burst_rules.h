// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "axi/checker/findings.h"
#include "axi/checker/view.h"

namespace fansim::axi {

enum class BurstKind : unsigned { fixed = 0, incr = 1, wrap = 2, reserved = 3 };

// Reports what makes the burst of an address beat illegal (IHI 0022 A3.4.1, A4.4, A7.2.4). `channel` is "aw" or "ar".
void check_burst(const AddressView& burst, const std::string& channel, int data_bits, std::int64_t cycle,
                 Findings& findings);

// Returns the byte lanes that beat `index` of a burst may use, bit i for lane i (A3.4.2, A3.4.4).
std::uint64_t byte_lanes(const AddressView& burst, unsigned index, int data_bits);

}  // namespace fansim::axi
