// SPDX-License-Identifier: Apache-2.0
/* verilator lint_off WIDTH */

// Sends finished tiles to DDR. For every transfer it programs the DMA's S2MM channel through AXI-Lite (destination
// address, length), streams the words, waits for the S2MM interrupt and clears it. Planes and rows that are contiguous
// in DDR leave as one transfer. A pixel of the buffer is SPLIT words, one per plane.
// fault 1: a length a word short; 2: does not join rows; 3: does not clear the interrupt.
module output_writer #(
    parameter INPUT_CHANNELS = 8,
    parameter OUTPUT_CHANNELS = 8,
    parameter ADDRESS_BITS = 12
) (
    input clk,
    input rst,
    input [3:0] fault,

    input tiles_valid,
    output tiles_ready,
    input tiles_half,
    input tiles_end_of_layer,
    input [15:0] tiles_groups,
    input [13:0] tiles_columns,
    input [13:0] tiles_rows,
    input [27:0] tiles_row_pitch,
    input [27:0] tiles_plane_pitch,
    input [31:0] tiles_base,

    output dma_valid,
    input dma_ready,
    output dma_full,
    output dma_write,
    output [31:0] dma_address,
    output [31:0] dma_value,

    input dma_response_valid,
    output dma_response_ready,

    input introut,  // S2MM's interrupt

    output buffer_read,
    output buffer_advance,
    output buffer_half,
    output [ADDRESS_BITS-1:0] buffer_address,  // in pixels; in the lowest bits which of its words
    input [INPUT_CHANNELS*8-1:0] buffer_data,  // two cycles later
    output buffer_free,

    output words_valid,
    input words_ready,
    output words_full,
    output [INPUT_CHANNELS*8-1:0] words_data,
    output words_last,

    output reg layer_done
);
  localparam SPLIT = OUTPUT_CHANNELS / INPUT_CHANNELS;
  localparam SPLIT_BITS = SPLIT > 1 ? $clog2(SPLIT) : 1;
  // By a small number, in LUTs.
  function [31:0] times(input [31:0] value, input [7:0] factor);
    integer b;
    begin
      times = 0;
      for (b = 0; b < 8; b = b + 1) if (factor[b]) times = times + (value << b);
    end
  endfunction

  localparam S2MM_DMASR = 32'h34, S2MM_DA = 32'h48, S2MM_LENGTH = 32'h58, IOC_IRQ = 32'h1000;
  localparam IDLE = 0, ADDRESS = 1, LENGTH = 2, SEND = 3, WAIT = 4, CLEAR = 5;

  reg [2:0] state_before, state_after;
  reg waiting;
  // The response that ends a register write lets the next state act at the same edge.
  wire blocked = waiting && !dma_response_valid;
  wire [2:0] state = waiting ? state_after : state_before;
  assign dma_response_ready = waiting;

  // The tile, and the transfers it leaves in: planes and rows that are contiguous are one. The products settle while
  // the destination address is being written.
  reg half, ends_layer;
  reg [16:0] all_planes, plane;
  reg [13:0] columns, all_rows, row;
  reg [27:0] row_pitch, plane_pitch;
  reg [25:0] column_bytes, row_bytes, bytes;
  reg [31:0] base, row_base;
  wire joins_planes = all_planes == 1 || plane_pitch == column_bytes;
  wire joins_rows = joins_planes && (all_rows == 1 || row_pitch == row_bytes) && fault != 2;
  wire [16:0] planes = joins_planes ? 1 : all_planes;
  wire [13:0] rows = joins_rows ? 1 : all_rows;
  always @(posedge clk) begin
    row_bytes <= joins_planes ? column_bytes * all_planes : column_bytes;
    bytes <= joins_rows ? row_bytes * all_rows : row_bytes;
  end
  assign tiles_ready = !blocked && state == IDLE;

  wire last_plane = plane + 1'b1 == planes;
  wire last_row = row + 1'b1 == rows;
  wire tile_done = last_plane && last_row;

  // The words of a transfer: read, in the memory's registers, out.
  reg [25:0] left;
  reg [2:1] valid;
  reg last1, last2;
  wire words_room;
  wire sending = !blocked && state == SEND;
  wire advance = sending && (!valid[2] || words_room);
  wire read = advance && left != 0;
  wire last_read = left == INPUT_CHANNELS;
  wire sent = sending && valid[2] && words_room && last2;

  // Pixels lie column by column, group by group, row by row; the planes of a group lie side by side in each.
  reg [ADDRESS_BITS-1:0] pixel;
  reg [13:0] column;
  reg [SPLIT_BITS-1:0] part;
  reg [ADDRESS_BITS-1:0] group_pixel;
  wire plane_read = column + 1'b1 == columns;
  assign buffer_read = read;
  assign buffer_advance = advance;
  assign buffer_half = half;
  generate
    if (SPLIT > 1) begin : parts
      assign buffer_address = {pixel, part};
    end else begin : whole
      assign buffer_address = pixel;
    end
  endgenerate

  wire dma_room;
  wire request = !blocked && dma_room && (state == ADDRESS || state == LENGTH || (state == CLEAR && fault != 3));
  wire [31:0] address = state == ADDRESS ? S2MM_DA : state == LENGTH ? S2MM_LENGTH : S2MM_DMASR;
  wire [31:0] length = bytes - (fault == 1 ? INPUT_CHANNELS : 0);
  wire [31:0] value = state == ADDRESS ? base : state == LENGTH ? length : IOC_IRQ;
  wire skip = fault == 3 && !blocked && state == CLEAR;
  wire transfer_done = state == CLEAR && (request || skip);
  assign buffer_free = transfer_done && tile_done;

  always @(posedge clk)
    if (rst) begin
      state_before <= IDLE;
      waiting <= 0;
      valid <= 0;
      layer_done <= 0;
    end else begin
      if (!blocked) waiting <= request;
      if (!blocked) begin
        state_before <= state;
        if (tiles_valid && tiles_ready) state_before <= ADDRESS;
        if (sent) state_before <= WAIT;
        if (state == WAIT && introut) state_before <= CLEAR;
        if (skip) state_before <= tile_done ? IDLE : ADDRESS;
      end
      if (request) state_after <= state == ADDRESS ? LENGTH : state == LENGTH ? SEND : tile_done ? IDLE : ADDRESS;
      if (advance) valid <= {valid[1], read};
      layer_done <= buffer_free && ends_layer;
    end

  always @(posedge clk) begin
    if (tiles_valid && tiles_ready) begin
      half <= tiles_half;
      ends_layer <= tiles_end_of_layer;
      columns <= tiles_columns;
      all_planes <= times(tiles_groups, SPLIT);
      all_rows <= tiles_rows;
      column_bytes <= times(tiles_columns, INPUT_CHANNELS);
      {row_pitch, plane_pitch} <= {tiles_row_pitch, tiles_plane_pitch};
      {base, row_base} <= {tiles_base, tiles_base};
      {plane, row, column, part, pixel, group_pixel} <= 0;
    end else begin
      if (advance) {last2, last1} <= {last1, last_read};
      if (read) begin
        left <= left - INPUT_CHANNELS;
        column <= plane_read ? 0 : column + 1'b1;
        pixel <= plane_read && part != SPLIT - 1 ? group_pixel : pixel + 1'b1;
        if (plane_read) part <= part == SPLIT - 1 ? 0 : part + 1'b1;
        if (plane_read && part == SPLIT - 1) group_pixel <= pixel + 1'b1;
      end
      if (request && state == LENGTH) left <= bytes;
      if (transfer_done) begin
        plane <= last_plane ? 0 : plane + 1'b1;
        if (last_plane) row <= row + 1'b1;
        base <= last_plane ? row_base + row_pitch : base + plane_pitch;
        if (last_plane) row_base <= row_base + row_pitch;
      end
    end
  end

  stream_register #(
      .WIDTH(65)
  ) dma (
      .clk(clk),
      .rst(rst),
      .fault(4'd0),
      .in_valid(request),
      .in_ready(dma_room),
      .in_data({1'b1, address, value}),
      .out_valid(dma_valid),
      .out_ready(dma_ready),
      .out_full(dma_full),
      .out_data({dma_write, dma_address, dma_value})
  );
  stream_register #(
      .WIDTH(INPUT_CHANNELS * 8 + 1)
  ) words (
      .clk(clk),
      .rst(rst),
      .fault(4'd0),
      .in_valid(sending && valid[2]),
      .in_ready(words_room),
      .in_data({last2, buffer_data}),
      .out_valid(words_valid),
      .out_ready(words_ready),
      .out_full(words_full),
      .out_data({words_last, words_data})
  );
endmodule
