// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace fansim::contract {

// A receiver writes, and a job reads, half 0 or half 1 of a buffer, or the store beside them that has no halves, which
// is number kResident.
constexpr int kResident = 2;

}  // namespace fansim::contract
