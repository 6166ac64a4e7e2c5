// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace fansim::contract {

// The bytes that one operand of a layer moves.
struct OperandTraffic {
  std::string operand;  // such as "inputs"
  bool written = false;
  // Between memory and chip; summed over all operands this is the layer's bytes_read and bytes_written.
  std::int64_t ddr = 0;
  // `buffers` counts bytes between the on-chip buffers and what stands before the array, `array` those into the
  // multipliers. What a row of multipliers shares counts once. Empty if the machine has no such place for the operand.
  std::optional<std::int64_t> buffers, array;

  // Returns how often a byte that came from memory is multiplied.
  std::optional<double> reuse() const {
    if (!array || ddr == 0) return std::nullopt;
    return static_cast<double>(*array) / static_cast<double>(ddr);
  }
};

// The most that a layer has in an on-chip buffer at once, all halves together.
struct BufferUse {
  std::string buffer;
  std::string unit;  // "B" or "words"
  std::int64_t most = 0, capacity = 0;
};

// How a layer is mapped to a machine, read from the program that the machine runs.
struct Mapping {
  std::vector<std::pair<std::string, std::int64_t>> tile;  // the largest tile, extent by extent
  std::int64_t tiles = 0;                                  // tiles that the machine takes one after the other
  std::int64_t passes = 0;                                 // passes of the array over a tile
  std::vector<OperandTraffic> operands;
  std::vector<BufferUse> buffers;

  void holds(const std::string& name, const char* unit, std::int64_t count, std::int64_t capacity) {
    for (BufferUse& one : buffers)
      if (one.buffer == name) {
        one.most = std::max(one.most, count);
        return;
      }
    buffers.push_back({name, unit, count, capacity});
  }

  using Extents = std::vector<std::pair<std::string, std::int64_t>>;
  static std::int64_t volume(const Extents& extents) {
    std::int64_t product = 1;
    for (const auto& extent : extents) product *= extent.second;
    return product;
  }
  // Records a tile. The largest one is kept.
  void add_tile(Extents extents) {
    if (tile.empty() || volume(extents) > volume(tile)) tile = std::move(extents);
  }
  // Returns the operand of that name, and adds it if there is none.
  OperandTraffic& operand(const std::string& name, bool written = false) {
    for (OperandTraffic& one : operands)
      if (one.operand == name) return one;
    operands.push_back({name, written, 0, std::nullopt, std::nullopt});
    return operands.back();
  }
};

// Adds to a level that may not have been counted yet.
inline void add_bytes(std::optional<std::int64_t>& level, std::int64_t bytes) { level = level.value_or(0) + bytes; }

}  // namespace fansim::contract
