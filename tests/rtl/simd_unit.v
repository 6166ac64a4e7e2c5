// SPDX-License-Identifier: Apache-2.0
// Functions of a pixel of one or two images. For every two samples of 16 bits, or with FOUR12 four of 8, two slices: one
// has a op b, the other b - a; a threshold's are a - lower and upper - a, an inverted byte's is the other. Their signs
// choose, and the result is saturated or wrapped. MULTIPLIERS: before them a slice for each sample has a b, a a or
// 256 b + alpha (a - b), rounded towards zero as it is shifted. Beats are never refused and results must not be.
// `fault`: 1 the larger for the smaller, 2 does not saturate at the low end, 3 takes a threshold's upper end as outside,
// 4 rounds down, 5 wraps at 16 bits, 6 subtracts the other way round.
module simd_unit #(
    parameter SAMPLES = 4,
    parameter FOUR12 = 0,
    parameter MULTIPLIERS = 1
) (
    input wire       clk,
    input wire       rst,
    input wire [3:0] fault,

    input wire        [ 3:0] job_operation,    // as the registers have it
    input wire               job_signed,       // of the samples that come, and of the second image's
    input wire               job_with_signed,
    input wire        [ 3:0] job_shift,
    input wire        [ 8:0] job_alpha,
    input wire signed [16:0] job_lower,
    input wire signed [16:0] job_upper,
    input wire        [ 7:0] job_true_value,
    input wire        [ 7:0] job_false_value,
    input wire               job_inside,
    input wire               job_wraps,
    input wire signed [16:0] job_low,
    input wire signed [16:0] job_high,

    input  wire                  start_valid,
    output wire                  start_ready,
    input  wire                  in_valid,
    output wire                  in_ready,
    input  wire [SAMPLES*16-1:0] in_samples,
    input  wire [SAMPLES*16-1:0] in_second,
    output wire                  out_valid,
    input  wire                  out_ready,
    output wire                  out_full,
    output wire [SAMPLES*16-1:0] out_samples
);
  localparam LANES = FOUR12 == 1 ? 4 : 2;
  localparam LANE = 48 / LANES;
  localparam GROUPS = (SAMPLES + LANES - 1) / LANES;
  localparam LATENCY = MULTIPLIERS == 1 ? 7 : 4;

  assign start_ready = 1'b1;
  assign in_ready = 1'b1;

  wire absdiff = job_operation == 4'd1;
  wire minimum = job_operation == 4'd4;
  wire maximum = job_operation == 4'd5;
  wire is_and = job_operation == 4'd6;
  wire is_or = job_operation == 4'd7;
  wire is_xor = job_operation == 4'd8;
  wire is_not = job_operation == 4'd9;
  wire threshold = job_operation == 4'd10;
  wire multiply = job_operation == 4'd11;
  wire square = job_operation == 4'd12;
  wire weighted = job_operation == 4'd13;
  wire alone = job_operation == 4'd0 || multiply || weighted;
  wire subtracts = absdiff || job_operation == 4'd3 || minimum || maximum || threshold;

  // Forward: C is a or the product, A:B is b. Backward: C is b, A:B is a.
  wire [3:0] forward_alumode = subtracts ? 4'b0011 : is_and || is_or ? 4'b1100 : is_xor ? 4'b0100 : 4'b0000;
  wire [8:0] forward_opmode = {5'b00011, is_or, 1'b0, {2{!alone}}};
  wire [3:0] backward_alumode = is_not ? 4'b1111 : 4'b0011;
  wire [8:0] backward_opmode = {5'b00011, is_not, 3'b011};

  wire [14:0] dropped = ~(15'h7fff << job_shift);  // bits of a product

  reg [LATENCY-1:0] valid;
  always @(posedge clk) begin
    if (rst) valid <= {LATENCY{1'b0}};
    else valid <= {valid[LATENCY-2:0], in_valid};
  end

  wire [SAMPLES*16-1:0] results;
  genvar g, l;
  generate
    for (g = 0; g < GROUPS; g = g + 1) begin : group
      wire [47:0] forward_c, forward_ab, backward_c, backward_ab, forward, backward;
      simd_slice #(
          .FOUR12(FOUR12)
      ) forward_slice (
          .clk(clk),
          .alumode(forward_alumode),
          .opmode(forward_opmode),
          .ab(forward_ab),
          .c(forward_c),
          .p(forward)
      );
      simd_slice #(
          .FOUR12(FOUR12)
      ) backward_slice (
          .clk(clk),
          .alumode(backward_alumode),
          .opmode(backward_opmode),
          .ab(backward_ab),
          .c(backward_c),
          .p(backward)
      );
      for (l = 0; l < LANES; l = l + 1) begin : lane
        localparam AT = l * LANE;
        if (g * LANES + l >= SAMPLES) begin : none
          assign forward_c[AT+:LANE] = {LANE{1'b0}};
          assign forward_ab[AT+:LANE] = {LANE{1'b0}};
          assign backward_c[AT+:LANE] = {LANE{1'b0}};
          assign backward_ab[AT+:LANE] = {LANE{1'b0}};
        end else begin : sample
          localparam SAMPLE = g * LANES + l;
          wire [15:0] first = in_samples[SAMPLE*16+:16];
          wire [15:0] second = in_second[SAMPLE*16+:16];
          wire [23:0] came_a = {{8{first[15] && job_signed}}, first};
          wire [23:0] came_b = {{8{second[15] && job_with_signed}}, second};
          wire [LANE-1:0] a, b, product;
          if (MULTIPLIERS == 1) begin : multiplied
            reg signs_differ;
            reg [23:0] b_1;
            always @(posedge clk) begin
              signs_differ <= came_a[23] ^ came_b[23];
              b_1 <= came_b;
            end
            // Towards zero: what the shift drops of a negative product is made up for.
            wire [14:0] make_up = multiply && signs_differ && fault != 4'd4 ? dropped : 15'd0;
            wire [47:0] p;
            multiply_slice multiplier (
                .clk(clk),
                .subtracts(weighted),
                .d({{3{came_a[23]}}, came_a}),
                .a(weighted ? {{3{came_b[23]}}, came_b} : {{3{came_a[23]}}, came_a}),
                .b(weighted ? {9'd0, job_alpha} : square ? came_a[17:0] : came_b[17:0]),
                .c(weighted ? {{16{b_1[23]}}, b_1, 8'd0} : {33'd0, make_up}),
                .p(p)
            );
            // The factors have 17 bits; the product exceeds the range of every result, yet leaves room for what is added.
            wire signed [33:0] shifted = $signed(p[33:0]) >>> (weighted ? 4'd8 : job_shift);
            wire fits = shifted[33:22] == {12{shifted[33]}};
            wire [23:0] limited = fits || job_wraps ? shifted[23:0] : {{2{shifted[33]}}, {22{!shifted[33]}}};
            wire [23:0] waited_a, waited_b;
            delay_line #(
                .WIDTH(48),
                .EDGES(3)
            ) beside (
                .clk(clk),
                .enable(1'b1),
                .in({came_a, came_b}),
                .out({waited_a, waited_b})
            );
            assign a = waited_a[LANE-1:0];
            assign b = waited_b[LANE-1:0];
            assign product = limited[LANE-1:0];
          end else begin : straight
            assign a = came_a[LANE-1:0];
            assign b = came_b[LANE-1:0];
            assign product = {LANE{1'b0}};
          end

          wire [23:0] lower = {{7{job_lower[16]}}, job_lower};
          wire [23:0] upper = {{7{job_upper[16]}}, job_upper};
          assign forward_c[AT+:LANE] = multiply || square || weighted ? product : fault == 4'd6 ? b : a;
          assign forward_ab[AT+:LANE] = threshold ? lower[LANE-1:0] : fault == 4'd6 ? a : b;
          assign backward_c[AT+:LANE] = threshold ? upper[LANE-1:0] : is_not ? {{LANE - 8{1'b0}}, 8'hff} : b;
          assign backward_ab[AT+:LANE] = a;

          wire [LANE-1:0] a_2, b_2;
          delay_line #(
              .WIDTH(2 * LANE),
              .EDGES(2)
          ) beside (
              .clk(clk),
              .enable(1'b1),
              .in({a, b}),
              .out({a_2, b_2})
          );
          wire [LANE-1:0] one = forward[AT+:LANE];
          wire [LANE-1:0] other = backward[AT+:LANE];
          wire below = one[LANE-1] && !(threshold && fault == 4'd3 && other == {LANE{1'b0}});
          wire above = other[LANE-1] || (threshold && fault == 4'd3 && other == {LANE{1'b0}});
          wire holds = job_inside ? !below && !above : above;
          wire takes_a = below ^ maximum ^ (fault == 4'd1);
          reg [LANE-1:0] chosen;
          reg [15:0] result;
          wire signed [23:0] value = {{25 - LANE{chosen[LANE-1]}}, chosen[LANE-2:0]};
          wire signed [23:0] low = {{7{job_low[16]}}, job_low};
          wire signed [23:0] high = {{7{job_high[16]}}, job_high};
          always @(posedge clk) begin
            chosen <= threshold ? {{LANE - 8{1'b0}}, holds ? job_true_value : job_false_value} :
                      minimum || maximum ? (takes_a ? a_2 : b_2) :
                      is_not || (absdiff && below) ? other : one;
            if (job_wraps) result <= job_high[8] || fault == 4'd5 ? value[15:0] : {8'd0, value[7:0]};
            else if (value < low && fault != 4'd2) result <= low[15:0];
            else result <= value > high ? high[15:0] : value[15:0];
          end
          assign results[SAMPLE*16+:16] = result;
        end
      end
    end
  endgenerate

  stream_register #(
      .WIDTH(SAMPLES * 16)
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
      .out_data(out_samples)
  );
endmodule
