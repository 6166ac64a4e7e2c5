// SPDX-License-Identifier: Apache-2.0
/* verilator lint_off WIDTH */
// An AXI4 port from one bus width to another. Up (SUBORDINATE_BYTES > MANAGER_BYTES): narrow beats share a wide one;
// down: a wide beat is several narrow ones. Bursts of more than BURST_BEATS of the subordinate's beats are split.
// fault 1: further parts of a split start where the first did; 2: reads up begin in the first lane, reads down keep
// the last beat's response only; 3: writes up never clear the strobes, writes down ignore them; 4: no WLAST; 5: a
// response per part instead of per burst, and OKAY for bursts of one part.
module width_converter #(
    parameter MANAGER_BYTES = 32,
    parameter SUBORDINATE_BYTES = 16,
    parameter OUTSTANDING = 8,
    parameter BURST_BEATS = 256,
    parameter ADDRESS_BITS = 32
) (
    input clk,
    input rst,
    input [3:0] fault,

    input s_ar_valid,
    output s_ar_ready,
    input [ADDRESS_BITS-1:0] s_ar_address,
    input [8:0] s_ar_beats,
    input [7:0] s_ar_id,
    output s_r_valid,
    input s_r_ready,
    output s_r_full,
    output [MANAGER_BYTES*8-1:0] s_r_data,
    output [1:0] s_r_resp,
    output [7:0] s_r_id,
    output s_r_last,
    input s_aw_valid,
    output s_aw_ready,
    input [ADDRESS_BITS-1:0] s_aw_address,
    input [8:0] s_aw_beats,
    input [7:0] s_aw_id,
    input s_w_valid,
    output s_w_ready,
    input [MANAGER_BYTES*8-1:0] s_w_data,
    input [MANAGER_BYTES-1:0] s_w_strobe,
    output s_b_valid,
    input s_b_ready,
    output s_b_full,
    output [1:0] s_b_resp,
    output [7:0] s_b_id,

    output m_ar_valid,
    input m_ar_ready,
    output m_ar_full,
    output [ADDRESS_BITS-1:0] m_ar_address,
    output [8:0] m_ar_beats,
    output [7:0] m_ar_id,
    input m_r_valid,
    output m_r_ready,
    input [SUBORDINATE_BYTES*8-1:0] m_r_data,
    input [1:0] m_r_resp,
    input [7:0] m_r_id,
    output m_aw_valid,
    input m_aw_ready,
    output m_aw_full,
    output [ADDRESS_BITS-1:0] m_aw_address,
    output [8:0] m_aw_beats,
    output [7:0] m_aw_id,
    output m_w_valid,
    input m_w_ready,
    output m_w_full,
    output [SUBORDINATE_BYTES*8-1:0] m_w_data,
    output [SUBORDINATE_BYTES-1:0] m_w_strobe,
    output m_w_last,
    input m_b_valid,
    output m_b_ready,
    input [1:0] m_b_resp
);
  localparam M = MANAGER_BYTES, S = SUBORDINATE_BYTES;
  localparam UP = S > M;
  localparam WIDE = UP ? S : M;

  // Bursts. A queue holds of each its first lane and its beats.
  wire take_ar = s_ar_valid && s_ar_ready, take_aw = s_aw_valid && s_aw_ready;
  wire read_over, data_over, answer_over;
  wire [7:0] reads, writes, answers;
  wire [12:0] parts, parts_first, parts_second;
  wire [15:0] read_first, read_second, write_first, write_second;
  reg [7:0] read_id, write_id;
  wire [7:0] reads_left = reads - read_over, answers_left = answers - answer_over;

  burst_converter #(
      .MANAGER_BYTES(M),
      .SUBORDINATE_BYTES(S),
      .BURST_BEATS(BURST_BEATS),
      .ADDRESS_BITS(ADDRESS_BITS)
  ) ar (
      .clk(clk),
      .rst(rst),
      .fault(fault),
      .allow(reads_left < OUTSTANDING && (reads_left == 0 || s_ar_id == read_id)),
      .s_valid(s_ar_valid),
      .s_ready(s_ar_ready),
      .s_address(s_ar_address),
      .s_beats(s_ar_beats),
      .s_id(s_ar_id),
      .s_parts(),
      .m_valid(m_ar_valid),
      .m_ready(m_ar_ready),
      .m_full(m_ar_full),
      .m_address(m_ar_address),
      .m_beats(m_ar_beats),
      .m_id(m_ar_id)
  );
  burst_converter #(
      .MANAGER_BYTES(M),
      .SUBORDINATE_BYTES(S),
      .BURST_BEATS(BURST_BEATS),
      .ADDRESS_BITS(ADDRESS_BITS)
  ) aw (
      .clk(clk),
      .rst(rst),
      .fault(fault),
      .allow(answers_left < OUTSTANDING && (answers_left == 0 || s_aw_id == write_id)),
      .s_valid(s_aw_valid),
      .s_ready(s_aw_ready),
      .s_address(s_aw_address),
      .s_beats(s_aw_beats),
      .s_id(s_aw_id),
      .s_parts(parts),
      .m_valid(m_aw_valid),
      .m_ready(m_aw_ready),
      .m_full(m_aw_full),
      .m_address(m_aw_address),
      .m_beats(m_aw_beats),
      .m_id(m_aw_id)
  );
  always @(posedge clk) begin
    if (take_ar) read_id <= s_ar_id;
    if (take_aw) write_id <= s_aw_id;
  end
  flight_queue #(
      .WIDTH(16),
      .DEPTH(OUTSTANDING)
  ) read_queue (
      .clk(clk),
      .rst(rst),
      .push(take_ar),
      .in_data({s_ar_address[6:0], s_ar_beats}),
      .pop(read_over),
      .first(read_first),
      .second(read_second),
      .count(reads)
  );
  flight_queue #(
      .WIDTH(16),
      .DEPTH(OUTSTANDING)
  ) write_queue (
      .clk(clk),
      .rst(rst),
      .push(take_aw),
      .in_data({s_aw_address[6:0], s_aw_beats}),
      .pop(data_over),
      .first(write_first),
      .second(write_second),
      .count(writes)
  );
  flight_queue #(
      .WIDTH(13),
      .DEPTH(OUTSTANDING)
  ) answer_queue (
      .clk(clk),
      .rst(rst),
      .push(take_aw),
      .in_data(parts),
      .pop(answer_over),
      .first(parts_first),
      .second(parts_second),
      .count(answers)
  );

  // Read data: a beat of the wider side between the two.
  reg r_full, r_last;
  reg [WIDE*8-1:0] r_data;
  reg [1:0] r_resp;
  reg [7:0] r_id, r_lane;
  reg [8:0] r_done;  // beats of the oldest burst
  wire r_room;
  wire r_push = r_full && r_room;
  wire take_r = m_r_valid && m_r_ready;

  generate
    if (UP) begin : reads_up
      wire last = r_done + 1 == read_first[8:0];
      wire still = r_push ? !last && r_lane + M < S : r_full;
      assign m_r_ready = !still;
      assign read_over = r_push && last;
      wire [6:0] from = read_over ? read_second[15:9] : read_first[15:9];
      wire [8:0] done = read_over ? 0 : r_done + r_push;
      always @(posedge clk)
        if (rst) begin
          r_full <= 0;
          r_done <= 0;
        end else begin
          r_full <= still || take_r;
          r_done <= done;
        end
      always @(posedge clk)
        if (take_r) begin
          r_data <= m_r_data;
          r_resp <= m_r_resp;
          r_id   <= m_r_id;
          r_lane <= fault == 2 ? 0 : (from + done * M) & (S - 1);
        end else if (r_push) r_lane <= r_lane + M;
      always @* r_last = last;
    end else begin : reads_down
      wire still = r_full && !r_push;
      wire [7:0] lane = r_push ? 0 : r_lane;
      wire whole = lane + S == M;
      wire [1:0] resp = r_push || fault == 2 ? 0 : r_resp;
      assign m_r_ready = !still;
      assign read_over = take_r && whole && r_done + 1 == read_first[8:0];
      always @(posedge clk)
        if (rst) begin
          r_full <= 0;
          r_done <= 0;
          r_lane <= 0;
          r_resp <= 0;
        end else begin
          r_full <= still || (take_r && whole);
          if (take_r) r_done <= read_over ? 0 : r_done + whole;
          r_lane <= take_r ? lane + S : lane;
          r_resp <= take_r && m_r_resp > resp ? m_r_resp : r_push ? 0 : r_resp;
          if (take_r && fault == 2) r_resp <= m_r_resp;
        end
      always @(posedge clk)
        if (take_r) begin
          r_data[lane*8+:S*8] <= m_r_data;
          r_id <= m_r_id;
          r_last <= read_over;
        end
    end
  endgenerate

  stream_register #(
      .WIDTH(M * 8 + 11)
  ) s_r (
      .clk(clk),
      .rst(rst),
      .fault(4'd0),
      .in_valid(r_push),
      .in_ready(r_room),
      .in_data({r_last, r_id, r_resp, UP ? r_data[r_lane*8+:M*8] : r_data[M*8-1:0]}),
      .out_valid(s_r_valid),
      .out_ready(s_r_ready),
      .out_full(s_r_full),
      .out_data({s_r_last, s_r_id, s_r_resp, s_r_data})
  );

  // Write data, likewise.
  reg w_full;
  reg [WIDE*8-1:0] w_data;
  reg [WIDE-1:0] w_strobe;
  reg [7:0] w_lane;
  reg [8:0] w_done;
  reg [15:0] to_send;  // beats of the burst that have not been sent
  reg [8:0] part_sent;
  wire [15:0] to_write = ((write_first[15:9] & (S - 1)) + write_first[8:0] * M + S - 1) / S;
  wire w_last = to_send == 1 || part_sent == BURST_BEATS - 1;
  wire w_room;
  wire w_push = w_full && w_room;
  wire take_w = s_w_valid && s_w_ready;
  wire w_end = w_done + 1 == write_first[8:0];
  assign data_over = take_w && w_end;
  always @(posedge clk)
    if (rst) w_done <= 0;
    else if (take_w) w_done <= w_end ? 0 : w_done + 1;
  always @(posedge clk)
    if (rst) begin
      to_send <= 0;
      part_sent <= 0;
    end else begin
      to_send <= take_w && w_done == 0 ? to_write : to_send - w_push;
      if (w_push) part_sent <= w_last ? 0 : part_sent + 1;
    end

  generate
    if (UP) begin : writes_up
      wire still = w_full && !w_push;
      wire [7:0] lane = (write_first[15:9] + w_done * M) & (S - 1);
      wire [WIDE-1:0] strobe = w_push && fault != 3 ? 0 : w_strobe;
      assign s_w_ready = !still && writes != 0;
      always @(posedge clk)
        if (rst) begin
          w_full   <= 0;
          w_strobe <= 0;
        end else begin
          w_full   <= still || (take_w && (w_end || lane + M == S));
          w_strobe <= take_w ? strobe | {{WIDE - M{1'b0}}, s_w_strobe} << lane : strobe;
        end
      always @(posedge clk)
        if (take_w) w_data[lane*8+:M*8] <= s_w_data;
      always @(posedge clk) w_lane <= 0;
    end else begin : writes_down
      wire still = w_push ? w_lane + S < M : w_full;
      assign s_w_ready = !still && writes != 0;
      always @(posedge clk)
        if (rst) w_full <= 0;
        else w_full <= still || take_w;
      always @(posedge clk)
        if (take_w) begin
          w_data <= s_w_data;
          w_strobe <= fault == 3 ? ~0 : s_w_strobe;
          w_lane <= 0;
        end else if (w_push) w_lane <= w_lane + S;
    end
  endgenerate

  stream_register #(
      .WIDTH(S * 9 + 1)
  ) m_w (
      .clk(clk),
      .rst(rst),
      .fault(4'd0),
      .in_valid(w_push),
      .in_ready(w_room),
      .in_data({w_last && fault != 4, w_strobe[w_lane+:S], w_data[w_lane*8+:S*8]}),
      .out_valid(m_w_valid),
      .out_ready(m_w_ready),
      .out_full(m_w_full),
      .out_data({m_w_last, m_w_strobe, m_w_data})
  );

  // Responses: the worst of a burst's parts.
  reg answered;
  reg [1:0] resp;
  reg [12:0] parts_done;
  wire b_room;
  wire b_push = answered && b_room;
  assign answer_over = b_push;
  assign m_b_ready = !answered || b_push;
  wire take_b = m_b_valid && m_b_ready;
  wire [12:0] done = b_push ? 0 : parts_done;
  wire [1:0] so_far = b_push ? 0 : resp;
  wire [12:0] of = b_push ? parts_second : parts_first;
  always @(posedge clk)
    if (rst) begin
      answered <= 0;
      resp <= 0;
      parts_done <= 0;
    end else begin
      answered <= take_b ? done + 1 == of || fault == 5 : answered && !b_push;
      parts_done <= done + take_b;
      resp <= fault == 5 && of == 1 ? 0 : take_b && m_b_resp > so_far ? m_b_resp : so_far;
    end

  stream_register #(
      .WIDTH(10)
  ) s_b (
      .clk(clk),
      .rst(rst),
      .fault(4'd0),
      .in_valid(b_push),
      .in_ready(b_room),
      .in_data({write_id, resp}),
      .out_valid(s_b_valid),
      .out_ready(s_b_ready),
      .out_full(s_b_full),
      .out_data({s_b_id, s_b_resp})
  );
endmodule
