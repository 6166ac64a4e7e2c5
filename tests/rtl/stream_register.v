// SPDX-License-Identifier: Apache-2.0
// A registered ready/valid channel of two entries: a beat pushed at edge n is seen from n + 1 on, room freed at n is
// seen from n + 1 on.
module stream_register #(
    parameter BITS = 8
) (
    input clk,
    input rst,
    input in_valid,
    output in_ready,
    input [BITS-1:0] in_data,
    output out_valid,
    input out_ready,
    output [BITS-1:0] out_data
);
  reg [1:0] count;
  reg [BITS-1:0] older, newer;
  wire push = in_valid && in_ready;
  wire pop = out_valid && out_ready;

  assign in_ready  = count != 2;
  assign out_valid = count != 0;
  assign out_data  = older;

  always @(posedge clk) begin
    if (rst) count <= 0;
    else count <= count + push - pop;
    if (push && (count == 0 || (count == 1 && pop))) older <= in_data;
    else if (pop) older <= newer;
    if (push) newer <= in_data;
  end
endmodule
