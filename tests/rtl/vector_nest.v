// SPDX-License-Identifier: Apache-2.0
/* verilator lint_off WIDTH */
`include "tiled_job.vh"

// The points of the FC engine: input blocks, blocks of outputs and within them tiles of inputs, steps of TN inputs, groups
// of TM outputs. A block of inputs is one half; the sums of all outputs are one as well.
module vector_nest #(
    parameter TM = 4,
    parameter TN = 3
) (
    input clk,
    input rst,
    input [`JOB] job,
    input next,
    output [31:0] entry,
    output new_set,
    output first,
    output opens_inputs,
    output closes_inputs,
    output opens_sums,
    output closes_sums,
    output last,
    output [15:0] channels,
    output [31:0] index,
    output [31:0] pitch,
    output in_map
);
  wire [31:0] block, inputs, m, k;
  wire k_last, m_last, block_last;
  reg [15:0] step, group;
  reg [31:0] entry_of_m;
  wire step_ends = group + 1 == job[`JOB_FC_GROUPS];
  wire tile_ends = step_ends && step + 1 == job[`JOB_FC_STEPS];
  vector_walk walk (
      .clk, .rst, .job, .tm(16'(TM)), .tn(16'(TN)), .next(next && tile_ends), .next_block(1'b0), .first(block), .inputs, .m,
      .k, .k_last, .m_last, .block_last
  );
  always @(posedge clk)
    if (rst) begin
      {step, group} <= 0;
      entry_of_m <= 0;
    end else if (next) begin
      group <= step_ends ? 0 : group + 1;
      if (step_ends) step <= tile_ends ? 0 : step + 1;
      if (tile_ends && k_last) entry_of_m <= m_last ? 0 : entry_of_m + job[`JOB_FC_GROUPS];
    end
  wire starts_tile = step == 0 && group == 0;
  assign entry = entry_of_m + group;
  assign new_set = 1;
  assign first = step == 0 && block == 0 && k == 0;
  assign opens_inputs = starts_tile && k == 0 && m == 0;
  assign closes_inputs = tile_ends && k_last && m_last;
  assign opens_sums = opens_inputs && block == 0;
  assign closes_sums = closes_inputs && block_last;
  assign last = closes_sums;
  assign index = k + step * TN;
  assign pitch = 1;
  assign in_map = 1;
  wire [31:0] left = inputs - index;
  assign channels = index >= inputs ? 0 : left < TN ? left : TN;
endmodule
