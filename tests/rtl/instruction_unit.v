// SPDX-License-Identifier: Apache-2.0
/* verilator lint_off WIDTH */
`include "tiled_job.vh"

// Registers of a layer; a write behind them starts it, at one edge for every stage that takes part: loads, post-processing
// and store always, walker and feeder of the engine that the layer names. With CODE_TABLE writes of the table's two
// registers are passed on.
// fault 1: starts an engine that the layer does not name; 2: starts before all stages have room; 3: a read answers the
// word behind; 4: a table's write does not wait for room; 5: writes the word behind.
module instruction_unit #(
    parameter CODE_TABLE = 1
) (
    input clk,
    input rst,
    input [3:0] fault,

    input request_valid,
    output request_ready,
    input request_write,
    input [31:0] request_address,
    input [31:0] request_value,
    output response_valid,
    input response_ready,
    output response_full,
    output [31:0] response_value,

    output table_valid,
    input table_ready,
    output table_full,
    output [31:0] table_address,
    output [31:0] table_value,

    output inputs_valid,
    input inputs_ready,
    output inputs_full,
    output [`JOB] inputs_job,
    output weights_valid,
    input weights_ready,
    output weights_full,
    output [`JOB] weights_job,
    output post_valid,
    input post_ready,
    output post_full,
    output [`JOB] post_job,
    output store_valid,
    input store_ready,
    output store_full,
    output [`JOB] store_job,
    output conv_walker_valid,
    input conv_walker_ready,
    output conv_walker_full,
    output [`JOB] conv_walker_job,
    output conv_feeder_valid,
    input conv_feeder_ready,
    output conv_feeder_full,
    output [`JOB] conv_feeder_job,
    output fc_walker_valid,
    input fc_walker_ready,
    output fc_walker_full,
    output [`JOB] fc_walker_job,
    output fc_feeder_valid,
    input fc_feeder_ready,
    output fc_feeder_full,
    output [`JOB] fc_feeder_job
);
  localparam WORDS = 21;
  localparam STAGES = 8;

  reg [`JOB] words;
  wire [29:0] word = request_address[31:2];
  wire starts = word == 24;
  wire tables = CODE_TABLE == 1 && (word == 25 || word == 26);
  wire [STAGES-1:0] room, full, valid;
  wire [STAGES*672-1:0] jobs;
  wire conv = words[`JOB_ENGINE] == 0 || fault == 1;
  wire fc = words[`JOB_ENGINE] == 2;
  wire [STAGES-1:0] takes = {fc, fc, conv, conv, 4'b1111};
  wire response_room, table_room;
  wire can = !request_write || (starts ? &(room | ~takes) || fault == 2 : tables ? table_room || fault == 4 : 1'b1);
  wire take = request_valid && response_room && can;
  assign request_ready = response_room && can;
  wire write = take && request_write;
  wire [31:0] value = words[32*(word+(fault==3))+:32];
  always @(posedge clk) if (write && word < WORDS) words[32*(word+(fault==5))+:32] <= request_value;

  stream_register #(
      .WIDTH(32)
  ) response (
      .clk, .rst, .fault(4'd0), .in_valid(take), .in_ready(response_room), .in_data(request_write ? 32'd0 : value),
      .out_valid(response_valid), .out_ready(response_ready), .out_full(response_full), .out_data(response_value)
  );
  stream_register #(
      .WIDTH(64)
  ) table_writes (
      .clk, .rst, .fault(4'd0), .in_valid(write && tables), .in_ready(table_room),
      .in_data({request_address, request_value}), .out_valid(table_valid), .out_ready(table_ready),
      .out_full(table_full), .out_data({table_address, table_value})
  );
  wire [STAGES-1:0] ready = {fc_feeder_ready, fc_walker_ready, conv_feeder_ready, conv_walker_ready, store_ready,
                             post_ready, weights_ready, inputs_ready};
  genvar i;
  generate
    for (i = 0; i < STAGES; i = i + 1) begin : stage
      stream_register #(
          .WIDTH(672)
      ) job (
          .clk, .rst, .fault(4'd0), .in_valid(write && starts && takes[i]), .in_ready(room[i]), .in_data(words),
          .out_valid(valid[i]), .out_ready(ready[i]), .out_full(full[i]), .out_data(jobs[672*i+:672])
      );
    end
  endgenerate
  assign {fc_feeder_valid, fc_walker_valid, conv_feeder_valid, conv_walker_valid, store_valid, post_valid, weights_valid,
          inputs_valid} = valid;
  assign {fc_feeder_full, fc_walker_full, conv_feeder_full, conv_walker_full, store_full, post_full, weights_full,
          inputs_full} = full;
  assign {fc_feeder_job, fc_walker_job, conv_feeder_job, conv_walker_job, store_job, post_job, weights_job,
          inputs_job} = jobs;
endmodule
