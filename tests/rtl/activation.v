// SPDX-License-Identifier: Apache-2.0
`include "tag.vh"

// Sigmoid and tanh of one gate of OUTPUT_CHANNELS hidden units from one table per lane: block RAM read, its output
// register, then scaling. LSTM gates i, f, o and GRU gates r, z take sigmoid, the LSTM candidate tanh; the two halves
// of the GRU candidate pass.
// fault 1: tanh without its factor 2; 2: a wrong table entry; 3: ignores a full output.
module activation #(
    parameter OUTPUT_CHANNELS = 8,
    parameter TABLE = "sigmoid.hex"
) (
    input clk,
    input rst,
    input [3:0] fault,

    input in_valid,
    output in_ready,
    input [`TAG_BITS-1:0] in_tag,
    input [OUTPUT_CHANNELS*16-1:0] in_values,

    // These belong to the job at the head of `in`.
    input job_gru,

    output out_valid,
    input out_ready,
    output out_full,
    output [`TAG_BITS-1:0] out_tag,
    output [OUTPUT_CHANNELS*16-1:0] out_values
);
  reg [3:1] valid;
  reg [`TAG_BITS-1:0] tag1, tag2, tag3;
  reg pass1, pass2, tanh1, tanh2;

  wire room;
  wire advance = !valid[3] || room || fault == 3;
  assign in_ready = advance;

  wire [1:0] gate = in_tag[48+:2];
  wire pass = job_gru && gate[1];
  wire tanh = !job_gru && gate == 2;

  always @(posedge clk)
    if (rst) valid <= 0;
    else if (advance) valid <= {valid[2:1], in_valid};

  always @(posedge clk)
    if (advance) begin
      {tag3, tag2, tag1} <= {tag2, tag1, in_tag};
      {pass2, pass1} <= {pass1, pass};
      {tanh2, tanh1} <= {tanh1, tanh};
    end

  wire [OUTPUT_CHANNELS*16-1:0] results;
  genvar o;
  generate
    for (o = 0; o < OUTPUT_CHANNELS; o = o + 1) begin : lane
      wire [15:0] value = in_values[o*16+:16];
      // 2x saturated to 16 bits for tanh; the table is indexed by the upper 12 bits, offset by half its length.
      wire [15:0] doubled = value[15] == value[14] ? {value[14:0], 1'b0} : {value[15], {15{!value[15]}}};
      wire [15:0] argument = tanh && fault != 1 ? doubled : value;
      wire [11:0] index = argument[15:4] ^ 12'h800;
      wire [15:0] entry2;
      reg [15:0] value1, value2, result3;
      sigmoid_table #(
          .TABLE(TABLE)
      ) sigmoid (
          .clk(clk),
          .read(advance),
          .index(index),
          .entry(entry2)
      );
      wire [16:0] scaled = {entry2, 1'b0} - 17'd32768;
      always @(posedge clk)
        if (advance) begin
          value1 <= value;
          value2 <= value1;
          result3 <= pass2 ? value2 : tanh2 ? scaled[15:0] : entry2 ^ {15'b0, fault == 2 && entry2 == 16384};
        end
      assign results[o*16+:16] = result3;
    end
  endgenerate

  stream_register #(
      .WIDTH(`TAG_BITS + OUTPUT_CHANNELS * 16)
  ) out (
      .clk(clk),
      .rst(rst),
      .fault(4'd0),
      .in_valid(valid[3]),
      .in_ready(room),
      .in_data({tag3, results}),
      .out_valid(out_valid),
      .out_ready(out_ready),
      .out_full(out_full),
      .out_data({out_tag, out_values})
  );
endmodule
