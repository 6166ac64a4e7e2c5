// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace fansim::contract {

// What a receiver writes and a job reads of a buffer: half 0, half 1, or the store beside them that has no halves.
constexpr int kResident = 2;

}  // namespace fansim::contract
