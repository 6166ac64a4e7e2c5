// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstring>
#include <functional>
#include <vector>

#include "accelerators/stream/config/array.h"
#include "network/network.h"

// This file packs weights in the order in which the array reads them. A weight set is `cols` rows of the weight buffer,
// one per tap column. A row holds [output channel][tap row][input channel], padded to whole beats. Destinations must
// hold zeros.
namespace fansim::stream {

// Holds weights of a layer, whose codes have `bits` bits and take one or two bytes, little-endian; null: there are
// none.
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

// Writes a weight as the array reads it: one or two bytes, sign-extended.
inline void put(std::uint8_t* to, int weight, int bytes) {
  to[0] = static_cast<std::uint8_t>(weight);
  if (bytes == 2) to[1] = static_cast<std::uint8_t>(weight >> 8);
}

// Provides a layer's weights when they are needed: its own, or weights that are drawn now. A layer that was loaded
// without values has none.
class LayerWeights {
 public:
  explicit LayerWeights(const network::Layer* layer) : layer_(layer) {}  // may be null

  Weights all() { return layer_ ? some(0, layer_->weight_count()) : Weights{}; }
  // Returns `count` weights from index `first` on. They are valid until the next call.
  Weights some(std::int64_t first, std::int64_t count);

 private:
  const network::Layer* const layer_;
  std::vector<std::int8_t> drawn_;
};

// Holds a convolution's weights, [filters][channels / groups][kernel][kernel]. Without values all weights are
// `constant`.
struct Kernels {
  Weights values;
  int filters = 1, channels = 1, groups = 1, kernel = 1;
  int constant = 1;
};

// Says how a kernel is cut for the array: `rows` blocks of kernel rows and `columns` blocks of kernel columns.
struct KernelBlocks {
  int rows, columns;
  KernelBlocks(const ArrayConfig& array, int kernel);
  int sets() const { return rows * columns; }
};

// Packs the sets [block][x block][group] of one input-channel group and the output groups [first_group, first_group +
// groups).
void pack_kernels(const Kernels& kernels, const ArrayConfig& array, int row_bytes, int parallel, int input_group,
                  int first_group, int groups, std::uint8_t* to);

// Returns a matrix's row of weights for output channel `channel` of a group; null: zeros.
using MatrixRow = std::function<Weights(int group, int channel)>;

// Describes a matrix as the array reads it.
struct MatrixShape {
  // Says which element of a row each value of the vector in DDR meets; -1: none.
  std::vector<std::int32_t> columns;
  int groups = 1;       // groups of output channels
  int tile_groups = 1;  // sets are ordered [tile of `tile_groups` groups][column block][group of the tile]
};

// `rows_of` finds the rows of groups [first, first + count) and requests them from the layer's weights. `at_once`
// groups are packed at a time; all cores take part.
using RowsOf = std::function<MatrixRow(LayerWeights& weights, int first, int count)>;
void pack_matrix(const network::Layer& layer, const RowsOf& rows_of, int at_once, const MatrixShape& matrix,
                 const ArrayConfig& array, int row_bytes, std::uint8_t* to);

}  // namespace fansim::stream
