// SPDX-License-Identifier: Apache-2.0
/* verilator lint_off WIDTH */

// One channel of the descriptor engine: descriptors fetched, transfers begun, status words to write. Its events are
// taken at every edge. Faults of descriptor_engine.v.
module descriptor_chain #(
    parameter S2MM = 0,
    parameter START = 10,
    parameter COMMAND = 9,
    parameter QUEUE = 4,
    parameter LENGTH_BITS = 26,
    parameter ADDRESS_BITS = 32
) (
    input clk,
    input rst,
    input [3:0] fault,
    input run,
    input halt,

    input start_valid,
    output start_ready,
    input [ADDRESS_BITS-1:0] start_current,
    input [ADDRESS_BITS-1:0] start_tail,
    input start_first,
    input start_cyclic,
    output event_valid,
    input event_ready,
    output event_full,
    output [1:0] event_kind,  // 0: a packet began, 1: a descriptor is over, 2: stopped
    output [ADDRESS_BITS-1:0] event_address,
    output [10:0] event_errors,  // DMASR's bits
    output event_packet_ended,
    output [31:0] event_starts,
    output command_valid,
    input command_ready,
    output command_full,
    output [ADDRESS_BITS-1:0] command_address,
    output [25:0] command_bytes,
    output command_ends,
    output command_fresh,
    input done_valid,
    output done_ready,
    input [25:0] done_bytes,
    input [2:0] done_errors,  // DMASR's bits 4 to 6
    input done_begins,
    input done_ends,

    // Reading: at its edge `fetch` grants a descriptor's address; `got` has all its words and how the memory answered.
    output wants_fetch,
    output [ADDRESS_BITS-1:0] fetch_address,
    input fetch,
    input got,
    input [255:0] words,
    input [1:0] got_errors,  // decode, slave

    // Writing likewise.
    output wants_update,
    output [ADDRESS_BITS-1:0] update_address,
    output [31:0] update_status,
    input updated,
    input [1:0] updated_errors
);
  localparam A = ADDRESS_BITS;
  localparam TRANSFERS = 4;
  localparam EVENT = 2 + A + 11 + 1;
  localparam [1:0] BEGAN = 0, OVER = 1, STOPPED = 2;

  reg [31:0] now;
  reg fetching, in_flight, dropped, cyclic, fresh;
  reg [A-1:0] next, tail;
  reg [15:0] wait_left;
  reg [31:0] starts, reported;
  always @(posedge clk) now <= rst ? 0 : now + 1;

  // What ends at this edge: a status word, a descriptor's words, a transfer.
  wire [7:0] fetched, running, to_write;
  wire update_fails = updated && updated_errors != 0;
  wire [A-1:0] update_at;
  wire [2:0] update_errors;
  wire update_ends;

  wire kept = got && fetching && !update_fails && (!dropped || fault == 10);
  wire [LENGTH_BITS-1:0] bytes = words[6*32+:LENGTH_BITS];
  wire complete = words[8*32-1] && !cyclic && fault != 1;
  wire read_fails = got_errors != 0 && fault != 7;
  wire [10:0] descriptor_errors =
      {read_fails ? got_errors : 2'd0, !read_fails && complete, 3'd0, !read_fails && !complete && bytes == 0, 4'd0};
  wire bad = kept && descriptor_errors != 0;
  wire good = kept && !bad;
  wire at_tail = next == tail && !cyclic && fault != 3;

  wire [A-1:0] running_at;
  wire running_ends;
  assign done_ready = to_write - updated < TRANSFERS;
  wire done = done_valid && done_ready;

  // What is fetched and not begun is dropped.
  wire ends = !run || halt || update_fails || bad || (done && done_errors != 0 && !halt);

  // Transfers.
  wire command_room;
  wire [A-1:0] first_at, first_buffer;
  wire [25:0] first_bytes;
  wire first_begins, first_ends;
  wire [31:0] first_since;
  wire begin_transfer = fetched != 0 && !ends && now - first_since >= COMMAND - (fault == 6) &&
      running - done < TRANSFERS && command_room;
  flight_queue #(
      .WIDTH(32 + A + A + 26 + 2), .DEPTH(QUEUE + 1)
  ) descriptors (
      .clk, .rst(rst || ends), .push(good),
      .in_data({now, next, words[2*32+:A], {26 - LENGTH_BITS{1'b0}}, bytes, words[6*32+27], words[6*32+26]}),
      .pop(begin_transfer), .first({first_since, first_at, first_buffer, first_bytes, first_begins, first_ends}), .second(),
      .count(fetched)
  );
  flight_queue #(
      .WIDTH(A + 1), .DEPTH(TRANSFERS)
  ) transfers (
      .clk, .rst, .push(begin_transfer), .in_data({first_at, first_ends}), .pop(done), .first({running_at, running_ends}),
      .second(), .count(running)
  );
  wire [31:0] status = {
    fault != 5, done_errors, S2MM != 0 && done_begins, S2MM != 0 && done_ends && fault != 12, done_bytes
  };
  wire packet_ended = done_errors == 0 && (S2MM != 0 ? done_ends : running_ends);
  wire write_it = done && (!halt || fault == 8);
  flight_queue #(
      .WIDTH(A + 32 + 3 + 1), .DEPTH(TRANSFERS)
  ) updates (
      .clk, .rst, .push(write_it), .in_data({running_at, status, done_errors, packet_ended}), .pop(updated),
      .first({update_at, update_status, update_errors, update_ends}), .second(), .count(to_write)
  );
  assign update_address = update_at + 28;
  assign wants_update   = to_write != 0;

  // Fetching.
  assign wants_fetch = fetching && !update_fails && !in_flight && wait_left == 0 && fetched < QUEUE + (fault == 11);
  assign fetch_address = next;
  wire still_fetching = fetching && !ends && !(good && at_tail);
  wire still_in_flight = fetch || (in_flight && !got);
  assign start_ready = 1;
  wire begin_fetch = start_valid && (!still_fetching || fault == 13);
  always @(posedge clk)
    if (rst) begin
      fetching  <= 0;
      in_flight <= 0;
      dropped   <= 0;
      fresh     <= 1;
      starts    <= 0;
      reported  <= 0;
    end else begin
      fetching  <= still_fetching || start_valid;
      in_flight <= still_in_flight;
      dropped   <= still_in_flight && (dropped || ends);
      starts    <= starts + start_valid;
      if (start_valid && start_first) fresh <= 1;
      else if (begin_transfer) fresh <= 0;
      if (stopped) reported <= starts;
    end
  always @(posedge clk) begin
    if (start_valid && start_first) next <= start_current;
    else if (good) next <= {words[A-1:6], 6'd0};
    if (start_valid) {tail, cyclic} <= {start_tail, start_cyclic};
    if (begin_fetch) wait_left <= START > 2 ? START - 2 : 0;
    else if (wait_left != 0) wait_left <= wait_left - 1;
  end

  // Events, in this order at an edge: a status word is written, a descriptor is bad, a packet began or all has stopped.
  // The first two may leave at once.
  wire waits = to_write - updated + write_it != 0;
  wire stopped = !still_fetching && !still_in_flight && (ends || fetched + good - begin_transfer == 0) &&
      running - done + begin_transfer == 0 && (!waits || fault == 9) && starts != reported;
  wire began = S2MM == 0 && begin_transfer && first_begins;
  wire [EVENT-1:0] update_event = {OVER, update_at, {updated_errors, 2'd0, update_errors, 4'd0}, update_ends};
  wire [EVENT-1:0] bad_event = {OVER, next, descriptor_errors, 1'b0};
  reg [EVENT+31:0] events[0:7];  // registers
  reg [2:0] head;
  reg [3:0] waiting;
  wire event_room;
  wire event_leaves = (waiting != 0 || updated || bad) && event_room;
  wire [2:0] end_of_events = head + waiting[2:0];
  always @(posedge clk) begin
    if (updated) events[end_of_events] <= {update_event, 32'd0};
    if (bad) events[end_of_events+updated] <= {bad_event, 32'd0};
    if (began) events[end_of_events+updated+bad] <= {BEGAN, first_at, 11'd0, 1'b0, 32'd0};
    if (stopped) events[end_of_events+updated+bad] <= {STOPPED, {A{1'b0}}, 11'd0, 1'b0, starts};
    head <= rst ? 0 : head + event_leaves;
    waiting <= rst ? 0 : waiting + updated + bad + (began || stopped) - event_leaves;
  end
  stream_register #(
      .WIDTH(EVENT + 32)
  ) out_event (
      .clk, .rst, .fault(4'd0), .in_valid(event_leaves), .in_ready(event_room),
      .in_data(waiting != 0 ? events[head] : {updated ? update_event : bad_event, 32'd0}), .out_valid(event_valid),
      .out_ready(event_ready), .out_full(event_full),
      .out_data({event_kind, event_address, event_errors, event_packet_ended, event_starts})
  );
  stream_register #(
      .WIDTH(A + 26 + 2)
  ) out_command (
      .clk, .rst, .fault(4'd0), .in_valid(begin_transfer), .in_ready(command_room),
      .in_data({first_buffer, first_bytes, S2MM == 0 && first_ends, fresh && fault != 4}), .out_valid(command_valid),
      .out_ready(command_ready), .out_full(command_full),
      .out_data({command_address, command_bytes, command_ends, command_fresh})
  );
endmodule
