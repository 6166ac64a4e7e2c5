// SPDX-License-Identifier: Apache-2.0
/* verilator lint_off WIDTH */

// The scatter gather engine of the AXI DMA: fetches the descriptors of both channels through a port of 32 bits, hands each
// to its data mover and writes its STATUS word back. Of the channels' vectors the lower half is MM2S's.
// fault 1: takes a descriptor that is complete; 2: MM2S always reads first; 3: goes on behind the tail; 4: nothing is
// fresh; 5: STATUS without Cmplt; 6: a command an edge early; 7: forgets how a descriptor's words were answered; 8: writes
// the status of what a reset cut short; 9: stopped before the last status word is written; 10: takes the descriptor that was
// being read when the channel ended; 11: fetches one too many ahead; 12: STATUS without RXEOF; 13: a new tail waits as a
// new chain does.
module descriptor_engine #(
    parameter START = 10,
    parameter COMMAND = 9,
    parameter QUEUE = 4,
    parameter LENGTH_BITS = 26,
    parameter ADDRESS_BITS = 32
) (
    input clk,
    input rst,
    input [3:0] fault,
    input halt,
    input [1:0] run,

    output ar_valid,
    input ar_ready,
    output ar_full,
    output [ADDRESS_BITS-1:0] ar_address,
    output [8:0] ar_beats,
    input r_valid,
    output r_ready,
    input [31:0] r_data,
    input [1:0] r_resp,
    input r_last,
    output aw_valid,
    input aw_ready,
    output aw_full,
    output [ADDRESS_BITS-1:0] aw_address,
    output [8:0] aw_beats,
    output w_valid,
    input w_ready,
    output w_full,
    output [31:0] w_data,
    output [3:0] w_strobe,
    output w_last,
    input b_valid,
    output b_ready,
    input [1:0] b_resp,

    input [1:0] start_valid,
    output [1:0] start_ready,
    input [2*ADDRESS_BITS-1:0] start_current,
    input [2*ADDRESS_BITS-1:0] start_tail,
    input [1:0] start_first,
    input [1:0] start_cyclic,
    output [1:0] event_valid,
    input [1:0] event_ready,
    output [1:0] event_full,
    output [3:0] event_kind,
    output [2*ADDRESS_BITS-1:0] event_address,
    output [21:0] event_errors,
    output [1:0] event_packet_ended,
    output [63:0] event_starts,
    output [1:0] command_valid,
    input [1:0] command_ready,
    output [1:0] command_full,
    output [2*ADDRESS_BITS-1:0] command_address,
    output [51:0] command_bytes,
    output [1:0] command_ends,
    output [1:0] command_fresh,
    input [1:0] done_valid,
    output [1:0] done_ready,
    input [51:0] done_bytes,
    input [5:0] done_errors,
    input [1:0] done_begins,
    input [1:0] done_ends
);
  localparam A = ADDRESS_BITS;

  // At most one channel reads, at most one writes.
  wire [1:0] wants_fetch, wants_update;
  wire [2*A-1:0] fetch_address, update_address;
  wire [63:0] update_status;
  reg [1:0] reading, writing;
  wire ar_room, aw_room, w_room;

  // Reading.
  reg s2mm_first;
  wire [1:0] turn = wants_fetch == 2'd3 ? (s2mm_first && fault != 2 ? 2'd2 : 2'd1) : wants_fetch;
  wire [1:0] fetch = reading == 0 && ar_room ? turn : 0;
  reg [2:0] word;
  reg [223:0] words;
  reg [1:0] errors;
  assign r_ready = reading != 0;
  wire take = r_valid && r_ready;
  wire [1:0] errors_now = errors | {r_resp == 3, r_resp == 2};
  wire [1:0] got = take && r_last ? reading : 0;
  always @(posedge clk)
    if (rst) begin
      reading <= 0;
      s2mm_first <= 0;
    end else begin
      if (fetch != 0) s2mm_first <= fetch[0];
      reading <= reading & ~got | fetch;
    end
  always @(posedge clk)
    if (fetch != 0) {word, errors} <= 0;
    else if (take) begin
      words[32*word+:32] <= r_data;
      word <= word + 1;
      errors <= errors_now;
    end
  stream_register #(
      .WIDTH(A + 9)
  ) ar (
      .clk, .rst, .fault(4'd0), .in_valid(fetch != 0), .in_ready(ar_room), .in_data({fetch_address[A*fetch[1]+:A], 9'd8}),
      .out_valid(ar_valid), .out_ready(ar_ready), .out_full(ar_full), .out_data({ar_address, ar_beats})
  );

  // Writing.
  assign b_ready = writing != 0;
  wire [1:0] updated = b_valid ? writing : 0;
  wire [1:0] update = writing != 0 || !aw_room || !w_room ? 0 : wants_update & -wants_update;
  always @(posedge clk) writing <= rst ? 0 : writing & ~updated | update;
  stream_register #(
      .WIDTH(A + 9)
  ) aw (
      .clk, .rst, .fault(4'd0), .in_valid(update != 0), .in_ready(aw_room), .in_data({update_address[A*update[1]+:A], 9'd1}),
      .out_valid(aw_valid), .out_ready(aw_ready), .out_full(aw_full), .out_data({aw_address, aw_beats})
  );
  stream_register #(
      .WIDTH(37)
  ) w (
      .clk, .rst, .fault(4'd0), .in_valid(update != 0), .in_ready(w_room), .in_data({update_status[32*update[1]+:32], 4'hf, 1'b1}),
      .out_valid(w_valid), .out_ready(w_ready), .out_full(w_full), .out_data({w_data, w_strobe, w_last})
  );

  genvar c;
  generate
    for (c = 0; c < 2; c = c + 1) begin : channel
      descriptor_chain #(
          .S2MM(c), .START(START), .COMMAND(COMMAND), .QUEUE(QUEUE), .LENGTH_BITS(LENGTH_BITS), .ADDRESS_BITS(A)
      ) chain (
          .clk, .rst, .fault, .run(run[c]), .halt, .start_valid(start_valid[c]), .start_ready(start_ready[c]),
          .start_current(start_current[A*c+:A]), .start_tail(start_tail[A*c+:A]), .start_first(start_first[c]),
          .start_cyclic(start_cyclic[c]), .event_valid(event_valid[c]), .event_ready(event_ready[c]),
          .event_full(event_full[c]), .event_kind(event_kind[2*c+:2]), .event_address(event_address[A*c+:A]),
          .event_errors(event_errors[11*c+:11]), .event_packet_ended(event_packet_ended[c]),
          .event_starts(event_starts[32*c+:32]), .command_valid(command_valid[c]), .command_ready(command_ready[c]),
          .command_full(command_full[c]), .command_address(command_address[A*c+:A]),
          .command_bytes(command_bytes[26*c+:26]), .command_ends(command_ends[c]), .command_fresh(command_fresh[c]),
          .done_valid(done_valid[c]), .done_ready(done_ready[c]), .done_bytes(done_bytes[26*c+:26]),
          .done_errors(done_errors[3*c+:3]), .done_begins(done_begins[c]), .done_ends(done_ends[c]),
          .wants_fetch(wants_fetch[c]), .fetch_address(fetch_address[A*c+:A]), .fetch(fetch[c]), .got(got[c]),
          .words({r_data, words}), .got_errors(errors_now), .wants_update(wants_update[c]),
          .update_address(update_address[A*c+:A]), .update_status(update_status[32*c+:32]), .updated(updated[c]),
          .updated_errors({b_resp == 3, b_resp == 2})
      );
    end
  endgenerate
endmodule
