// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

// NumPy's .npy format, versions 1 and 2, little-endian C order (numpy.lib.format).
namespace fansim::base {

using NpyShape = std::vector<std::int64_t>;

std::string shape_text(const NpyShape& shape);  // "(8, 3, 5, 5)"

// Elements are int8, uint8, int16 or int32. UserError if the file cannot be read, is truncated or longer than its
// shape, holds another type or order, or another shape than `expected`.
template <class T>
std::vector<T> read_npy(const std::string& path, const NpyShape& expected);

// Of uint16 too. `values` holds as many elements as `shape`. UserError if it cannot be written.
template <class T>
void write_npy(const std::string& path, const NpyShape& shape, const std::vector<T>& values);

}  // namespace fansim::base
