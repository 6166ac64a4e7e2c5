// SPDX-License-Identifier: Apache-2.0
/* verilator lint_off WIDTH */
// Packs words of 1 to WORD_BYTES bytes into beats without gaps; the last beat of a packet may be partial.
// fault 1: forgets TLAST on a full last beat; 2: the beat that a long word spills into starts a byte too far; 3: takes
// words while a beat waits.
module packer #(
    parameter BEAT_BYTES = 16,
    parameter WORD_BYTES = 16
) (
    input clk,
    input rst,
    input [3:0] fault,

    input in_valid,
    output in_ready,
    input [WORD_BYTES*8-1:0] in_data,
    input [4:0] in_bytes,
    input in_last,

    output m_axis_valid,
    input m_axis_ready,
    output m_axis_full,
    output [BEAT_BYTES*8-1:0] m_axis_data,
    output [4:0] m_axis_bytes,
    output m_axis_last
);
  localparam PLACE_BITS = $clog2(BEAT_BYTES);
  localparam WORD_BEATS = (WORD_BYTES + BEAT_BYTES - 1) / BEAT_BYTES;
  localparam PENDING_BYTES = BEAT_BYTES + WORD_BYTES - 1;
  reg [PENDING_BYTES*8-1:0] pending;
  reg [5:0] bytes;
  reg ending;

  wire room;
  wire whole = bytes >= BEAT_BYTES || ending;
  wire push = whole && room;
  wire last = ending && bytes <= BEAT_BYTES;
  wire [5:0] sent = bytes < BEAT_BYTES ? bytes : BEAT_BYTES;
  wire [5:0] left = push ? bytes - sent : bytes;
  wire [PENDING_BYTES*8-1:0] rest = push ? pending >> (BEAT_BYTES * 8) : pending;
  // What is left has room for a word: it does not fill a beat.
  assign in_ready = !whole || (room && (ending ? last : bytes < 2 * BEAT_BYTES)) || fault == 3;
  wire pop = in_valid && in_ready;

  // A word goes behind what is left: sending a whole beat leaves its place as it is.
  wire [PLACE_BITS-1:0] place = (ending ? 0 : bytes) + (fault == 2 && push);
  always @(posedge clk)
    if (rst) begin
      bytes  <= 0;
      ending <= 0;
    end else begin
      bytes <= left + (pop ? in_bytes : 5'd0);
      if (pop) ending <= in_last;
      else if (push && last) ending <= 0;
    end

  // It turns within each beat of it; what turns past the end belongs to the next.
  wire [WORD_BEATS*BEAT_BYTES*8-1:0] word = in_data, turned;
  wire [BEAT_BYTES-1:0] kept = ~({BEAT_BYTES{1'b1}} << place);
  genvar b;
  generate
    for (b = 0; b < WORD_BEATS; b = b + 1) begin : beat
      rotate #(
          .VALUES(BEAT_BYTES)
      ) turn (
          .in(word[b*BEAT_BYTES*8+:BEAT_BYTES*8]),
          .amount({1'b0, place}),
          .out(turned[b*BEAT_BYTES*8+:BEAT_BYTES*8])
      );
    end
    for (b = 0; b < PENDING_BYTES; b = b + 1) begin : lane
      wire [7:0] earlier, own;
      if (b < BEAT_BYTES) assign earlier = rest[8*b+:8];
      else assign earlier = turned[8*(b-BEAT_BYTES)+:8];
      if (b < WORD_BEATS * BEAT_BYTES) assign own = turned[8*b+:8];
      else assign own = 8'd0;
      always @(posedge clk) pending[8*b+:8] <= !pop ? rest[8*b+:8] : kept[b%BEAT_BYTES] ? earlier : own;
    end
  endgenerate

  stream_register #(
      .WIDTH(BEAT_BYTES * 8 + 6)
  ) m_axis (
      .clk(clk),
      .rst(rst),
      .fault(4'd0),
      .in_valid(push),
      .in_ready(room),
      .in_data({last && !(fault == 1 && bytes == BEAT_BYTES), sent[4:0], pending[BEAT_BYTES*8-1:0]}),
      .out_valid(m_axis_valid),
      .out_ready(m_axis_ready),
      .out_full(m_axis_full),
      .out_data({m_axis_last, m_axis_bytes, m_axis_data})
  );
endmodule
