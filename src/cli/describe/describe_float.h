// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace fansim::cli {

// Prints `describe float_operators`: area, delay, energy and power of each operator, width by width.
void describe_float_operators();

}  // namespace fansim::cli
