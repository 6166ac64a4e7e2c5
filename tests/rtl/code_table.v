// SPDX-License-Identifier: Apache-2.0
/* verilator lint_off WIDTH */
`include "tag.vh"
`include "memory_ports.vh"

// A function of one code: distributed RAM of 128 pairs of entries for each output channel, with one address for
// reading and writing, and a register behind it. While a pair is written no pixel is taken.
// fault 1: takes the pair's other entry; 2: looks up what should pass; 3: ignores a full output; 15: a second access.
module code_table #(
    parameter OUTPUT_CHANNELS = 8
) (
    input clk,
    input rst,
    input [3:0] fault,

    input in_valid,
    output in_ready,
    input [`TAG_BITS-1:0] in_tag,
    input [OUTPUT_CHANNELS*8-1:0] in_bytes,

    // These belong to the job at the head of `in`.
    input job_by_table,

    // {pair, entry of the odd code, of the even}.
    input entries_valid,
    output entries_ready,
    input [22:0] entries_data,

    output out_valid,
    input out_ready,
    output out_full,
    output [`TAG_BITS-1:0] out_tag,
    output [OUTPUT_CHANNELS*8-1:0] out_bytes
);
  reg valid1;
  reg [`TAG_BITS-1:0] tag1;
  reg [OUTPUT_CHANNELS*8-1:0] bytes1;

  wire room;
  wire advance = !valid1 || room || fault == 3;
  wire take = in_valid && in_ready;
  assign in_ready = advance && !entries_valid;
  assign entries_ready = 1;

  always @(posedge clk)
    if (rst) valid1 <= 0;
    else if (advance) valid1 <= take;

  always @(posedge clk) if (advance) tag1 <= in_tag;

  genvar o;
  generate
    for (o = 0; o < OUTPUT_CHANNELS; o = o + 1) begin : lane
      (* ram_style = "distributed" *) reg [15:0] pairs[0:127];
      wire [7:0] code = in_bytes[o*8+:8];
      wire [6:0] address = entries_valid ? entries_data[22:16] : code[7:1];
      wire [15:0] pair = pairs[address];
      integer i;
      initial for (i = 0; i < 128; i = i + 1) pairs[i] = 0;
      always @(posedge clk) if (entries_valid) pairs[address] <= entries_data[15:0];
      `SINGLE_PORT(pairs, entries_valid, take, fault == 15)
      always @(posedge clk)
        if (advance)
          bytes1[o*8+:8] <= !job_by_table && fault != 2 ? code : code[0] ^ (fault == 1) ? pair[15:8] : pair[7:0];
    end
  endgenerate

  stream_register #(
      .WIDTH(`TAG_BITS + OUTPUT_CHANNELS * 8)
  ) out (
      .clk(clk),
      .rst(rst),
      .fault(4'd0),
      .in_valid(valid1),
      .in_ready(room),
      .in_data({tag1, bytes1}),
      .out_valid(out_valid),
      .out_ready(out_ready),
      .out_full(out_full),
      .out_data({out_tag, out_bytes})
  );
endmodule
