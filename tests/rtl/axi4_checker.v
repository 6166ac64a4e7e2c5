// SPDX-License-Identifier: Apache-2.0
// The rules of docs/pins.md that concern one ID: handshakes, bursts, the place of the last beat, responses. `broken` is
// what the wires break at this edge. Data follow their address here; reads and writes of up to DEPTH bursts are open.
// `fault`: 1 looks at a stalled payload at its first stalled edge only, 2 counts a burst's bytes from its first byte and
// not from its first beat, 3 takes a late wlast for the next burst's, 4 lets a response go before its data.
module axi4_checker #(
    parameter DATA_BITS = 128,
    parameter ADDRESS_BITS = 40,
    parameter DEPTH = 16
) (
    input wire       clk,
    input wire       rst,
    input wire [3:0] fault,

    input wire                    aw_valid,
    input wire                    aw_ready,
    input wire [ADDRESS_BITS-1:0] aw_addr,
    input wire [             7:0] aw_len,
    input wire [             2:0] aw_size,
    input wire [             1:0] aw_burst,
    input wire [             3:0] aw_cache,
    input wire                    ar_valid,
    input wire                    ar_ready,
    input wire [ADDRESS_BITS-1:0] ar_addr,
    input wire [             7:0] ar_len,
    input wire [             2:0] ar_size,
    input wire [             1:0] ar_burst,
    input wire [             3:0] ar_cache,
    input wire                    w_valid,
    input wire                    w_ready,
    input wire [   DATA_BITS-1:0] w_data,
    input wire [ DATA_BITS/8-1:0] w_strb,
    input wire                    w_last,
    input wire                    b_valid,
    input wire                    b_ready,
    input wire [             1:0] b_resp,
    input wire                    r_valid,
    input wire                    r_ready,
    input wire [   DATA_BITS-1:0] r_data,
    input wire [             1:0] r_resp,
    input wire                    r_last,

    // Five pairs of valid_dropped and payload_changed for aw, ar, w, b, r; burst_reserved, size, boundary,
    // fixed_length, wrap_length, wrap_unaligned, cache of aw and of ar; wlast_early, wlast_late, response_before_data,
    // response_without_request, rlast_early, rlast_late, read_without_request.
    output wire [30:0] broken
);
  localparam ADDRESS_WIRES = ADDRESS_BITS + 8 + 3 + 2 + 4;
  wire [ADDRESS_WIRES-1:0] aw = {aw_addr, aw_len, aw_size, aw_burst, aw_cache};
  wire [ADDRESS_WIRES-1:0] ar = {ar_addr, ar_len, ar_size, ar_burst, ar_cache};

  wire aw_stalled, ar_stalled, w_stalled, b_stalled, r_stalled;
  handshake_rules #(
      .WIDTH(ADDRESS_WIRES)
  ) aw_rules (
      .clk(clk), .rst(rst), .fault(fault), .valid(aw_valid), .ready(aw_ready), .payload(aw),
      .stalled(aw_stalled), .broken(broken[1:0])
  );
  handshake_rules #(
      .WIDTH(ADDRESS_WIRES)
  ) ar_rules (
      .clk(clk), .rst(rst), .fault(fault), .valid(ar_valid), .ready(ar_ready), .payload(ar),
      .stalled(ar_stalled), .broken(broken[3:2])
  );
  // Bytes without a strobe may change.
  wire [DATA_BITS-1:0] written;
  genvar lane;
  generate
    for (lane = 0; lane < DATA_BITS / 8; lane = lane + 1) begin : lanes
      assign written[8*lane+:8] = w_strb[lane] ? w_data[8*lane+:8] : 8'd0;
    end
  endgenerate
  handshake_rules #(
      .WIDTH(DATA_BITS + DATA_BITS / 8 + 1)
  ) w_rules (
      .clk(clk), .rst(rst), .fault(fault), .valid(w_valid), .ready(w_ready), .payload({written, w_strb, w_last}),
      .stalled(w_stalled), .broken(broken[5:4])
  );
  handshake_rules #(
      .WIDTH(2)
  ) b_rules (
      .clk(clk), .rst(rst), .fault(fault), .valid(b_valid), .ready(b_ready), .payload(b_resp),
      .stalled(b_stalled), .broken(broken[7:6])
  );
  handshake_rules #(
      .WIDTH(DATA_BITS + 3)
  ) r_rules (
      .clk(clk), .rst(rst), .fault(fault), .valid(r_valid), .ready(r_ready), .payload({r_data, r_resp, r_last}),
      .stalled(r_stalled), .broken(broken[9:8])
  );

  wire [6:0] aw_broken, ar_broken;
  burst_rules #(
      .DATA_BITS(DATA_BITS)
  ) aw_burst_rules (
      .fault(fault), .addr(aw_addr[11:0]), .len(aw_len), .size(aw_size), .burst(aw_burst), .cache(aw_cache),
      .broken(aw_broken)
  );
  burst_rules #(
      .DATA_BITS(DATA_BITS)
  ) ar_burst_rules (
      .fault(fault), .addr(ar_addr[11:0]), .len(ar_len), .size(ar_size), .burst(ar_burst), .cache(ar_cache),
      .broken(ar_broken)
  );
  assign broken[16:10] = aw_valid && !aw_stalled ? aw_broken : 7'd0;
  assign broken[23:17] = ar_valid && !ar_stalled ? ar_broken : 7'd0;

  // Lengths of the open bursts, the oldest at `head`; beats that came of it; writes that await their response.
  localparam PLACE = $clog2(DEPTH);
  reg [7:0] write_len[0:DEPTH-1], read_len[0:DEPTH-1];  // registers
  reg [PLACE:0] write_head, write_tail, read_head, read_tail;
  reg [8:0] written_beats, read_beats, answers_due;

  wire write_open = write_head != write_tail, read_open = read_head != read_tail;
  wire [7:0] write_beats_left = write_len[write_head[PLACE-1:0]] - written_beats[7:0];
  wire [7:0] read_beats_left = read_len[read_head[PLACE-1:0]] - read_beats[7:0];
  wire take_w = w_valid && w_ready, take_b = b_valid && b_ready, take_r = r_valid && r_ready;

  wire wlast_early = take_w && w_last && write_beats_left != 8'd0;
  wire wlast_late = take_w && !w_last && write_beats_left == 8'd0;
  wire ends = take_w && (w_last || (wlast_late && fault != 4'd3));
  wire answer = answers_due != 9'd0;
  wire b_new = b_valid && !b_stalled, r_new = r_valid && !r_stalled;
  wire waived = fault == 4'd4;

  assign broken[24] = wlast_early;
  assign broken[25] = wlast_late;
  assign broken[26] = b_new && !answer && write_open && !waived;
  assign broken[27] = b_new && !answer && !write_open;
  assign broken[28] = r_new && read_open && r_last && read_beats_left != 8'd0;
  assign broken[29] = r_new && read_open && !r_last && read_beats_left == 8'd0;
  assign broken[30] = r_new && !read_open;

  always @(posedge clk) begin
    if (rst) begin
      write_head <= 0;
      write_tail <= 0;
      read_head <= 0;
      read_tail <= 0;
      written_beats <= 9'd0;
      read_beats <= 9'd0;
      answers_due <= 9'd0;
    end else begin
      if (aw_valid && aw_ready) write_tail <= write_tail + 1'b1;
      if (ar_valid && ar_ready) read_tail <= read_tail + 1'b1;
      if (take_w) written_beats <= ends ? 9'd0 : written_beats + 1'b1;
      if (ends) write_head <= write_head + 1'b1;
      answers_due <= answers_due + {8'd0, ends} - {8'd0, take_b && answer};
      if (take_r && read_open) begin
        if (r_last || read_beats_left == 8'd0) begin
          read_beats <= 9'd0;
          read_head  <= read_head + 1'b1;
        end else begin
          read_beats <= read_beats + 1'b1;
        end
      end
    end
    if (aw_valid && aw_ready) write_len[write_tail[PLACE-1:0]] <= aw_len;
    if (ar_valid && ar_ready) read_len[read_tail[PLACE-1:0]] <= ar_len;
  end
endmodule
