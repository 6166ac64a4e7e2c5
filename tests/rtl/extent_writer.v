// SPDX-License-Identifier: Apache-2.0
/* verilator lint_off WIDTH */
// Writes the beats of extents to memory in bursts that cross no 4 KiB boundary, each issued when it is buffered whole.
// fault 1: issues before the burst is buffered; 2: WLAST at an extent's end alone; 3: says `written` at every burst; 4: one
// burst in flight too many; 5: takes a beat although both bursts of the buffer are full.
module extent_writer #(
    parameter BEAT_BYTES = 4,
    parameter BURST_BEATS = 16,
    parameter OUTSTANDING = 4
) (
    input clk,
    input rst,
    input [3:0] fault,

    input runs_valid,
    output runs_ready,
    input [31:0] runs_address,
    input [31:0] runs_beats,
    input runs_last,

    input beats_valid,
    output beats_ready,
    input [BEAT_BYTES*8-1:0] beats_data,
    input [BEAT_BYTES-1:0] beats_strobe,

    output aw_valid,
    input aw_ready,
    output aw_full,
    output [31:0] aw_address,
    output [8:0] aw_beats,
    output w_valid,
    input w_ready,
    output w_full,
    output [BEAT_BYTES*8-1:0] w_data,
    output [BEAT_BYTES-1:0] w_strobe,
    output w_last,
    input b_valid,
    output b_ready,

    output written_valid,
    input written_ready,
    output written_full
);
  localparam SHIFT = $clog2(BEAT_BYTES);
  localparam DEPTH = 2 * BURST_BEATS;
  localparam PLACE_BITS = $clog2(DEPTH + 1);

  // The extent, and its next burst.
  reg [31:0] address, left;
  reg ends_tile;
  wire open = left != 0;
  wire [31:0] now_address = open ? address : runs_address;
  wire [31:0] now_left = open ? left : runs_valid ? runs_beats : 0;
  wire now_ends_tile = open ? ends_tile : runs_last;
  assign runs_ready = !open;
  wire [12:0] to_boundary = 4096 / BEAT_BYTES - now_address[11:SHIFT];
  wire [12:0] longest = to_boundary < BURST_BEATS ? to_boundary : BURST_BEATS;
  wire [8:0] length = now_left < longest ? now_left : longest;
  wire ends_run = now_left == length;
  wire aw_room;
  reg [PLACE_BITS-1:0] unissued;  // beats in the buffer
  wire [7:0] unanswered;
  wire issue = now_left != 0 && aw_room && (unissued >= length || fault == 1) && unanswered < OUTSTANDING + (fault == 4);
  wire accept = beats_valid && beats_ready;
  always @(posedge clk)
    if (rst) begin
      left <= 0;
      unissued <= 0;
    end else begin
      left <= now_left - (issue ? length : 0);
      address <= now_address + (issue ? length * BEAT_BYTES : 0);
      ends_tile <= now_ends_tile;
      unissued <= unissued + accept - (issue ? length : 0);
    end

  // The buffer.
  reg [BEAT_BYTES*9-1:0] buffer[0:DEPTH-1];  // no ports: in no resource estimate
  reg [PLACE_BITS-1:0] head, tail, held;
  wire w_room, send_last;
  wire [8:0] of_burst;
  wire of_burst_ends;
  wire [7:0] leaving;
  reg [8:0] sent;
  // A burst issued at this edge sends its first beat at it.
  wire send = w_room && (leaving != 0 || issue);
  wire [8:0] now_length = leaving != 0 ? of_burst : length;
  assign send_last = sent + 1 == now_length;
  assign beats_ready = held != DEPTH || fault == 5;
  always @(posedge clk)
    if (rst) {head, tail, held, sent} <= 0;
    else begin
      if (accept) tail <= tail == DEPTH - 1 ? 0 : tail + 1;
      if (send) head <= head == DEPTH - 1 ? 0 : head + 1;
      if (send) sent <= send_last ? 0 : sent + 1;
      held <= held + accept - send;
    end
  always @(posedge clk) if (accept) buffer[tail] <= {beats_data, beats_strobe};

  // Bursts that have not been sent whole: one that comes and goes at an edge is in the queue at no time.
  wire through = leaving == 0 && issue && send && send_last;
  flight_queue #(
      .WIDTH(10), .DEPTH(OUTSTANDING + 1)
  ) leaving_bursts (
      .clk, .rst, .push(issue && !through), .in_data({length, ends_run}), .pop(send && send_last && !through),
      .first({of_burst, of_burst_ends}), .second(), .count(leaving)
  );
  wire now_burst_ends = leaving != 0 ? of_burst_ends : ends_run;

  // Their responses.
  wire answers_tile, written_room;
  assign b_ready = unanswered == 0 || !answers_tile || written_room;
  wire answer = b_valid && b_ready;
  flight_queue #(
      .WIDTH(1), .DEPTH(OUTSTANDING + 1)
  ) answers (
      .clk, .rst, .push(issue), .in_data(ends_run && now_ends_tile), .pop(answer), .first(answers_tile), .second(),
      .count(unanswered)
  );

  stream_register #(
      .WIDTH(41)
  ) out_aw (
      .clk, .rst, .fault(4'd0), .in_valid(issue), .in_ready(aw_room), .in_data({now_address, length}),
      .out_valid(aw_valid), .out_ready(aw_ready), .out_full(aw_full), .out_data({aw_address, aw_beats})
  );
  stream_register #(
      .WIDTH(BEAT_BYTES * 9 + 1)
  ) out_w (
      .clk, .rst, .fault(4'd0), .in_valid(send), .in_ready(w_room),
      .in_data({buffer[head], send_last && (fault != 2 || now_burst_ends)}),
      .out_valid(w_valid), .out_ready(w_ready), .out_full(w_full), .out_data({w_data, w_strobe, w_last})
  );
  stream_register #(
      .WIDTH(1)
  ) out_written (
      .clk, .rst, .fault(4'd0), .in_valid(answer && (answers_tile || fault == 3)), .in_ready(written_room),
      .in_data(1'b0), .out_valid(written_valid), .out_ready(written_ready), .out_full(written_full), .out_data()
  );
endmodule
