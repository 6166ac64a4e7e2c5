// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/data_type.h"

// NumPy's .npy format, versions 1 and 2, little-endian C order (numpy.lib.format), of elements of any DataType.
namespace fansim::base {

using NpyShape = std::vector<std::int64_t>;

std::string shape_text(const NpyShape& shape);  // "(8, 3, 5, 5)"

// The most bytes that a file of that shape may have, its header included.
std::size_t largest_npy(std::size_t element_bytes, const NpyShape& shape);

// UserError if the file cannot be read, is truncated or longer than its shape, holds another type or order, or another
// shape than `expected`.
template <class T>
std::vector<T> read_npy(const std::string& path, const NpyShape& expected);

// The same, as the elements' bytes.
std::vector<std::uint8_t> read_npy(const std::string& path, DataType type, const NpyShape& expected);

// `values` holds as many elements as `shape`. UserError if it cannot be written.
template <class T>
void write_npy(const std::string& path, const NpyShape& shape, const std::vector<T>& values);

// The same, of the elements' bytes.
void write_npy(const std::string& path, const NpyShape& shape, DataType type, const std::vector<std::uint8_t>& bytes);

}  // namespace fansim::base
