// SPDX-License-Identifier: Apache-2.0
/* verilator lint_off WIDTH */
/* verilator lint_off PINCONNECTEMPTY */

// Managers (ports s) and up to three subordinates (ports m) joined by address; a port's part of a vector is at its
// number. Subordinate j holds the addresses BASEj .. BASEj + BYTESj - 1. The upper half of a subordinate's ID is the
// manager's number.
// fault 1: the port served last is served again; 2: a burst does not wait for those with another subordinate; 3: looks at
// a burst's first address only; 4: a lost burst's answer is OKAY; 5: write data change hands after a beat; 6: no
// manager's number above the ID; 7: a burst in flight too many; 8: a lost write is answered after its first beat;
// 9: a place is free an edge later.
module axi_interconnect #(
    parameter MANAGERS = 2,
    parameter SUBORDINATES = 2,
    parameter BEAT_BYTES = 4,
    parameter OUTSTANDING = 8,
    parameter PRIORITY = 0,  // 0: round robin
    parameter BASE0 = 0,
    parameter BYTES0 = 65536,
    parameter BASE1 = 65536,
    parameter BYTES1 = 65536,
    parameter BASE2 = 131072,
    parameter BYTES2 = 65536
) (
    input clk,
    input rst,
    input [3:0] fault,

    input [MANAGERS-1:0] s_ar_valid,
    output [MANAGERS-1:0] s_ar_ready,
    input [MANAGERS*32-1:0] s_ar_address,
    input [MANAGERS*9-1:0] s_ar_beats,
    input [MANAGERS*4-1:0] s_ar_id,
    output [MANAGERS-1:0] s_r_valid,
    input [MANAGERS-1:0] s_r_ready,
    output [MANAGERS-1:0] s_r_full,
    output [MANAGERS*BEAT_BYTES*8-1:0] s_r_data,
    output [MANAGERS*2-1:0] s_r_resp,
    output [MANAGERS*4-1:0] s_r_id,
    output [MANAGERS-1:0] s_r_last,
    input [MANAGERS-1:0] s_aw_valid,
    output [MANAGERS-1:0] s_aw_ready,
    input [MANAGERS*32-1:0] s_aw_address,
    input [MANAGERS*9-1:0] s_aw_beats,
    input [MANAGERS*4-1:0] s_aw_id,
    input [MANAGERS-1:0] s_w_valid,
    output [MANAGERS-1:0] s_w_ready,
    input [MANAGERS*BEAT_BYTES*8-1:0] s_w_data,
    input [MANAGERS*BEAT_BYTES-1:0] s_w_strobe,
    input [MANAGERS-1:0] s_w_last,
    output [MANAGERS-1:0] s_b_valid,
    input [MANAGERS-1:0] s_b_ready,
    output [MANAGERS-1:0] s_b_full,
    output [MANAGERS*2-1:0] s_b_resp,
    output [MANAGERS*4-1:0] s_b_id,

    output [SUBORDINATES-1:0] m_ar_valid,
    input [SUBORDINATES-1:0] m_ar_ready,
    output [SUBORDINATES-1:0] m_ar_full,
    output [SUBORDINATES*32-1:0] m_ar_address,
    output [SUBORDINATES*9-1:0] m_ar_beats,
    output [SUBORDINATES*8-1:0] m_ar_id,
    input [SUBORDINATES-1:0] m_r_valid,
    output [SUBORDINATES-1:0] m_r_ready,
    input [SUBORDINATES*BEAT_BYTES*8-1:0] m_r_data,
    input [SUBORDINATES*2-1:0] m_r_resp,
    input [SUBORDINATES*8-1:0] m_r_id,
    input [SUBORDINATES-1:0] m_r_last,
    output [SUBORDINATES-1:0] m_aw_valid,
    input [SUBORDINATES-1:0] m_aw_ready,
    output [SUBORDINATES-1:0] m_aw_full,
    output [SUBORDINATES*32-1:0] m_aw_address,
    output [SUBORDINATES*9-1:0] m_aw_beats,
    output [SUBORDINATES*8-1:0] m_aw_id,
    output [SUBORDINATES-1:0] m_w_valid,
    input [SUBORDINATES-1:0] m_w_ready,
    output [SUBORDINATES-1:0] m_w_full,
    output [SUBORDINATES*BEAT_BYTES*8-1:0] m_w_data,
    output [SUBORDINATES*BEAT_BYTES-1:0] m_w_strobe,
    output [SUBORDINATES-1:0] m_w_last,
    input [SUBORDINATES-1:0] m_b_valid,
    output [SUBORDINATES-1:0] m_b_ready,
    input [SUBORDINATES*2-1:0] m_b_resp,
    input [SUBORDINATES*8-1:0] m_b_id
);
  localparam M = MANAGERS, S = SUBORDINATES, B = BEAT_BYTES * 8;
  localparam [95:0] BASES = {BASE2[31:0], BASE1[31:0], BASE0[31:0]};
  localparam [95:0] BYTES = {BYTES2[31:0], BYTES1[31:0], BYTES0[31:0]};
  localparam BURST = 32 + 9 + 4;      // of a manager
  localparam BEAT = B + 2 + 4 + 1;    // read
  localparam ANSWER = 2 + 4;
  localparam DATA = B + BEAT_BYTES + 1;
  localparam DECERR = 2'd3;

  wire [M-1:0] r_room, b_room, read_over, write_over, lose_read, lose_write;
  wire [S-1:0] ar_room, aw_room;
  wire [S*M-1:0] grant_read, grant_write;
  axi_grants #(
      .MANAGERS(M), .SUBORDINATES(S), .BEAT_BYTES(BEAT_BYTES), .OUTSTANDING(OUTSTANDING), .PRIORITY(PRIORITY),
      .BASES(BASES), .BYTES(BYTES)
  ) reads (
      .clk, .rst, .fault, .valid(s_ar_valid), .address(s_ar_address), .beats(s_ar_beats), .over(read_over), .room(ar_room),
      .grant(grant_read), .lose(lose_read)
  );
  axi_grants #(
      .MANAGERS(M), .SUBORDINATES(S), .BEAT_BYTES(BEAT_BYTES), .OUTSTANDING(OUTSTANDING), .PRIORITY(PRIORITY),
      .BASES(BASES), .BYTES(BYTES)
  ) writes (
      .clk, .rst, .fault, .valid(s_aw_valid), .address(s_aw_address), .beats(s_aw_beats), .over(write_over), .room(aw_room),
      .grant(grant_write), .lose(lose_write)
  );

  // What goes from manager i to subordinate j, or back, at this edge: bit M * j + i.
  wire [S*M-1:0] read_back, write_back, has_data;
  genvar i, j;
  generate
    for (i = 0; i < M; i = i + 1) begin : manager
      // Those of every subordinate, of which one at most has something for it.
      wire [S-1:0] read_granted, write_granted, beats, answers, data;
      reg [BEAT-1:0] beat;
      reg [ANSWER-1:0] answer;
      for (j = 0; j < S; j = j + 1) begin : part
        assign read_granted[j] = grant_read[M*j+i];
        assign write_granted[j] = grant_write[M*j+i];
        assign beats[j] = read_back[M*j+i];
        assign answers[j] = write_back[M*j+i];
        assign data[j] = has_data[M*j+i];
      end
      assign s_ar_ready[i] = lose_read[i] || read_granted != 0;
      assign s_aw_ready[i] = lose_write[i] || write_granted != 0;

      // Bursts of no subordinate: beats to answer; data to swallow, then a response.
      reg [8:0] lost_beats;
      reg lost_data, lost_answer;
      reg [3:0] lost_read_id, lost_write_id;
      wire [1:0] lost_resp = fault == 4 ? 2'd0 : DECERR;
      wire lost_last = lost_beats == 1;
      wire answers_read = lost_beats != 0 && r_room[i];
      wire answers_write = lost_answer && b_room[i];
      wire swallows = lost_data && s_w_valid[i] && (s_w_last[i] || fault == 8);
      always @(posedge clk)
        if (rst) begin
          lost_beats  <= 0;
          lost_data   <= 0;
          lost_answer <= 0;
        end else begin
          lost_beats  <= lose_read[i] ? s_ar_beats[9*i+:9] : lost_beats - answers_read;
          lost_data   <= lose_write[i] || (lost_data && !swallows);
          lost_answer <= swallows || (lost_answer && !b_room[i]);
        end
      always @(posedge clk) begin
        if (lose_read[i]) lost_read_id <= s_ar_id[4*i+:4];
        if (lose_write[i]) lost_write_id <= s_aw_id[4*i+:4];
      end
      assign s_w_ready[i] = lost_data || data != 0;

      integer s;
      always @* begin
        beat = {{B{1'b0}}, lost_resp, lost_read_id, lost_last};
        answer = {lost_resp, lost_write_id};
        for (s = 0; s < S; s = s + 1) begin
          if (beats[s]) beat = {m_r_data[B*s+:B], m_r_resp[2*s+:2], m_r_id[8*s+:4], m_r_last[s]};
          if (answers[s]) answer = {m_b_resp[2*s+:2], m_b_id[8*s+:4]};
        end
      end
      wire r_push = answers_read || beats != 0;
      assign read_over[i]  = r_push && beat[0];
      assign write_over[i] = answers_write || answers != 0;
      stream_register #(
          .WIDTH(BEAT)
      ) r (
          .clk, .rst, .fault(4'd0), .in_valid(r_push), .in_ready(r_room[i]), .in_data(beat), .out_valid(s_r_valid[i]),
          .out_ready(s_r_ready[i]), .out_full(s_r_full[i]),
          .out_data({s_r_data[B*i+:B], s_r_resp[2*i+:2], s_r_id[4*i+:4], s_r_last[i]})
      );
      stream_register #(
          .WIDTH(ANSWER)
      ) b (
          .clk, .rst, .fault(4'd0), .in_valid(write_over[i]), .in_ready(b_room[i]), .in_data(answer),
          .out_valid(s_b_valid[i]), .out_ready(s_b_ready[i]), .out_full(s_b_full[i]),
          .out_data({s_b_resp[2*i+:2], s_b_id[4*i+:4]})
      );
    end

    for (j = 0; j < S; j = j + 1) begin : subordinate
      // Back to the manager in the ID.
      wire [M-1:0] read_to = 1'b1 << m_r_id[8*j+4+:4], write_to = 1'b1 << m_b_id[8*j+4+:4];
      assign m_r_ready[j] = (read_to & r_room) != 0;
      assign m_b_ready[j] = (write_to & b_room) != 0;
      assign read_back[M*j+:M] = m_r_valid[j] && m_r_ready[j] ? read_to : 0;
      assign write_back[M*j+:M] = m_b_valid[j] && m_b_ready[j] ? write_to : 0;

      // Bursts, and the managers whose write data are to come, oldest first.
      wire [M-1:0] reads_one = grant_read[M*j+:M], writes_one = grant_write[M*j+:M], owner;
      wire [7:0] owed;
      wire w_room;
      reg [3:0] read_number, write_number;
      reg [BURST-1:0] ar, aw;
      reg [DATA-1:0] w;
      reg here;
      integer m;
      always @* begin
        {read_number, write_number, ar, aw, w, here} = 0;
        for (m = 0; m < M; m = m + 1) begin
          if (reads_one[m]) {read_number, ar} = {m[3:0], s_ar_address[32*m+:32], s_ar_beats[9*m+:9], s_ar_id[4*m+:4]};
          if (writes_one[m]) {write_number, aw} = {m[3:0], s_aw_address[32*m+:32], s_aw_beats[9*m+:9], s_aw_id[4*m+:4]};
          if (owner[m])
            {here, w} = {s_w_valid[m], s_w_data[B*m+:B], s_w_strobe[BEAT_BYTES*m+:BEAT_BYTES], s_w_last[m]};
        end
        if (fault == 6) {read_number, write_number} = 0;
      end
      wire open = owed != 0 && w_room;
      assign has_data[M*j+:M] = open ? owner : 0;
      flight_queue #(
          .WIDTH(M), .DEPTH(M * OUTSTANDING)
      ) order (
          .clk, .rst, .push(writes_one != 0), .in_data(writes_one), .pop(open && here && (w[0] || fault == 5)), .first(owner),
          .second(), .count(owed)
      );
      stream_register #(
          .WIDTH(BURST + 4)
      ) out_ar (
          .clk, .rst, .fault(4'd0), .in_valid(reads_one != 0), .in_ready(ar_room[j]), .in_data({ar[BURST-1:4], read_number, ar[3:0]}),
          .out_valid(m_ar_valid[j]), .out_ready(m_ar_ready[j]), .out_full(m_ar_full[j]),
          .out_data({m_ar_address[32*j+:32], m_ar_beats[9*j+:9], m_ar_id[8*j+:8]})
      );
      stream_register #(
          .WIDTH(BURST + 4)
      ) out_aw (
          .clk, .rst, .fault(4'd0), .in_valid(writes_one != 0), .in_ready(aw_room[j]), .in_data({aw[BURST-1:4], write_number, aw[3:0]}),
          .out_valid(m_aw_valid[j]), .out_ready(m_aw_ready[j]), .out_full(m_aw_full[j]),
          .out_data({m_aw_address[32*j+:32], m_aw_beats[9*j+:9], m_aw_id[8*j+:8]})
      );
      stream_register #(
          .WIDTH(DATA)
      ) out_w (
          .clk, .rst, .fault(4'd0), .in_valid(open && here), .in_ready(w_room), .in_data(w), .out_valid(m_w_valid[j]),
          .out_ready(m_w_ready[j]), .out_full(m_w_full[j]),
          .out_data({m_w_data[B*j+:B], m_w_strobe[BEAT_BYTES*j+:BEAT_BYTES], m_w_last[j]})
      );
    end
  endgenerate
endmodule
