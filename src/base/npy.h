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

// Floats of one tensor of `shape`, or of a batch of them, [count, shape...]; all are finite. UserError as above, and of
// an empty batch.
struct NpyBatch {
  std::int64_t count = 1;
  std::vector<float> values;
};
NpyBatch read_npy_batch(const std::string& path, const NpyShape& shape);

// Tensors of one shape and type, [count, shape...] or one alone, as their elements' bytes. UserError as above, of an
// empty batch and of one beyond 4 GiB.
struct NpyTensors {
  std::int64_t count = 1;
  std::vector<std::uint8_t> bytes;
};
NpyTensors read_npy_tensors(const std::string& path, DataType type, const NpyShape& shape);

// Whether an .npy file holds float32. UserError if it is no .npy file.
// The elements that the file's header tells of.
std::int64_t read_npy_count(const std::string& path);

bool holds_floats(const std::string& path);

// Integers of any width, [count].
std::vector<std::int64_t> read_npy_integers(const std::string& path);

// Bytes of any extents, so many of these. UserError as above.
struct NpyBytes {
  NpyShape shape;
  std::vector<std::uint8_t> values;
};
NpyBytes read_npy_bytes(const std::string& path, std::size_t extents);

// UserError at the first that is NaN or infinite.
void require_finite(const std::string& path, const std::vector<float>& values);

// `values` holds as many elements as `shape`. UserError if it cannot be written.
template <class T>
void write_npy(const std::string& path, const NpyShape& shape, const std::vector<T>& values);

// The same, of the elements' bytes.
void write_npy(const std::string& path, const NpyShape& shape, DataType type, const std::vector<std::uint8_t>& bytes);

}  // namespace fansim::base
