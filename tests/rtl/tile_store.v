// SPDX-License-Identifier: Apache-2.0
/* verilator lint_off WIDTH */
// A store of one or two halves, addressed by value: WRITES values are written where each says, READS values read at
// read_index and every read_pitch on. They come at the edge (REGISTERS 0) or through two registers that `move` enables.
// A half has a single port (ACCESSES 1), or one that writes and one that reads; `again` reads once more.
`include "memory_ports.vh"
module tile_store #(
    parameter WIDTH = 16,
    parameter WORDS = 256,
    parameter HALVES = 2,
    parameter WRITES = 4,
    parameter READS = 3,
    parameter REGISTERS = 2,
    parameter ACCESSES = 1
) (
    input clk,
    input rst,
    input [WRITES-1:0] write,
    input write_half,
    input [WRITES*32-1:0] write_index,
    input [WRITES*WIDTH-1:0] write_data,
    input move,
    input read,
    input again,
    input read_half,
    input [31:0] read_index,
    input [31:0] read_pitch,
    output [READS*WIDTH-1:0] read_data
);
  localparam BITS = $clog2(HALVES * WORDS) > 0 ? $clog2(HALVES * WORDS) : 1;
  reg [WIDTH-1:0] memory[0:HALVES*WORDS-1];
  wire [31:0] from = HALVES == 2 && write_half ? WORDS : 0;
  integer w;
  always @(posedge clk)
    for (w = 0; w < WRITES; w = w + 1)
      if (write[w]) memory[BITS'(from+write_index[32*w+:32])] <= write_data[WIDTH*w+:WIDTH];

  wire [31:0] base = (HALVES == 2 && read_half ? WORDS : 0) + read_index;
  wire [READS*WIDTH-1:0] here;
  genvar r;
  generate
    for (r = 0; r < READS; r = r + 1) begin : value
      wire [31:0] at = base + r * read_pitch;
      assign here[WIDTH*r+:WIDTH] = at < HALVES * WORDS ? memory[BITS'(at)] : 0;
    end
    if (REGISTERS == 0) begin : at_once
      assign read_data = here;
    end else begin : registered
      reg [READS*WIDTH-1:0] data, out;
      always @(posedge clk) if (move) {out, data} <= {data, here};
      assign read_data = out;
    end
  endgenerate

  genvar h;
  generate
    for (h = 0; h < HALVES; h = h + 1) begin : half
      wire written = |write && (HALVES == 1 || write_half == h);
      wire asked = read && (HALVES == 1 || read_half == h);
      if (ACCESSES == 1) begin : single
        `SINGLE_PORT(memory, written, asked, again && asked)
      end else begin : dual
        `SIMPLE_DUAL_PORT(memory, written, asked, again && asked)
      end
    end
  endgenerate
endmodule
