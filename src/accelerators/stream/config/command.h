// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <stdexcept>
#include <string>

#include "contract/code_table.h"

namespace fansim::stream {

// Holds the core's command, which is the contents of six of its 32-bit registers. The thesis names bits 0 to 9 of
// register 1 (Fig 3-5); the fields of the other registers are ours. Register 3 is a window onto sixteen 28-bit geometry
// words, which its top four bits select.
//
// Register 1 has two kinds of bits. Start and receive bits (receive_resident together with receive_weights) act once,
// when they are written; all others are levels. While a job runs, the host writes register 1 only to arm one receiver
// at a time, with all levels unchanged, and writes no other register. A receiver writes from the start of half 1 -
// select. The resident store has no halves, and is written only while no job reads it.
//
// One job is this nest (a *pass* streams every column of the line buffers once):
//   for block        < blocks        kernel-row blocks of a convolution, column blocks of a matrix-vector product
//     for row        < rows          groups of `parallel` output rows; the lines are filled (first row) or moved on
//       for x_block  < x_blocks      kernel-column blocks
//         for group  < groups        groups of output channels
//           one pass: `columns` columns, `windows` windows, one weight set
// A recurrent job runs this nest over the hidden state's column blocks `steps` times, one window per pass, and updates
// the cell after each. Its `windows` is the number of steps that the accumulator holds side by side.
//
// A job may read data that it never uses: lines below the last output row (parallel > 1), the tail of a last column
// block, and tap rows and columns outside the kernel. These data lie within the half, may never have been received, and
// meet zero weights or dropped rows.
struct Command {
  // Register 1 has enables, selects and starts.
  int receive_input = 0, receive_weights = 0, receive_bias = 0;
  int input_select = 0, weight_select = 0, bias_select = 0;
  int start_conv = 0, start_recurrent = 0;
  int last_round = 0;
  int output_select = 0;
  int hidden_input = 0;
  int add_bias = 0;
  int pool = 0;
  int accumulate = 0;
  int recurrent_output = 0;
  int send_output = 0;
  int end_of_layer = 0;
  int input_unsigned = 0;
  int weights_resident = 0;
  int receive_resident = 0;

  // Register 2 has the requantisation.
  int scale = 1, shift = 0, zero_point = 0, output_unsigned = 0, relu = 0, scale_per_channel = 0, by_table = 0;

  // Register 3 has the line buffers, the windows and the geometry of the output.
  int blocks = 1, rows = 1;
  int x_blocks = 1, groups = 1;
  int columns = 1, windows = 1;
  int kernel = 1, stride = 1, parallel = 1, matrix = 0;
  int fill_columns = 1, fill_pieces = 1;
  int fill_piece_step = 0;
  int fill_line_step = 0;
  int fill_block_step = 0;
  int fill_base = 0;
  int steps = 0, step_offset = 0, gru = 0;
  int output_row = 0, output_rows = 1, output_columns = 1;
  int pool_kernel = 1, pool_stride = 1, pool_top = 0, pool_left = 0;
  int pool_columns = 1, pool_rows = 1;
  int tile_rows = 1;
  int row_pitch = 0;
  int plane_pitch = 0;

  // Registers 4, 5 and 6 have bases, and the hidden state's own requantisation.
  int weight_base = 0;                     // row of the weight buffer (one row feeds one tap column)
  int bias_base = 0;                       // first group of bias records
  int hidden_scale = 0, hidden_shift = 0;  // LSTM: o tanh(c) (hidden_scale + 1) / 2^hidden_shift
  std::uint32_t output_base = 0;           // DDR address of the job's first output word

  // This is the sequencer's count of jobs, which no register holds.
  std::uint32_t serial = 0;
  // Returns the zero point of the output, whose type has `bits` bits, at least 8.
  int zero_point_of(int bits) const {
    return (output_unsigned ? zero_point : static_cast<std::int8_t>(zero_point)) * (1 << (bits - 8));
  }
  std::int64_t passes() const { return std::int64_t{start_recurrent ? steps : 1} * blocks * rows * x_blocks * groups; }

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
  static void fields(Self& c, V&& v) {
    levels(c, v);
    shapes(c, v);
  }
  // Lists (name, member, register, geometry word, lowest bit, bits, meaning).
  template <class Self, class V>
  static void levels(Self& c, V&& v) {
    v.bits("receive_input", c.receive_input, 1, 0, 0, 1, "arm the input receiver");
    v.bits("receive_weights", c.receive_weights, 1, 0, 1, 1, "arm the weight receiver");
    v.bits("receive_bias", c.receive_bias, 1, 0, 2, 1, "arm the bias receiver");
    v.bits("input_select", c.input_select, 1, 0, 3, 1, "input ping-pong: half read; the other is written");
    v.bits("weight_select", c.weight_select, 1, 0, 4, 1, "weight ping-pong: half read; the other is written");
    v.bits("bias_select", c.bias_select, 1, 0, 5, 1, "bias ping-pong: half read; the other is written");
    v.bits("start_conv", c.start_conv, 1, 0, 6, 1, "start a convolution or matrix-vector job");
    v.bits("start_recurrent", c.start_recurrent, 1, 0, 7, 1, "start a recurrent job");
    v.bits("last_round", c.last_round, 1, 0, 8, 1, "the last accumulation of these outputs: requantise them");
    v.bits("output_select", c.output_select, 1, 0, 9, 1, "output ping-pong: half written");
    v.bits("hidden_input", c.hidden_input, 1, 0, 10, 1, "line buffers read the hidden state, not the input buffer");
    v.bits("add_bias", c.add_bias, 1, 0, 11, 1, "the first accumulation of these outputs: start from the bias");
    v.bits("pool", c.pool, 1, 0, 12, 1,
           "outputs pass the pooling unit: the maximum of each window, clipped to the layer's rows and columns");
    v.bits("accumulate", c.accumulate, 1, 0, 13, 1,
           "add onto stored partial sums; exactly one of add_bias and accumulate is set (recurrent: new or continued "
           "sequence)");
    v.bits("recurrent_output", c.recurrent_output, 1, 0, 14, 1, "outputs go to activation table and cell");
    v.bits("send_output", c.send_output, 1, 0, 15, 1, "the output tile is sent to DDR when complete");
    v.bits("end_of_layer", c.end_of_layer, 1, 0, 16, 1, "interrupt when the sent tile has been written");
    v.bits("input_unsigned", c.input_unsigned, 1, 0, 17, 1,
           "activations from the input buffer are uint8; the hidden state is int8");
    v.bits("weights_resident", c.weights_resident, 1, 0, 18, 1, "weights come from the resident store");
    v.bits("receive_resident", c.receive_resident, 1, 0, 19, 1, "received weights go to the resident store");
  }
  template <class Self, class V>
  static void shapes(Self& c, V&& v) {
    v.bits("scale", c.scale, 2, 0, 0, 15, "multiplier M");
    v.bits("shift", c.shift, 2, 0, 15, 5, "right shift n");
    v.bits("zero_point", c.zero_point, 2, 0, 20, 8, "output zero point: its upper eight bits, those below are zeros");
    v.bits("output_unsigned", c.output_unsigned, 2, 0, 28, 1, "outputs are uint8");
    v.bits("relu", c.relu, 2, 0, 29, 1, "clamp below at the zero point");
    v.bits("scale_per_channel", c.scale_per_channel, 2, 0, 30, 1, "M and n come with each bias record");

    v.bits("by_table", c.by_table, 2, 0, 31, 1, "outputs are looked up in the code table");

    v.bits("blocks", c.blocks, 3, 0, 0, 14, "kernel-row blocks, or column blocks of a matrix");
    v.bits("rows", c.rows, 3, 0, 14, 14, "row groups in the job");
    v.bits("x_blocks", c.x_blocks, 3, 1, 0, 8, "kernel-column blocks");
    v.bits("groups", c.groups, 3, 1, 8, 16, "output-channel groups in the job");
    v.bits("columns", c.columns, 3, 2, 0, 14, "columns per line");
    v.bits("windows", c.windows, 3, 2, 14, 14, "windows per pass; recurrent: steps side by side in the accumulator");
    v.bits("kernel", c.kernel, 3, 3, 0, 8, "kernel size");
    v.bits("stride", c.stride, 3, 3, 8, 8,
           "columns between windows, rows between output rows; a matrix: the array's cols");
    v.bits("parallel", c.parallel, 3, 3, 16, 4, "output rows per window");
    v.bits("matrix", c.matrix, 3, 3, 20, 1, "every block is a whole window: matrix-vector product");
    v.bits("gru", c.gru, 3, 3, 21, 1, "the cell is a GRU");
    v.bits("fill_columns", c.fill_columns, 3, 4, 0, 14, "words of one piece of a line");
    v.bits("fill_pieces", c.fill_pieces, 3, 4, 14, 14, "pieces per line (time steps of a block)");
    v.bits("fill_piece_step", c.fill_piece_step, 3, 5, 0, 28, "words from piece to piece");
    v.bits("fill_line_step", c.fill_line_step, 3, 6, 0, 28, "words from line to line");
    v.bits("fill_block_step", c.fill_block_step, 3, 7, 0, 28, "words from block to block");
    v.bits("fill_base", c.fill_base, 3, 8, 0, 28, "first word in the input half");
    v.bits("steps", c.steps, 3, 9, 0, 14, "time steps of a recurrent job");
    v.bits("step_offset", c.step_offset, 3, 9, 14, 14, "first time step within the accumulated block");
    v.bits("output_row", c.output_row, 3, 10, 0, 14, "first output row of the job, before pooling");
    v.bits("output_rows", c.output_rows, 3, 10, 14, 14, "rows of the layer, before pooling");
    v.bits("output_columns", c.output_columns, 3, 11, 0, 14, "columns of a sent row");
    v.bits("pool_kernel", c.pool_kernel, 3, 11, 14, 7, "pooling window");
    v.bits("pool_stride", c.pool_stride, 3, 11, 21, 7, "pooling stride");
    v.bits("pool_top", c.pool_top, 3, 12, 0, 7, "pooling padding above");
    v.bits("pool_left", c.pool_left, 3, 12, 7, 7, "pooling padding left");
    v.bits("pool_columns", c.pool_columns, 3, 12, 14, 14, "columns after pooling");
    v.bits("pool_rows", c.pool_rows, 3, 13, 0, 14, "rows after pooling");
    v.bits("tile_rows", c.tile_rows, 3, 13, 14, 14,
           "output rows that this job completes and sends, after pooling; other rows are dropped");
    v.bits("row_pitch", c.row_pitch, 3, 14, 0, 28, "bytes from output row to output row");
    v.bits("plane_pitch", c.plane_pitch, 3, 15, 0, 28, "bytes from output plane to output plane");

    v.bits("weight_base", c.weight_base, 4, 0, 0, 27, "row of the weight buffer");
    v.bits("hidden_shift", c.hidden_shift, 4, 0, 27, 5, "LSTM: right shift of the new hidden state");
    v.bits("bias_base", c.bias_base, 5, 0, 0, 17, "first group of bias records");
    v.bits("hidden_scale", c.hidden_scale, 5, 0, 17, 15, "LSTM: multiplier of the new hidden state, less one");
    v.address("output_base", c.output_base, 6, "DDR address of the job's first output word");
  }
};

// Holds the registers as the core does: 1, 2, sixteen words of 3, 4, 5, 6.
struct RegisterImage {
  static constexpr int kGeometryWords = 16;
  std::uint32_t reg1 = 0, reg2 = 0, reg4 = 0, reg5 = 0, reg6 = 0;
  std::array<std::uint32_t, kGeometryWords> geometry{};

  // Writes the register at an AXI-Lite byte offset; returns false if there is none.
  bool write(std::uint32_t offset, std::uint32_t value);
};

// Thrown by encode() if a value does not fit into its field.
struct WideField : std::logic_error {
  using std::logic_error::logic_error;
};

RegisterImage encode(const Command& command);
Command decode(const RegisterImage& image);
std::string print(const Command& command);  // fields that differ from an idle command, as name=value

// Holds the bits of register 1 that act when they are written, and the selects.
struct Register1 {
  std::uint32_t receive_input, receive_weights, receive_bias, receive_resident;
  std::uint32_t starts;
  std::uint32_t input_select, weight_select, bias_select, output_select;
  std::uint32_t end_of_layer;

  std::uint32_t receives() const { return receive_input | receive_weights | receive_bias; }
  std::uint32_t acting() const { return receives() | receive_resident | starts; }
  static const Register1& bits();
};

// Decodes the registers for a follower of the host's writes. The result is that of decode() on an image that takes the
// writes, but each write is decoded by itself.
class WrittenCommand {
 public:
  // Writes the register at an AXI-Lite byte offset; returns false if there is none.
  bool write(std::uint32_t offset, std::uint32_t value);
  const Command& operator*() const { return command_; }

 private:
  Command command_ = decode(RegisterImage{});
};

// These compute AXI-Lite byte offsets of the registers.
constexpr std::uint32_t register_offset(int reg) { return static_cast<std::uint32_t>(4 * (reg - 1)); }
constexpr std::uint32_t geometry_value(int word, std::uint32_t payload) {
  return static_cast<std::uint32_t>(word) << 28 | payload;
}

// With `array.code_table` there is a seventh register. It is write-only and is written while no job runs; it takes
// entries of the code table of every output channel.
using CodeTable = contract::CodeTable;
using TableWrite = contract::TableWrite;
constexpr std::uint32_t kTableOffset = register_offset(7);

}  // namespace fansim::stream
