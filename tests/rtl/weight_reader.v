// SPDX-License-Identifier: Apache-2.0
// Fetches weight sets from the weight buffer, COLS rows each, one row per edge. The memory's two registers (address or
// array, output) are clocked with read_enable, so that a row leaves two enabled edges after the one that asked for it.
// `fault`: 1 lets the memory run on while `columns` is full, 2 reads a set's last row twice, 3 leaves an edge between
// sets.
module weight_reader #(
    parameter ROWS = 3,
    parameter COLS = 3,
    parameter INPUT_CHANNELS = 8,
    parameter OUTPUT_CHANNELS = 8,
    parameter ROW_BITS = 20
) (
    input wire       clk,
    input wire       rst,
    input wire [3:0] fault,

    input  wire                command_valid,
    output wire                command_ready,
    input  wire [         1:0] command_target,
    input  wire [ROW_BITS-1:0] command_row,

    output wire                                             read_enable,
    output wire [                                      1:0] read_target,
    output wire [                             ROW_BITS-1:0] read_row,
    input  wire [OUTPUT_CHANNELS*ROWS*INPUT_CHANNELS*8-1:0] read_data,

    output wire                                             columns_valid,
    input  wire                                             columns_ready,
    output wire                                             columns_full,
    output wire [OUTPUT_CHANNELS*ROWS*INPUT_CHANNELS*8-1:0] columns_bytes
);
  localparam COUNT_BITS = $clog2(COLS + 1);
  reg [COUNT_BITS-1:0] left;
  reg [1:0] target, valid;
  reg [ROW_BITS-1:0] row;
  reg gap;

  wire columns_room;
  wire advance = !valid[1] || columns_room;
  wire more = left != {COUNT_BITS{1'b0}};
  wire reading = more || (command_valid && !gap);

  assign command_ready = advance && !more && !gap;
  assign read_enable = advance || fault == 4'd1;
  assign read_target = more ? target : command_target;
  assign read_row = more ? row : command_row;

  wire [COUNT_BITS-1:0] left_next = (more ? left : COLS[COUNT_BITS-1:0]) - 1'b1;
  wire repeated = fault == 4'd2 && left_next == {{(COUNT_BITS - 1) {1'b0}}, 1'b1};
  always @(posedge clk) begin
    if (rst) begin
      valid <= 2'd0;
      left  <= {COUNT_BITS{1'b0}};
      gap   <= 1'b0;
    end else if (advance) begin
      valid <= {valid[0], reading};
      gap   <= fault == 4'd3 && reading && left_next == {COUNT_BITS{1'b0}};
      if (reading) left <= left_next;
    end
    if (advance && reading) begin
      target <= read_target;
      row <= read_row + {{(ROW_BITS - 1) {1'b0}}, !repeated};
    end
  end

  stream_register #(
      .WIDTH(OUTPUT_CHANNELS * ROWS * INPUT_CHANNELS * 8)
  ) out (
      .clk(clk),
      .rst(rst),
      .fault(4'd0),
      .in_valid(valid[1]),
      .in_ready(columns_room),
      .in_data(read_data),
      .out_valid(columns_valid),
      .out_ready(columns_ready),
      .out_full(columns_full),
      .out_data(columns_bytes)
  );
endmodule
