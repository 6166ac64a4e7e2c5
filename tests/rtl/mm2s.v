// SPDX-License-Identifier: Apache-2.0
/* verilator lint_off WIDTH */
// The memory-to-stream half of the AXI DMA: bursts, a FIFO that is reserved before they are issued, realignment.
// fault 1: no realignment; 2: bursts cross 4 KiB; 3: issues without reserving room; 4: TLAST on every command's last
// beat; 5: streams a cycle early; 6: goes on after an error.
module mm2s #(
    parameter BEAT_BYTES = 16,
    parameter BURST_BEATS = 16,
    parameter OUTSTANDING = 4,
    parameter START = 8,
    parameter STREAM = 6
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

    output ar_valid,
    input ar_ready,
    output ar_full,
    output [31:0] ar_address,
    output [8:0] ar_beats,

    input r_valid,
    output r_ready,
    input [BEAT_BYTES*8-1:0] r_data,
    input [1:0] r_resp,
    input r_last,

    output m_axis_valid,
    input m_axis_ready,
    output m_axis_full,
    output [BEAT_BYTES*8-1:0] m_axis_data,
    output [6:0] m_axis_bytes,
    output m_axis_last,

    output done_valid,
    input done_ready,
    output done_full,
    output [25:0] done_bytes,
    output [1:0] done_error,  // 1: slave, 2: decode
    output done_ends
);
  localparam B = BEAT_BYTES;
  localparam FIFO_BEATS = OUTSTANDING * BURST_BEATS + 1;

  reg active, ends;
  reg [1:0] error;
  reg [15:0] wait_left;
  reg [31:0] now, address;
  reg [26:0] to_issue, left, moved;
  reg [7:0] in_flight;
  reg [15:0] reserved;
  reg [7:0] offset;  // of the next byte in the oldest beat
  reg [B*8-1:0] held;
  reg [7:0] held_bytes;

  assign command_ready = !active;
  wire start = command_valid && command_ready;
  wire [7:0] start_offset = command_address & (B - 1);

  // FIFO.
  reg [B*8-1:0] fifo[0:FIFO_BEATS-1];  // no ports: inside of the vendor's core
  reg [31:0] since[0:FIFO_BEATS-1];  // registers
  reg [15:0] head, tail, count;
  wire [15:0] second = head + 1 == FIFO_BEATS ? 0 : head + 1;
  wire [15:0] after_second = second + 1 == FIFO_BEATS ? 0 : second + 1;
  assign r_ready = active;
  wire take = r_valid && r_ready;

  // Bursts.
  wire ar_room, axis_room, done_room;
  wire giving_up = active && error != 0 && fault != 6;
  wire [26:0] boundary = (4096 - (address & 4095) + B - 1) / B;
  wire [26:0] limit = boundary < BURST_BEATS && fault != 2 ? boundary : BURST_BEATS;
  wire [8:0] beats = to_issue < limit ? to_issue : limit;
  wire issue = active && !giving_up && to_issue != 0 && wait_left == 0 && in_flight < OUTSTANDING && ar_room &&
      (reserved + beats <= FIFO_BEATS || fault == 3);

  // The next beat of the stream.
  wire [7:0] wanted = B - held_bytes;
  wire last = left <= wanted;
  wire fills = left >= wanted;
  wire [7:0] piece = last ? left : wanted;
  wire [8:0] reach = offset + piece;
  wire two = reach > B;
  wire [31:0] age = now - since[two?second : head];
  wire there = count > two && age >= STREAM - (fault == 5);
  wire leaves = fills || ends;
  wire move = active && !giving_up && left != 0 && there && !(leaves && !axis_room) && !(last && !done_room);
  wire [2*B*8-1:0] pair = {fifo[second], fifo[head]};
  wire [B*8-1:0] bytes = pair >> (fault == 1 ? 0 : offset * 8);
  wire [B*8-1:0] mask = ~({B * 8{1'b1}} << held_bytes * 8);
  wire [B*8-1:0] joined = (held & mask) | bytes << held_bytes * 8;
  wire [1:0] popped = !move ? 0 : last ? (reach + B - 1) / B : reach / B;

  wire give_up = giving_up && in_flight == 0 && done_room;
  wire finish = (move && last) || give_up;

  always @(posedge clk) now <= rst ? 0 : now + 1;
  always @(posedge clk)
    if (rst) begin
      active <= 0;
      in_flight <= 0;
      reserved <= 0;
      held_bytes <= 0;
      head <= 0;
      tail <= 0;
      count <= 0;
      error <= 0;
    end else begin
      if (start) begin
        active <= 1;
        ends <= command_ends;
        error <= 0;
        wait_left <= START - 2;
        address <= command_address & ~(B - 1);
        to_issue <= (start_offset + command_bytes + B - 1) / B;
        left <= command_bytes;
        moved <= 0;
        offset <= start_offset;
        if (command_fresh) held_bytes <= 0;
      end else if (wait_left != 0) wait_left <= wait_left - 1;

      if (issue) begin
        address  <= address + beats * B;
        to_issue <= to_issue - beats;
      end
      if (giving_up) to_issue <= 0;
      in_flight <= in_flight + issue - (take && r_last);
      reserved  <= give_up ? 0 : reserved + (issue ? beats : 0) - popped;

      if (move) begin
        left <= left - piece;
        moved <= moved + piece;
        offset <= last ? 0 : reach & (B - 1);
        held_bytes <= leaves ? 0 : held_bytes + piece;
      end
      if (take) begin
        tail <= tail + 1 == FIFO_BEATS ? 0 : tail + 1;
        if (r_resp == 2) error[0] <= 1;
        if (r_resp == 3) error[1] <= 1;
      end
      head  <= popped == 0 ? head : popped == 1 ? second : after_second;
      count <= count + take - popped;
      if (give_up) begin
        head <= tail;
        count <= 0;
        held_bytes <= 0;
      end
      if (finish) active <= 0;
    end
  always @(posedge clk) begin
    if (take) begin
      fifo[tail]  <= r_data;
      since[tail] <= now;
    end
    if (move && !leaves) held <= joined;
  end

  stream_register #(
      .WIDTH(41)
  ) ar (
      .clk(clk),
      .rst(rst),
      .fault(4'd0),
      .in_valid(issue),
      .in_ready(ar_room),
      .in_data({beats, address}),
      .out_valid(ar_valid),
      .out_ready(ar_ready),
      .out_full(ar_full),
      .out_data({ar_beats, ar_address})
  );
  stream_register #(
      .WIDTH(B * 8 + 8)
  ) m_axis (
      .clk(clk),
      .rst(rst),
      .fault(4'd0),
      .in_valid(move && leaves),
      .in_ready(axis_room),
      .in_data({last && (ends || fault == 4), held_bytes[6:0] + piece[6:0], joined}),
      .out_valid(m_axis_valid),
      .out_ready(m_axis_ready),
      .out_full(m_axis_full),
      .out_data({m_axis_last, m_axis_bytes, m_axis_data})
  );
  wire [26:0] all = moved + (move ? piece : 0);
  stream_register #(
      .WIDTH(29)
  ) done (
      .clk(clk),
      .rst(rst),
      .fault(4'd0),
      .in_valid(finish),
      .in_ready(done_room),
      .in_data({ends, error, all[25:0]}),
      .out_valid(done_valid),
      .out_ready(done_ready),
      .out_full(done_full),
      .out_data({done_ends, done_error, done_bytes})
  );
endmodule
