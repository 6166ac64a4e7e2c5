// SPDX-License-Identifier: Apache-2.0
/* verilator lint_off WIDTH */
`include "tiled_job.vh"

// Reads an engine's inputs in the order of its nest (point_nest, of the FC engine vector_nest). The store lies outside:
// `read` of `read_channels` values at read_index and every read_pitch on; they come through two registers that `move`
// enables.
// fault 1: inputs outside the map are 0, not its zero point; 2: channels that the layer lacks are not 0; 3: takes a half
// of the sums that is not free; 4: does not wait for room in `freed`; 5: the sums' half never changes; 6: takes the jobs
// of other engines.
module tile_walker #(
    parameter ENGINE = 0,
    parameter TM = 4,
    parameter TN = 3,
    parameter SUM_HALVES = 2,
    parameter VALUE_BITS = 9
) (
    input clk,
    input rst,
    input [3:0] fault,

    input job_valid,
    output job_ready,
    input [`JOB] job_image,
    input inputs_valid,
    output inputs_ready,
    input inputs_half,
    input sums_freed_valid,
    output sums_freed_ready,

    output move,
    output read,
    output read_half,
    output [15:0] read_channels,
    output [31:0] read_index,
    output [31:0] read_pitch,
    input [TN*VALUE_BITS-1:0] read_data,

    output points_valid,
    input points_ready,
    output points_full,
    output [TN*VALUE_BITS-1:0] points_values,
    output [15:0] points_entry,
    output points_half,
    output points_new_set,
    output points_first,
    output points_last,
    output freed_valid,
    input freed_ready,
    output freed_full,
    output freed_half
);
  reg [`JOB] job;
  reg busy, have, half, sums_half;
  reg [1:0] valid;
  wire points_room, freed_room;
  assign move = !valid[1] || points_room;
  assign job_ready = !busy && move;
  wire take = job_valid && job_ready && (job_image[`JOB_ENGINE] == ENGINE || fault == 6);

  wire [31:0] entry, index, pitch;
  wire new_set, first, opens_inputs, closes_inputs, opens_sums, closes_sums, last, in_map;
  wire [15:0] channels;
  wire go;
  generate
    if (ENGINE == 2) begin : vectors
      vector_nest #(
          .TM(TM), .TN(TN)
      ) nest (
          .clk, .rst, .job, .next(go), .entry, .new_set, .first, .opens_inputs, .closes_inputs, .opens_sums, .closes_sums,
          .last, .channels, .index, .pitch, .in_map
      );
    end else begin : maps
      point_nest #(
          .TM(TM), .TN(TN)
      ) nest (
          .clk, .rst, .job, .next(go), .entry, .new_set, .first, .opens_inputs, .closes_inputs, .opens_sums, .closes_sums,
          .last, .channels, .index, .pitch, .in_map
      );
    end
  endgenerate

  reg [7:0] free_sums;
  wire [7:0] now_free = free_sums + sums_freed_valid;
  assign sums_freed_ready = 1;
  wire now_have = have || inputs_valid;
  assign inputs_ready = busy && move && opens_inputs && !have;
  wire sums_there = !opens_sums || now_free != 0 || fault == 3;
  assign go = busy && move && now_have && sums_there && (!closes_inputs || freed_room || fault == 4);
  assign read = go && in_map;
  assign read_half = have ? half : inputs_half;
  assign read_channels = channels;
  assign read_index = index;
  assign read_pitch = pitch;
  always @(posedge clk)
    if (rst) begin
      {busy, have, sums_half} <= 0;
      valid <= 0;
      free_sums <= SUM_HALVES;
    end else begin
      if (take) job <= job_image;
      if (take) busy <= 1;
      else if (go && last) busy <= 0;
      if (busy && move) have <= now_have && !(go && closes_inputs);
      if (busy && move) half <= read_half;
      if (go && closes_sums && SUM_HALVES == 2 && fault != 5) sums_half <= !sums_half;
      free_sums <= now_free - (go && opens_sums);
      if (move) valid <= {valid[0], go};
    end

  // Beside the store's registers: what becomes of its values.
  reg [15:0] entry0, entry1, channels0, channels1, zero0, zero1;
  reg [4:0] marks0, marks1;  // {in_map, half, new_set, first, last}
  always @(posedge clk)
    if (move) begin
      entry0 <= entry;
      channels0 <= channels;
      zero0 <= job[`JOB_IN_ZERO];
      marks0 <= {in_map, sums_half, new_set, first, closes_sums};
      {entry1, channels1, zero1, marks1} <= {entry0, channels0, zero0, marks0};
    end
  wire [TN*VALUE_BITS-1:0] values;
  genvar i;
  generate
    for (i = 0; i < TN; i = i + 1) begin : channel
      assign values[i*VALUE_BITS+:VALUE_BITS] = i >= channels1 && fault != 2 ? 0 :
          !marks1[4] ? (fault == 1 ? 0 : zero1[VALUE_BITS-1:0]) : read_data[i*VALUE_BITS+:VALUE_BITS];
    end
  endgenerate
  stream_register #(
      .WIDTH(TN * VALUE_BITS + 20)
  ) points (
      .clk, .rst, .fault(4'd0), .in_valid(valid[1]), .in_ready(points_room), .in_data({values, entry1, marks1[3:0]}),
      .out_valid(points_valid), .out_ready(points_ready), .out_full(points_full),
      .out_data({points_values, points_entry, points_half, points_new_set, points_first, points_last})
  );
  stream_register #(
      .WIDTH(1)
  ) freed (
      .clk, .rst, .fault(4'd0), .in_valid(go && closes_inputs), .in_ready(freed_room), .in_data(read_half),
      .out_valid(freed_valid), .out_ready(freed_ready), .out_full(freed_full), .out_data(freed_half)
  );
endmodule
