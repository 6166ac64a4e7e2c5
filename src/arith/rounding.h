// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace fansim::arith {

// Rounds to the nearest integer with halves up, or toward minus infinity.
enum class Rounding { half_up, truncate };

}  // namespace fansim::arith
