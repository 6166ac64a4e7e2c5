// SPDX-License-Identifier: Apache-2.0
/* verilator lint_off WIDTH */
`include "tag.vh"

// Puts finished pixels into the output half of their job and reports the tile with its last pixel, together with what
// the writer needs to know of the job. A pixel lies at ((row * groups + group) * columns + x); it is written two cycles
// after it was taken, well before the first read of its tile. Pixels of rows beyond the tile are dropped.
// fault 1: writes dropped rows; 2: reports the tile a pixel early; 3: groups a column apart.
module output_store #(
    parameter OUTPUT_CHANNELS = 8,
    parameter ADDRESS_BITS = 12
) (
    input clk,
    input rst,
    input [3:0] fault,

    input map_valid,
    output map_ready,
    input [`TAG_BITS-1:0] map_tag,
    input [OUTPUT_CHANNELS*8-1:0] map_bytes,

    input hidden_valid,
    output hidden_ready,
    input [`TAG_BITS-1:0] hidden_tag,
    input [OUTPUT_CHANNELS*8-1:0] hidden_bytes,

    // These belong to the job of the pixel that is taken: `map` before `hidden`.
    input job_output_select,
    input job_recurrent_output,
    input job_end_of_layer,
    input [15:0] job_groups,
    input [13:0] job_output_columns,
    input [13:0] job_tile_rows,
    input [27:0] job_row_pitch,
    input [27:0] job_plane_pitch,
    input [31:0] job_output_base,

    output reg write,
    output reg write_half,
    output reg [ADDRESS_BITS-1:0] write_address,  // in pixels
    output reg [OUTPUT_CHANNELS*8-1:0] write_data,
    output claim,
    output claim_half,

    output tiles_valid,
    input tiles_ready,
    output tiles_full,
    output tiles_half,
    output tiles_end_of_layer,
    output [15:0] tiles_groups,
    output [13:0] tiles_columns,
    output [13:0] tiles_rows,
    output [27:0] tiles_row_pitch,
    output [27:0] tiles_plane_pitch,
    output [31:0] tiles_base
);
  wire room;
  assign map_ready = room;
  assign hidden_ready = room && !map_valid;
  wire take = (map_valid || hidden_valid) && room;
  wire [`TAG_BITS-1:0] tag = map_valid ? map_tag : hidden_tag;
  wire [15:0] groups = job_recurrent_output ? job_groups >> 2 : job_groups;
  wire store = take && (tag[`TAG_ROW] < job_tile_rows || fault == 1);

  // Pixels stored so far, counted as columns of groups of rows.
  reg [13:0] column, row;
  reg [15:0] group;
  wire last_column = column + 1'b1 == job_output_columns;
  wire last_group = group + 1'b1 == groups;
  wire last_row = row + 1'b1 == job_tile_rows;
  wire last = last_group && last_row && (last_column || (fault == 2 && column + 2 == job_output_columns));
  always @(posedge clk)
    if (rst || (store && last)) {column, group, row} <= 0;
    else if (store) begin
      column <= last_column ? 0 : column + 1'b1;
      if (last_column) group <= last_group ? 0 : group + 1'b1;
      if (last_column && last_group) row <= row + 1'b1;
    end

  reg stored, half;
  reg [ADDRESS_BITS-1:0] plane;
  reg [13:0] columns, x;
  reg [OUTPUT_CHANNELS*8-1:0] bytes;
  always @(posedge clk) begin
    stored <= store && !rst;
    half <= job_output_select;
    plane <= tag[`TAG_ROW] * groups + tag[`TAG_GROUP];
    columns <= job_output_columns + (fault == 3);
    x <= tag[`TAG_X];
    bytes <= map_valid ? map_bytes : hidden_bytes;

    write <= stored && !rst;
    write_half <= half;
    write_address <= plane * columns + x;
    write_data <= bytes;
  end

  assign claim = store && last;
  assign claim_half = job_output_select;
  stream_register #(
      .WIDTH(134)
  ) tiles (
      .clk(clk),
      .rst(rst),
      .fault(4'd0),
      .in_valid(claim),
      .in_ready(room),
      .in_data({
        job_output_select,
        job_end_of_layer,
        groups,
        job_output_columns,
        job_tile_rows,
        job_row_pitch,
        job_plane_pitch,
        job_output_base
      }),
      .out_valid(tiles_valid),
      .out_ready(tiles_ready),
      .out_full(tiles_full),
      .out_data({
        tiles_half,
        tiles_end_of_layer,
        tiles_groups,
        tiles_columns,
        tiles_rows,
        tiles_row_pitch,
        tiles_plane_pitch,
        tiles_base
      })
  );
endmodule
