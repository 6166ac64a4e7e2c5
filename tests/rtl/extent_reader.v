// SPDX-License-Identifier: Apache-2.0
/* verilator lint_off WIDTH */
// Reads extents of memory in bursts that cross no 4 KiB boundary and hands their beats on, with GAP idle edges behind each
// burst's last.
// fault 1: ignores the boundary; 2: every burst ends its extent; 3: no gap; 4: one burst in flight too many; 5: the address
// of an extent's second burst is its first one's.
module extent_reader #(
    parameter BEAT_BYTES = 4,
    parameter BURST_BEATS = 16,
    parameter OUTSTANDING = 4,
    parameter GAP = 1
) (
    input clk,
    input rst,
    input [3:0] fault,

    input runs_valid,
    output runs_ready,
    input [31:0] runs_address,
    input [31:0] runs_beats,

    output ar_valid,
    input ar_ready,
    output ar_full,
    output [31:0] ar_address,
    output [8:0] ar_beats,
    input r_valid,
    output r_ready,
    input [BEAT_BYTES*8-1:0] r_data,
    input r_last,

    output beats_valid,
    input beats_ready,
    output beats_full,
    output [BEAT_BYTES*8-1:0] beats_data,
    output beats_last
);
  localparam SHIFT = $clog2(BEAT_BYTES);

  reg [31:0] address, left;
  wire open = left != 0;
  wire [31:0] now_address = open ? address : runs_address;
  wire [31:0] now_left = open ? left : runs_valid ? runs_beats : 0;
  assign runs_ready = !open;
  wire [12:0] to_boundary = 4096 / BEAT_BYTES - now_address[11:SHIFT];
  wire [12:0] longest = to_boundary < BURST_BEATS && fault != 1 ? to_boundary : BURST_BEATS;
  wire [8:0] length = now_left < longest ? now_left : longest;
  wire ar_room;
  wire [7:0] in_flight;
  wire issue = now_left != 0 && ar_room && in_flight < OUTSTANDING + (fault == 4);
  wire ends = now_left == length;
  always @(posedge clk)
    if (rst) left <= 0;
    else begin
      left <= now_left - (issue ? length : 0);
      address <= now_address + (issue && fault != 5 ? length * BEAT_BYTES : 0);
    end

  reg [9:0] gap;
  wire beats_room, ends_run;
  assign r_ready = gap == 0 && beats_room;
  wire take = r_valid && r_ready;
  always @(posedge clk)
    if (rst) gap <= 0;
    else if (take && r_last && fault != 3) gap <= GAP;
    else if (gap != 0) gap <= gap - 1;

  flight_queue #(
      .WIDTH(1), .DEPTH(OUTSTANDING + 1)
  ) bursts (
      .clk, .rst, .push(issue), .in_data(ends), .pop(take && r_last), .first(ends_run), .second(), .count(in_flight)
  );
  stream_register #(
      .WIDTH(41)
  ) out_ar (
      .clk, .rst, .fault(4'd0), .in_valid(issue), .in_ready(ar_room), .in_data({now_address, length}),
      .out_valid(ar_valid), .out_ready(ar_ready), .out_full(ar_full), .out_data({ar_address, ar_beats})
  );
  stream_register #(
      .WIDTH(BEAT_BYTES * 8 + 1)
  ) out_beats (
      .clk, .rst, .fault(4'd0), .in_valid(take), .in_ready(beats_room),
      .in_data({r_data, r_last && (ends_run || fault == 2)}),
      .out_valid(beats_valid), .out_ready(beats_ready), .out_full(beats_full), .out_data({beats_data, beats_last})
  );
endmodule
