// SPDX-License-Identifier: Apache-2.0
// The multipliers of mac_array, and of tile_engine, as chains of packed slices: of each tap row and pair of output channels, CHAINS chains of
// CHAIN products, the last of what is left; with one that is shorter every operand waits longer. SHARED_WEIGHT 0: the
// two output channels of a chain share the activation. 1: two windows share the weight, the first of which waits for
// the second. At the edge after the first one, when the second enters or none does, the pair meets the first half of
// the output channels, at the next one the other half; `paired` says that the former is now. `take`: a window enters;
// `load`: with `set`. Of a window, CHAIN + 5 + 2 * SHARED_WEIGHT enabled edges after it was taken, its sums:
// [output channel][tap row][chain]. `wrong` leaves the borrow between packed sums out.
module chain_array #(
    parameter ROWS = 3,
    parameter COLS = 3,
    parameter INPUT_CHANNELS = 8,
    parameter OUTPUT_CHANNELS = 8,
    parameter CHAIN = 7,
    parameter CHAINS = 4,
    parameter SHARED_WEIGHT = 0
) (
    input  wire                                                  clk,
    input  wire                                                  rst,
    input  wire                                                  wrong,
    input  wire                                                  enable,
    input  wire                                                  take,
    input  wire                                                  load,
    input  wire [                 COLS*ROWS*INPUT_CHANNELS*9-1:0] taps,
    input  wire [COLS*OUTPUT_CHANNELS*ROWS*INPUT_CHANNELS*8-1:0] set,
    output wire                                                  paired,
    output wire [           OUTPUT_CHANNELS*ROWS*CHAINS*18-1:0] sums
);
  localparam COLUMN = ROWS * INPUT_CHANNELS;
  localparam TAPS = COLS * COLUMN;
  localparam ROW_PRODUCTS = COLS * INPUT_CHANNELS;
  localparam HALF = OUTPUT_CHANNELS / 2;
  localparam LATENCY = CHAIN + 7;  // of windows in pairs

  // The set in use, which next edge's windows see.
  reg [COLS*OUTPUT_CHANNELS*COLUMN*8-1:0] in_use;
  always @(posedge clk) if (load) in_use <= set;

  // The pair in front of the chains: two windows, or one twice where output channels are in pairs.
  wire [TAPS*9-1:0] window_0, window_1;
  wire second_out;
  generate
    if (SHARED_WEIGHT == 1) begin : window_pairs
      reg alone;
      reg [LATENCY-1:0] second;
      reg [TAPS*9-1:0] waiting, first, next;
      wire [LATENCY:0] seconds = {second, take && alone};
      assign paired = alone;
      assign window_0 = alone ? waiting : first;
      assign window_1 = alone ? taps : next;
      assign second_out = second[LATENCY-1];
      always @(posedge clk) begin
        if (rst) alone <= 1'b0;
        else if (enable) alone <= take && !alone;
        if (enable) begin
          second <= seconds[LATENCY-1:0];
          if (!alone) waiting <= taps;
          if (alone) {first, next} <= {waiting, taps};
        end
      end
    end else begin : one_window
      assign paired = 1'b0;
      assign window_0 = taps;
      assign window_1 = taps;
      assign second_out = 1'b0;
    end
  endgenerate

  genvar p, m, t, k;
  generate
    for (m = 0; m < ROWS; m = m + 1) begin : tap_row
      for (t = 0; t < CHAINS; t = t + 1) begin : chain
        localparam LEFT = ROW_PRODUCTS - t * CHAIN;
        localparam LENGTH = LEFT < CHAIN ? LEFT : CHAIN;
        // Delayed as the slices' places in the chain.
        wire [LENGTH*9-1:0] high_window, low_window;
        for (k = 0; k < LENGTH; k = k + 1) begin : activation
          localparam AT = (t * CHAIN + k) / INPUT_CHANNELS * COLUMN + m * INPUT_CHANNELS
                          + (t * CHAIN + k) % INPUT_CHANNELS;
          delay_line #(
              .WIDTH(18),
              .EDGES(CHAIN - LENGTH + k)
          ) skew (
              .clk(clk),
              .enable(enable),
              .in({window_0[9*AT+:9], window_1[9*AT+:9]}),
              .out({high_window[9*k+:9], low_window[9*k+:9]})
          );
        end
        for (p = 0; p < HALF; p = p + 1) begin : pair
          wire [LENGTH*9-1:0] high, low, shared;
          wire [LENGTH-1:0] lets_in;
          wire [47:0] both;
          for (k = 0; k < LENGTH; k = k + 1) begin : slice
            localparam J = t * CHAIN + k;
            localparam WAIT = CHAIN - LENGTH + k;
            localparam COLUMN_AT = J / INPUT_CHANNELS * OUTPUT_CHANNELS;
            localparam TAP = m * INPUT_CHANNELS + J % INPUT_CHANNELS;
            if (SHARED_WEIGHT == 1) begin : shared_weight
              wire [7:0] weight = paired ? in_use[((COLUMN_AT+p)*COLUMN+TAP)*8+:8]
                                         : in_use[((COLUMN_AT+HALF+p)*COLUMN+TAP)*8+:8];
              wire [7:0] arriving;
              delay_line #(
                  .WIDTH(8),
                  .EDGES(WAIT)
              ) skew (
                  .clk(clk),
                  .enable(enable),
                  .in(weight),
                  .out(arriving)
              );
              assign high[9*k+:9] = high_window[9*k+:9];
              assign low[9*k+:9] = low_window[9*k+:9];
              assign shared[9*k+:9] = {arriving[7], arriving};
              assign lets_in[k] = enable;
            end else begin : shared_activation
              wire [15:0] arriving;
              if (WAIT == 0) begin : from_set
                assign arriving = {set[((COLUMN_AT+2*p)*COLUMN+TAP)*8+:8], set[((COLUMN_AT+2*p+1)*COLUMN+TAP)*8+:8]};
                assign lets_in[k] = load;
              end else begin : in_step
                delay_line #(
                    .WIDTH(16),
                    .EDGES(WAIT - 1)
                ) skew (
                    .clk(clk),
                    .enable(enable),
                    .in({in_use[((COLUMN_AT+2*p)*COLUMN+TAP)*8+:8], in_use[((COLUMN_AT+2*p+1)*COLUMN+TAP)*8+:8]}),
                    .out(arriving)
                );
                assign lets_in[k] = enable;
              end
              assign high[9*k+:9] = {arriving[15], arriving[15:8]};
              assign low[9*k+:9] = {arriving[7], arriving[7:0]};
              assign shared[9*k+:9] = high_window[9*k+:9];
            end
          end
          int8_chain #(
              .TERMS(LENGTH)
          ) sum (
              .clk(clk),
              .enable(enable),
              .load(lets_in),
              .wrong(wrong),
              .high(high),
              .low(low),
              .shared(shared),
              .start(1'b1),
              .step(1'b1),
              .sums(both)
          );
          if (SHARED_WEIGHT == 1) begin : halves
            // The first half of the channels came an edge ago, and the second window's sums go out an edge later.
            reg [17:0] high_before, low_before, low_first, low_second;
            always @(posedge clk)
              if (enable) begin
                {high_before, low_before} <= {both[41:24], both[17:0]};
                {low_first, low_second} <= {low_before, both[17:0]};
              end
            assign sums[((p*ROWS+m)*CHAINS+t)*18+:18] = second_out ? low_first : high_before;
            assign sums[(((HALF+p)*ROWS+m)*CHAINS+t)*18+:18] = second_out ? low_second : both[41:24];
          end else begin : channels
            assign sums[((2*p*ROWS+m)*CHAINS+t)*18+:18] = both[41:24];
            assign sums[(((2*p+1)*ROWS+m)*CHAINS+t)*18+:18] = both[17:0];
          end
        end
      end
    end
  endgenerate
endmodule
