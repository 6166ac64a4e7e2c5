// SPDX-License-Identifier: Apache-2.0
// The ALU of a DSP48E2 alone, in two lanes of 24 bits or four of 12: what alumode and opmode make of A:B and C, two edges
// after them. It is kept where nothing reads it, as the slices of a network of which only the median is asked for.
module simd_slice #(
    parameter FOUR12 = 0
) (
    input  wire        clk,
    input  wire [ 3:0] alumode,
    input  wire [ 8:0] opmode,
    input  wire [47:0] ab,
    input  wire [47:0] c,
    output wire [47:0] p
);
  (* keep *)
  DSP48E2 #(
      .ACASCREG(1),
      .ADREG(0),
      .ALUMODEREG(0),
      .AREG(1),
      .BCASCREG(1),
      .BREG(1),
      .CARRYINREG(0),
      .CARRYINSELREG(0),
      .CREG(1),
      .DREG(0),
      .INMODEREG(0),
      .MREG(0),
      .OPMODEREG(0),
      .PREG(1),
      .USE_MULT("NONE"),
      .USE_SIMD(FOUR12 == 1 ? "FOUR12" : "TWO24")
  ) slice (
      .CLK(clk),
      .A(ab[47:18]),
      .B(ab[17:0]),
      .C(c),
      .D(27'd0),
      .PCIN(48'd0),
      .ALUMODE(alumode),
      .CARRYIN(1'b0),
      .CARRYINSEL(3'd0),
      .INMODE(5'd0),
      .OPMODE(opmode),
      .CEA1(1'b0),
      .CEA2(1'b1),
      .CEAD(1'b0),
      .CEALUMODE(1'b0),
      .CEB1(1'b0),
      .CEB2(1'b1),
      .CEC(1'b1),
      .CECARRYIN(1'b0),
      .CECTRL(1'b0),
      .CED(1'b0),
      .CEINMODE(1'b0),
      .CEM(1'b0),
      .CEP(1'b1),
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
      .P(p)
  );
endmodule
