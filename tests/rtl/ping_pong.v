// SPDX-License-Identifier: Apache-2.0
/* verilator lint_off WIDTH */
// A block RAM of two halves that take turns and optionally a third store: targets 0, 1, 2. A receiving buffer (SEND =
// 0) is claimed while it is being written, a sending one from its completion until it has been fetched. Rows are as
// wide as the wider of write and read. A wide write holds several reads; a wide row is written in parts, in order from
// the claim on. Data are there READ_LATENCY (1 or 2) cycles after `read`.
// fault 1: never releases target 1; 2: the halves overlap; 3: the last part of a row is lost; 15: asks the RAMs once more.
`include "memory_ports.vh"
module ping_pong #(
    parameter SEND = 0,
    parameter WRITE_BYTES = 16,
    parameter READ_BYTES = 8,
    parameter HALF_BYTES = 24576,
    parameter RESIDENT_BYTES = 0,
    parameter READ_LATENCY = 2,
    parameter WRITE_ADDRESS_BITS = 16,
    parameter READ_ADDRESS_BITS = 16
) (
    input clk,
    input rst,
    input [3:0] fault,

    input claim,
    input [1:0] claim_target,
    input free,
    input [1:0] free_target,
    output [2:0] readable,  // by the core or the writer; else it is being written

    input write,
    input [1:0] write_target,
    input [WRITE_ADDRESS_BITS-1:0] write_address,  // in writes; ignored where a row is written in parts
    input [WRITE_BYTES*8-1:0] write_data,

    input read,   // starts one
    input advance,  // moves the output register, where there is one
    input [1:0] read_target,
    input [READ_ADDRESS_BITS-1:0] read_address,  // in rows; in the lowest bits which of its reads
    output [READ_BYTES*8-1:0] read_data
);
  reg [2:0] claimed;
  assign readable = SEND != 0 ? claimed : ~claimed;
  always @(posedge clk)
    if (rst) claimed <= 0;
    else begin
      if (free && !(fault == 1 && free_target == 1)) claimed[free_target] <= 0;
      if (claim) claimed[claim_target] <= 1;
    end

  localparam ROW_BYTES = WRITE_BYTES > READ_BYTES ? WRITE_BYTES : READ_BYTES;
  localparam PARTS = ROW_BYTES / WRITE_BYTES;  // writes per row
  localparam READS = ROW_BYTES / READ_BYTES;   // reads per row
  localparam HALF_ROWS = (HALF_BYTES + ROW_BYTES - 1) / ROW_BYTES;
  localparam RESIDENT_ROWS = (RESIDENT_BYTES + ROW_BYTES - 1) / ROW_BYTES;
  localparam MOST_ROWS = 2 * HALF_ROWS > RESIDENT_ROWS ? 2 * HALF_ROWS : RESIDENT_ROWS;
  localparam ROW_BITS = MOST_ROWS > 1 ? $clog2(MOST_ROWS) : 1;
  localparam PART_BITS = PARTS > 1 ? $clog2(PARTS) : 1;
  localparam SELECT_BITS = READS > 1 ? $clog2(READS) : 1;
  localparam PLACE_BITS = READS > 1 ? SELECT_BITS : 0;

  // Where a write goes: a row and, where a row takes several writes, the part of it that is next.
  reg [ROW_BITS-1:0] next_row;
  reg [PART_BITS-1:0] next_part;
  wire [ROW_BITS-1:0] write_in_target = PARTS > 1 ? next_row : write_address[ROW_BITS-1:0];
  wire [ROW_BITS-1:0] half_offset = fault == 2 ? HALF_ROWS - 1 : HALF_ROWS;
  wire [ROW_BITS-1:0] write_row = write_in_target + (write_target == 1 ? half_offset : 0);
  always @(posedge clk)
    if (claim) begin
      next_row  <= 0;
      next_part <= 0;
    end else if (write) begin
      next_part <= next_part == PARTS - 1 ? 0 : next_part + 1'b1;
      if (next_part == PARTS - 1) next_row <= next_row + 1'b1;
    end

  // A row, and in the lowest bits which of its reads.
  wire [ROW_BITS-1:0] read_in_target = read_address >> $clog2(READS);
  wire [SELECT_BITS-1:0] read_part = READS > 1 ? read_address[SELECT_BITS-1:0] : 0;
  wire [ROW_BITS-1:0] read_row = read_in_target + (read_target == 1 ? HALF_ROWS : 0);
  reg from_resident;
  reg [SELECT_BITS-1:0] select;
  always @(posedge clk)
    if (read) begin
      from_resident <= read_target[1];
      select <= read_part;
    end

  wire [ROW_BYTES*8-1:0] row;
  wire [(READ_BYTES*8<<PLACE_BITS)-1:0] reads_of_row = row;
  wire [READ_BYTES*8-1:0] chosen = reads_of_row[select*READ_BYTES*8+:READ_BYTES*8];
  genvar p;
  generate
    for (p = 0; p < PARTS; p = p + 1) begin : part
      wire here = write && (PARTS == 1 || next_part == p) && !(fault == 3 && p == PARTS - 1);
      (* ram_style = "block" *)
      reg [WRITE_BYTES*8-1:0] halves[0:2*HALF_ROWS-1];
      reg [WRITE_BYTES*8-1:0] half_data;
      always @(posedge clk) begin
        if (here && !write_target[1]) halves[write_row] <= write_data;
        if (read && !read_target[1]) half_data <= halves[read_row];
      end
      `SIMPLE_DUAL_PORT(halves, here && !write_target[1], read && !read_target[1], fault == 4'd15)
      if (RESIDENT_ROWS > 0) begin : store
        (* ram_style = "block" *)
        reg [WRITE_BYTES*8-1:0] resident[0:RESIDENT_ROWS-1];
        reg [WRITE_BYTES*8-1:0] resident_data;
        always @(posedge clk) begin
          if (here && write_target[1]) resident[write_row] <= write_data;
          if (read && read_target[1]) resident_data <= resident[read_row];
        end
        `SIMPLE_DUAL_PORT(resident, here && write_target[1], read && read_target[1], fault == 4'd15)
        assign row[p*WRITE_BYTES*8+:WRITE_BYTES*8] = from_resident ? resident_data : half_data;
      end else begin : none
        assign row[p*WRITE_BYTES*8+:WRITE_BYTES*8] = half_data;
      end
    end
    if (READ_LATENCY == 2) begin : registered
      reg [READ_BYTES*8-1:0] data;
      always @(posedge clk) if (advance) data <= chosen;
      assign read_data = data;
    end else begin : direct
      assign read_data = chosen;
    end
  endgenerate
endmodule
