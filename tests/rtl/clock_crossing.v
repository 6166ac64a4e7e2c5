// SPDX-License-Identifier: Apache-2.0
/* verilator lint_off WIDTH */
// One channel across two clocks: a buffer with Gray pointers. A pointer passes STAGES - 1 flip-flops before the logic
// that reads it; the register that this logic drives at its next edge, the output's or the pointer's, is the last stage.
// fault 1: an item is seen a stage early; 2: one item too many is taken; 3: freed places are seen a stage early; 4: the
// read pointer's way back is cut.
module clock_crossing #(
    parameter WIDTH = 32,
    parameter DEPTH = 16,
    parameter STAGES = 2
) (
    input s_clk,
    input m_clk,
    input rst,
    input [3:0] fault,

    input in_valid,
    output in_ready,
    input [WIDTH-1:0] in_data,

    output out_valid,
    input out_ready,
    output out_full,
    output [WIDTH-1:0] out_data
);
  localparam BITS = $clog2(DEPTH) + 1;
  reg [WIDTH-1:0] buffer[0:DEPTH-1];  // no ports: one clock writes, another reads
  reg [BITS-1:0] written, written_gray, read, read_gray;
  reg [BITS-1:0] written_sync[0:STAGES-1], read_sync[0:STAGES-1];  // registers

  function [BITS-1:0] gray(input [BITS-1:0] binary);
    gray = binary ^ binary >> 1;
  endfunction
  function [BITS-1:0] binary(input [BITS-1:0] code);
    integer i;
    begin
      binary[BITS-1] = code[BITS-1];
      for (i = BITS - 2; i >= 0; i = i - 1) binary[i] = binary[i+1] ^ code[i];
    end
  endfunction

  // Write side.
  wire [BITS-1:0] freed = binary(fault == 3 ? read_gray : read_sync[STAGES-2]);
  wire [BITS-1:0] held = written - freed;
  assign in_ready = held < DEPTH || (fault == 2 && held == DEPTH);
  wire take = in_valid && in_ready;
  wire [BITS-1:0] written_next = written + 1;
  always @(posedge s_clk)
    if (rst) begin
      written <= 0;
      written_gray <= 0;
    end else if (take) begin
      written <= written_next;
      written_gray <= gray(written_next);
    end
  always @(posedge s_clk) if (take) buffer[written[BITS-2:0]] <= in_data;

  // Read side.
  wire room;
  wire [BITS-1:0] seen = binary(fault == 1 ? written_gray : written_sync[STAGES-2]);
  wire push = seen != read && room;
  wire [BITS-1:0] read_next = read + 1;
  always @(posedge m_clk)
    if (rst) begin
      read <= 0;
      read_gray <= 0;
    end else if (push) begin
      read <= read_next;
      if (fault != 4) read_gray <= gray(read_next);
    end

  // Synchronisers.
  integer i;
  always @(posedge m_clk)
    for (i = 0; i < STAGES; i = i + 1)
      written_sync[i] <= rst ? 0 : i == 0 ? written_gray : written_sync[i == 0 ? 0 : i-1];
  integer k;
  always @(posedge s_clk)
    for (k = 0; k < STAGES; k = k + 1)
      read_sync[k] <= rst ? 0 : k == 0 ? read_gray : read_sync[k == 0 ? 0 : k-1];

  stream_register #(
      .WIDTH(WIDTH)
  ) out (
      .clk(m_clk),
      .rst(rst),
      .fault(4'd0),
      .in_valid(push),
      .in_ready(room),
      .in_data(buffer[read[BITS-2:0]]),
      .out_valid(out_valid),
      .out_ready(out_ready),
      .out_full(out_full),
      .out_data(out_data)
  );
endmodule
