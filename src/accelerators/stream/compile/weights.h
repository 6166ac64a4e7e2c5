// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstring>
#include <functional>
#include <vector>

#include "accelerators/stream/config/array.h"
#include "network/network.h"

// Weights in the order the array reads them. A weight set is `cols` rows of the weight buffer, one per tap column; a
// row holds [output channel][tap row][input channel], padded to whole beats. Destinations hold zeros.
namespace fansim::stream {

// Weights of a layer, `bits` each as its codes are: a byte, or two, little-endian; none: nothing.
struct Weights {
  const std::int8_t* bytes = nullptr;
  int bits = 8;

  explicit operator bool() const { return bytes != nullptr; }
  Weights from(std::int64_t first) const { return {bytes + first * (bits > 8 ? 2 : 1), bits}; }
  int operator[](std::int64_t i) const {
    if (bits == 8) return bytes[i];
    std::uint16_t code;
    std::memcpy(&code, bytes + 2 * i, 2);
    const int sign = 1 << (bits - 1);
    return (code ^ sign) - sign;
  }
};

// As the array reads a weight: in one or two bytes, sign-extended.
inline void put(std::uint8_t* to, int weight, int bytes) {
  to[0] = static_cast<std::uint8_t>(weight);
  if (bytes == 2) to[1] = static_cast<std::uint8_t>(weight >> 8);
}

// A layer's weights as they are needed: its own, or drawn now; none of one loaded without values.
class LayerWeights {
 public:
  explicit LayerWeights(const network::Layer* layer) : layer_(layer) {}  // or of none

  Weights all() { return layer_ ? some(0, layer_->weight_count()) : Weights{}; }
  // `count` from the one of index `first` on; good until others are asked for.
  Weights some(std::int64_t first, std::int64_t count);

 private:
  const network::Layer* const layer_;
  std::vector<std::int8_t> drawn_;
};

// A convolution's weights, [filters][channels / groups][kernel][kernel]; without values all are `constant`.
struct Kernels {
  Weights values;
  int filters = 1, channels = 1, groups = 1, kernel = 1;
  int constant = 1;
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

// A matrix's row of weights for output channel `channel` of a group; none: zeros.
using MatrixRow = std::function<Weights(int group, int channel)>;

// A matrix as the array reads it.
struct MatrixShape {
  // Which element of a row meets each value of the vector in DDR; -1: none.
  std::vector<std::int32_t> columns;
  int groups = 1;       // of output channels
  int tile_groups = 1;  // sets are [tile of so many groups][column block][group of the tile]
};

// `rows_of` finds the rows of groups [first, first + count) in the layer's weights, which it asks for. So many groups
// are packed at once, the whole matrix on every core.
using RowsOf = std::function<MatrixRow(LayerWeights& weights, int first, int count)>;
void pack_matrix(const network::Layer& layer, const RowsOf& rows_of, int at_once, const MatrixShape& matrix,
                 const ArrayConfig& array, int row_bytes, std::uint8_t* to);

}  // namespace fansim::stream
