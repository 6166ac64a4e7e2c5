// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "accelerators/stream/config/array.h"

// Weights in the order the array reads them. A weight set is `cols` rows of the weight buffer, one per tap column; a
// row holds [output channel][tap row][input channel], padded to whole beats. Destinations hold zeros.
namespace fansim::stream {

// A convolution's weights, [filters][channels / groups][kernel][kernel]; without values all are one.
struct Kernels {
  const std::int8_t* values = nullptr;
  int filters = 1, channels = 1, groups = 1, kernel = 1;
};

// How a kernel is cut to the array: `rows` blocks of kernel rows, `columns` blocks of kernel columns.
struct KernelBlocks {
  int rows, columns;
  KernelBlocks(const ArrayConfig& array, int kernel);
  int sets() const { return rows * columns; }
};

// Sets [block][x block][group] of one input-channel group and output groups [first_group, first_group + groups).
void pack_kernels(const Kernels& kernels, const ArrayConfig& array, int row_bytes, int parallel, int input_group,
                  int first_group, int groups, std::uint8_t* to);

// A matrix's row of weights for output channel `channel` of a group; nullptr: zeros.
using MatrixRow = std::function<const std::int8_t*(int group, int channel)>;

// Sets [column block][group] of a matrix. `columns` says which element of a row meets each byte of the vector in DDR;
// -1: none.
void pack_matrix(const MatrixRow& row, const std::vector<std::int32_t>& columns, const ArrayConfig& array,
                 int row_bytes, int groups, std::uint8_t* to);

}  // namespace fansim::stream
