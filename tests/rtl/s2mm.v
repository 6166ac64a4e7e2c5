// SPDX-License-Identifier: Apache-2.0
/* verilator lint_off WIDTH */
// The stream-to-memory half of the AXI DMA: gathers and realigns stream beats in a FIFO of two bursts, writes a burst
// when it is whole. Positions count bytes from the start of the beat that holds the transfer's first byte.
// fault 1: no realignment; 2: strobes of whole beats; 3: a burst does not wait for its last byte's store; 4: forgets
// what of a beat did not fit; 5: a short packet counts as LENGTH; 6: errors of responses are lost; 7: no gap.
module s2mm #(
    parameter BEAT_BYTES = 16,
    parameter BURST_BEATS = 16,
    parameter OUTSTANDING = 4,
    parameter START = 8,
    parameter STORE = 1,
    parameter GAP = 0
) (
    input clk,
    input rst,
    input [3:0] fault,

    input command_valid,
    output command_ready,
    input [31:0] command_address,
    input [25:0] command_bytes,
    input command_ends,
    input command_fresh,

    input s_axis_valid,
    output s_axis_ready,
    input [BEAT_BYTES*8-1:0] s_axis_data,
    input [6:0] s_axis_bytes,
    input s_axis_last,

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
    input [1:0] b_resp,

    output done_valid,
    input done_ready,
    output done_full,
    output [25:0] done_bytes,
    output [2:0] done_error,  // 1: internal, 2: slave, 4: decode
    output done_begins,
    output done_ends
);
  localparam B = BEAT_BYTES;
  localparam FIFO_BEATS = 2 * BURST_BEATS;

  reg active, ends, begins, packet_ended;
  reg [2:0] error;
  reg [15:0] wait_left, gap_left;
  reg [31:0] base;
  reg [7:0] from;  // position of the first byte
  reg [27:0] accepted, stop;
  reg [27:0] beats, issued, sent;
  reg [8:0] burst_left;
  reg [7:0] unanswered;
  reg [B*8-1:0] held;
  reg [6:0] held_bytes;
  reg held_last;

  assign command_ready = !active;
  wire start = command_valid && command_ready;
  wire [7:0] start_from = command_address & (B - 1);
  wire giving_up = active && error[2:1] != 0;

  // What has been in the FIFO for long enough.
  reg [27:0] stored_pipe[0:STORE-1];  // registers
  wire [27:0] stored = STORE == 1 || fault == 3 ? accepted : stored_pipe[STORE-1];
  integer k;
  always @(posedge clk)
    for (k = 1; k < STORE; k = k + 1) stored_pipe[k] <= start ? start_from : k == 1 ? accepted : stored_pipe[k-1];

  // Bursts.
  wire aw_room, w_room, done_room;
  wire [31:0] burst_address = base + issued * B;
  wire [27:0] to_boundary = (4096 - (burst_address & 4095) + B - 1) / B;
  wire [27:0] limit = to_boundary < BURST_BEATS ? to_boundary : BURST_BEATS;
  wire [8:0] next = beats - issued < limit ? beats - issued : limit;
  wire whole = stored >= (issued + next) * B || stored == stop;
  wire in_gap = GAP > 0 && fault != 7 && (sent < issued || gap_left != 0);
  wire issue = active && !giving_up && issued < beats && whole && !in_gap && unanswered != OUTSTANDING && aw_room;
  wire [27:0] issued_now = issue ? issued + next : issued;

  // Stream beats, or the rest of one.
  wire can_accept = active && !giving_up && accepted != stop && wait_left == 0 &&
      accepted + B <= sent * B + FIFO_BEATS * B;
  assign s_axis_ready = can_accept && held_bytes == 0;
  wire take = can_accept && (held_bytes != 0 || s_axis_valid);
  wire [B*8-1:0] data = held_bytes != 0 ? held : s_axis_data;
  wire [6:0] bytes = held_bytes != 0 ? held_bytes : s_axis_bytes;
  wire last = held_bytes != 0 ? held_last : s_axis_last;
  wire [27:0] space = stop - accepted;
  wire [6:0] fits = bytes < space ? bytes : space;
  wire [6:0] rest = bytes - fits;
  wire over = take && last && rest == 0;
  wire [27:0] accepted_now = take ? accepted + fits : accepted;
  wire [27:0] stop_now = over && fault != 5 ? accepted_now : stop;
  wire [27:0] beats_now = over && fault != 5 ? (accepted_now + B - 1) / B : beats;
  wire too_long = take && accepted_now == stop_now && ends && !over;

  reg [B*8-1:0] fifo[0:FIFO_BEATS-1];  // no ports: inside of the vendor's core
  wire [15:0] at_beat = (accepted / B) % FIFO_BEATS;
  wire [15:0] next_beat = at_beat + 1 == FIFO_BEATS ? 0 : at_beat + 1;
  wire [7:0] lane = fault == 1 ? 0 : accepted & (B - 1);
  integer i;
  always @(posedge clk)
    if (take)
      for (i = 0; i < B; i = i + 1)
        if (lane + i < B) fifo[at_beat][(lane+i)*8+:8] <= data[i*8+:8];
        else fifo[next_beat][(lane+i-B)*8+:8] <= data[i*8+:8];

  // Write data.
  wire send = active && sent < issued_now && w_room;
  wire [31:0] send_address = base + sent * B;
  wire [27:0] send_boundary = (4096 - (send_address & 4095) + B - 1) / B;
  wire [27:0] send_limit = send_boundary < BURST_BEATS ? send_boundary : BURST_BEATS;
  wire [27:0] ahead = issued_now - sent;
  wire [8:0] burst = burst_left != 0 ? burst_left : ahead < send_limit ? ahead : send_limit;
  wire [27:0] position = sent * B;
  wire [B-1:0] low = position < from && fault != 2 ? {B{1'b1}} << from : {B{1'b1}};
  wire [27:0] beyond = stop_now - position;
  wire [B-1:0] high = beyond < B && fault != 2 ? ~({B{1'b1}} << beyond) : {B{1'b1}};
  wire [27:0] sent_now = send ? sent + 1 : sent;

  // Responses, and the end.
  wire [7:0] open = unanswered + issue;
  wire final_answer = open == 1 && issued_now == (giving_up ? issued : beats_now) &&
      (giving_up || accepted_now == stop_now);
  assign b_ready = active && !(final_answer && !done_room);
  wire answer = b_valid && b_ready;
  wire [2:0] error_now = error | {answer && b_resp == 3 && fault != 6, answer && b_resp == 2 && fault != 6, too_long};
  wire give_up = giving_up && unanswered == 0 && sent == issued && done_room;
  wire finish = give_up || (answer && final_answer);

  always @(posedge clk)
    if (rst) begin
      active <= 0;
      error <= 0;
      held_bytes <= 0;
      packet_ended <= 1;
      burst_left <= 0;
      unanswered <= 0;
      gap_left <= 0;
      issued <= 0;
      sent <= 0;
    end else begin
      if (start) begin
        active <= 1;
        ends <= command_ends;
        error <= 0;
        if (command_fresh) begin
          held_bytes   <= 0;
          packet_ended <= 1;
        end
        begins <= packet_ended || command_fresh;
        wait_left <= START - 2;
        base <= command_address & ~(B - 1);
        from <= start_from;
        accepted <= start_from;
        stop <= start_from + command_bytes;
        beats <= (start_from + command_bytes + B - 1) / B;
        issued <= 0;
        sent <= 0;
      end else begin
        if (wait_left != 0) wait_left <= wait_left - 1;
        if (active) begin
          issued <= issued_now;
          sent <= sent_now;
          accepted <= accepted_now;
          stop <= giving_up ? accepted : stop_now;
          beats <= giving_up ? issued : beats_now;
          error <= error_now;
          unanswered <= open - answer;
        end
        if (take) begin
          packet_ended <= over;
          held_bytes <= fault == 4 ? 0 : rest;
          held_last <= last;
          held <= data >> fits * 8;
        end
        if (finish) active <= 0;
      end
      if (send) burst_left <= burst - 1;
      gap_left <= send && burst == 1 ? GAP : gap_left != 0 ? gap_left - 1 : 0;
    end

  stream_register #(
      .WIDTH(41)
  ) aw (
      .clk(clk),
      .rst(rst),
      .fault(4'd0),
      .in_valid(issue),
      .in_ready(aw_room),
      .in_data({next, burst_address}),
      .out_valid(aw_valid),
      .out_ready(aw_ready),
      .out_full(aw_full),
      .out_data({aw_beats, aw_address})
  );
  stream_register #(
      .WIDTH(B * 9 + 1)
  ) w (
      .clk(clk),
      .rst(rst),
      .fault(4'd0),
      .in_valid(send),
      .in_ready(w_room),
      .in_data({burst == 1, low & high, fifo[sent%FIFO_BEATS]}),
      .out_valid(w_valid),
      .out_ready(w_ready),
      .out_full(w_full),
      .out_data({w_last, w_strobe, w_data})
  );
  wire [27:0] all = accepted_now - from;
  stream_register #(
      .WIDTH(31)
  ) done (
      .clk(clk),
      .rst(rst),
      .fault(4'd0),
      .in_valid(finish),
      .in_ready(done_room),
      .in_data({take ? over : packet_ended, begins, give_up ? error : error_now, all[25:0]}),
      .out_valid(done_valid),
      .out_ready(done_ready),
      .out_full(done_full),
      .out_data({done_ends, done_begins, done_error, done_bytes})
  );
endmodule
