// SPDX-License-Identifier: Apache-2.0
// A registered ready/valid channel of two entries: what is pushed at edge n can be popped from n + 1 on, and so can
// room be used that is freed at n. `fault`: 1 takes a beat while full, 2 lets the second entry overtake, 3 flips a bit
// of a beat that waited in the second entry.
module stream_register #(
    parameter WIDTH = 8
) (
    input  wire             clk,
    input  wire             rst,
    input  wire [3:0]       fault,
    input  wire             in_valid,
    output wire             in_ready,
    input  wire [WIDTH-1:0] in_data,
    output reg              out_valid,
    input  wire             out_ready,
    output wire             out_full,
    output reg  [WIDTH-1:0] out_data
);
  reg              second_valid;
  reg  [WIDTH-1:0] second;

  wire push = in_valid && in_ready;
  wire load = out_ready || !out_valid;
  wire [WIDTH-1:0] flip = {{(WIDTH - 1){1'b0}}, fault == 4'd3};

  assign in_ready = !second_valid || fault == 4'd1;
  assign out_full = second_valid;

  always @(posedge clk) begin
    if (rst) begin
      out_valid <= 1'b0;
      second_valid <= 1'b0;
    end else if (load) begin
      out_valid <= second_valid || push;
      second_valid <= 1'b0;
    end else if (push) begin
      second_valid <= 1'b1;
    end
    if (load) out_data <= second_valid ? second ^ flip : in_data;
    if (fault == 4'd2 && push && !load) out_data <= in_data;
    if (!load && push) second <= in_data;
  end
endmodule
