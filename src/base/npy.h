// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/data_type.h"

// NumPy's .npy format, versions 1 and 2, little-endian C order (numpy.lib.format), of elements of any DataType.
namespace fansim::base {

using NpyShape = std::vector<std::int64_t>;

std::string shape_text(const NpyShape& shape);  // returns a text like "(8, 3, 5, 5)"

// Returns the most bytes that a file of that shape may have, with its header.
std::size_t largest_npy(std::size_t element_bytes, const NpyShape& shape);

// Reads an array. Throws UserError if the file cannot be read, is shorter or longer than its shape, or holds another
// type, order or shape than expected.
template <class T>
std::vector<T> read_npy(const std::string& path, const NpyShape& expected);

// Reads the same as the elements' bytes.
std::vector<std::uint8_t> read_npy(const std::string& path, DataType type, const NpyShape& expected);

// The floats of one tensor of `shape`, or of a batch of such tensors, [count, shape...]. read_npy_batch throws
// UserError as above, and also for an empty batch or a value that is not finite.
struct NpyBatch {
  std::int64_t count = 1;
  std::vector<float> values;
};
NpyBatch read_npy_batch(const std::string& path, const NpyShape& shape);

// Tensors of one shape and type as their elements' bytes: [count, shape...], or one alone. read_npy_tensors throws
// UserError as above, and also for an empty batch or one beyond 4 GiB.
struct NpyTensors {
  std::int64_t count = 1;
  std::vector<std::uint8_t> bytes;
};
NpyTensors read_npy_tensors(const std::string& path, DataType type, const NpyShape& shape);

// Returns how many elements the file's header tells of.
std::int64_t read_npy_count(const std::string& path);

// Returns whether the file holds float32. Throws UserError if it is no .npy file.
bool holds_floats(const std::string& path);

// Reads integers of any width, [count].
std::vector<std::int64_t> read_npy_integers(const std::string& path);

// An array of bytes with `extents` dimensions. read_npy_bytes throws UserError as above.
struct NpyBytes {
  NpyShape shape;
  std::vector<std::uint8_t> values;
};
NpyBytes read_npy_bytes(const std::string& path, std::size_t extents);

// Throws UserError at the first value that is NaN or infinite.
void require_finite(const std::string& path, const std::vector<float>& values);

// Writes an array; `values` holds as many elements as `shape`. Throws UserError if it cannot be written.
template <class T>
void write_npy(const std::string& path, const NpyShape& shape, const std::vector<T>& values);

// Writes the same from the elements' bytes.
void write_npy(const std::string& path, const NpyShape& shape, DataType type, const std::vector<std::uint8_t>& bytes);

}  // namespace fansim::base
