// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "accelerators/stream/config/config.h"

namespace fansim::stream {

// Returns the longest transfer of the DMA, in bytes.
inline int longest_transfer(const Config& config) { return (1 << config.dma.length_bits) - 1; }

// Holds what one job may use: halves of the buffers, but no more than the DMA's longest transfer.
struct Capacity {
  int word_bytes;        // one pixel of one input-channel group
  int column_words;      // words of a matrix's column block
  int weight_row_bytes;  // one tap column's weights, in DDR and in the weight buffer
  int input_bytes;
  int input_words;
  int weight_rows;
  int resident_bytes;
  int resident_rows;
  int bias_bytes;
  int output_bytes;
  int accumulators;
  int line_columns;

  explicit Capacity(const Config& config) {
    const ArrayConfig& array = config.array;
    const int longest = longest_transfer(config);
    word_bytes = array.word_bytes();
    column_words = array.taps();
    weight_row_bytes = base::round_up(array.weight_column_bytes(), config.axi.beat_bytes());
    input_bytes = std::min(config.buffers.input_half_bytes(), longest);
    input_words = config.buffers.input_half_bytes() / word_bytes;
    weight_rows = std::min(config.buffers.weight_half_bytes(), longest) / weight_row_bytes;
    resident_bytes = std::min(config.buffers.resident_bytes(), longest);
    resident_rows = resident_bytes / weight_row_bytes;
    bias_bytes = std::min(config.buffers.bias_half_bytes(), longest);
    output_bytes = std::min(config.buffers.output_half_bytes(), longest);
    accumulators = array.accumulator_depth;
    line_columns = array.line_columns;
  }
};

// Holds the names that a refusal uses: the key with its value, or the DMA's key if its transfers are shorter.
struct Limits {
  std::string input, weight, resident, bias, output, line, sum;

  explicit Limits(const Config& config) {
    const int longest = longest_transfer(config);
    const auto limit = [&](const std::string& key, int bytes) {
      return bytes <= longest ? key : fmt::format("dma.length_bits {}", config.dma.length_bits);
    };
    const auto halves = [](const char* key, int kib) { return fmt::format("buffers.{} {}, two halves", key, kib); };
    const BufferConfig& buffers = config.buffers;
    input = limit(halves("input_kib", buffers.input_kib), buffers.input_half_bytes());
    weight = limit(halves("weight_kib", buffers.weight_kib), buffers.weight_half_bytes());
    resident = limit(fmt::format("buffers.resident_kib {}", buffers.resident_kib), buffers.resident_bytes());
    bias = limit(halves("bias_kib", buffers.bias_kib), buffers.bias_half_bytes());
    output = limit(halves("output_kib", buffers.output_kib), buffers.output_half_bytes());
    line = fmt::format("array.line_columns {}", config.array.line_columns);
    sum = fmt::format("array.accumulator_depth {}", config.array.accumulator_depth);
  }
};

}  // namespace fansim::stream
