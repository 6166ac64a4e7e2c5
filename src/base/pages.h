// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

namespace fansim::base {

// Asks the kernel for the pages of memory that is about to be written, at once and on every core. For hundreds of MB,
// one fault per page takes longer than the computation. It is only a hint.
void touch(void* memory, std::size_t bytes);

// Reserves memory for an empty vector and touches its pages.
template <class T>
void reserve_pages(std::vector<T>& values, std::size_t size) {
  values.reserve(size);
  touch(values.data(), size * sizeof(T));
}

}  // namespace fansim::base
