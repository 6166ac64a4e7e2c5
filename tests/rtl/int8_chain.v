// SPDX-License-Identifier: Apache-2.0
// A chain of packed products (packed_chain.v), and a slice that takes the two sums apart, gives the low one's borrow back
// and adds them to what it has, or starts anew, in lanes of 24 bits. TERMS + 4 enabled edges after slice 0's operands, with
// `step` at the last of them, the sums are there. `wrong` leaves the borrow out.
module int8_chain #(
    parameter TERMS = 7,
    parameter SHIFT = 18
) (
    input  wire               clk,
    input  wire               enable,
    input  wire [  TERMS-1:0] load,
    input  wire               wrong,
    input  wire [TERMS*9-1:0] high,
    input  wire [TERMS*9-1:0] low,
    input  wire [TERMS*9-1:0] shared,
    input  wire               start,
    input  wire               step,
    output wire [       47:0] sums
);
  wire [47:0] total;
  packed_chain #(
      .TERMS(TERMS),
      .SHIFT(SHIFT)
  ) products (
      .clk(clk),
      .enable(enable),
      .load(load),
      .high(high),
      .low(low),
      .shared(shared),
      .total(total)
  );

  wire [47:0] lanes = {total[SHIFT+:24], {(24 - SHIFT) {total[SHIFT-1]}}, total[SHIFT-1:0]};
  wire borrow = total[SHIFT-1] && !wrong;
  DSP48E2 #(
      .ADREG(0),
      .BCASCREG(1),
      .BREG(1),
      .DREG(0),
      .MREG(0),
      .USE_MULT("NONE"),
      .USE_SIMD("TWO24"),
      .ACASCREG(1),
      .ALUMODEREG(0),
      .AREG(1),
      .CARRYINREG(0),
      .CARRYINSELREG(0),
      .CREG(1),
      .INMODEREG(0),
      .OPMODEREG(0),
      .PREG(1)
  ) rebase (
      .CLK(clk),
      .A(lanes[47:18]),
      .B(lanes[17:0]),
      .C({23'd0, borrow, 24'd0}),
      .D(27'd0),
      .PCIN(48'd0),
      .ALUMODE(4'd0),
      .CARRYIN(1'b0),
      .CARRYINSEL(3'd0),
      .INMODE(5'd0),
      .OPMODE({1'b0, !start, 7'b0110011}),
      .CEA2(enable),
      .CEB2(enable),
      .CEC(enable),
      .CEP(enable && step),
      .CEA1(1'b0),
      .CEAD(1'b0),
      .CEB1(1'b0),
      .CED(1'b0),
      .CEM(1'b0),
      .CEALUMODE(1'b0),
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
      .P(sums)
  );
endmodule
