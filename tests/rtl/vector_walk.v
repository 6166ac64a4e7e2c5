// SPDX-License-Identifier: Apache-2.0
/* verilator lint_off WIDTH */
`include "tiled_job.vh"

// The FC engine's nest: blocks of the input vector, blocks of fc_groups x TM outputs, tiles of fc_steps x TN inputs.
module vector_walk (
    input clk,
    input rst,
    input [`JOB] job,
    input [15:0] tm,
    input [15:0] tn,
    input next,
    input next_block,  // from the first tile of a block to that of the next one
    output reg [31:0] first,  // input of the block
    output [31:0] inputs,  // of the block
    output reg [31:0] m,
    output reg [31:0] k,  // of the block's inputs
    output k_last,
    output m_last,
    output block_last
);
  wire [31:0] step_m = job[`JOB_FC_GROUPS] * tm, step_k = job[`JOB_FC_STEPS] * tn;
  wire [31:0] left = job[`JOB_IN_CHANNELS] - first;
  assign block_last = left <= job[`JOB_FC_BLOCK];
  assign inputs = block_last ? left : job[`JOB_FC_BLOCK];
  assign k_last = k + step_k >= inputs;
  assign m_last = m + step_m >= job[`JOB_OUT_CHANNELS];
  wire ends = next_block || (next && k_last && m_last);
  always @(posedge clk)
    if (rst) {first, m, k} <= 0;
    else begin
      if (next) k <= k_last ? 0 : k + step_k;
      if (next && k_last) m <= m_last ? 0 : m + step_m;
      if (ends) first <= block_last ? 0 : first + job[`JOB_FC_BLOCK];
    end
endmodule
