// SPDX-License-Identifier: Apache-2.0
// The part of the DSP48E2 slice (UG579) that the twins use, for simulators; synthesis has a primitive of this name.
// Multiplier: A or pre-adder D + A, D - A (AMULTSEL; INMODE 00100 uses D, 01100 subtracts from it, 00000 does not), times
// B. ALU: Z + W + X + Y or Z - (W + X + Y) (ALUMODE 0000, 0011, no carry in) with the operands M (X and Y), A:B, C, P and
// PCIN, as ONE48, TWO24 or FOUR12; the logic functions of X and Z (ALUMODE 01.., 11..), which with a Y of ones are those
// of the other column of UG579's table. Registers as AREG, BREG, CREG, DREG, ADREG, MREG, PREG say, each 0 or 1, BREG up
// to 2; the control inputs have none. With AREG or BREG of 1 the register is the second one, with clock enable CEA2 or
// CEB2.
module DSP48E2 #(
    parameter integer ACASCREG = 1,
    parameter integer ADREG = 1,
    parameter integer ALUMODEREG = 1,
    parameter AMULTSEL = "A",
    parameter integer AREG = 1,
    parameter integer BCASCREG = 1,
    parameter integer BREG = 1,
    parameter integer CARRYINREG = 1,
    parameter integer CARRYINSELREG = 1,
    parameter integer CREG = 1,
    parameter integer DREG = 1,
    parameter integer INMODEREG = 1,
    parameter integer MREG = 1,
    parameter integer OPMODEREG = 1,
    parameter integer PREG = 1,
    parameter USE_MULT = "MULTIPLY",
    parameter USE_SIMD = "ONE48"
) (
    input  wire        CLK,
    input  wire [29:0] A,
    input  wire [17:0] B,
    input  wire [47:0] C,
    input  wire [26:0] D,
    input  wire [47:0] PCIN,
    input  wire [ 3:0] ALUMODE,
    input  wire        CARRYIN,
    input  wire [ 2:0] CARRYINSEL,
    input  wire [ 4:0] INMODE,
    input  wire [ 8:0] OPMODE,
    input  wire        CEA1,
    input  wire        CEA2,
    input  wire        CEAD,
    input  wire        CEALUMODE,
    input  wire        CEB1,
    input  wire        CEB2,
    input  wire        CEC,
    input  wire        CECARRYIN,
    input  wire        CECTRL,
    input  wire        CED,
    input  wire        CEINMODE,
    input  wire        CEM,
    input  wire        CEP,
    input  wire        RSTA,
    input  wire        RSTALLCARRYIN,
    input  wire        RSTALUMODE,
    input  wire        RSTB,
    input  wire        RSTC,
    input  wire        RSTCTRL,
    input  wire        RSTD,
    input  wire        RSTINMODE,
    input  wire        RSTM,
    input  wire        RSTP,
    output wire [47:0] P,
    output wire [47:0] PCOUT
);
  reg [29:0] a2 = 0;
  reg [17:0] b1 = 0, b2 = 0;
  reg [26:0] d = 0, ad = 0;
  reg signed [44:0] m = 0;
  reg [47:0] c = 0, p = 0;

  wire [29:0] a_out = AREG == 0 ? A : a2;
  wire [17:0] b_out = BREG == 0 ? B : b2;
  wire [26:0] d_out = INMODE[2] ? (DREG == 0 ? D : d) : 27'd0;
  wire [26:0] sum = INMODE[3] ? d_out - a_out[26:0] : d_out + a_out[26:0];  // of 27 bits, as the multiplier's input has
  wire [26:0] ad_out = ADREG == 0 ? sum : ad;
  // verilator lint_off WIDTH
  wire [26:0] factor = AMULTSEL == "AD" ? ad_out : a_out[26:0];  // words of different lengths
  // verilator lint_on WIDTH
  wire signed [44:0] product = $signed(factor) * $signed(b_out);
  wire signed [44:0] m_out = MREG == 0 ? product : m;
  wire [47:0] c_out = CREG == 0 ? C : c;

  wire [47:0] w = OPMODE[8:7] == 2'b01 ? p : OPMODE[8:7] == 2'b11 ? c_out : 48'd0;
  wire [47:0] x = OPMODE[1:0] == 2'b01 ? {{3{m_out[44]}}, m_out} :
                  OPMODE[1:0] == 2'b10 ? p : OPMODE[1:0] == 2'b11 ? {a_out, b_out} : 48'd0;
  wire [47:0] y = OPMODE[3:2] == 2'b11 ? c_out : OPMODE[3:2] == 2'b10 ? {48{1'b1}} : 48'd0;
  wire [47:0] z = OPMODE[6:4] == 3'b001 ? PCIN : OPMODE[6:4] == 3'b010 ? p :
                  OPMODE[6:4] == 3'b011 ? c_out : 48'd0;

  wire subtracts = ALUMODE == 4'b0011;
  wire [47:0] sums;
  // verilator lint_off WIDTH
  localparam LANE = USE_SIMD == "FOUR12" ? 12 : USE_SIMD == "TWO24" ? 24 : 48;  // words of different lengths
  // verilator lint_on WIDTH
  genvar l;
  generate
    for (l = 0; l < 48; l = l + LANE) begin : lane
      wire [LANE-1:0] added = w[l+:LANE] + x[l+:LANE] + y[l+:LANE];
      assign sums[l+:LANE] = subtracts ? z[l+:LANE] - added : z[l+:LANE] + added;
    end
  endgenerate
  // With a Y of ones, X XOR Z is inverted and X AND Z becomes X OR Z.
  wire [47:0] other = ALUMODE[0] ? ~z : z;
  wire [47:0] both = OPMODE[3] ? x | other : x & other;
  wire [47:0] either = x ^ z ^ y ^ {48{ALUMODE[0] ^ ALUMODE[1]}};
  wire [47:0] logic_result = !ALUMODE[3] ? either : ALUMODE[1] ? ~both : both;
  wire [47:0] result = ALUMODE[2] ? logic_result : sums;

  always @(posedge CLK) begin
    if (CEA2) a2 <= A;
    if (CEB1) b1 <= B;
    if (CEB2) b2 <= BREG == 2 ? b1 : B;
    if (CED) d <= D;
    if (CEAD) ad <= sum;
    if (CEM) m <= product;
    if (CEC) c <= C;
    if (CEP) p <= result;
  end
  assign P = PREG == 0 ? result : p;
  assign PCOUT = P;
endmodule
