// SPDX-License-Identifier: Apache-2.0
// When reconfigurable tables may be reloaded and read (docs/timing.md, Multipliers in LUTs). `start`: a reload begins, if
// `may_start`; `shift`: one of its 32 bits enters, if `running`; `take`: the new set's first word, if `loaded`.
module table_reload #(
    parameter SHADOW = 1,
    parameter SLICE_BITS = 4
) (
    input  wire clk,
    input  wire rst,
    input  wire word_waits,
    input  wire start,
    input  wire shift,
    input  wire take,
    output wire running,
    output wire loaded,
    output wire may_start,
    output reg  even,     // the even bits' half of the reload, of tables with four address bits
    output reg  restart,  // after this bit the products begin again
    output reg  middle    // of a half, or of all bits of tables with five address bits
);
  reg [5:0] left;
  reg ready;

  wire last = shift && left == 6'd1;
  assign running = left != 6'd0;
  assign loaded = ready || last;
  assign may_start = (!running || last) && !(loaded && !take) && (SHADOW == 1 || word_waits);

  wire [5:0] next = start && may_start ? 6'd32 : shift ? left - 6'd1 : left;
  always @(posedge clk) begin
    if (rst) begin
      left  <= 6'd0;
      ready <= 1'b0;
    end else begin
      left  <= next;
      ready <= loaded && !take;
    end
    even <= SLICE_BITS == 4 && next <= 6'd16;
    restart <= SLICE_BITS == 4 && next == 6'd17;
    middle <= SLICE_BITS == 4 ? next == 6'd24 || next == 6'd8 : next == 6'd16;
  end
endmodule
