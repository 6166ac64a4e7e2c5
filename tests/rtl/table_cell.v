// SPDX-License-Identifier: Apache-2.0
// One product of the MAC array from reconfigurable tables: activation, entries of its two 4-bit slices, product, one
// register each. A reload keeps its weight from `start` on and counts products 15c .. 0, for the upper slice of a signed
// activation -c .. -8c, 7c .. 0, twice: odd bits, then even ones.
module table_cell #(
    parameter SHADOW = 1
) (
    input  wire        clk,
    input  wire        enable,
    input  wire        start,
    input  wire        shift,
    input  wire        even,
    input  wire        restart,
    input  wire        middle,
    input  wire        select,
    input  wire        is_unsigned,
    input  wire [ 8:0] activation,
    input  wire [ 7:0] weight,
    output reg  [15:0] product
);
  reg [7:0] c;
  reg [11:0] lower, top;
  wire [11:0] wide = {{4{c[7]}}, c};
  wire [11:0] eight = {c[7], c, 3'd0};
  wire [11:0] lower_next = lower - wide;
  wire [11:0] top_next = (middle ? eight : top) - wide;
  wire [11:0] upper_slice = is_unsigned ? lower_next : top_next;
  always @(posedge clk) begin
    if (start) begin
      c <= weight;
      lower <= {weight, 4'd0};
      top <= 12'd0;
    end else if (shift) begin
      lower <= restart ? {c, 4'd0} : lower_next;
      top   <= restart ? 12'd0 : top_next;
    end
  end

  reg [8:0] x;
  wire [11:0] low, high;
  reg [11:0] low_entry, high_entry;
  genvar p;
  generate
    for (p = 0; p < 12; p = p + 2) begin : pair
      // Doubled, a product has its even bit in the odd bit's place.
      table_pair #(
          .SHADOW(SHADOW)
      ) lower_table (
          .clk(clk),
          .load(shift),
          .cdi(even ? lower_next[p] : lower_next[p+1]),
          .select(select),
          .address(x[3:0]),
          .odd(low[p+1]),
          .even(low[p])
      );
      table_pair #(
          .SHADOW(SHADOW)
      ) upper_table (
          .clk(clk),
          .load(shift),
          .cdi(even ? upper_slice[p] : upper_slice[p+1]),
          .select(select),
          .address(x[7:4]),
          .odd(high[p+1]),
          .even(high[p])
      );
    end
  endgenerate

  wire [11:0] sum = {{4{low_entry[11]}}, low_entry[11:4]} + high_entry;
  always @(posedge clk)
    if (enable) begin
      x <= activation;
      low_entry <= low;
      high_entry <= high;
      product <= {sum, low_entry[3:0]};
    end
endmodule
