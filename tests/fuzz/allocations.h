// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

// What is on the heap, as the address sanitizer counts it; 0 in a build without.
namespace fansim::test {

void count_allocations();  // from here on
void forget_peak();
// At most at once since forget_peak(), beside what there was then.
std::size_t peak_bytes();
std::size_t live_bytes();

}  // namespace fansim::test
