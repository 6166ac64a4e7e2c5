// SPDX-License-Identifier: Apache-2.0
// Partial sums in ROWS banks. One output row at a time uses all banks one after another, job_parallel rows their share
// each. A first sum starts from the bias, a later one from what is stored; a last one leaves as a total, one output row
// per edge. Bias records, 4 bytes or 8 with job_scale_per_channel, come one edge after bias_group.
// `fault`: 1 reads a stored sum before it is there, 2 starts every sum from the bias, 3 reports a job done although
// `done` is full, 4 gives all rows of a beat the number of the first, 15 asks the banks once more.
`include "tag.vh"
`include "memory_ports.vh"
module accumulator #(
    parameter ROWS = 3,
    parameter OUTPUT_CHANNELS = 8,
    parameter ACCUMULATOR_DEPTH = 2048,
    parameter ACCUMULATOR_BITS = 32,
    parameter SUM_BITS = 23
) (
    input wire       clk,
    input wire       rst,
    input wire [3:0] fault,

    input wire [ 3:0] job_parallel,
    input wire        job_scale_per_channel,
    input wire        job_bias_select,
    input wire [16:0] job_bias_base,

    input  wire                                     sums_valid,
    output wire                                     sums_ready,
    input  wire [                    `TAG_BITS-1:0] sums_tag,
    input  wire [ROWS*OUTPUT_CHANNELS*SUM_BITS-1:0] sums_values,

    output wire                          bias_enable,
    output wire                          bias_target,
    output wire [                  16:0] bias_group,
    input  wire [OUTPUT_CHANNELS*64-1:0] bias_data,

    output wire done_valid,
    input  wire done_ready,
    output wire done_full,

    output wire                                        totals_valid,
    input  wire                                        totals_ready,
    output wire                                        totals_full,
    output wire [                       `TAG_BITS-1:0] totals_tag,
    output wire [OUTPUT_CHANNELS*ACCUMULATOR_BITS-1:0] totals_values
);
  localparam BANK_DEPTH = (ACCUMULATOR_DEPTH + ROWS - 1) / ROWS;
  localparam ADDRESS_BITS = BANK_DEPTH > 1 ? $clog2(BANK_DEPTH) : 1;
  localparam WIDTH = OUTPUT_CHANNELS * ACCUMULATOR_BITS;

  // The part of its row's entries that a beat belongs to: the first bank of the row's share, the second, ...
  wire [19:0] entry = sums_tag[`TAG_ENTRY];
  reg [3:0] part;
  reg [19:0] offset;
  integer n;
  always @* begin
    part   = 4'd0;
    offset = entry;
    for (n = 1; n < ROWS; n = n + 1)
      if ({12'd0, entry} >= n * BANK_DEPTH) begin
        part   = n[3:0];
        offset = entry - n[19:0] * BANK_DEPTH[19:0];
      end
  end

  // The beat at the head, which a last round takes one output row per edge.
  reg [3:0] row;
  wire last = sums_tag[`TAG_LAST];
  wire job_end = sums_tag[`TAG_JOB_END];
  wire done_room;
  reg total_valid;
  wire totals_room;
  wire advance = !total_valid || totals_room;
  wire may_start = !job_end || row != 4'd0 || done_room || fault == 4'd3;
  wire accept = advance && sums_valid && may_start;
  wire last_row = !last || row + 4'd1 == job_parallel;
  assign sums_ready = advance && may_start && last_row;

  assign bias_enable = accept;
  assign bias_target = job_bias_select;
  assign bias_group = job_bias_base + sums_tag[`TAG_GROUP];
  // A product by a small number, in LUTs: the first output row of the beat.
  reg [13:0] first_row;
  integer i;
  always @* begin
    first_row = 14'd0;
    for (i = 0; i < 4; i = i + 1) if (job_parallel[i]) first_row = first_row + (sums_tag[`TAG_ROW] << i);
  end

  // Between the two edges of a sum.
  reg taken, first_q, last_q;
  reg [ADDRESS_BITS-1:0] offset_q;
  reg [`TAG_BITS-1:0] tag_q, total_tag;
  reg [WIDTH-1:0] total;
  wire [WIDTH-1:0] bias;
  reg [WIDTH-1:0] total_now;
  wire [ROWS*WIDTH-1:0] chosen;
  always @(posedge clk) begin
    if (rst) begin
      row <= 4'd0;
      taken <= 1'b0;
      total_valid <= 1'b0;
    end else if (advance) begin
      if (accept) row <= last_row ? 4'd0 : row + 4'd1;
      taken <= accept;
      total_valid <= taken && last_q;
    end
    if (advance) begin
      first_q <= sums_tag[`TAG_FIRST] || fault == 4'd2;
      last_q <= last;
      offset_q <= offset[ADDRESS_BITS-1:0];
      tag_q <= sums_tag;
      tag_q[`TAG_ROW] <= first_row + {10'd0, fault == 4'd4 ? 4'd0 : row};
      total <= total_now;
      total_tag <= tag_q;
    end
  end

  genvar b, o, p;
  generate
    for (o = 0; o < OUTPUT_CHANNELS; o = o + 1) begin : bias_of
      assign bias[o*ACCUMULATOR_BITS+:ACCUMULATOR_BITS] =
          job_scale_per_channel ? bias_data[o*64+:ACCUMULATOR_BITS] : bias_data[o*32+:ACCUMULATOR_BITS];
    end
    for (b = 0; b < ROWS; b = b + 1) begin : bank
      // With n rows in parallel the bank serves row b / (ROWS / n).
      reg [3:0] serves, local_part;
      reg [OUTPUT_CHANNELS*SUM_BITS-1:0] its_sums;
      integer k, its_row, its_part;
      always @* begin
        its_row  = 0;
        its_part = b;
        its_sums = sums_values[0+:OUTPUT_CHANNELS*SUM_BITS];
        for (k = 2; k <= ROWS; k = k + 1)
          if (job_parallel == k[3:0] && b / (ROWS / k) < k) begin
            its_row  = b / (ROWS / k);
            its_part = b % (ROWS / k);
            its_sums = sums_values[(b/(ROWS/k))*OUTPUT_CHANNELS*SUM_BITS+:OUTPUT_CHANNELS*SUM_BITS];
          end else if (job_parallel == k[3:0]) begin
            its_row = k;
          end
        serves = its_row[3:0];
        local_part = its_part[3:0];
      end
      wire mine = serves < job_parallel && local_part == part && (!last || serves == row);
      reg active;
      reg [OUTPUT_CHANNELS*SUM_BITS-1:0] addend;
      always @(posedge clk)
        if (advance) begin
          active <= accept && mine;
          addend <= its_sums;
        end
      wire [WIDTH-1:0] stored, sum;
      for (o = 0; o < OUTPUT_CHANNELS; o = o + 1) begin : channel
        wire [ACCUMULATOR_BITS-1:0] from = first_q ? bias[o*ACCUMULATOR_BITS+:ACCUMULATOR_BITS] :
            stored[o*ACCUMULATOR_BITS+:ACCUMULATOR_BITS];
        assign sum[o*ACCUMULATOR_BITS+:ACCUMULATOR_BITS] = from +
            {{(ACCUMULATOR_BITS - SUM_BITS) {addend[o*SUM_BITS+SUM_BITS-1]}}, addend[o*SUM_BITS+:SUM_BITS]};
      end
      accumulator_bank #(
          .WIDTH(WIDTH),
          .DEPTH(BANK_DEPTH),
          .ADDRESS_BITS(ADDRESS_BITS)
      ) ram (
          .clk(clk),
          .forward(fault != 4'd1),
          .read(advance),
          .read_address(offset[ADDRESS_BITS-1:0]),
          .read_data(stored),
          .write(advance && active && !last_q),
          .write_address(offset_q),
          .write_data(sum)
      );
      `SIMPLE_DUAL_PORT(memory, advance && active && !last_q, advance, fault == 4'd15)
      assign chosen[b*WIDTH+:WIDTH] = active ? sum : {WIDTH{1'b0}};
    end
  endgenerate
  // The one bank whose sum is a total.
  integer t;
  always @* begin
    total_now = {WIDTH{1'b0}};
    for (t = 0; t < ROWS; t = t + 1) total_now = total_now | chosen[t*WIDTH+:WIDTH];
  end

  wire done_bit;
  stream_register #(
      .WIDTH(1)
  ) reports (
      .clk(clk),
      .rst(rst),
      .fault(4'd0),
      .in_valid(accept && last_row && job_end),
      .in_ready(done_room),
      .in_data(1'b0),
      .out_valid(done_valid),
      .out_ready(done_ready),
      .out_full(done_full),
      .out_data(done_bit)
  );
  stream_register #(
      .WIDTH(`TAG_BITS + WIDTH)
  ) out (
      .clk(clk),
      .rst(rst),
      .fault(4'd0),
      .in_valid(total_valid),
      .in_ready(totals_room),
      .in_data({total_tag, total}),
      .out_valid(totals_valid),
      .out_ready(totals_ready),
      .out_full(totals_full),
      .out_data({totals_tag, totals_values})
  );
endmodule
