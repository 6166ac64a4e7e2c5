// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "accelerators/stream/config/config.h"

namespace fansim::stream {

// What one job may use: halves of the buffers, no larger than the DMA's longest transfer.
struct Capacity {
  int word_bytes;        // one pixel of one input-channel group
  int column_words;      // words of a matrix's column block
  int weight_row_bytes;  // one tap column's weights, in DDR and in the weight buffer
  int input_bytes;
  int input_words;
  int weight_rows;
  int resident_rows;
  int bias_bytes;
  int output_bytes;
  int accumulators;
  int line_columns;

  explicit Capacity(const Config& config) {
    const ArrayConfig& array = config.array;
    const int longest = (1 << config.dma.length_bits) - 1;
    word_bytes = array.input_channels;
    column_words = array.taps();
    weight_row_bytes = base::round_up(array.weight_column_bytes(), config.axi.beat_bytes());
    input_bytes = std::min(config.buffers.input_half_bytes(), longest);
    input_words = config.buffers.input_half_bytes() / word_bytes;
    weight_rows = std::min(config.buffers.weight_half_bytes(), longest) / weight_row_bytes;
    resident_rows = std::min(config.buffers.resident_bytes(), longest) / weight_row_bytes;
    bias_bytes = std::min(config.buffers.bias_half_bytes(), longest);
    output_bytes = std::min(config.buffers.output_half_bytes(), longest);
    accumulators = array.accumulator_depth;
    line_columns = array.line_columns;
  }
};

}  // namespace fansim::stream
