// SPDX-License-Identifier: Apache-2.0
// The tables of one kernel in an array, without a handshake: its entries are there an enabled edge after the inputs `x`,
// which have a bit for the sign of an unsigned one. A reload keeps its coefficients from `start` on and counts products
// down, for the top slice of a signed input -c, -2c, ... and from `middle` on the positive ones: with four address bits
// twice, odd bits, then even ones. Sign bits are inverted. A top slice that has all its bits from an unsigned input is
// reloaded as the others are.
module kernel_tables #(
    parameter INPUTS = 9,
    parameter INPUT_BITS = 8,
    parameter COEFFICIENT_BITS = 8,
    parameter FAITHFUL = 0,
    parameter SHADOW = 1,
    parameter SLICE_BITS = 4
) (
    input wire clk,
    input wire enable,
    input wire start,
    input wire shift,
    input wire even,
    input wire restart,
    input wire middle,
    input wire select,
    input wire is_unsigned,
    input wire [INPUTS*(INPUT_BITS+1)-1:0] x,
    input wire [INPUTS*COEFFICIENT_BITS-1:0] coefficients,
    output reg [(INPUT_BITS+SLICE_BITS-1)/SLICE_BITS*INPUTS*(COEFFICIENT_BITS+SLICE_BITS)-1:0] entries
);
  `include "lut_kernel.vh"
  localparam FULL_TOP = SLICES * SLICE_BITS == INPUT_BITS;

  wire [SLICES*INPUTS*PRODUCT-1:0] looked_up;
  always @(posedge clk) if (enable) entries <= looked_up;

  genvar s, i, p;
  generate
    for (i = 0; i < INPUTS; i = i + 1) begin : product
      wire [COEFFICIENT_BITS-1:0] value = coefficients[i*COEFFICIENT_BITS+:COEFFICIENT_BITS];
      wire [INPUT_BITS:0] own = x[i*(INPUT_BITS+1)+:INPUT_BITS+1];
      wire [INPUT_BITS+SLICE_BITS:0] extended = {{SLICE_BITS{own[INPUT_BITS]}}, own};
      reg [COEFFICIENT_BITS-1:0] c;
      reg [PRODUCT-1:0] lower, top;
      wire [PRODUCT-1:0] wide = {{SLICE_BITS{c[COEFFICIENT_BITS-1]}}, c};
      wire [PRODUCT-1:0] half = {c[COEFFICIENT_BITS-1], c, {SLICE_BITS - 1{1'b0}}};
      wire [PRODUCT-1:0] sign = {1'b1, {PRODUCT - 1{1'b0}}};
      wire [PRODUCT-1:0] lower_next = lower - wide;
      wire [PRODUCT-1:0] top_next = (middle ? half : top) - wide;
      always @(posedge clk)
        if (start) begin
          c <= value;
          lower <= {value, {SLICE_BITS{1'b0}}};
          top <= {PRODUCT{1'b0}};
        end else if (shift) begin
          lower <= restart ? {c, {SLICE_BITS{1'b0}}} : lower_next;
          top   <= restart ? {PRODUCT{1'b0}} : top_next;
        end
      for (s = 0; s < SLICES; s = s + 1) begin : slice
        localparam AT = (s * INPUTS + i) * PRODUCT;
        wire as_lower = s < SLICES - 1 || (FULL_TOP && is_unsigned);
        wire [PRODUCT-1:0] bits = sign ^ (as_lower ? lower_next : top_next);
        for (p = 0; p < PRODUCT; p = p + BITS_PER_LUT) begin : lut
          localparam LAST = p + 1 == PRODUCT;
          if (p < first_bit(s)) begin : cut
            assign looked_up[AT+p+:BITS_PER_LUT] = {BITS_PER_LUT{1'b0}};
          end else if (SLICE_BITS == 4) begin : two_bits
            wire odd;
            table_pair #(
                .SHADOW(SHADOW)
            ) pair (
                .clk(clk),
                .load(shift),
                .cdi(even ? bits[p] : !LAST && bits[LAST?p : p+1]),
                .select(select),
                .address(extended[4*s+:4]),
                .odd(odd),
                .even(looked_up[AT+p])
            );
            if (!LAST) begin : upper
              assign looked_up[AT+p+1] = odd;
            end
          end else begin : one_bit
            table_bit #(
                .SHADOW(SHADOW)
            ) bit_of_product (
                .clk(clk),
                .load(shift),
                .cdi(bits[p]),
                .select(select),
                .address(extended[5*s+:5]),
                .value(looked_up[AT+p])
            );
          end
        end
      end
    end
  endgenerate
endmodule
