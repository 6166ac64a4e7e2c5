// SPDX-License-Identifier: Apache-2.0
// broken: cache, wrap_unaligned, wrap_length, fixed_length, boundary, size, burst_reserved.
module burst_rules #(
    parameter DATA_BITS = 128
) (
    input  wire [ 3:0] fault,
    input  wire [11:0] addr,
    input  wire [ 7:0] len,
    input  wire [ 2:0] size,
    input  wire [ 1:0] burst,
    input  wire [ 3:0] cache,
    output wire [ 6:0] broken
);
  localparam [1:0] FIXED = 2'd0, INCR = 2'd1, WRAP = 2'd2;
  localparam WIDEST = $clog2(DATA_BITS / 8);
  wire [11:0] mask = (12'd1 << size) - 12'd1;
  wire [11:0] first = fault == 4'd2 ? addr : addr & ~mask;
  wire [15:0] bytes = {7'd0, {1'b0, len} + 9'd1} << size;
  wire [16:0] last = {5'd0, first} + {1'b0, bytes} - 17'd1;
  wire        wraps = len == 8'd1 || len == 8'd3 || len == 8'd7 || len == 8'd15;
  assign broken[0] = burst == 2'd3;
  assign broken[1] = size > WIDEST[2:0];
  assign broken[2] = burst == INCR && last[16:12] != 5'd0;
  assign broken[3] = burst == FIXED && len > 8'd15;
  assign broken[4] = burst == WRAP && !wraps;
  assign broken[5] = burst == WRAP && (addr & mask) != 12'd0;
  assign broken[6] = !cache[1] && cache[3:2] != 2'd0;
endmodule
