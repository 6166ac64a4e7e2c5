// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace fansim::arith {

// To the nearest integer, halves up; or toward minus infinity.
enum class Rounding { half_up, truncate };

}  // namespace fansim::arith
