// SPDX-License-Identifier: Apache-2.0
/* verilator lint_off WIDTH */
`include "tag.vh"
`include "memory_ports.vh"

// The element-wise part of LSTM and GRU. Collects the four gates of a block of OUTPUT_CHANNELS hidden units, then
// updates one unit per cycle while the next block's gates come in:
//   LSTM  i, f, g, o:   c = f c + i g,  h = o tanh(c)
//   GRU   r, z, nx, nh: n = tanh(nx + r nh),  h = (1 - z) n + z h
// Stages from issue: 3 multiply, 1 add and saturate, 2 table, 3 multiply, with REQUANTISE 3 more (LSTM: h times a
// multiplier, divided by a power of two), 1 saturate. A block's h leaves with its last
// unit, to the output and to the hidden state being written, whose halves swap when a step is complete.
// fault 1: keeps c of the sequence before; 2: truncates h; 3: swaps the halves a block early; 4: with REQUANTISE, shifts h
// by one too few; 15: asks what is kept of each unit once more.
module recurrent_cell #(
    parameter OUTPUT_CHANNELS = 8,
    parameter BLOCKS = 128,
    parameter REQUANTISE = 0,
    parameter TABLE = "sigmoid.hex"
) (
    input clk,
    input rst,
    input [3:0] fault,

    input gates_valid,
    output gates_ready,
    input [`TAG_BITS-1:0] gates_tag,
    input [OUTPUT_CHANNELS*16-1:0] gates_values,

    // These belong to the job at the head of `gates`.
    input job_gru,
    input job_add_bias,
    input [15:0] job_groups,
    input [14:0] job_hidden_scale,
    input [4:0] job_hidden_shift,

    output hidden_write,
    output hidden_half,
    output [$clog2(BLOCKS)-1:0] hidden_block,
    output [OUTPUT_CHANNELS*8-1:0] hidden_data,
    output reg last_half,  // holds the last complete step
    output reg step_done,

    output out_valid,
    input out_ready,
    output out_full,
    output [`TAG_BITS-1:0] out_tag,
    output [OUTPUT_CHANNELS*8-1:0] out_bytes
);
  localparam LANE_BITS = $clog2(OUTPUT_CHANNELS);
  localparam BLOCK_BITS = $clog2(BLOCKS);
  localparam GATE_BITS = OUTPUT_CHANNELS * 16;
  localparam LAST = REQUANTISE ? 13 : 10;

  function signed [15:0] saturate(input signed [33:0] value);
    saturate = value > 32767 ? 16'sd32767 : value < -32768 ? -16'sd32768 : value[15:0];
  endfunction

  wire room;
  wire advance;

  // Gates are collected while the set before is worked on.
  reg [4*GATE_BITS-1:0] collecting, working;
  reg [2:0] collected;
  reg [`TAG_BITS-1:0] collecting_tag, working_tag;
  // {ends the step, gru, first step of a sequence} of a gate set.
  reg [2:0] collecting_mode, working_mode;
  // {multiplier less one, shift}; the cell is empty when another job begins.
  reg [19:0] collecting_scale, working_scale;
  reg busy;
  reg [LANE_BITS-1:0] next_lane;
  wire take_set = !busy && collected == 4;
  wire issue = busy || take_set;
  wire [4*GATE_BITS-1:0] set = busy ? working : collecting;
  wire [2:0] mode = busy ? working_mode : collecting_mode;
  wire [`TAG_BITS-1:0] tag = busy ? working_tag : collecting_tag;
  wire [LANE_BITS-1:0] lane = busy ? next_lane : 0;
  assign gates_ready = advance && (collected != 4 || take_set);
  wire collect = gates_valid && gates_ready;

  always @(posedge clk)
    if (rst) begin
      collected <= 0;
      busy <= 0;
    end else if (advance) begin
      collected <= (take_set ? 3'd0 : collected) + collect;
      if (issue) busy <= lane != OUTPUT_CHANNELS - 1;
    end
  always @(posedge clk)
    if (advance) begin
      if (collect) collecting <= {gates_values, collecting[4*GATE_BITS-1:GATE_BITS]};
      if (collect && (collected == 0 || take_set)) begin
        collecting_tag  <= gates_tag;
        collecting_scale <= {job_hidden_scale, job_hidden_shift};
        collecting_mode <= {gates_tag[`TAG_GROUP] + 4 == job_groups, job_gru, job_add_bias && gates_tag[`TAG_ROW] == 0};
      end
      if (take_set)
        {working, working_tag, working_mode, working_scale} <=
            {collecting, collecting_tag, collecting_mode, collecting_scale};
      next_lane <= lane + 1'b1;
    end

  // Beside the data, stage by stage: valid, whether the lane is the block's last, mode, tag.
  reg [LAST:1] valid, whole;
  reg [LANE_BITS-1:0] lanes[1:LAST];  // registers
  reg [2:0] modes[1:LAST];  // registers
  reg [`TAG_BITS-1:0] tags[1:LAST];  // registers
  assign advance = !(valid[LAST] && whole[LAST]) || room;
  integer s;
  always @(posedge clk)
    if (rst) valid <= 0;
    else if (advance) valid <= {valid[LAST-1:1], issue};
  always @(posedge clk)
    if (advance) begin
      whole <= {whole[LAST-1:1], lane == OUTPUT_CHANNELS - 1};
      lanes[1] <= lane;
      modes[1] <= mode;
      tags[1] <= tag;
      for (s = 2; s <= LAST; s = s + 1) begin
        lanes[s] <= lanes[s-1];
        modes[s] <= modes[s-1];
        tags[s] <= tags[s-1];
      end
    end

  // What is kept per unit: c, and for the GRU h of the step before.
  wire [BLOCK_BITS-1:0] block = tag[50+:BLOCK_BITS];
  wire [BLOCK_BITS-1:0] block4 = tags[4][50+:BLOCK_BITS];
  (* ram_style = "block" *)
  reg signed [15:0] c_memory[0:(BLOCKS<<LANE_BITS)-1];
  (* ram_style = "block" *)
  reg [OUTPUT_CHANNELS*8-1:0] h_memory[0:2*BLOCKS-1];
  reg signed [15:0] c_fetched;
  reg [OUTPUT_CHANNELS*8-1:0] h_fetched;
  wire fresh1 = modes[1][0] && fault != 1;
  wire signed [15:0] c1 = fresh1 ? 0 : c_fetched;
  wire signed [7:0] h1 = modes[1][0] ? 0 : last_h;

  // Stages 1 to 4.
  reg signed [15:0] gate1[0:3];  // registers
  reg signed [15:0] o2, o3, o4, o5, o6, o7, z2, z3, z4, z5, z6, z7, nx2, nx3;
  reg signed [7:0] h2, h3, h4, h5, h6, h7;
  reg signed [31:0] long2, long3, short2, short3;
  reg signed [15:0] sum4;
  wire gru1 = modes[1][1], gru3 = modes[3][1];
  wire signed [33:0] long_sum = long3 + (short3 >>> 3) + 34'sd16384;
  wire signed [33:0] candidate = nx3 + ((long3 + 34'sd16384) >>> 15);
  integer g;
  // A lane of each gate; of as many lanes as a power of two, so that a lane's place is no product.
  reg [(16<<LANE_BITS)-1:0] gate_lanes;
  reg signed [15:0] chosen[0:3];  // registers
  always @*
    for (g = 0; g < 4; g = g + 1) begin
      gate_lanes = set[g*GATE_BITS+:GATE_BITS];
      chosen[g] = gate_lanes[lane*16+:16];
    end
  wire [(8<<LANE_BITS)-1:0] h_lanes = h_fetched;
  wire [7:0] last_h = h_lanes[lanes[1]*8+:8];
  always @(posedge clk)
    if (advance) begin
      for (g = 0; g < 4; g = g + 1) gate1[g] <= chosen[g];
      c_fetched <= c_memory[{block, lane}];
      h_fetched <= h_memory[{last_half, block}];
      long2 <= gru1 ? gate1[0] * gate1[3] : gate1[1] * c1;
      short2 <= gate1[0] * gate1[2];
      {o7, o6, o5, o4, o3, o2} <= {o6, o5, o4, o3, o2, gate1[3]};
      {z7, z6, z5, z4, z3, z2} <= {z6, z5, z4, z3, z2, gate1[1]};
      {h7, h6, h5, h4, h3, h2} <= {h6, h5, h4, h3, h2, h1};
      {nx3, nx2} <= {nx2, gate1[2]};
      {long3, short3} <= {long2, short2};
      sum4 <= gru3 ? saturate(candidate) : saturate(long_sum >>> 15);
      if (valid[4] && !modes[4][1]) c_memory[{block4, lanes[4]}] <= sum4;
    end

  // Stages 5 and 6: tanh from the table of sigmoid.
  wire [15:0] doubled = sum4[15] == sum4[14] ? {sum4[14:0], 1'b0} : {sum4[15], {15{!sum4[15]}}};
  wire [11:0] index = doubled[15:4] ^ 12'h800;
  wire [15:0] entry6;
  sigmoid_table #(
      .TABLE(TABLE)
  ) sigmoid (
      .clk(clk),
      .read(advance),
      .index(index),
      .entry(entry6)
  );

  // Stages 7 to the last.
  reg signed [15:0] tanh7;
  reg signed [33:0] product8, kept8, sum9;
  reg [7:0] h_out;
  wire gru7 = modes[7][1];
  wire signed [16:0] share7 = gru7 ? 17'sd32768 - z7 : o7;
  reg signed [49:0] scaled10, scaled11, scaled12;
  wire signed [16:0] multiplier = modes[9][1] ? 17'sd1 : $signed({2'b0, working_scale[19:5]}) + 17'sd1;
  wire [5:0] places = REQUANTISE == 0 || modes[LAST-1][1] ? 6'd23 : 6'd23 + working_scale[4:0] - (fault == 4);
  wire signed [55:0] whole_sum = REQUANTISE == 0 ? sum9 : scaled12;
  wire signed [55:0] half = 56'sd1 << (places - 6'd1);
  wire signed [55:0] rounded = (whole_sum + (fault == 2 ? 56'sd0 : half)) >>> places;
  always @(posedge clk)
    if (advance) begin
      tanh7 <= {entry6, 1'b0} - 17'd32768;
      product8 <= share7 * tanh7;
      kept8 <= gru7 ? z7 * $signed({h7, 8'b0}) : 0;
      sum9 <= product8 + kept8;
      if (REQUANTISE) begin
        scaled10 <= sum9 * multiplier;
        {scaled12, scaled11} <= {scaled11, scaled10};
      end
      h_out <= rounded > 127 ? 8'd127 : rounded < -128 ? 8'h80 : rounded[7:0];
    end

  // A block of units, collected lane by lane.
  reg [OUTPUT_CHANNELS*8-1:0] pixel;
  wire [OUTPUT_CHANNELS*8-1:0] bytes = {h_out, pixel[OUTPUT_CHANNELS*8-1:8]};
  wire retire = valid[LAST] && advance;
  wire push = retire && whole[LAST];
  wire [15:0] out_block = tags[LAST][`TAG_GROUP] >> 2;
  wire step_end = push && (modes[LAST][2] || (fault == 3 && out_block == 0));
  always @(posedge clk) begin
    if (retire) pixel <= bytes;
    if (push) h_memory[{!last_half, out_block[BLOCK_BITS-1:0]}] <= bytes;
    if (rst) begin
      last_half <= 0;
      step_done <= 0;
    end else begin
      step_done <= step_end;
      if (step_end) last_half <= !last_half;
    end
  end
  `SIMPLE_DUAL_PORT(c_memory, advance && valid[4] && !modes[4][1], advance, fault == 15)
  `SIMPLE_DUAL_PORT(h_memory, push, advance, fault == 15)
  assign hidden_write = push;
  assign hidden_half  = !last_half;
  assign hidden_block = out_block;
  assign hidden_data  = bytes;

  stream_register #(
      .WIDTH(`TAG_BITS + OUTPUT_CHANNELS * 8)
  ) out (
      .clk(clk),
      .rst(rst),
      .fault(4'd0),
      .in_valid(valid[LAST] && whole[LAST]),
      .in_ready(room),
      .in_data({tags[LAST][`TAG_BITS-1:64], out_block, tags[LAST][47:0], bytes}),
      .out_valid(out_valid),
      .out_ready(out_ready),
      .out_full(out_full),
      .out_data({out_tag, out_bytes})
  );
endmodule
