// SPDX-License-Identifier: Apache-2.0
// Convolution on packed slices (WP490): of every two neighbouring samples' windows, for each of BANKS filters, the sums of
// chains of TERMS products that share a weight, added with what the samples' offset of 128 takes from them, divided and
// saturated. REBASE 0: one cascade for the whole window, whose sums a register takes apart. RECIPROCAL: a slice for each
// result multiplies before the shift, towards zero. The weights of a smaller window lie in the middle, zeros around them.
// Beats are never refused and results must not be. `fault`: 1 and 2 those of line_window, 3 leaves the borrow between
// packed sums out, 4 forgets the offset, 5 rounds down, 6 has no lowest result, 7 takes an older sample at a chain's end.
module filter_unit #(
    parameter SAMPLES = 4,
    parameter LINE_SAMPLES = 2048,
    parameter KERNEL = 3,
    parameter BANKS = 2,
    parameter TERMS = 7,
    parameter REBASE = 1,
    parameter RECIPROCAL = 1
) (
    input wire       clk,
    input wire       rst,
    input wire [3:0] fault,

    input wire        [                     2:0] job_radius,
    input wire        [                     1:0] job_channels,
    input wire        [                    15:0] job_row_steps,
    input wire        [                     1:0] job_border,
    input wire        [                     7:0] job_border_value,
    input wire signed [                    16:0] job_left,
    input wire signed [                    16:0] job_right,
    input wire signed [                    16:0] job_top,
    input wire signed [                    16:0] job_bottom,
    input wire        [BANKS*KERNEL*KERNEL*8-1:0] job_weights,
    input wire        [                    15:0] job_multiplier,
    input wire        [                     4:0] job_shift,
    input wire                                   job_signed,        // of the result: 16 bits, else 8 without sign
    input wire                                   job_offset,

    input  wire                  start_valid,
    output wire                  start_ready,
    input  wire                  in_valid,
    output wire                  in_ready,
    input  wire [SAMPLES*16-1:0] in_samples,
    output wire                  out_valid,
    input  wire                  out_ready,
    output wire                  out_full,
    output wire [SAMPLES*16-1:0] out_samples,
    output wire [SAMPLES*16-1:0] out_second
);
  localparam WINDOW = KERNEL * KERNEL;
  localparam PAIRS = (SAMPLES + 1) / 2;
  localparam CHAIN = REBASE == 1 && TERMS < WINDOW ? TERMS : WINDOW;
  localparam CHAINS = (WINDOW + CHAIN - 1) / CHAIN;
  localparam LEVELS = $clog2(CHAINS + 1);
  localparam SUM = 22;  // bits of 49 products and the offset
  localparam LATENCY = CHAIN + (REBASE == 1 ? 5 : 4) + LEVELS + (RECIPROCAL == 1 ? 3 : 1) + 1;

  assign start_ready = 1'b1;
  assign in_ready = 1'b1;

  wire window_valid;
  wire [SAMPLES*8-1:0] samples;
  wire [SAMPLES*WINDOW*8-1:0] windows;
  line_window #(
      .SAMPLES(SAMPLES),
      .LINE_SAMPLES(LINE_SAMPLES),
      .KERNEL(KERNEL),
      .BITS(8)
  ) lines (
      .clk(clk),
      .rst(rst),
      .fault(fault),
      .begin_job(start_valid),
      .job_radius(job_radius),
      .job_channels(job_channels),
      .job_row_steps(job_row_steps),
      .job_border(job_border),
      .job_border_value(job_border_value),
      .job_left(job_left),
      .job_right(job_right),
      .job_top(job_top),
      .job_bottom(job_bottom),
      .in_valid(in_valid),
      .in_samples(samples),
      .out_valid(window_valid),
      .out_windows(windows)
  );

  reg [LATENCY-1:0] valid;
  always @(posedge clk) begin
    if (rst) valid <= {LATENCY{1'b0}};
    else valid <= {valid[LATENCY-2:0], window_valid};
  end

  wire [30:0] dropped = fault == 4'd5 ? 31'd0 : ~(31'h7fffffff << job_shift);
  wire [BANKS*SAMPLES*16-1:0] results;
  genvar b, p, t, k, l;
  generate
    for (l = 0; l < SAMPLES; l = l + 1) begin : sample
      assign samples[l*8+:8] = in_samples[l*16+:8];
    end

    // 128 times a filter's weights.
    for (b = 0; b < BANKS; b = b + 1) begin : bank
      reg [23:0] weights, offset;
      integer i;
      always @* begin
        weights = 24'd0;
        for (i = 0; i < WINDOW; i = i + 1)
          weights = weights + {{16{job_weights[(b*WINDOW+i)*8+7]}}, job_weights[(b*WINDOW+i)*8+:8]};
      end
      always @(posedge clk) offset <= job_offset && fault != 4'd4 ? {weights[16:0], 7'd0} : 24'd0;
    end

    for (p = 0; p < PAIRS; p = p + 1) begin : pair
      // The samples of the pair are delayed as the places of the slices in the chain require; a shorter chain waits longer.
      wire [WINDOW*9-1:0] high, low;
      for (t = 0; t < WINDOW; t = t + 1) begin : tap
        localparam LEFT = WINDOW - t / CHAIN * CHAIN;
        localparam LENGTH = LEFT < CHAIN ? LEFT : CHAIN;
        localparam EDGES = CHAIN - LENGTH + t % CHAIN;
        wire [7:0] first = windows[(2*p*WINDOW+t)*8+:8];
        wire [8:0] first_operand = {job_offset ? {2{!first[7]}} : {1'b0, first[7]}, first[6:0]};
        wire [8:0] second_operand;
        if (2 * p + 1 < SAMPLES) begin : two
          wire [7:0] second = windows[((2*p+1)*WINDOW+t)*8+:8];
          assign second_operand = {job_offset ? {2{!second[7]}} : {1'b0, second[7]}, second[6:0]};
        end else begin : one
          assign second_operand = 9'd0;
        end
        wire [17:0] in_time;
        delay_line #(
            .WIDTH(18),
            .EDGES(EDGES)
        ) skew (
            .clk(clk),
            .enable(1'b1),
            .in({second_operand, first_operand}),
            .out(in_time)
        );
        if (t == WINDOW - 1) begin : last
          reg [17:0] older;
          always @(posedge clk) older <= in_time;
          assign {high[9*t+:9], low[9*t+:9]} = fault == 4'd7 ? older : in_time;
        end else begin : inner
          assign {high[9*t+:9], low[9*t+:9]} = in_time;
        end
      end

      for (b = 0; b < BANKS; b = b + 1) begin : filter
        wire [CHAINS*24-1:0] high_sums, low_sums;
        for (t = 0; t < CHAINS; t = t + 1) begin : chain
          localparam LEFT = WINDOW - t * CHAIN;
          localparam LENGTH = LEFT < CHAIN ? LEFT : CHAIN;
          wire [LENGTH*9-1:0] weights;
          for (k = 0; k < LENGTH; k = k + 1) begin : weight
            wire [7:0] of_tap = job_weights[(b*WINDOW+t*CHAIN+k)*8+:8];
            assign weights[9*k+:9] = {of_tap[7], of_tap};
          end
          if (REBASE == 1) begin : apart_in_slice
            wire [47:0] both;
            int8_chain #(
                .TERMS(LENGTH)
            ) products (
                .clk(clk),
                .enable(1'b1),
                .load({LENGTH{1'b1}}),
                .wrong(fault == 4'd3),
                .high(high[9*CHAIN*t+:9*LENGTH]),
                .low(low[9*CHAIN*t+:9*LENGTH]),
                .shared(weights),
                .start(1'b1),
                .step(1'b1),
                .sums(both)
            );
            assign {high_sums[24*t+:24], low_sums[24*t+:24]} = both;
          end else begin : apart_in_register
            wire [47:0] total;
            packed_chain #(
                .TERMS(LENGTH)
            ) products (
                .clk(clk),
                .enable(1'b1),
                .load({LENGTH{1'b1}}),
                .high(high[9*CHAIN*t+:9*LENGTH]),
                .low(low[9*CHAIN*t+:9*LENGTH]),
                .shared(weights),
                .total(total)
            );
            reg [23:0] upper, lower;
            always @(posedge clk) begin
              upper <= total[41:18] + {23'd0, total[17] && fault != 4'd3};
              lower <= {{6{total[17]}}, total[17:0]};
            end
            assign {high_sums[24*t+:24], low_sums[24*t+:24]} = {upper, lower};
          end
        end

        for (l = 2 * p; l < 2 * p + 2 && l < SAMPLES; l = l + 1) begin : lane
          wire [23+LEVELS:0] all;
          wire signed [SUM-1:0] sum = all[SUM-1:0];
          pipelined_sum #(
              .TERMS (CHAINS + 1),
              .WIDTH (24),
              .LEVELS(LEVELS)
          ) tree (
              .clk(clk),
              .enable(1'b1),
              .in({bank[b].offset, l % 2 == 0 ? low_sums : high_sums}),
              .out(all)
          );
          wire signed [SUM+16:0] scaled;
          if (RECIPROCAL == 1) begin : multiplied
            reg negative;
            always @(posedge clk) negative <= sum[SUM-1];
            wire [47:0] product;
            multiply_slice scaler (
                .clk(clk),
                .subtracts(1'b0),
                .d(27'd0),
                .a({{28 - SUM{sum[SUM-1]}}, sum[SUM-2:0]}),
                .b({2'b00, job_multiplier}),
                .c(negative ? {17'd0, dropped} : 48'd0),
                .p(product)
            );
            assign scaled = $signed(product[SUM+16:0]) >>> job_shift;
          end else begin : shifted
            wire signed [SUM-1:0] made_up = sum + $signed(sum[SUM-1] ? dropped[SUM-1:0] : {SUM{1'b0}});
            reg signed [SUM-1:0] quotient;
            always @(posedge clk) quotient <= made_up >>> job_shift;
            assign scaled = {{18{quotient[SUM-1]}}, quotient[SUM-2:0]};
          end
          reg [15:0] result;
          wire below = scaled[SUM+16];
          wire fits_16 = scaled[SUM+16:15] == {SUM + 2{below}};
          wire fits_8 = scaled[SUM+16:8] == {SUM + 9{1'b0}};
          always @(posedge clk)
            if (job_signed)
              result <= fits_16 || (fault == 4'd6 && below) ? scaled[15:0] : {below, {15{!below}}};
            else result <= fits_8 ? scaled[15:0] : below ? 16'd0 : 16'd255;
          assign results[(b*SAMPLES+l)*16+:16] = result;
        end
      end
    end
  endgenerate

  wire [BANKS*SAMPLES*16-1:0] out_results;
  stream_register #(
      .WIDTH(BANKS * SAMPLES * 16)
  ) out (
      .clk(clk),
      .rst(rst),
      .fault(4'd0),
      .in_valid(valid[LATENCY-1]),
      .in_ready(),
      .in_data(results),
      .out_valid(out_valid),
      .out_ready(out_ready),
      .out_full(out_full),
      .out_data(out_results)
  );
  assign out_samples = out_results[SAMPLES*16-1:0];
  generate
    if (BANKS == 2) begin : second_filter
      assign out_second = out_results[BANKS*SAMPLES*16-1-:SAMPLES*16];
    end else begin : no_second
      assign out_second = {SAMPLES * 16{1'b0}};
    end
  endgenerate
endmodule
