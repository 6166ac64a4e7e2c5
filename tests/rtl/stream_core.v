// SPDX-License-Identifier: Apache-2.0
/* verilator lint_off WIDTH */
/* verilator lint_off PINCONNECTEMPTY */
`include "tag.vh"
`include "command.vh"

// The streaming core: everything between the AXI-Stream that brings inputs, weights and bias and the one that takes
// outputs away, with its registers and the AXI-Lite port through which it programs the DMA for its outputs.
// fault f plants a fault in one block: 1 sequencer, 2 line buffer, 3 window, 4 weight reader, 5 MAC array, 6 adder
// tree, 7 accumulator, 8 quantiser, 9 pooling, 10 output store, 11 output writer, 12 packer, 13 receivers, 14 activation,
// 15 recurrent cell, 16 the MAC array once more: it takes a weight set while a pair of windows meets the one before;
// 17 code table; 18 each buffer is asked once more, 19 each memory of the blocks.
module stream_core #(
    parameter ROWS = 3,
    parameter COLS = 3,
    parameter INPUT_CHANNELS = 8,
    parameter OUTPUT_CHANNELS = 8,
    parameter MULTIPLIER = 1,
    parameter TERMS = 7,
    parameter SHARED_WEIGHT = 0,
    parameter SHADOW = 1,
    parameter FAITHFUL = 0,
    parameter LINE_COLUMNS = 256,
    parameter BLOCK = 0,
    parameter REQUANTISE = 0,
    parameter CODE_TABLE = 0,
    parameter ACCUMULATOR_DEPTH = 2048,
    parameter ACCUMULATOR_BITS = 20,
    parameter OPERAND_BITS = 16,
    parameter HALF_UP = 0,
    parameter BEAT_BYTES = 16,
    parameter INPUT_HALF_BYTES = 24576,
    parameter WEIGHT_HALF_BYTES = 98304,
    parameter RESIDENT_BYTES = 294912,
    parameter BIAS_HALF_BYTES = 4096,
    parameter OUTPUT_HALF_BYTES = 16384,
    parameter POOL_KERNEL = 3,
    parameter POOL_OPEN = 3,
    parameter POOL_DEPTH = 1024,
    parameter HIDDEN_BLOCKS = 128,
    parameter TABLE = "sigmoid.hex"
) (
    input clk,
    input rst,
    input [4:0] fault,

    // Registers.
    input request_valid,
    output request_ready,
    input request_write,
    input [31:0] request_address,
    input [31:0] request_value,
    output response_valid,
    input response_ready,
    output response_full,
    output [31:0] response_value,

    // From MM2S.
    input s_axis_valid,
    output s_axis_ready,
    input [BEAT_BYTES*8-1:0] s_axis_data,
    input s_axis_last,

    // To S2MM, and its registers and interrupt.
    output m_axis_valid,
    input m_axis_ready,
    output m_axis_full,
    output [BEAT_BYTES*8-1:0] m_axis_data,
    output [4:0] m_axis_bytes,
    output m_axis_last,
    output dma_valid,
    input dma_ready,
    output dma_full,
    output dma_write,
    output [31:0] dma_address,
    output [31:0] dma_value,
    input dma_response_valid,
    output dma_response_ready,
    input s2mm_introut,

    // One-cycle pulses: a job is done, a layer's last tile is in DDR.
    output job_done,
    output layer_done
);
  localparam WORD = INPUT_CHANNELS * 8;
  localparam PIXEL = OUTPUT_CHANNELS * 8;
  localparam BEAT = BEAT_BYTES * 8;
  localparam SET_COLUMN_BYTES = ROWS * INPUT_CHANNELS * OUTPUT_CHANNELS;
  localparam WEIGHT_ROW_BYTES = (SET_COLUMN_BYTES + BEAT_BYTES - 1) / BEAT_BYTES * BEAT_BYTES;
  localparam RECORDS = OUTPUT_CHANNELS * 64;  // bits of a group's bias records, of 8 bytes or twice as many of 4
  localparam ADDRESS_BITS = 20;
  localparam CHAIN = TERMS < COLS * INPUT_CHANNELS ? TERMS : COLS * INPUT_CHANNELS;
  localparam CHAINS = MULTIPLIER == 4 ? (COLS * INPUT_CHANNELS + CHAIN - 1) / CHAIN : 0;
  localparam ROW_TERMS = CHAINS > 0 ? CHAINS : COLS * INPUT_CHANNELS;
  localparam TERM_BITS = MULTIPLIER == 5 ? 24 : CHAINS > 0 ? 18 : 16;
  localparam ROW_BITS = MULTIPLIER == 5 ? 16 + $clog2(ROW_TERMS + 1) : TERM_BITS + $clog2(ROW_TERMS);
  localparam TREE_BITS = ROW_BITS + $clog2(ROWS);
  localparam SUM_BITS = TREE_BITS < ACCUMULATOR_BITS ? TREE_BITS : ACCUMULATOR_BITS;

  // These plant faults of the memories' ports.
  wire [3:0] ask_buffers = fault == 18 ? 4'd15 : 4'd0, ask = fault == 19 ? 4'd15 : 4'd0;

  // Registers and receivers.
  wire receive_input_valid, receive_input_ready, receive_weights_valid, receive_weights_ready;
  wire receive_bias_valid, receive_bias_ready, command_valid, command_ready;
  wire [1:0] receive_input_target, receive_weights_target, receive_bias_target;
  wire [`JOB_BITS-1:0] command_image;
  wire table_valid, table_ready;
  wire [22:0] table_data;
  command_registers #(
      .CODE_TABLE(CODE_TABLE)
  ) registers (
      .clk, .rst, .fault(4'd0), .request_valid, .request_ready, .request_write, .request_address, .request_value,
      .response_valid, .response_ready, .response_full, .response_value, .receive_input_valid, .receive_input_ready,
      .receive_input_full(), .receive_input_target, .receive_weights_valid, .receive_weights_ready,
      .receive_weights_full(), .receive_weights_target, .receive_bias_valid, .receive_bias_ready, .receive_bias_full(),
      .receive_bias_target, .job_valid(command_valid), .job_ready(command_ready), .job_full(), .job_image(command_image),
      .table_valid, .table_ready, .table_full(), .table_data
  );

  // Receiver 0 input, 1 weights, 2 bias; the armed one takes the beat.
  wire [2:0] receive_valid = {receive_bias_valid, receive_weights_valid, receive_input_valid};
  wire [5:0] receive_target = {receive_bias_target, receive_weights_target, receive_input_target};
  wire [2:0] receive_ready, beat_ready, claim, write, free;
  wire [5:0] claim_target, target;
  wire [3*ADDRESS_BITS-1:0] beat_address;
  assign {receive_bias_ready, receive_weights_ready, receive_input_ready} = receive_ready;
  assign s_axis_ready = |beat_ready;
  genvar r;
  generate
    for (r = 0; r < 3; r = r + 1) begin : receiver
      stream_receiver #(
          .BEAT_BYTES(BEAT_BYTES), .ADDRESS_BITS(ADDRESS_BITS)
      ) unit (
          .clk, .rst, .fault(fault == 13 ? 4'd2 : 4'd0), .command_valid(receive_valid[r]),
          .command_ready(receive_ready[r]), .command_target(receive_target[2*r+:2]), .s_axis_valid,
          .s_axis_ready(beat_ready[r]), .s_axis_data, .s_axis_last, .claim(claim[r]),
          .claim_target(claim_target[2*r+:2]), .write(write[r]), .target(target[2*r+:2]),
          .write_address(beat_address[r*ADDRESS_BITS+:ADDRESS_BITS]), .write_data(), .free(free[r]), .state()
      );
    end
  endgenerate

  // Input buffer and hidden state, whose target 1 is the zero state before a sequence.
  wire input_enable, hidden_enable, read_target;
  wire [27:0] read_address;
  wire [WORD-1:0] input_data, hidden_data;
  wire [2:0] input_readable, weights_readable, output_readable;
  wire [1:0] bias_readable;
  ping_pong #(
      .WRITE_BYTES(BEAT_BYTES), .READ_BYTES(INPUT_CHANNELS), .HALF_BYTES(INPUT_HALF_BYTES),
      .WRITE_ADDRESS_BITS(ADDRESS_BITS), .READ_ADDRESS_BITS(ADDRESS_BITS)
  ) input_buffer (
      .clk, .rst, .fault(ask_buffers), .claim(claim[0]), .claim_target(claim_target[1:0]), .free(free[0]),
      .free_target(target[1:0]), .readable(input_readable), .write(write[0]), .write_target(target[1:0]),
      .write_address(beat_address[ADDRESS_BITS-1:0]), .write_data(s_axis_data), .read(input_enable),
      .advance(input_enable), .read_target({1'b0, read_target}), .read_address(read_address[ADDRESS_BITS-1:0]),
      .read_data(input_data)
  );
  wire hidden_write, hidden_half, hidden_last_half;
  wire [$clog2(HIDDEN_BLOCKS)-1:0] hidden_block;
  wire [PIXEL-1:0] hidden_new;
  hidden_state #(
      .INPUT_CHANNELS(INPUT_CHANNELS), .OUTPUT_CHANNELS(OUTPUT_CHANNELS), .BLOCKS(HIDDEN_BLOCKS),
      .ADDRESS_BITS(ADDRESS_BITS)
  ) hidden (
      .clk, .rst, .write(hidden_write), .write_half(hidden_half), .write_block(hidden_block), .write_data(hidden_new),
      .read(hidden_enable), .read_half(hidden_last_half), .read_zero(read_target),
      .read_address(read_address[ADDRESS_BITS-1:0]), .read_data(hidden_data)
  );

  // Weight buffer and resident store.
  wire weight_enable;
  wire [1:0] weight_target;
  wire [ADDRESS_BITS-1:0] weight_row;
  wire [WEIGHT_ROW_BYTES*8-1:0] weight_data;
  ping_pong #(
      .WRITE_BYTES(BEAT_BYTES), .READ_BYTES(WEIGHT_ROW_BYTES), .HALF_BYTES(WEIGHT_HALF_BYTES),
      .RESIDENT_BYTES(RESIDENT_BYTES), .WRITE_ADDRESS_BITS(ADDRESS_BITS), .READ_ADDRESS_BITS(ADDRESS_BITS)
  ) weight_buffer (
      .clk, .rst, .fault(ask_buffers), .claim(claim[1]), .claim_target(claim_target[3:2]), .free(free[1]),
      .free_target(target[3:2]), .readable(weights_readable), .write(write[1]), .write_target(target[3:2]),
      .write_address(beat_address[ADDRESS_BITS+:ADDRESS_BITS]), .write_data(s_axis_data), .read(weight_enable),
      .advance(weight_enable), .read_target(weight_target), .read_address(weight_row), .read_data(weight_data)
  );

  // Bias records, read by the accumulator and, with scales, by the quantiser.
  wire bias_enable, bias_target, scale_enable, scale_half;
  wire [16:0] bias_group;
  wire [16:0] scale_group;
  wire [RECORDS-1:0] bias_data, scale_data;
  wire [`JOB_BITS-1:0] job;
  bias_buffer #(
      .OUTPUT_CHANNELS(OUTPUT_CHANNELS), .BEAT_BYTES(BEAT_BYTES), .HALF_BYTES(BIAS_HALF_BYTES)
  ) biases (
      .clk, .rst, .claim(claim[2]), .claim_half(claim_target[4]), .free(free[2]), .readable(bias_readable),
      .write(write[2]), .target_half(target[4]), .write_data(s_axis_data), .bias_enable, .bias_half(bias_target),
      .bias_group, .bias_long(job[`JOB_SCALE_PER_CHANNEL]), .bias_data, .scale_enable, .scale_half, .scale_group,
      .scale_data
  );

  // Sequencer and the store of jobs whose beats are on their way; the code table's reader is the last.
  wire lines_valid, lines_ready, lines_fill, lines_zero_state;
  wire passes_valid, passes_ready, passes_first, passes_last, passes_job_end;
  wire weights_valid, weights_ready, done_valid, done_ready, step_done, start;
  wire [2:0] passes_slot, start_slot;
  wire [27:0] lines_address;
  wire [3:0] lines_lines;
  wire [13:0] passes_row;
  wire [7:0] passes_x_block;
  wire [15:0] passes_group;
  wire [19:0] passes_entry;
  wire [1:0] weights_target;
  wire [31:0] weights_row;
  sequencer #(
      .ROWS(ROWS), .COLS(COLS)
  ) sequencer (
      .clk, .rst, .fault({3'd0, fault == 1}), .command_valid, .command_ready, .command_image, .done_valid, .done_ready,
      .input_readable(input_readable[1:0]), .weights_readable, .bias_readable, .output_writable(~output_readable[1:0]),
      .step_done, .lines_valid, .lines_ready, .lines_full(), .lines_slot(), .lines_fill, .lines_zero_state,
      .lines_address, .lines_lines, .passes_valid, .passes_ready, .passes_full(), .passes_slot, .passes_block(),
      .passes_row, .passes_x_block, .passes_group, .passes_entry, .passes_first, .passes_last, .passes_job_end,
      .weights_valid, .weights_ready, .weights_full(), .weights_target, .weights_row, .start, .start_slot, .job,
      .job_done
  );
  wire [`TAG_BITS-1:0] totals_tag, quantised_tag, looked_up_tag, pooled_tag, gates_tag, activated_tag, hidden_tag;
  wire [`JOB_BITS-1:0] quantiser_job, table_job, pooling_job, activation_job, cell_job, store_job;
  wire pooled_valid;
  job_store #(
      .READERS(5 + CODE_TABLE)
  ) jobs (
      .clk, .write(start), .write_slot(start_slot), .write_job(command_image),
      .read_slots({
        quantised_tag[`TAG_SLOT], pooled_valid ? pooled_tag[`TAG_SLOT] : hidden_tag[`TAG_SLOT],
        activated_tag[`TAG_SLOT], gates_tag[`TAG_SLOT], looked_up_tag[`TAG_SLOT], totals_tag[`TAG_SLOT]
      }),
      .read_jobs({table_job, store_job, cell_job, activation_job, pooling_job, quantiser_job})
  );

  // Lines, window, weights: up to the accumulator all beats are of the job that runs.
  wire columns_valid, columns_ready, windows_valid, windows_ready;
  wire [ROWS*WORD-1:0] columns_bytes;
  wire [`TAG_BITS-1:0] windows_tag, products_tag, sums_tag;
  wire [COLS*ROWS*WORD-1:0] windows_taps;
  line_buffer #(
      .ROWS(ROWS), .INPUT_CHANNELS(INPUT_CHANNELS), .LINE_COLUMNS(LINE_COLUMNS), .BLOCK(BLOCK)
  ) lines (
      .clk, .rst, .fault(ask | (fault == 2)), .job_columns(job[`JOB_COLUMNS]),
      .job_fill_columns(job[`JOB_FILL_COLUMNS]), .job_fill_piece_step(job[`JOB_FILL_PIECE_STEP]),
      .job_fill_line_step(job[`JOB_FILL_LINE_STEP]), .job_hidden_input(job[`JOB_HIDDEN_INPUT]),
      .job_input_select(job[`JOB_INPUT_SELECT]), .command_valid(lines_valid), .command_ready(lines_ready),
      .command_fill(lines_fill), .command_zero_state(lines_zero_state), .command_address(lines_address),
      .command_lines(lines_lines), .input_read_enable(input_enable), .hidden_read_enable(hidden_enable), .read_target,
      .read_address, .input_read_data(input_data), .hidden_read_data(hidden_data), .columns_valid, .columns_ready,
      .columns_full(), .columns_bytes
  );
  sliding_window #(
      .ROWS(ROWS), .COLS(COLS), .INPUT_CHANNELS(INPUT_CHANNELS)
  ) window (
      .clk, .rst, .fault({3'd0, fault == 3}), .job_columns(job[`JOB_COLUMNS]), .job_windows(job[`JOB_WINDOWS]),
      .job_kernel(job[`JOB_KERNEL]), .job_stride(job[`JOB_STRIDE]), .job_parallel(job[`JOB_PARALLEL]),
      .job_matrix(job[`JOB_MATRIX]), .job_hidden_input(job[`JOB_HIDDEN_INPUT]), .pass_valid(passes_valid),
      .pass_ready(passes_ready), .pass_slot(passes_slot), .pass_row(passes_row), .pass_x_block(passes_x_block),
      .pass_group(passes_group), .pass_entry(passes_entry), .pass_first(passes_first), .pass_last(passes_last),
      .pass_job_end(passes_job_end), .columns_valid, .columns_ready, .columns_bytes, .windows_valid, .windows_ready,
      .windows_full(), .windows_tag, .windows_taps
  );
  wire weight_columns_valid, weight_columns_ready;
  wire [SET_COLUMN_BYTES*8-1:0] weight_columns;
  weight_reader #(
      .ROWS(ROWS), .COLS(COLS), .INPUT_CHANNELS(INPUT_CHANNELS), .OUTPUT_CHANNELS(OUTPUT_CHANNELS),
      .ROW_BITS(ADDRESS_BITS)
  ) weights (
      .clk, .rst, .fault({3'd0, fault == 4}), .command_valid(weights_valid), .command_ready(weights_ready),
      .command_target(weights_target), .command_row(weights_row[ADDRESS_BITS-1:0]), .read_enable(weight_enable),
      .read_target(weight_target), .read_row(weight_row), .read_data(weight_data[SET_COLUMN_BYTES*8-1:0]),
      .columns_valid(weight_columns_valid), .columns_ready(weight_columns_ready), .columns_full(),
      .columns_bytes(weight_columns)
  );

  // Products, sums, totals.
  wire products_valid, products_ready, sums_valid, sums_ready, totals_valid, totals_ready;
  wire [OUTPUT_CHANNELS*ROWS*ROW_TERMS*TERM_BITS-1:0] products_values;
  wire [ROWS*OUTPUT_CHANNELS*SUM_BITS-1:0] sums_values;
  wire [OUTPUT_CHANNELS*ACCUMULATOR_BITS-1:0] totals_values;
  mac_array #(
      .ROWS(ROWS), .COLS(COLS), .INPUT_CHANNELS(INPUT_CHANNELS), .OUTPUT_CHANNELS(OUTPUT_CHANNELS),
      .MULTIPLIER(MULTIPLIER), .TERMS(TERMS), .SHARED_WEIGHT(SHARED_WEIGHT), .SHADOW(SHADOW), .FAITHFUL(FAITHFUL)
  ) array (
      .clk, .rst, .fault(fault == 16 ? 4'd5 : fault != 5 ? 4'd0 : MULTIPLIER == 5 ? 4'd4 : 4'd2),
      .job_input_unsigned(job[`JOB_INPUT_UNSIGNED] && !job[`JOB_HIDDEN_INPUT]), .windows_valid, .windows_ready,
      .windows_tag, .windows_taps, .weights_valid(weight_columns_valid), .weights_ready(weight_columns_ready),
      .weights_bytes(weight_columns), .products_valid, .products_ready, .products_full(), .products_tag,
      .products_values
  );
  adder_tree #(
      .ROWS(ROWS), .COLS(COLS), .INPUT_CHANNELS(INPUT_CHANNELS), .OUTPUT_CHANNELS(OUTPUT_CHANNELS), .CHAINS(CHAINS),
      .KERNELS(MULTIPLIER == 5), .FAITHFUL(FAITHFUL), .SUM_BITS(SUM_BITS)
  ) tree (
      .clk, .rst, .fault(fault != 6 ? 4'd0 : MULTIPLIER == 5 ? 4'd4 : 4'd3), .job_parallel(job[`JOB_PARALLEL]), .job_kernel(job[`JOB_KERNEL]),
      .products_valid, .products_ready, .products_tag, .products_values, .sums_valid, .sums_ready, .sums_full(),
      .sums_tag, .sums_values
  );
  accumulator #(
      .ROWS(ROWS), .OUTPUT_CHANNELS(OUTPUT_CHANNELS), .ACCUMULATOR_DEPTH(ACCUMULATOR_DEPTH),
      .ACCUMULATOR_BITS(ACCUMULATOR_BITS), .SUM_BITS(SUM_BITS)
  ) accumulator (
      .clk, .rst, .fault(fault == 7 ? 4'd2 : ask), .job_parallel(job[`JOB_PARALLEL]),
      .job_scale_per_channel(job[`JOB_SCALE_PER_CHANNEL]), .job_bias_select(job[`JOB_BIAS_SELECT]),
      .job_bias_base(job[`JOB_BIAS_BASE]), .sums_valid, .sums_ready, .sums_tag, .sums_values, .bias_enable,
      .bias_target, .bias_group, .bias_data, .done_valid, .done_ready, .done_full(), .totals_valid, .totals_ready,
      .totals_full(), .totals_tag, .totals_values
  );

  // Pixels: quantised, pooled.
  wire quantised_valid, quantised_ready, gates_valid, gates_ready, pooled_ready;
  wire [PIXEL-1:0] quantised_bytes, pooled_bytes;
  wire [OUTPUT_CHANNELS*16-1:0] gates_values, activated_values;
  quantiser #(
      .OUTPUT_CHANNELS(OUTPUT_CHANNELS), .ACCUMULATOR_BITS(ACCUMULATOR_BITS), .OPERAND_BITS(OPERAND_BITS),
      .HALF_UP(HALF_UP)
  ) quantiser (
      .clk, .rst, .fault({3'd0, fault == 8}), .totals_valid, .totals_ready, .totals_tag, .totals_values,
      .job_scale(quantiser_job[`JOB_SCALE]), .job_shift(quantiser_job[`JOB_SHIFT]),
      .job_zero_point(quantiser_job[`JOB_ZERO_POINT]), .job_output_unsigned(quantiser_job[`JOB_OUTPUT_UNSIGNED]),
      .job_relu(quantiser_job[`JOB_RELU]), .job_scale_per_channel(quantiser_job[`JOB_SCALE_PER_CHANNEL]),
      .job_bias_select(quantiser_job[`JOB_BIAS_SELECT]), .job_recurrent_output(quantiser_job[`JOB_RECURRENT_OUTPUT]),
      .job_bias_base(quantiser_job[`JOB_BIAS_BASE]), .bias_read(scale_enable), .bias_half(scale_half),
      .bias_group(scale_group), .bias_data(scale_data), .pixels_valid(quantised_valid), .pixels_ready(quantised_ready),
      .pixels_full(), .pixels_tag(quantised_tag), .pixels_bytes(quantised_bytes), .gates_valid, .gates_ready,
      .gates_full(), .gates_tag, .gates_values
  );
  wire looked_up_valid, looked_up_ready;
  wire [PIXEL-1:0] looked_up_bytes;
  generate
    if (CODE_TABLE != 0) begin : looking_up
      code_table #(
          .OUTPUT_CHANNELS(OUTPUT_CHANNELS)
      ) unit (
          .clk, .rst, .fault(fault == 17 ? 4'd1 : ask), .in_valid(quantised_valid), .in_ready(quantised_ready),
          .in_tag(quantised_tag), .in_bytes(quantised_bytes), .job_by_table(table_job[`JOB_BY_TABLE]),
          .entries_valid(table_valid), .entries_ready(table_ready), .entries_data(table_data),
          .out_valid(looked_up_valid), .out_ready(looked_up_ready), .out_full(), .out_tag(looked_up_tag),
          .out_bytes(looked_up_bytes)
      );
    end else begin : passing
      assign looked_up_valid = quantised_valid;
      assign quantised_ready = looked_up_ready;
      assign {looked_up_tag, looked_up_bytes} = {quantised_tag, quantised_bytes};
      assign table_ready = 1;
    end
  endgenerate
  pooling #(
      .OUTPUT_CHANNELS(OUTPUT_CHANNELS), .KERNEL(POOL_KERNEL), .OPEN(POOL_OPEN), .DEPTH(POOL_DEPTH)
  ) pooling (
      .clk, .rst, .fault(ask | (fault == 9)), .in_valid(looked_up_valid), .in_ready(looked_up_ready),
      .in_tag(looked_up_tag), .in_bytes(looked_up_bytes), .job_pool(pooling_job[`JOB_POOL]),
      .job_output_unsigned(pooling_job[`JOB_OUTPUT_UNSIGNED]), .job_pool_kernel(pooling_job[`JOB_POOL_KERNEL]),
      .job_pool_stride(pooling_job[`JOB_POOL_STRIDE]), .job_pool_top(pooling_job[`JOB_POOL_TOP]),
      .job_pool_left(pooling_job[`JOB_POOL_LEFT]), .job_pool_columns(pooling_job[`JOB_POOL_COLUMNS]),
      .job_pool_rows(pooling_job[`JOB_POOL_ROWS]), .job_windows(pooling_job[`JOB_WINDOWS]),
      .job_output_row(pooling_job[`JOB_OUTPUT_ROW]), .job_output_rows(pooling_job[`JOB_OUTPUT_ROWS]),
      .out_valid(pooled_valid), .out_ready(pooled_ready), .out_full(), .out_tag(pooled_tag), .out_bytes(pooled_bytes)
  );

  // Hidden units.
  wire activated_valid, activated_ready, hidden_valid, hidden_ready;
  wire [PIXEL-1:0] hidden_bytes;
  activation #(
      .OUTPUT_CHANNELS(OUTPUT_CHANNELS), .TABLE(TABLE)
  ) activation (
      .clk, .rst, .fault({3'd0, fault == 14}), .in_valid(gates_valid), .in_ready(gates_ready), .in_tag(gates_tag),
      .in_values(gates_values), .job_gru(activation_job[`JOB_GRU]), .out_valid(activated_valid),
      .out_ready(activated_ready), .out_full(), .out_tag(activated_tag), .out_values(activated_values)
  );
  recurrent_cell #(
      .OUTPUT_CHANNELS(OUTPUT_CHANNELS), .BLOCKS(HIDDEN_BLOCKS), .REQUANTISE(REQUANTISE), .TABLE(TABLE)
  ) unit (
      .clk, .rst, .fault(fault == 15 ? 4'd2 : ask), .gates_valid(activated_valid),
      .gates_ready(activated_ready), .gates_tag(activated_tag),
      .gates_values(activated_values), .job_gru(cell_job[`JOB_GRU]), .job_add_bias(cell_job[`JOB_ADD_BIAS]),
      .job_groups(cell_job[`JOB_GROUPS]), .job_hidden_scale(cell_job[`JOB_HIDDEN_SCALE]),
      .job_hidden_shift(cell_job[`JOB_HIDDEN_SHIFT]), .hidden_write, .hidden_half, .hidden_block, .hidden_data(hidden_new),
      .last_half(hidden_last_half), .step_done, .out_valid(hidden_valid), .out_ready(hidden_ready), .out_full(),
      .out_tag(hidden_tag), .out_bytes(hidden_bytes)
  );

  // Output buffer, and the way to DDR.
  wire store_write, store_half, store_claim, store_claim_half, tiles_valid, tiles_ready, tiles_half, tiles_end_of_layer;
  wire [ADDRESS_BITS-1:0] store_address;
  wire [PIXEL-1:0] store_data;
  wire [15:0] tiles_groups;
  wire [13:0] tiles_columns, tiles_rows;
  wire [27:0] tiles_row_pitch, tiles_plane_pitch;
  wire [31:0] tiles_base;
  output_store #(
      .OUTPUT_CHANNELS(OUTPUT_CHANNELS), .ADDRESS_BITS(ADDRESS_BITS)
  ) store (
      .clk, .rst, .fault(fault == 10 ? 4'd3 : 4'd0), .map_valid(pooled_valid), .map_ready(pooled_ready),
      .map_tag(pooled_tag), .map_bytes(pooled_bytes), .hidden_valid, .hidden_ready, .hidden_tag, .hidden_bytes,
      .job_output_select(store_job[`JOB_OUTPUT_SELECT]), .job_recurrent_output(store_job[`JOB_RECURRENT_OUTPUT]),
      .job_end_of_layer(store_job[`JOB_END_OF_LAYER]), .job_groups(store_job[`JOB_GROUPS]),
      .job_output_columns(store_job[`JOB_OUTPUT_COLUMNS]), .job_tile_rows(store_job[`JOB_TILE_ROWS]),
      .job_row_pitch(store_job[`JOB_ROW_PITCH]), .job_plane_pitch(store_job[`JOB_PLANE_PITCH]),
      .job_output_base(store_job[`JOB_OUTPUT_BASE]), .write(store_write), .write_half(store_half),
      .write_address(store_address), .write_data(store_data), .claim(store_claim), .claim_half(store_claim_half),
      .tiles_valid, .tiles_ready, .tiles_full(), .tiles_half, .tiles_end_of_layer, .tiles_groups, .tiles_columns,
      .tiles_rows, .tiles_row_pitch, .tiles_plane_pitch, .tiles_base
  );
  wire buffer_read, buffer_advance, buffer_half, buffer_free, words_valid, words_ready, words_last;
  wire [ADDRESS_BITS-1:0] buffer_address;
  wire [WORD-1:0] buffer_data, words_data;
  ping_pong #(
      .SEND(1), .WRITE_BYTES(OUTPUT_CHANNELS), .READ_BYTES(INPUT_CHANNELS), .HALF_BYTES(OUTPUT_HALF_BYTES),
      .WRITE_ADDRESS_BITS(ADDRESS_BITS), .READ_ADDRESS_BITS(ADDRESS_BITS)
  ) output_buffer (
      .clk, .rst, .fault(ask_buffers), .claim(store_claim), .claim_target({1'b0, store_claim_half}), .free(buffer_free),
      .free_target({1'b0, buffer_half}), .readable(output_readable), .write(store_write),
      .write_target({1'b0, store_half}), .write_address(store_address), .write_data(store_data), .read(buffer_read),
      .advance(buffer_advance), .read_target({1'b0, buffer_half}), .read_address(buffer_address),
      .read_data(buffer_data)
  );
  output_writer #(
      .INPUT_CHANNELS(INPUT_CHANNELS), .OUTPUT_CHANNELS(OUTPUT_CHANNELS), .ADDRESS_BITS(ADDRESS_BITS)
  ) writer (
      .clk, .rst, .fault({3'd0, fault == 11}), .tiles_valid, .tiles_ready, .tiles_half, .tiles_end_of_layer,
      .tiles_groups, .tiles_columns, .tiles_rows, .tiles_row_pitch, .tiles_plane_pitch, .tiles_base, .dma_valid,
      .dma_ready, .dma_full, .dma_write, .dma_address, .dma_value, .dma_response_valid, .dma_response_ready,
      .introut(s2mm_introut), .buffer_read, .buffer_advance, .buffer_half, .buffer_address, .buffer_data, .buffer_free,
      .words_valid, .words_ready, .words_full(), .words_data, .words_last, .layer_done
  );
  packer #(
      .BEAT_BYTES(BEAT_BYTES), .WORD_BYTES(INPUT_CHANNELS)
  ) packer (
      .clk, .rst, .fault({3'd0, fault == 12}), .in_valid(words_valid), .in_ready(words_ready), .in_data(words_data),
      .in_bytes(INPUT_CHANNELS[4:0]), .in_last(words_last), .m_axis_valid, .m_axis_ready, .m_axis_full, .m_axis_data,
      .m_axis_bytes, .m_axis_last
  );
endmodule
