// SPDX-License-Identifier: Apache-2.0
// Runs packed_unit on the rows of a file, one a clock (`rst en last zero` in four binary digits, w and a in hex), and
// prints what it has after each edge: `vld p`, p in hex.
module bench #(
    parameter PE = 2,
    parameter SIMD = 4,
    parameter TERMS = 4,
    parameter SHIFT = 18,
    parameter SIGNED = 0
);
  // A row is read first, then applied; $fscanf alone is no change to Verilator 5.006.
  reg clk = 0, rst = 1, en = 0, last = 0, zero = 0;
  reg [PE*SIMD*8-1:0] w = 0, next_w;
  reg [SIMD*8-1:0] a = 0, next_a;
  reg [3:0] next;
  wire vld;
  wire [PE*24-1:0] p;
  packed_unit #(
      .PE(PE),
      .SIMD(SIMD),
      .TERMS(TERMS),
      .SHIFT(SHIFT),
      .SIGNED(SIGNED)
  ) unit (
      .clk,
      .rst,
      .en,
      .last,
      .zero,
      .w,
      .a,
      .vld,
      .p
  );

  string rows;
  int file;
  initial begin
    if ($value$plusargs("rows=%s", rows) == 0) $fatal(1, "no +rows=FILE");
    file = $fopen(rows, "r");
    while ($fscanf(file, "%b %h %h", next, next_w, next_a) == 3) begin
      {rst, en, last, zero} = next;
      w = next_w;
      a = next_a;
      #1 clk = 1;
      #1 $display("%b %h", vld, p);
      clk = 0;
    end
    $finish;
  end
endmodule
