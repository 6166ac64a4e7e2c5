// SPDX-License-Identifier: Apache-2.0
// One DSP48E2 in the MAC array. MULTIPLIER 1: two INT8 products that share the activation; the pre-adder packs
// (high_weight << 18) + low_weight, and P[17:0] and P[35:18] + P[17] are the products, 4 registers from operands to
// them. MULTIPLIER 0: one product, 3 registers. Weights enter with `load`; they and the activation may change at every
// edge. `wrong` leaves the borrow correction out.
module mac_cell #(
    parameter MULTIPLIER = 1
) (
    input  wire        clk,
    input  wire        enable,
    input  wire        load,
    input  wire        wrong,
    input  wire [ 8:0] activation,
    input  wire [ 7:0] high_weight,
    input  wire [ 7:0] low_weight,
    output wire [15:0] high,
    output wire [15:0] low
);
  localparam DUAL = MULTIPLIER == 1;
  wire [47:0] p;
  wire [29:0] a = DUAL ? {{4{high_weight[7]}}, high_weight, 18'd0} : {{22{low_weight[7]}}, low_weight};

  DSP48E2 #(
      .ACASCREG(1),
      .ADREG(DUAL ? 1 : 0),
      .ALUMODEREG(0),
      .AMULTSEL(DUAL ? "AD" : "A"),
      .AREG(1),
      .BCASCREG(DUAL ? 2 : 1),
      .BREG(DUAL ? 2 : 1),
      .CARRYINREG(0),
      .CARRYINSELREG(0),
      .CREG(0),
      .DREG(DUAL ? 1 : 0),
      .INMODEREG(0),
      .MREG(1),
      .OPMODEREG(0),
      .PREG(1)
  ) dsp (
      .CLK(clk),
      .A(a),
      .B({{9{activation[8]}}, activation}),
      .C(48'd0),
      .D(DUAL ? {{19{low_weight[7]}}, low_weight} : 27'd0),
      .ALUMODE(4'd0),
      .CARRYIN(1'b0),
      .CARRYINSEL(3'd0),
      .INMODE(DUAL ? 5'b00100 : 5'b00000),
      .OPMODE(9'b000000101),
      .CEA1(1'b0),
      .CEA2(load),
      .CEAD(enable),
      .CEALUMODE(1'b0),
      .CEB1(DUAL ? enable : 1'b0),
      .CEB2(enable),
      .CEC(1'b0),
      .CECARRYIN(1'b0),
      .CECTRL(1'b0),
      .CED(DUAL ? load : 1'b0),
      .CEINMODE(1'b0),
      .CEM(enable),
      .CEP(enable),
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
  assign low  = p[15:0];
  assign high = DUAL ? p[33:18] + {15'd0, p[17] && !wrong} : 16'd0;
endmodule
