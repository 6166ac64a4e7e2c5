// SPDX-License-Identifier: Apache-2.0
// The tables of a reconfigurable-LUT kernel: every 4-bit slice of every input looks up its product with the input's
// coefficient, from first_bit up. A vector that is the first for a new set of coefficients waits for its tables.
// `fault`: 1 takes such a vector before its tables are loaded, 2 does not hold its stages while `entries` is full, 3 swaps
// the bits of a pair while they are reloaded, 4 looks the top slice up in the tables of the others.
module lut_multiplier #(
    parameter INPUTS = 9,
    parameter INPUT_BITS = 8,
    parameter COEFFICIENT_BITS = 8,
    parameter FAITHFUL = 0,
    parameter SHADOW = 1
) (
    input wire       clk,
    input wire       rst,
    input wire [3:0] fault,

    input  wire                         inputs_valid,
    output wire                         inputs_ready,
    input  wire                         inputs_new_coefficients,
    input  wire [INPUTS*INPUT_BITS-1:0] inputs_x,

    input  wire                                   reload_valid,
    output wire                                   reload_ready,
    input  wire [INPUTS*(COEFFICIENT_BITS+5)-1:0] reload_lower,
    input  wire [INPUTS*(COEFFICIENT_BITS+5)-1:0] reload_top,

    output wire                                                             entries_valid,
    input  wire                                                             entries_ready,
    output wire                                                             entries_full,
    output wire [((INPUT_BITS+3)/4)*INPUTS*(COEFFICIENT_BITS+4)-1:0] entries_bits
);
  localparam SLICE_BITS = 4;
  `include "lut_kernel.vh"
  localparam WORD = COEFFICIENT_BITS + 5;

  reg [1:0] valid;
  reg select;
  reg [INPUTS*INPUT_BITS-1:0] x;
  wire room, running, loaded, may_start;
  wire advance = !valid[1] || room || fault == 4'd2;
  wire fits = !inputs_new_coefficients || loaded || (fault == 4'd1 && running);
  assign inputs_ready = advance && fits;
  assign reload_ready = running;
  wire take = inputs_valid && inputs_ready;
  wire swap = take && inputs_new_coefficients;
  wire shift = reload_valid && reload_ready;

  table_reload #(
      .SHADOW(SHADOW)
  ) tables (
      .clk(clk),
      .rst(rst),
      .word_waits(advance && inputs_valid && !fits),
      .start(1'b1),
      .shift(shift),
      .take(swap),
      .running(running),
      .loaded(loaded),
      .may_start(may_start),
      .even(),
      .restart(),
      .middle()
  );

  always @(posedge clk) begin
    if (rst) begin
      valid  <= 2'b00;
      select <= 1'b0;
    end else begin
      if (advance) valid <= {valid[0], take};
      if (swap) select <= !select;
    end
    if (advance) x <= inputs_x;
  end

  wire [SLICES*INPUTS*PRODUCT-1:0] looked_up;
  reg  [SLICES*INPUTS*PRODUCT-1:0] entries;
  always @(posedge clk) if (advance) entries <= looked_up;

  genvar s, i, p;
  generate
    for (s = 0; s < SLICES; s = s + 1) begin : slice
      localparam FIRST = first_bit(s);
      localparam TOP = s == SLICES - 1;
      for (i = 0; i < INPUTS; i = i + 1) begin : product
        wire [INPUT_BITS+3:0] extended = {{4{x[(i+1)*INPUT_BITS-1]}}, x[i*INPUT_BITS+:INPUT_BITS]};
        wire [WORD-1:0] word = TOP && fault != 4'd4 ? reload_top[i*WORD+:WORD] : reload_lower[i*WORD+:WORD];
        for (p = 0; p < PRODUCT; p = p + 2) begin : pair
          localparam AT = (s * INPUTS + i) * PRODUCT + p;
          if (p < FIRST) begin : cut
            assign looked_up[AT+:2] = 2'b00;
          end else begin : table_of_two
            wire odd, even;
            table_pair #(
                .SHADOW(SHADOW)
            ) bits (
                .clk(clk),
                .load(shift),
                .cdi(fault == 4'd3 ? word[p] : word[p+1]),
                .select(select),
                .address(extended[4*s+:4]),
                .odd(odd),
                .even(even)
            );
            assign looked_up[AT] = even;
            if (p + 1 < PRODUCT) begin : upper
              assign looked_up[AT+1] = odd;
            end
          end
        end
      end
    end
  endgenerate

  stream_register #(
      .WIDTH(SLICES * INPUTS * PRODUCT)
  ) out (
      .clk(clk),
      .rst(rst),
      .fault(4'd0),
      .in_valid(valid[1]),
      .in_ready(room),
      .in_data(entries),
      .out_valid(entries_valid),
      .out_ready(entries_ready),
      .out_full(entries_full),
      .out_data(entries_bits)
  );
endmodule
