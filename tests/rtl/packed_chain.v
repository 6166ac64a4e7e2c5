// SPDX-License-Identifier: Apache-2.0
// A cascade of TERMS slices, each of which adds (high << SHIFT) + low times the shared factor to what comes down to it
// (WP490). Slice k's operands come k edges after slice 0's; `load` lets its pair in. TERMS + 2 enabled edges after slice
// 0's operands the two sums are there, the high one less the low one's borrow.
module packed_chain #(
    parameter TERMS = 7,
    parameter SHIFT = 18
) (
    input  wire               clk,
    input  wire               enable,
    input  wire [  TERMS-1:0] load,
    input  wire [TERMS*9-1:0] high,
    input  wire [TERMS*9-1:0] low,
    input  wire [TERMS*9-1:0] shared,
    output wire [       47:0] total
);
  // What slice k hands down is at [k + 1].
  wire [48*(TERMS+1)-1:0] cascade;
  assign cascade[47:0] = 48'd0;
  genvar k;
  generate
    for (k = 0; k < TERMS; k = k + 1) begin : term
      wire signed [29:0] a = {{21{high[9*k+8]}}, high[9*k+:9]};
      wire [47:0] p;
      DSP48E2 #(
          .ADREG(1),
          .AMULTSEL("AD"),
          .BCASCREG(2),
          .BREG(2),
          .DREG(1),
          .MREG(1),
          .ACASCREG(1),
          .ALUMODEREG(0),
          .AREG(1),
          .CARRYINREG(0),
          .CARRYINSELREG(0),
          .CREG(1),
          .INMODEREG(0),
          .OPMODEREG(0),
          .PREG(1)
      ) slice (
          .CLK(clk),
          .A(a <<< SHIFT),
          .B({{9{shared[9*k+8]}}, shared[9*k+:9]}),
          .C(48'd0),
          .D({{18{low[9*k+8]}}, low[9*k+:9]}),
          .PCIN(cascade[48*k+:48]),
          .ALUMODE(4'd0),
          .CARRYIN(1'b0),
          .CARRYINSEL(3'd0),
          .INMODE(5'b00100),
          .OPMODE(k == 0 ? 9'b000000101 : 9'b000010101),
          .CEA1(1'b0),
          .CEA2(load[k]),
          .CEAD(enable),
          .CEB1(enable),
          .CEB2(enable),
          .CED(load[k]),
          .CEM(enable),
          .CEP(enable),
          .CEALUMODE(1'b0),
          .CEC(1'b0),
          .CECARRYIN(1'b0),
          .CECTRL(1'b0),
          .CEINMODE(1'b0),
          .RSTA(1'b0),
          .RSTALLCARRYIN(1'b0),
          .RSTALUMODE(1'b0),
          .RSTB(1'b0),
          .RSTC(1'b0),
          .RSTCTRL(1'b0),
          .RSTD(1'b0),
          .RSTINMODE(1'b0),
          .RSTM(1'b0),
          .RSTP(1'b0),
          .P(p),
          .PCOUT(cascade[48*(k+1)+:48])
      );
      if (k == TERMS - 1) begin : tail
        assign total = p;
      end
    end
  endgenerate
endmodule
