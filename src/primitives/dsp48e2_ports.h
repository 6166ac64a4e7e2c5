// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitives/port.h"

namespace fansim::primitives {

// The inputs of a DSP48E2 slice (UG974, DSP48E2, "Port Descriptions"). An open port reads the value that the vendor's
// library gives it: ones for A, B and C, zero for all others. Where the library has z, in the cascades, the port has no
// value.
struct Dsp48e2Inputs {
  std::uint64_t a = ones(30), acin = 0, alumode = 0, b = ones(18), bcin = 0, c = ones(48), carryinsel = 0;
  std::uint64_t d = 0, inmode = 0, opmode = 0, pcin = 0;
  bool carrycascin = false, carryin = false, multsignin = false;
  bool cea1 = false, cea2 = false, cead = false, cealumode = false, ceb1 = false, ceb2 = false, cec = false;
  bool cecarryin = false, cectrl = false, ced = false, ceinmode = false, cem = false, cep = false;
  bool clk = true;
  bool rsta = false, rstallcarryin = false, rstalumode = false, rstb = false, rstc = false, rstctrl = false;
  bool rstd = false, rstinmode = false, rstm = false, rstp = false;

  template <class V>
  void visit(V&& v) {
    v.port("A", a, 30);
    v.port("ACIN", acin, 30);
    v.port("ALUMODE", alumode, 4);
    v.port("B", b, 18);
    v.port("BCIN", bcin, 18);
    v.port("C", c, 48);
    v.port("CARRYCASCIN", carrycascin);
    v.port("CARRYIN", carryin);
    v.port("CARRYINSEL", carryinsel, 3);
    v.port("D", d, 27);
    v.port("INMODE", inmode, 5);
    v.port("MULTSIGNIN", multsignin);
    v.port("OPMODE", opmode, 9);
    v.port("PCIN", pcin, 48);
    visit_controls(v);
  }

 private:
  template <class V>
  void visit_controls(V& v) {
    v.clock("CLK", clk);
    v.port("CEA1", cea1);
    v.port("CEA2", cea2);
    v.port("CEAD", cead);
    v.port("CEALUMODE", cealumode);
    v.port("CEB1", ceb1);
    v.port("CEB2", ceb2);
    v.port("CEC", cec);
    v.port("CECARRYIN", cecarryin);
    v.port("CECTRL", cectrl);
    v.port("CED", ced);
    v.port("CEINMODE", ceinmode);
    v.port("CEM", cem);
    v.port("CEP", cep);
    v.port("RSTA", rsta);
    v.port("RSTALLCARRYIN", rstallcarryin);
    v.port("RSTALUMODE", rstalumode);
    v.port("RSTB", rstb);
    v.port("RSTC", rstc);
    v.port("RSTCTRL", rstctrl);
    v.port("RSTD", rstd);
    v.port("RSTINMODE", rstinmode);
    v.port("RSTM", rstm);
    v.port("RSTP", rstp);
  }
};

struct Dsp48e2Outputs {
  Bits acout, bcout, carrycascout, carryout, multsignout, overflow, p, patternbdetect, patterndetect, pcout, underflow;
  Bits xorout;
  std::string report;

  template <class V>
  void visit(V&& v) {
    v.port("ACOUT", acout, 30);
    v.port("BCOUT", bcout, 18);
    v.port("CARRYCASCOUT", carrycascout, 1);
    v.port("CARRYOUT", carryout, 4);
    v.port("MULTSIGNOUT", multsignout, 1);
    v.port("OVERFLOW", overflow, 1);
    v.port("P", p, 48);
    v.port("PATTERNBDETECT", patternbdetect, 1);
    v.port("PATTERNDETECT", patterndetect, 1);
    v.port("PCOUT", pcout, 48);
    v.port("UNDERFLOW", underflow, 1);
    v.port("XOROUT", xorout, 8);
  }
};

}  // namespace fansim::primitives
