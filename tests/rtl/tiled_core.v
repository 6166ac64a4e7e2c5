// SPDX-License-Identifier: Apache-2.0
/* verilator lint_off WIDTH */
`include "tiled_job.vh"

// The tiled core: everything between its registers and its three memory ports, at the fabric's clock, with an engine for
// convolutions and one for fully connected layers.
// fault f plants a fault in one block: 1 instruction unit, 2 input loader, 3 weight loader, 4 reader of inputs, 5 of
// weights, 6 decoder of inputs, 7 of weights, 8 walker, 9 feeder, 10 MACs, 11 post-processing, 12 store unit, 13 encoder,
// 14 writer, 15 a store of inputs read twice at an edge, 16 a store of weights likewise, 17 the FC engine's feeder, 18 its
// MACs, 19 sums are asked once more, 20 the outputs likewise, 21 the pooling's line memories.
module tiled_core #(
    parameter SERIAL = 1,
    parameter REORGANISE = 1,
    parameter CONV_TM = 4,
    parameter CONV_TN = 3,
    parameter CONV_HALVES = 2,
    parameter CONV_INPUT_WORDS = 256,
    parameter CONV_OUTPUT_WORDS = 64,
    parameter DSP_CHANNELS = 0,
    parameter CHAIN = 0,
    parameter FC_TM = 4,
    parameter FC_TN = 4,
    parameter FC_INPUT_WORDS = 64,
    parameter FC_OUTPUT_WORDS = 32,
    parameter WEIGHT_HALVES = 2,
    parameter WEIGHT_KIB = 1,
    parameter FC_KIB = 1,
    parameter INPUT_BYTES = 4,
    parameter WEIGHT_BYTES = 8,
    parameter OUTPUT_BYTES = 4,
    parameter INPUT_BURST = 16,
    parameter WEIGHT_BURST = 256,
    parameter OUTPUT_BURST = 16,
    parameter OUTSTANDING = 16,
    parameter GAP = 1,
    parameter LANES = 3,
    parameter STORE_WORDS = 64,
    parameter OPEN = 2,
    parameter ACCUMULATOR_BITS = 32,
    parameter OPERAND_BITS = 27,
    parameter HALF_UP = 1,
    parameter RECORDS = 64
) (
    input clk,
    input rst,
    input [4:0] fault,

    input request_valid,
    output request_ready,
    input request_write,
    input [31:0] request_address,
    input [31:0] request_value,
    output response_valid,
    input response_ready,
    output response_full,
    output [31:0] response_value,

    output inputs_ar_valid,
    input inputs_ar_ready,
    output inputs_ar_full,
    output [31:0] inputs_ar_address,
    output [8:0] inputs_ar_beats,
    input inputs_r_valid,
    output inputs_r_ready,
    input [INPUT_BYTES*8-1:0] inputs_r_data,
    input inputs_r_last,
    output weights_ar_valid,
    input weights_ar_ready,
    output weights_ar_full,
    output [31:0] weights_ar_address,
    output [8:0] weights_ar_beats,
    input weights_r_valid,
    output weights_r_ready,
    input [WEIGHT_BYTES*8-1:0] weights_r_data,
    input weights_r_last,
    output aw_valid,
    input aw_ready,
    output aw_full,
    output [31:0] aw_address,
    output [8:0] aw_beats,
    output w_valid,
    input w_ready,
    output w_full,
    output [OUTPUT_BYTES*8-1:0] w_data,
    output [OUTPUT_BYTES-1:0] w_strobe,
    output w_last,
    input b_valid,
    output b_ready,

    output layer_done  // for an edge
);
  // Control.
  wire input_job_valid, input_job_ready, weight_job_valid, weight_job_ready, post_job_valid, post_job_ready;
  wire store_job_valid, store_job_ready;
  wire [`JOB] input_job, weight_job, post_job, store_job;
  wire [1:0] walker_valid, walker_ready, feeder_valid, feeder_ready;
  wire [`JOB] conv_walker_job, conv_feeder_job, fc_walker_job, fc_feeder_job;
  instruction_unit #(
      .CODE_TABLE(0)
  ) instructions (
      .clk, .rst, .fault(fault == 1 ? 4'd5 : 4'd0), .request_valid, .request_ready, .request_write, .request_address,
      .request_value, .response_valid, .response_ready, .response_full, .response_value, .table_valid(),
      .table_ready(1'b1), .table_full(), .table_address(), .table_value(), .inputs_valid(input_job_valid),
      .inputs_ready(input_job_ready), .inputs_full(), .inputs_job(input_job), .weights_valid(weight_job_valid),
      .weights_ready(weight_job_ready), .weights_full(), .weights_job(weight_job), .post_valid(post_job_valid),
      .post_ready(post_job_ready), .post_full(), .post_job, .store_valid(store_job_valid), .store_ready(store_job_ready),
      .store_full(), .store_job, .conv_walker_valid(walker_valid[0]), .conv_walker_ready(walker_ready[0]),
      .conv_walker_full(), .conv_walker_job, .conv_feeder_valid(feeder_valid[0]), .conv_feeder_ready(feeder_ready[0]),
      .conv_feeder_full(), .conv_feeder_job, .fc_walker_valid(walker_valid[1]), .fc_walker_ready(walker_ready[1]),
      .fc_walker_full(), .fc_walker_job, .fc_feeder_valid(feeder_valid[1]), .fc_feeder_ready(feeder_ready[1]),
      .fc_feeder_full(), .fc_feeder_job
  );

  // Inputs. Of two engines: bit 0 convolutions, bit 1 the FC engine.
  wire [1:0] inputs_freed_valid, inputs_freed_ready, inputs_valid, inputs_ready, inputs_half;
  wire to_weights_valid, to_weights_ready, to_inputs_valid, to_inputs_ready, input_done_valid, input_done_ready;
  wire in_requests_valid, in_requests_ready, in_commands_valid, in_commands_ready, in_unsigned;
  wire [112:0] in_request, in_command;
  wire [1:0] in_engine;
  input_loader #(
      .SERIAL(SERIAL), .CONV_TM(CONV_TM), .CONV_TN(CONV_TN), .CONV_HALVES(CONV_HALVES), .FC_TM(FC_TM), .FC_TN(FC_TN),
      .PER_BEAT(INPUT_BYTES), .BEAT_BYTES(INPUT_BYTES)
  ) input_loads (
      .clk, .rst, .fault(fault == 2 ? 4'd2 : 4'd0), .job_valid(input_job_valid), .job_ready(input_job_ready),
      .job_image(input_job), .freed_conv_valid(inputs_freed_valid[0]), .freed_conv_ready(inputs_freed_ready[0]),
      .freed_first_valid(1'b0), .freed_first_ready(), .freed_fc_valid(inputs_freed_valid[1]),
      .freed_fc_ready(inputs_freed_ready[1]), .done_valid(input_done_valid), .done_ready(input_done_ready),
      .turn_valid(to_inputs_valid), .turn_ready(to_inputs_ready), .turn_over_valid(to_weights_valid),
      .turn_over_ready(to_weights_ready), .turn_over_full(), .requests_valid(in_requests_valid),
      .requests_ready(in_requests_ready), .requests_full(), .requests_run(in_request), .commands_valid(in_commands_valid),
      .commands_ready(in_commands_ready), .commands_full(), .commands_run(in_command), .commands_engine(in_engine),
      .commands_unsigned(in_unsigned)
  );
  wire in_beats_valid, in_beats_ready;
  wire [INPUT_BYTES*8-1:0] in_beats_data;
  extent_reader #(
      .BEAT_BYTES(INPUT_BYTES), .BURST_BEATS(INPUT_BURST), .OUTSTANDING(OUTSTANDING), .GAP(GAP)
  ) input_reader (
      .clk, .rst, .fault(fault == 4 ? 4'd3 : 4'd0), .runs_valid(in_requests_valid), .runs_ready(in_requests_ready),
      .runs_address(in_request[31:0]), .runs_beats(in_request[63:32]), .ar_valid(inputs_ar_valid),
      .ar_ready(inputs_ar_ready), .ar_full(inputs_ar_full), .ar_address(inputs_ar_address), .ar_beats(inputs_ar_beats),
      .r_valid(inputs_r_valid), .r_ready(inputs_r_ready), .r_data(inputs_r_data), .r_last(inputs_r_last),
      .beats_valid(in_beats_valid), .beats_ready(in_beats_ready), .beats_full(), .beats_data(in_beats_data), .beats_last()
  );
  wire [INPUT_BYTES-1:0] in_write;
  wire [1:0] in_write_engine;
  wire in_write_half;
  wire [INPUT_BYTES*20-1:0] in_write_row;
  wire [INPUT_BYTES*16-1:0] in_write_data;
  wire [INPUT_BYTES*32-1:0] in_write_index;
  graded_decoder #(
      .BEAT_BITS(INPUT_BYTES * 8), .HALVES(2), .ADDRESS_BITS(20), .CONV_HALVES(CONV_HALVES), .FC_HALVES(1)
  ) input_decoder (
      .clk, .rst, .fault(fault == 6 ? 4'd2 : 4'd0), .runs_valid(in_commands_valid), .runs_ready(in_commands_ready),
      .runs_skip(in_command[79:64]), .runs_values(in_command[111:80]), .runs_last(in_command[112]), .runs_engine(in_engine),
      .runs_unsigned(in_unsigned), .beats_valid(in_beats_valid), .beats_ready(in_beats_ready), .beats_data(in_beats_data),
      .write(in_write), .write_engine(in_write_engine), .write_half(in_write_half), .write_address(in_write_row),
      .write_data(in_write_data), .filled_conv_valid(inputs_valid[0]), .filled_conv_ready(inputs_ready[0]),
      .filled_conv_full(), .filled_conv_half(inputs_half[0]), .filled_first_valid(), .filled_first_ready(1'b1),
      .filled_first_full(), .filled_first_half(), .filled_fc_valid(inputs_valid[1]), .filled_fc_ready(inputs_ready[1]),
      .filled_fc_full(), .filled_fc_half(inputs_half[1]), .turn_valid(input_done_valid), .turn_ready(input_done_ready),
      .turn_full()
  );
  genvar i;
  generate
    for (i = 0; i < INPUT_BYTES; i = i + 1) begin : bank
      assign in_write_index[32*i+:32] = in_write_row[20*i+:20] * INPUT_BYTES + i;
    end
  endgenerate

  // Weights and parameters.
  wire [1:0] weights_freed_valid, weights_freed_ready, weights_valid, weights_ready, weights_half;
  wire weight_done_valid, weight_done_ready, parameters_valid, parameters_ready;
  wire w_requests_valid, w_requests_ready, w_commands_valid, w_commands_ready, w_parameters, w_dense;
  wire [112:0] w_request, w_command;
  wire [1:0] w_engine;
  wire [31:0] w_row;
  wire [15:0] w_first, w_inner, w_inner_stride, w_outer_stride;
  weight_loader #(
      .SERIAL(SERIAL), .REORGANISE(REORGANISE), .CONV_TM(CONV_TM), .CONV_TN(CONV_TN), .FC_TM(FC_TM), .FC_TN(FC_TN),
      .HALVES(WEIGHT_HALVES), .PER_BEAT(WEIGHT_BYTES), .BEAT_BYTES(WEIGHT_BYTES)
  ) weight_loads (
      .clk, .rst, .fault(fault == 3 ? (SERIAL == 1 ? 4'd4 : 4'd3) : 4'd0), .job_valid(weight_job_valid), .job_ready(weight_job_ready),
      .job_image(weight_job), .freed_conv_valid(weights_freed_valid[0]), .freed_conv_ready(weights_freed_ready[0]),
      .freed_first_valid(1'b0), .freed_first_ready(), .freed_fc_valid(weights_freed_valid[1]),
      .freed_fc_ready(weights_freed_ready[1]), .done_valid(weight_done_valid), .done_ready(weight_done_ready),
      .turn_valid(to_weights_valid), .turn_ready(to_weights_ready), .turn_over_valid(to_inputs_valid),
      .turn_over_ready(to_inputs_ready), .turn_over_full(), .requests_valid(w_requests_valid),
      .requests_ready(w_requests_ready), .requests_full(), .requests_run(w_request), .commands_valid(w_commands_valid),
      .commands_ready(w_commands_ready), .commands_full(), .commands_run(w_command), .commands_engine(w_engine),
      .commands_row(w_row), .commands_parameters(w_parameters), .commands_dense(w_dense), .commands_first(w_first),
      .commands_inner(w_inner), .commands_inner_stride(w_inner_stride), .commands_outer_stride(w_outer_stride)
  );
  wire w_beats_valid, w_beats_ready;
  wire [WEIGHT_BYTES*8-1:0] w_beats_data;
  extent_reader #(
      .BEAT_BYTES(WEIGHT_BYTES), .BURST_BEATS(WEIGHT_BURST), .OUTSTANDING(OUTSTANDING), .GAP(GAP)
  ) weight_reader (
      .clk, .rst, .fault(fault == 5 ? 4'd3 : 4'd0), .runs_valid(w_requests_valid), .runs_ready(w_requests_ready),
      .runs_address(w_request[31:0]), .runs_beats(w_request[63:32]), .ar_valid(weights_ar_valid),
      .ar_ready(weights_ar_ready), .ar_full(weights_ar_full), .ar_address(weights_ar_address), .ar_beats(weights_ar_beats),
      .r_valid(weights_r_valid), .r_ready(weights_r_ready), .r_data(weights_r_data), .r_last(weights_r_last),
      .beats_valid(w_beats_valid), .beats_ready(w_beats_ready), .beats_full(), .beats_data(w_beats_data), .beats_last()
  );
  localparam PLACE_BITS = $clog2(WEIGHT_BYTES + 1);
  wire code_write, code_parameters, code_half;
  wire [1:0] code_engine;
  wire [15:0] code_index;
  wire [PLACE_BITS-1:0] code_count;
  wire [WEIGHT_BYTES*8-1:0] code_data;
  weight_decoder #(
      .BEAT_BITS(WEIGHT_BYTES * 8), .HALVES(2), .CONV_HALVES(WEIGHT_HALVES), .FC_HALVES(2)
  ) weights_decoder (
      .clk, .rst, .fault(fault == 7 ? 4'd4 : 4'd0), .runs_valid(w_commands_valid), .runs_ready(w_commands_ready),
      .runs_skip(w_command[79:64]), .runs_values(w_command[111:80]), .runs_row(w_row), .runs_last(w_command[112]),
      .runs_engine(w_engine), .runs_parameters(w_parameters), .runs_dense(w_dense), .runs_first(w_first),
      .runs_inner(w_inner), .runs_inner_stride(w_inner_stride), .runs_outer_stride(w_outer_stride),
      .beats_valid(w_beats_valid), .beats_ready(w_beats_ready), .beats_data(w_beats_data), .write(code_write),
      .write_parameters(code_parameters), .write_engine(code_engine), .write_half(code_half), .write_index(code_index),
      .write_count(code_count), .write_data(code_data), .filled_conv_valid(weights_valid[0]),
      .filled_conv_ready(weights_ready[0]), .filled_conv_full(), .filled_conv_half(weights_half[0]), .filled_first_valid(),
      .filled_first_ready(1'b1), .filled_first_full(), .filled_first_half(), .filled_fc_valid(weights_valid[1]),
      .filled_fc_ready(weights_ready[1]), .filled_fc_full(), .filled_fc_half(weights_half[1]),
      .turn_valid(weight_done_valid), .turn_ready(weight_done_ready), .turn_full(), .parameters_valid, .parameters_ready,
      .parameters_full()
  );
  wire [WEIGHT_BYTES-1:0] codes_here;
  wire [WEIGHT_BYTES*32-1:0] codes_index;
  generate
    for (i = 0; i < WEIGHT_BYTES; i = i + 1) begin : code
      assign codes_here[i] = code_write && i < code_count;
      assign codes_index[32*i+:32] = code_index + i;
    end
  endgenerate
  localparam FC_WORD = FC_TM * FC_TN;
  wire [1:0] level1_read, level1_half;
  wire [15:0] conv_level1_index, fc_level1_index;
  wire [WEIGHT_BYTES*8-1:0] conv_level1_data;
  wire [FC_WORD*8-1:0] fc_level1_data;
  tile_store #(
      .WIDTH(8), .WORDS(WEIGHT_KIB * 1024), .HALVES(WEIGHT_HALVES), .WRITES(WEIGHT_BYTES), .READS(WEIGHT_BYTES),
      .REGISTERS(0)
  ) conv_weights (
      .clk, .rst, .write(codes_here & {WEIGHT_BYTES{!code_parameters && code_engine == 0}}), .write_half(code_half),
      .write_index(codes_index), .write_data(code_data), .move(1'b1), .read(level1_read[0]),
      .again(fault == 16 && level1_read[0]), .read_half(level1_half[0]), .read_index({16'd0, conv_level1_index}),
      .read_pitch(32'd1), .read_data(conv_level1_data)
  );
  tile_store #(
      .WIDTH(8), .WORDS(FC_KIB * 1024), .HALVES(2), .WRITES(WEIGHT_BYTES), .READS(FC_WORD), .REGISTERS(0)
  ) fc_weights (
      .clk, .rst, .write(codes_here & {WEIGHT_BYTES{!code_parameters && code_engine == 2}}), .write_half(code_half),
      .write_index(codes_index), .write_data(code_data), .move(1'b1), .read(level1_read[1]), .again(1'b0),
      .read_half(level1_half[1]), .read_index({16'd0, fc_level1_index}), .read_pitch(32'd1), .read_data(fc_level1_data)
  );

  // Engines.
  wire [1:0] sums_valid, sums_ready, sums_half, sums_freed_valid, sums_freed_ready, sums_read;
  wire sums_read_half;
  wire [15:0] sums_entry;
  wire [CONV_TM*ACCUMULATOR_BITS-1:0] conv_sums;
  wire [FC_TM*ACCUMULATOR_BITS-1:0] fc_sums;
  engine_chain #(
      .ENGINE(0), .TM(CONV_TM), .TN(CONV_TN), .HALVES(CONV_HALVES), .INPUT_WORDS(CONV_INPUT_WORDS),
      .OUTPUT_WORDS(CONV_OUTPUT_WORDS), .DSP_CHANNELS(DSP_CHANNELS), .CHAIN(CHAIN), .ACCUMULATOR_BITS(ACCUMULATOR_BITS),
      .PER_BEAT(INPUT_BYTES), .PER_WORD(WEIGHT_BYTES)
  ) conv (
      .clk, .rst, .fault(fault == 8 ? 3'd1 : fault == 9 ? 3'd2 : fault == 10 ? 3'd3 : fault == 15 ? 3'd4 : fault == 19 ? 3'd5 : 3'd0),
      .walker_valid(walker_valid[0]), .walker_ready(walker_ready[0]), .walker_job(conv_walker_job),
      .feeder_valid(feeder_valid[0]), .feeder_ready(feeder_ready[0]), .feeder_job(conv_feeder_job),
      .write(in_write & {INPUT_BYTES{in_write_engine == 0}}), .write_half(in_write_half), .write_index(in_write_index),
      .write_data(in_write_data), .inputs_valid(inputs_valid[0]), .inputs_ready(inputs_ready[0]),
      .inputs_half(inputs_half[0]), .inputs_freed_valid(inputs_freed_valid[0]), .inputs_freed_ready(inputs_freed_ready[0]),
      .weights_valid(weights_valid[0]), .weights_ready(weights_ready[0]), .weights_half(weights_half[0]),
      .weights_freed_valid(weights_freed_valid[0]), .weights_freed_ready(weights_freed_ready[0]),
      .weights_read(level1_read[0]), .weights_read_half(level1_half[0]), .weights_read_index(conv_level1_index),
      .weights_data(conv_level1_data), .sums_valid(sums_valid[0]), .sums_ready(sums_ready[0]), .sums_half(sums_half[0]),
      .sums_freed_valid(sums_freed_valid[0]), .sums_freed_ready(sums_freed_ready[0]), .sums_read(sums_read[0]),
      .sums_read_half, .sums_read_entry(sums_entry), .sums_data(conv_sums)
  );
  engine_chain #(
      .ENGINE(2), .TM(FC_TM), .TN(FC_TN), .HALVES(1), .INPUT_WORDS(FC_INPUT_WORDS), .OUTPUT_WORDS(FC_OUTPUT_WORDS),
      .ACCUMULATOR_BITS(ACCUMULATOR_BITS), .PER_BEAT(INPUT_BYTES), .PER_WORD(FC_WORD)
  ) fc (
      .clk, .rst, .fault(fault == 17 ? 3'd2 : fault == 18 ? 3'd3 : 3'd0),
      .walker_valid(walker_valid[1]), .walker_ready(walker_ready[1]), .walker_job(fc_walker_job),
      .feeder_valid(feeder_valid[1]), .feeder_ready(feeder_ready[1]), .feeder_job(fc_feeder_job),
      .write(in_write & {INPUT_BYTES{in_write_engine == 2}}), .write_half(in_write_half), .write_index(in_write_index),
      .write_data(in_write_data), .inputs_valid(inputs_valid[1]), .inputs_ready(inputs_ready[1]),
      .inputs_half(inputs_half[1]), .inputs_freed_valid(inputs_freed_valid[1]), .inputs_freed_ready(inputs_freed_ready[1]),
      .weights_valid(weights_valid[1]), .weights_ready(weights_ready[1]), .weights_half(weights_half[1]),
      .weights_freed_valid(weights_freed_valid[1]), .weights_freed_ready(weights_freed_ready[1]),
      .weights_read(level1_read[1]), .weights_read_half(level1_half[1]), .weights_read_index(fc_level1_index),
      .weights_data(fc_level1_data), .sums_valid(sums_valid[1]), .sums_ready(sums_ready[1]), .sums_half(sums_half[1]),
      .sums_freed_valid(sums_freed_valid[1]), .sums_freed_ready(sums_freed_ready[1]), .sums_read(sums_read[1]),
      .sums_read_half, .sums_read_entry(sums_entry), .sums_data(fc_sums)
  );

  // Post-processing, its records and the output store.
  wire post_move, post_write, post_half;
  wire [15:0] record, post_count;
  wire [LANES*64-1:0] records_data;
  wire [31:0] post_index, post_pitch;
  wire [LANES*16-1:0] post_data;
  wire tile_complete_valid, tile_complete_ready, tile_complete_half, tile_freed_valid, tile_freed_ready;
  post_process #(
      .CONV_TM(CONV_TM), .FC_TM(FC_TM), .LANES(LANES), .ACCUMULATOR_BITS(ACCUMULATOR_BITS), .OPERAND_BITS(OPERAND_BITS),
      .HALF_UP(HALF_UP), .OPEN(OPEN), .LINE_WORDS(STORE_WORDS)
  ) post (
      .clk, .rst, .fault(fault == 11 ? 4'd1 : fault == 21 ? 4'd15 : 4'd0), .job_valid(post_job_valid), .job_ready(post_job_ready),
      .job_image(post_job), .parameters_valid, .parameters_ready, .output_freed_valid(tile_freed_valid),
      .output_freed_ready(tile_freed_ready), .conv_sums_valid(sums_valid[0]), .conv_sums_ready(sums_ready[0]),
      .conv_sums_half(sums_half[0]), .conv_freed_valid(sums_freed_valid[0]), .conv_freed_ready(sums_freed_ready[0]),
      .conv_freed_full(), .conv_freed_half(), .fc_sums_valid(sums_valid[1]), .fc_sums_ready(sums_ready[1]),
      .fc_sums_half(sums_half[1]), .fc_freed_valid(sums_freed_valid[1]), .fc_freed_ready(sums_freed_ready[1]),
      .fc_freed_full(), .fc_freed_half(), .go(), .move(post_move), .conv_read(sums_read[0]), .fc_read(sums_read[1]),
      .read_half(sums_read_half), .read_entry(sums_entry), .conv_data(conv_sums), .fc_data(fc_sums), .record_index(record),
      .record_data(records_data), .write(post_write), .write_half(post_half), .write_index(post_index),
      .write_pitch(post_pitch), .write_count(post_count), .write_data(post_data), .output_valid(tile_complete_valid),
      .output_ready(tile_complete_ready), .output_full(), .output_half(tile_complete_half)
  );
  tile_store #(
      .WIDTH(8), .WORDS(8 * (RECORDS + LANES)), .HALVES(1), .WRITES(WEIGHT_BYTES), .READS(8 * LANES), .ACCESSES(2)
  ) records (
      .clk, .rst, .write(codes_here & {WEIGHT_BYTES{code_parameters}}), .write_half(1'b0), .write_index(codes_index),
      .write_data(code_data), .move(post_move), .read(post_move), .again(1'b0), .read_half(1'b0),
      .read_index({13'd0, record, 3'd0}), .read_pitch(32'd1), .read_data(records_data)
  );
  wire [LANES-1:0] out_write;
  wire [LANES*32-1:0] out_index;
  generate
    for (i = 0; i < LANES; i = i + 1) begin : lane
      assign out_write[i] = post_write && i < post_count;
      assign out_index[32*i+:32] = post_index + i * post_pitch;
    end
  endgenerate
  localparam MOST = CONV_TM * STORE_WORDS > FC_TM * FC_OUTPUT_WORDS ? CONV_TM * STORE_WORDS : FC_TM * FC_OUTPUT_WORDS;
  localparam LANE_BITS = $clog2(OUTPUT_BYTES + 1);
  wire out_read, out_half;
  wire [19:0] out_row;
  wire [LANE_BITS-1:0] out_lane;
  wire [OUTPUT_BYTES*16-1:0] out_data, out_banks;
  tile_store #(
      .WORDS(MOST), .WRITES(LANES), .READS(OUTPUT_BYTES), .ACCESSES(2)
  ) outputs (
      .clk, .rst, .write(out_write), .write_half(post_half), .write_index(out_index), .write_data(post_data),
      .move(out_read), .read(out_read), .again(fault == 20), .read_half(out_half), .read_index(out_row * OUTPUT_BYTES + out_lane),
      .read_pitch(32'd1), .read_data(out_data)
  );

  // Value p + i lies in the bank behind that of value p by i.
  reg [LANE_BITS-1:0] lane0, lane1;
  always @(posedge clk) if (out_read) {lane1, lane0} <= {lane0, out_lane};
  generate
    for (i = 0; i < OUTPUT_BYTES; i = i + 1) begin : out_bank
      wire [LANE_BITS:0] from = i >= lane1 ? i - lane1 : i + OUTPUT_BYTES - lane1;
      assign out_banks[16*i+:16] = out_data[16*from+:16];
    end
  endgenerate

  // Store.
  wire tile_valid, tile_ready, tile_half, out_requests_valid, out_requests_ready, out_commands_valid, out_commands_ready;
  wire written_valid, written_ready, out_beats_valid, out_beats_ready;
  wire [112:0] out_request, out_command;
  wire [OUTPUT_BYTES*8-1:0] out_beats_data;
  wire [OUTPUT_BYTES-1:0] out_beats_strobe;
  store_unit #(
      .CONV_TM(CONV_TM), .FC_TM(FC_TM), .PER_BEAT(OUTPUT_BYTES), .BEAT_BYTES(OUTPUT_BYTES)
  ) store (
      .clk, .rst, .fault(fault == 12 ? 4'd3 : 4'd0), .job_valid(store_job_valid), .job_ready(store_job_ready),
      .job_image(store_job), .complete_valid(tile_complete_valid), .complete_ready(tile_complete_ready),
      .complete_half(tile_complete_half), .half_valid(tile_valid), .half_ready(tile_ready), .half_full(),
      .half_half(tile_half), .requests_valid(out_requests_valid), .requests_ready(out_requests_ready), .requests_full(),
      .requests_run(out_request), .commands_valid(out_commands_valid), .commands_ready(out_commands_ready),
      .commands_full(), .commands_run(out_command), .written_valid, .written_ready, .layer_done
  );
  graded_encoder #(
      .BEAT_BITS(OUTPUT_BYTES * 8), .ADDRESS_BITS(20)
  ) encoder (
      .clk, .rst, .fault(fault == 13 ? 4'd1 : 4'd0), .runs_valid(out_commands_valid), .runs_ready(out_commands_ready),
      .runs_skip(out_command[79:64]), .runs_values(out_command[111:80]), .runs_last(out_command[112]),
      .filled_valid(tile_valid), .filled_ready(tile_ready), .filled_half(tile_half), .read_enable(out_read),
      .read_half(out_half), .read_row(out_row), .read_lane(out_lane), .read_data(out_banks), .freed_valid(tile_freed_valid),
      .freed_ready(tile_freed_ready), .freed_full(), .freed_half(), .beats_valid(out_beats_valid),
      .beats_ready(out_beats_ready), .beats_full(), .beats_data(out_beats_data), .beats_strobe(out_beats_strobe),
      .beats_last()
  );
  extent_writer #(
      .BEAT_BYTES(OUTPUT_BYTES), .BURST_BEATS(OUTPUT_BURST), .OUTSTANDING(OUTSTANDING)
  ) writer (
      .clk, .rst, .fault(fault == 14 ? 4'd1 : 4'd0), .runs_valid(out_requests_valid), .runs_ready(out_requests_ready),
      .runs_address(out_request[31:0]), .runs_beats(out_request[63:32]), .runs_last(out_request[112]),
      .beats_valid(out_beats_valid), .beats_ready(out_beats_ready), .beats_data(out_beats_data),
      .beats_strobe(out_beats_strobe), .aw_valid, .aw_ready, .aw_full, .aw_address, .aw_beats, .w_valid, .w_ready, .w_full,
      .w_data, .w_strobe, .w_last, .b_valid, .b_ready, .written_valid, .written_ready, .written_full()
  );
endmodule
