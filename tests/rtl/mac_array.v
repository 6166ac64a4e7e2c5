// SPDX-License-Identifier: Apache-2.0
// ROWS x COLS taps of every input channel times the weights of every output channel. The next weight set is shifted in
// a tap column per edge and enters the multipliers with the first window of its pass. Activations are bytes, unsigned
// where job_input_unsigned says so (of the layer's input, not of the hidden state). MULTIPLIER: 0 and 1 are DSP slices
// (mac_cell), 2 LUTs, 3 reconfigurable tables, into which a complete set is reloaded; SHADOW has two sets of those. 4 is
// chains of slices (chain_array), which hand on the sums of TERMS products of a tap row. 5 is a kernel for each output
// channel and tap row (kernel_tables), which hands on what its tables of SLICE_BITS address bits say.
// `fault`: 1 takes a window one tap column before its set is complete, or during its reload,
// 2 forgets the borrow between packed products
// (MULTIPLIER 1, 4), 3 does not hold its stages while `products` is full, 4 loads weights at every window, 5 takes a set
// while the one before is still multiplied with a pair of windows (MULTIPLIER 4),
// 6 reloads the tables of unsigned activations as those of signed ones (MULTIPLIER 5).
`include "tag.vh"
module mac_array #(
    parameter ROWS = 3,
    parameter COLS = 3,
    parameter INPUT_CHANNELS = 8,
    parameter OUTPUT_CHANNELS = 8,
    parameter MULTIPLIER = 1,
    parameter SHADOW = 1,
    parameter TERMS = 7,
    parameter SHARED_WEIGHT = 0,
    parameter SLICE_BITS = 4,
    parameter FAITHFUL = 0,
    parameter CHAIN = TERMS < COLS * INPUT_CHANNELS ? TERMS : COLS * INPUT_CHANNELS,
    parameter ROW_TERMS = MULTIPLIER == 4 ? (COLS * INPUT_CHANNELS + CHAIN - 1) / CHAIN : COLS * INPUT_CHANNELS,
    parameter TERM_BITS = MULTIPLIER == 5 ? (7 + SLICE_BITS) / SLICE_BITS * (8 + SLICE_BITS) : MULTIPLIER == 4 ? 18 : 16
) (
    input wire       clk,
    input wire       rst,
    input wire [3:0] fault,

    input wire job_input_unsigned,

    input  wire                                  windows_valid,
    output wire                                  windows_ready,
    input  wire [                 `TAG_BITS-1:0] windows_tag,
    input  wire [COLS*ROWS*INPUT_CHANNELS*8-1:0] windows_taps,

    input  wire                                             weights_valid,
    output wire                                             weights_ready,
    input  wire [OUTPUT_CHANNELS*ROWS*INPUT_CHANNELS*8-1:0] weights_bytes,

    output wire                                                   products_valid,
    input  wire                                                   products_ready,
    output wire                                                   products_full,
    output wire [                                  `TAG_BITS-1:0] products_tag,
    output wire [         OUTPUT_CHANNELS*ROWS*ROW_TERMS*TERM_BITS-1:0] products_values
);
  localparam COLUMN = ROWS * INPUT_CHANNELS;
  localparam TAPS = COLS * COLUMN;
  localparam LATENCY = MULTIPLIER == 5 ? 2 : MULTIPLIER == 4 ? CHAIN + 5 + 2 * SHARED_WEIGHT : MULTIPLIER == 1 ? 4 : 3;
  localparam COUNT_BITS = $clog2(COLS + 1);

  reg [COUNT_BITS-1:0] loaded;
  reg [LATENCY-1:0] valid;
  reg [`TAG_BITS-1:0] tag[0:LATENCY-1];  // registers

  wire products_room;
  wire advance = !valid[LATENCY-1] || products_room || fault == 4'd3;
  wire new_set = windows_tag[`TAG_NEW_WEIGHTS];
  wire complete = loaded == COLS[COUNT_BITS-1:0];
  wire enough, paired;
  assign windows_ready = advance && (!new_set || (enough && (!paired || fault == 4'd5)));
  wire take = windows_valid && windows_ready;
  wire swap = take && new_set;
  // The complete set leaves its registers: into the multipliers, or into the reload of their tables.
  wire leaves;
  assign weights_ready = !complete || leaves;
  wire shift = weights_valid && weights_ready;

  wire reloading;
  wire reload_even, reload_restart, reload_middle;
  reg select;
  generate
    if (MULTIPLIER == 3 || MULTIPLIER == 5) begin : reload
      wire tables_loaded, may_start;
      table_reload #(
          .SHADOW(SHADOW),
          .SLICE_BITS(SLICE_BITS)
      ) tables (
          .clk(clk),
          .rst(rst),
          .word_waits(advance && windows_valid && !windows_ready),
          .start(complete),
          .shift(reloading),
          .take(swap),
          .running(reloading),
          .loaded(tables_loaded),
          .may_start(may_start),
          .even(reload_even),
          .restart(reload_restart),
          .middle(reload_middle)
      );
      assign enough = tables_loaded || (fault == 4'd1 && reloading);
      assign leaves = complete && may_start;
      always @(posedge clk) begin
        if (rst) select <= 1'b0;
        else if (swap || (fault == 4'd4 && take)) select <= !select;
      end
    end else begin : direct
      assign enough = complete || (fault == 4'd1 && loaded == COLS[COUNT_BITS-1:0] - 1'b1);
      assign leaves = swap;
      assign reloading = 1'b0;
      assign {reload_even, reload_restart, reload_middle} = 3'd0;
      always @(posedge clk) select <= 1'b0;
    end
  endgenerate

  wire [LATENCY:0] entering = {valid, take};
  integer i;
  always @(posedge clk) begin
    if (rst) begin
      valid  <= {LATENCY{1'b0}};
      loaded <= {COUNT_BITS{1'b0}};
    end else begin
      if (advance) valid <= entering[LATENCY-1:0];
      if (leaves) loaded <= {{(COUNT_BITS - 1) {1'b0}}, shift};
      else if (shift) loaded <= loaded + 1'b1;
    end
    if (advance) begin
      tag[0] <= windows_tag;
      for (i = 1; i < LATENCY; i = i + 1) tag[i] <= tag[i-1];
    end
  end

  // The set that is being loaded: [tap column][output channel][tap row][input channel].
  localparam SET_COLUMN = OUTPUT_CHANNELS * COLUMN * 8;
  reg  [COLS*SET_COLUMN-1:0] next_set;
  wire [COLS*SET_COLUMN+SET_COLUMN-1:0] shifted = {weights_bytes, next_set};
  always @(posedge clk) if (shift) next_set <= shifted[SET_COLUMN+:COLS*SET_COLUMN];

  wire [OUTPUT_CHANNELS*ROWS*ROW_TERMS*TERM_BITS-1:0] products;
  wire load = swap || (fault == 4'd4 && take);
  genvar c, k, o, m;
  generate
    if (MULTIPLIER == 4) begin : chains
      wire [TAPS*9-1:0] activations;
      for (k = 0; k < TAPS; k = k + 1) begin : widen
        assign activations[9*k+:9] = {windows_taps[8*k+7] && !job_input_unsigned, windows_taps[8*k+:8]};
      end
      chain_array #(
          .ROWS(ROWS),
          .COLS(COLS),
          .INPUT_CHANNELS(INPUT_CHANNELS),
          .OUTPUT_CHANNELS(OUTPUT_CHANNELS),
          .CHAIN(CHAIN),
          .CHAINS(ROW_TERMS),
          .SHARED_WEIGHT(SHARED_WEIGHT)
      ) slices (
          .clk(clk),
          .rst(rst),
          .wrong(fault == 4'd2),
          .enable(advance),
          .take(take),
          .load(load),
          .taps(activations),
          .set(next_set),
          .paired(paired),
          .sums(products)
      );
    end else if (MULTIPLIER == 5) begin : kernels
      assign paired = 1'b0;
      localparam INPUTS = COLS * INPUT_CHANNELS;
      localparam ENTRIES = INPUTS * TERM_BITS;
      for (m = 0; m < ROWS; m = m + 1) begin : tap_row
        reg [INPUTS*9-1:0] x;
        for (k = 0; k < INPUTS; k = k + 1) begin : activation
          localparam AT = 8 * (k / INPUT_CHANNELS * COLUMN + m * INPUT_CHANNELS + k % INPUT_CHANNELS);
          always @(posedge clk)
            if (advance) x[9*k+:9] <= {windows_taps[AT+7] && !job_input_unsigned, windows_taps[AT+:8]};
        end
        for (o = 0; o < OUTPUT_CHANNELS; o = o + 1) begin : channel
          wire [INPUTS*8-1:0] coefficients;
          for (k = 0; k < INPUTS; k = k + 1) begin : coefficient
            assign coefficients[8*k+:8] = next_set[k/INPUT_CHANNELS*SET_COLUMN
                                                   +(o*COLUMN+m*INPUT_CHANNELS+k%INPUT_CHANNELS)*8+:8];
          end
          kernel_tables #(
              .INPUTS(INPUTS),
              .FAITHFUL(FAITHFUL),
              .SHADOW(SHADOW),
              .SLICE_BITS(SLICE_BITS)
          ) kernel (
              .clk(clk),
              .enable(advance),
              .start(leaves),
              .shift(reloading),
              .even(reload_even),
              .restart(reload_restart),
              .middle(reload_middle),
              .select(select),
              .is_unsigned(job_input_unsigned && fault != 4'd6),
              .x(x),
              .coefficients(coefficients),
              .entries(products[(o*ROWS+m)*ENTRIES+:ENTRIES])
          );
        end
      end
    end else begin : singles
    assign paired = 1'b0;
    // An array and a loop, for simulators copy a vector's slices one into another.
    wire [15:0] product[0:OUTPUT_CHANNELS*TAPS-1];
    reg [OUTPUT_CHANNELS*TAPS*16-1:0] all;
    integer n;
    always @* for (n = 0; n < OUTPUT_CHANNELS * TAPS; n = n + 1) all[n*16+:16] = product[n];
    assign products = all;
    for (c = 0; c < COLS; c = c + 1) begin : tap_column
      for (k = 0; k < COLUMN; k = k + 1) begin : tap
        wire [7:0] x = windows_taps[(c*COLUMN+k)*8+:8];
        wire [8:0] activation = {x[7] && !job_input_unsigned, x};
        if (MULTIPLIER == 1) begin : packed_pairs
          for (o = 0; o < OUTPUT_CHANNELS; o = o + 2) begin : pair
            localparam BOTH = o + 1 < OUTPUT_CHANNELS;
            wire [15:0] high, low;
            mac_cell #(
                .MULTIPLIER(1)
            ) slice (
                .clk(clk),
                .enable(advance),
                .load(load),
                .wrong(fault == 4'd2),
                .activation(activation),
                .high_weight(next_set[c*SET_COLUMN+(o*COLUMN+k)*8+:8]),
                .low_weight(BOTH ? next_set[c*SET_COLUMN+((BOTH ? o+1 : o)*COLUMN+k)*8+:8] : 8'd0),
                .high(high),
                .low(low)
            );
            assign product[o*TAPS+c*COLUMN+k] = high;
            if (BOTH) begin : second
              assign product[(o+1)*TAPS+c*COLUMN+k] = low;
            end
          end
        end else if (MULTIPLIER == 2) begin : luts
          for (o = 0; o < OUTPUT_CHANNELS; o = o + 1) begin : single
            wire [15:0] both;
            lut_cell cell_of_luts (
                .clk(clk),
                .enable(advance),
                .load(load),
                .activation(activation),
                .weight(next_set[c*SET_COLUMN+(o*COLUMN+k)*8+:8]),
                .product(both)
            );
            assign product[o*TAPS+c*COLUMN+k] = both;
          end
        end else if (MULTIPLIER == 3) begin : tables
          for (o = 0; o < OUTPUT_CHANNELS; o = o + 1) begin : single
            wire [15:0] both;
            table_cell #(
                .SHADOW(SHADOW)
            ) cell_of_tables (
                .clk(clk),
                .enable(advance),
                .start(leaves),
                .shift(reloading),
                .even(reload_even),
                .restart(reload_restart),
                .middle(reload_middle),
                .select(select),
                .is_unsigned(job_input_unsigned),
                .activation(activation),
                .weight(next_set[c*SET_COLUMN+(o*COLUMN+k)*8+:8]),
                .product(both)
            );
            assign product[o*TAPS+c*COLUMN+k] = both;
          end
        end else begin : plain
          for (o = 0; o < OUTPUT_CHANNELS; o = o + 1) begin : single
            wire [15:0] low;
            mac_cell #(
                .MULTIPLIER(0)
            ) slice (
                .clk(clk),
                .enable(advance),
                .load(load),
                .wrong(1'b0),
                .activation(activation),
                .high_weight(8'd0),
                .low_weight(next_set[c*SET_COLUMN+(o*COLUMN+k)*8+:8]),
                .high(),
                .low(low)
            );
            assign product[o*TAPS+c*COLUMN+k] = low;
          end
        end
      end
    end
    end
  endgenerate

  stream_register #(
      .WIDTH(`TAG_BITS + OUTPUT_CHANNELS * ROWS * ROW_TERMS * TERM_BITS)
  ) out (
      .clk(clk),
      .rst(rst),
      .fault(4'd0),
      .in_valid(valid[LATENCY-1]),
      .in_ready(products_room),
      .in_data({tag[LATENCY-1], products}),
      .out_valid(products_valid),
      .out_ready(products_ready),
      .out_full(products_full),
      .out_data({products_tag, products_values})
  );
endmodule
