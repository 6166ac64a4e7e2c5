// SPDX-License-Identifier: Apache-2.0
/* verilator lint_off WIDTH */
// Bursts in flight, oldest first; `second` is the one behind the oldest.
module flight_queue #(
    parameter WIDTH = 17,
    parameter DEPTH = 8
) (
    input clk,
    input rst,
    input push,
    input [WIDTH-1:0] in_data,
    input pop,
    output [WIDTH-1:0] first,
    output [WIDTH-1:0] second,
    output reg [7:0] count
);
  reg [WIDTH-1:0] queue[0:DEPTH-1];  // registers
  reg [7:0] head, tail;
  wire [7:0] behind = head == DEPTH - 1 ? 0 : head + 1;

  assign first  = queue[head];
  assign second = queue[behind];

  always @(posedge clk)
    if (rst) begin
      head  <= 0;
      tail  <= 0;
      count <= 0;
    end else begin
      if (push) tail <= tail == DEPTH - 1 ? 0 : tail + 1;
      if (pop) head <= behind;
      count <= count + push - pop;
    end
  always @(posedge clk) if (push) queue[tail] <= in_data;
endmodule
