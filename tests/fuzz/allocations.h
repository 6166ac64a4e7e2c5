// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

// This file measures the heap as the address sanitizer counts it; it gives 0 in a build without the sanitizer.
namespace fansim::test {

void count_allocations();  // from here on
void forget_peak();
// peak_bytes() returns the most bytes at a time since forget_peak(), in addition to those that existed then.
std::size_t peak_bytes();
std::size_t live_bytes();

}  // namespace fansim::test
