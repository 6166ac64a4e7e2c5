// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>

namespace fansim::tiled {

// Holds FAQ-CNN's instruction (2.1, Fig 2): eight fields that describe a layer; AlexNet's conv4 is
// (384,384,13,13,3,1,1,1). A fully connected layer on the convolution engine has windows that are as wide as its map of
// one row.
struct Instruction {
  int in_channels = 1, out_channels = 1;
  int height = 1, width = 1;
  int kernel = 1, stride = 1, padding = 0;
  int type = 0;

  static constexpr int kRelu = 1, kPool = 2, kFc = 4, kAverage = 8, kTable = 16;
  static constexpr int kWords = 4;
  bool relu() const { return (type & kRelu) != 0; }
  bool pool() const { return (type & kPool) != 0; }
  bool fc() const { return (type & kFc) != 0; }
  bool looks_up() const { return (type & kTable) != 0; }
  bool average() const { return (type & kAverage) != 0; }

  template <class V>
  void visit(V&& v) {
    fields(*this, v);
  }
  template <class V>
  void visit(V&& v) const {
    fields(*this, v);
  }

 private:
  template <class Self, class V>
  static void fields(Self& j, V&& v) {
    // Lists (name, member, word, lowest bit, bits, meaning).
    v.bits("in_channels", j.in_channels, 0, 0, 16, "input channels");
    v.bits("out_channels", j.out_channels, 0, 16, 16, "output channels");
    v.bits("height", j.height, 1, 0, 16, "rows of the input map");
    v.bits("width", j.width, 1, 16, 16, "columns of the input map");
    v.bits("kernel", j.kernel, 2, 0, 16, "kernel size");
    v.bits("stride", j.stride, 2, 16, 16, "stride");
    v.bits("padding", j.padding, 3, 0, 16, "border on every side");
    v.bits("type", j.type, 3, 16, 16,
           "sum of 1 ReLU, 2 pooling, 4 fully connected, 8 the pooling is an average, 16 by the code table");
  }
};

// Holds everything that the stages know about a layer: its instruction, where its tensors lie, and how it is cut into
// tiles. Pitches are in values of a block (MapPlace).
struct TiledJob {
  Instruction instruction;
  int engine = 0;  // Config::kConv...
  std::uint32_t input_address = 0, weight_address = 0, parameter_address = 0, output_address = 0;
  int pool_kernel = 1, pool_stride = 1, pool_padding = 0;
  int out_rows = 1, out_columns = 1;    // of the layer, after pooling
  int tile_rows = 1, tile_columns = 1;  // of a tile, after pooling
  int in_block_channels = 1, in_block_bytes = 0, in_plane = 1, in_row = 1;
  int out_block_channels = 1, out_block_bytes = 0, out_plane = 1, out_row = 1;
  int in_first = 0, out_first = 0;  // the channels of the maps at which this job begins
  int in_zero = 0, out_zero = 0;
  int in_unsigned = 0, out_unsigned = 0;
  int fc_steps = 1, fc_groups = 1;  // of a weight tile of the FC engine
  int fc_block = 1;                 // input values loaded at once

  static constexpr int kWords = 21;  // including the instruction's
  template <class V>
  void visit(V&& v) {
    fields(*this, v);
  }
  template <class V>
  void visit(V&& v) const {
    fields(*this, v);
  }

  // The AXI-Lite byte offset of word i is 4 i. Any write to kStart starts the layer.
  static constexpr std::uint32_t kStart = 4 * 24;

  int kernel_rows() const { return instruction.fc() ? 1 : instruction.kernel; }
  int kernel_columns() const { return instruction.kernel; }
  int steps() const { return kernel_rows() * kernel_columns(); }

 private:
  template <class Self, class V>
  static void fields(Self& j, V&& v) {
    v.address("input_address", j.input_address, 4, "first byte of the input map");
    v.address("weight_address", j.weight_address, 5, "first weight tile, or weight");
    v.address("parameter_address", j.parameter_address, 6, "first record of bias and scale");
    v.address("output_address", j.output_address, 7, "first byte of the output map");
    v.bits("engine", j.engine, 8, 0, 2, "0 convolution, 1 first layer, 2 fully connected");
    v.bits("in_unsigned", j.in_unsigned, 8, 2, 1, "activations read are unsigned");
    v.bits("out_unsigned", j.out_unsigned, 8, 3, 1, "activations written are unsigned");
    v.bits("pool_kernel", j.pool_kernel, 8, 4, 8, "pooling window");
    v.bits("pool_stride", j.pool_stride, 8, 12, 8, "pooling stride");
    v.bits("pool_padding", j.pool_padding, 8, 20, 8, "pooling border");
    v.bits("out_rows", j.out_rows, 9, 0, 16, "rows of the output map");
    v.bits("out_columns", j.out_columns, 9, 16, 16, "columns of the output map");
    v.bits("tile_rows", j.tile_rows, 10, 0, 16, "rows of an output tile");
    v.bits("tile_columns", j.tile_columns, 10, 16, 16, "columns of an output tile");
    v.bits("in_block_channels", j.in_block_channels, 11, 0, 16, "channels of an input block");
    v.bits("out_block_channels", j.out_block_channels, 11, 16, 16, "channels of an output block");
    v.bits("in_block_bytes", j.in_block_bytes, 12, 0, 31, "bytes from input block to input block");
    v.bits("in_plane", j.in_plane, 13, 0, 31, "values from channel to channel of an input block");
    v.bits("in_row", j.in_row, 14, 0, 16, "values from row to row of an input plane");
    v.bits("out_row", j.out_row, 14, 16, 16, "values from row to row of an output plane");
    v.bits("out_block_bytes", j.out_block_bytes, 15, 0, 31, "bytes from output block to output block");
    v.bits("out_plane", j.out_plane, 16, 0, 31, "values from channel to channel of an output block");
    v.number("in_zero", j.in_zero, 17, 0, 16, "zero point of the input map, two's complement");
    v.number("out_zero", j.out_zero, 17, 16, 16, "zero point of the output map, two's complement");
    v.bits("fc_steps", j.fc_steps, 18, 0, 16, "FC engine: tn inputs each, steps of a weight tile");
    v.bits("fc_groups", j.fc_groups, 18, 16, 16, "FC engine: tm outputs each, groups of a weight tile");
    v.bits("in_first", j.in_first, 20, 0, 16, "channel of the input map that is this job's first");
    v.bits("out_first", j.out_first, 20, 16, 16, "channel of the output map that is this job's first");
    v.bits("fc_block", j.fc_block, 19, 0, 31, "FC engine: inputs loaded at once");
  }
};

using JobImage = std::array<std::uint32_t, TiledJob::kWords>;
JobImage encode(const TiledJob& job);
TiledJob decode(const JobImage& image);
std::string print(const Instruction& instruction);  // (384,384,13,13,3,1,1,1)
std::string print(const TiledJob& job);             // the instruction, then name=value for fields that differ from an
                                                    // idle job

}  // namespace fansim::tiled
