// SPDX-License-Identifier: Apache-2.0
// Sums a window's products per output channel, or what CHAINS chains have summed of each tap row; with KERNELS a
// compressor sums what the tables of its kernel say. The products of a tap row come first, then the rows: all of them into
// sum 0, or, with job_parallel > 1, rows p * job_kernel .. p * job_kernel + job_kernel - 1 into sum p.
// `fault`: 1 does not hold its stages while `sums` is full, 2 sums all rows whatever job_parallel, 3 flips a sum's bit,
// 4 leaves the kernels' constant out, 5 loses the highest bit of their counters.
`include "tag.vh"
module adder_tree #(
    parameter ROWS = 3,
    parameter COLS = 3,
    parameter INPUT_CHANNELS = 8,
    parameter OUTPUT_CHANNELS = 8,
    parameter CHAINS = 0,
    parameter KERNELS = 0,
    parameter SLICE_BITS = 4,
    parameter FAITHFUL = 0,
    parameter ROW_TERMS = CHAINS > 0 ? CHAINS : COLS * INPUT_CHANNELS,
    parameter TERM_BITS = KERNELS == 1 ? (7 + SLICE_BITS) / SLICE_BITS * (8 + SLICE_BITS) : CHAINS > 0 ? 18 : 16,
    parameter SUM_BITS = (KERNELS == 1 ? 16 + $clog2(ROW_TERMS + 1) : TERM_BITS + $clog2(ROW_TERMS)) + $clog2(ROWS)
) (
    input wire       clk,
    input wire       rst,
    input wire [3:0] fault,

    input wire [3:0] job_parallel,
    input wire [7:0] job_kernel,

    input  wire                                                            products_valid,
    output wire                                                            products_ready,
    input  wire [                                           `TAG_BITS-1:0] products_tag,
    input  wire [OUTPUT_CHANNELS*ROWS*ROW_TERMS*TERM_BITS-1:0] products_values,

    output wire                                     sums_valid,
    input  wire                                     sums_ready,
    output wire                                     sums_full,
    output wire [                    `TAG_BITS-1:0] sums_tag,
    output wire [ROWS*OUTPUT_CHANNELS*SUM_BITS-1:0] sums_values
);
  localparam INPUTS = KERNELS == 1 ? ROW_TERMS : 1;
  localparam INPUT_BITS = 8;
  localparam COEFFICIENT_BITS = 8;
  `include "lut_kernel.vh"
  `include "compressor_plan.vh"

  // A single product has one register too.
  localparam ROW_LEVELS = KERNELS == 1 ? STAGES + 1 : ROWS * ROW_TERMS == 1 ? 1 : $clog2(ROW_TERMS);
  localparam ROW_BITS = KERNELS == 1 ? OUTPUT : TERM_BITS + ROW_LEVELS;
  localparam ROUNDED_OFF = KERNELS == 1 ? SUM - OUTPUT : 0;
  localparam LEVELS = $clog2(ROWS);
  localparam TREE_BITS = ROW_BITS + LEVELS;
  localparam LATENCY = ROW_LEVELS + LEVELS;

  wire sums_room;
  reg [LATENCY-1:0] valid;
  reg [`TAG_BITS-1:0] tag[0:LATENCY-1];  // registers
  wire advance = !valid[LATENCY-1] || sums_room || fault == 4'd1;
  wire [LATENCY:0] entering = {valid, products_valid};

  assign products_ready = advance;
  integer i;
  always @(posedge clk) begin
    if (rst) valid <= {LATENCY{1'b0}};
    else if (advance) valid <= entering[LATENCY-1:0];
    if (advance) begin
      tag[0] <= products_tag;
      for (i = 1; i < LATENCY; i = i + 1) tag[i] <= tag[i-1];
    end
  end

  wire [ROWS*OUTPUT_CHANNELS*SUM_BITS-1:0] sums;
  genvar o, m, c, p, k;
  generate
    for (o = 0; o < OUTPUT_CHANNELS; o = o + 1) begin : channel
      wire [ROWS*ROW_BITS-1:0] row;
      for (m = 0; m < ROWS; m = m + 1) begin : tap_row
        wire [ROW_TERMS*TERM_BITS-1:0] terms;
        if (CHAINS > 0 || KERNELS == 1) begin : by_row
          assign terms = products_values[(o*ROWS+m)*ROW_TERMS*TERM_BITS+:ROW_TERMS*TERM_BITS];
        end else begin : by_column
          for (c = 0; c < COLS; c = c + 1) begin : tap_column
            assign terms[c*INPUT_CHANNELS*16+:INPUT_CHANNELS*16] =
                products_values[((o*COLS+c)*ROWS+m)*INPUT_CHANNELS*16+:INPUT_CHANNELS*16];
          end
        end
        if (KERNELS == 1) begin : kernel
          compressor #(
              .INPUTS(INPUTS),
              .FAITHFUL(FAITHFUL),
              .SLICE_BITS(SLICE_BITS)
          ) tree (
              .clk(clk),
              .rst(rst),
              .enable(advance),
              .no_constant(fault == 4'd4),
              .lose_carry(fault == 4'd5),
              .entries_bits(terms),
              .value(row[m*ROW_BITS+:ROW_BITS])
          );
        end else begin : pairwise
          pipelined_sum #(
              .TERMS (ROW_TERMS),
              .WIDTH (TERM_BITS),
              .LEVELS(ROW_LEVELS)
          ) tree (
              .clk(clk),
              .enable(advance),
              .in(terms),
              .out(row[m*ROW_BITS+:ROW_BITS])
          );
        end
      end
      for (p = 0; p < ROWS; p = p + 1) begin : sum
        // Row p of several has a kernel of at most MOST rows.
        localparam MOST = ROWS / (p + 1);
        wire [MOST*ROW_BITS-1:0] leaves;
        wire [TREE_BITS+ROUNDED_OFF-1:0] total;
        for (k = 0; k < MOST; k = k + 1) begin : leaf
          reg [ROW_BITS-1:0] value;
          integer n;
          always @* begin
            value = {ROW_BITS{1'b0}};
            if (p == 0 && (job_parallel == 4'd1 || fault == 4'd2)) value = row[k*ROW_BITS+:ROW_BITS];
            else
              for (n = 1; n <= MOST; n = n + 1)
                if (n > k && job_kernel == n[7:0]) value = row[(p*n+k)*ROW_BITS+:ROW_BITS];
          end
          assign leaves[k*ROW_BITS+:ROW_BITS] = value;
        end
        pipelined_sum #(
            .TERMS (MOST),
            .WIDTH (ROW_BITS),
            .LEVELS(LEVELS)
        ) tree (
            .clk(clk),
            .enable(advance),
            .in(leaves),
            .out(total[ROUNDED_OFF+:TREE_BITS])
        );
        if (ROUNDED_OFF > 0) begin : zeros
          assign total[ROUNDED_OFF-1:0] = {ROUNDED_OFF{1'b0}};
        end
        assign sums[(p*OUTPUT_CHANNELS+o)*SUM_BITS+:SUM_BITS] = total[SUM_BITS-1:0];
      end
    end
  endgenerate

  wire [ROWS*OUTPUT_CHANNELS*SUM_BITS-1:0] flip = {{(ROWS * OUTPUT_CHANNELS * SUM_BITS - 1) {1'b0}}, fault == 4'd3};
  stream_register #(
      .WIDTH(`TAG_BITS + ROWS * OUTPUT_CHANNELS * SUM_BITS)
  ) out (
      .clk(clk),
      .rst(rst),
      .fault(4'd0),
      .in_valid(valid[LATENCY-1]),
      .in_ready(sums_room),
      .in_data({tag[LATENCY-1], sums ^ flip}),
      .out_valid(sums_valid),
      .out_ready(sums_ready),
      .out_full(sums_full),
      .out_data({sums_tag, sums_values})
  );
endmodule
