// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "accelerators/decoupled/config/check.h"

namespace fansim::decoupled {

// Holds vectors for the positions of a tile, byte by byte.
class VectorBuffer {
 public:
  VectorBuffer(int kib, int vector_bytes)
      : bytes_(static_cast<std::size_t>(kib) * 1024), vector_bytes_(static_cast<std::size_t>(vector_bytes)) {}

  int vector_bytes() const { return static_cast<int>(vector_bytes_); }
  // Returns the vector at a plane's row and column; the vectors of the rest of the row follow it. refusal() has checked
  // that tiles lie within the buffer.
  std::uint8_t* at(const Tile& tile, int plane, int row, int column) {
    const std::size_t vector = static_cast<std::size_t>(tile.first) +
                               static_cast<std::size_t>(plane) * size(tile.plane) +
                               size((tile.row + row) % tile.ring) * size(tile.columns) + size(column);
    return bytes_.data() + vector * vector_bytes_;
  }

 private:
  static std::size_t size(int n) { return static_cast<std::size_t>(n); }

  std::vector<std::uint8_t> bytes_;
  std::size_t vector_bytes_;
};

// Holds the memories that the units share.
struct Buffers {
  explicit Buffers(const Config& c)
      : inputs(c.buffers.input_kib, input_vector_bytes(c)),
        sums(c.buffers.sum_kib, sum_vector_bytes(c)),
        weights(static_cast<std::size_t>(c.buffers.weight_kib) * 1024),
        parameters(std::size_t{kMostParameters} * kParameterBytes) {}

  VectorBuffer inputs, sums;
  std::vector<std::uint8_t> weights;     // in blocks of tm x tn
  std::vector<std::uint8_t> parameters;  // records
};

}  // namespace fansim::decoupled
