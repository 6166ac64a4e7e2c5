// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace fansim::primitives {

// The attributes of a DSP48E2 slice, with the names, legal values and defaults of UG974 (DSP48E2, "Available
// Attributes").
struct Dsp48e2Attributes {
  enum class Source { direct, cascade };
  enum class MultiplierA { a, ad };
  enum class MultiplierB { b, ad };
  enum class PreAdder { a, b };
  enum class Autoreset { never, match, not_match };
  enum class AutoresetPriority { reset, cep };
  enum class Mask { attribute, c, rounding_mode1, rounding_mode2 };
  enum class Pattern { attribute, c };
  enum class Multiplier { none, multiply, dynamic };
  enum class PatternDetect { off, on };
  enum class Simd { one48, two24, four12 };
  enum class WideXor { off, on };
  enum class XorSimd { xor24_48_96, xor12 };

  int acascreg = 1, adreg = 1, alumodereg = 1, areg = 1, bcascreg = 1, breg = 1, carryinreg = 1, carryinselreg = 1;
  int creg = 1, dreg = 1, inmodereg = 1, mreg = 1, opmodereg = 1, preg = 1;
  Source a_input = Source::direct, b_input = Source::direct;
  MultiplierA amultsel = MultiplierA::a;
  MultiplierB bmultsel = MultiplierB::b;
  PreAdder preaddinsel = PreAdder::a;
  Autoreset autoreset_patdet = Autoreset::never;
  AutoresetPriority autoreset_priority = AutoresetPriority::reset;
  std::uint64_t mask = 0x3fffffffffff, pattern = 0, rnd = 0;
  Mask sel_mask = Mask::attribute;
  Pattern sel_pattern = Pattern::attribute;
  Multiplier use_mult = Multiplier::multiply;
  PatternDetect use_pattern_detect = PatternDetect::off;
  Simd use_simd = Simd::one48;
  WideXor use_widexor = WideXor::off;
  XorSimd xorsimd = XorSimd::xor24_48_96;
  std::uint64_t is_alumode_inverted = 0, is_carryin_inverted = 0, is_clk_inverted = 0, is_inmode_inverted = 0;
  std::uint64_t is_opmode_inverted = 0, is_rsta_inverted = 0, is_rstallcarryin_inverted = 0;
  std::uint64_t is_rstalumode_inverted = 0, is_rstb_inverted = 0, is_rstc_inverted = 0, is_rstctrl_inverted = 0;
  std::uint64_t is_rstd_inverted = 0, is_rstinmode_inverted = 0, is_rstm_inverted = 0, is_rstp_inverted = 0;

  template <class V>
  void visit(V&& v) {
    visit_registers(v);
    visit_selections(v);
    visit_inversions(v);
  }

  // Throws base::UserError for a combination that UG579 excludes.
  void check() const;

 private:
  template <class V>
  void visit_registers(V& v) {
    v.integer("ACASCREG", acascreg, 0, 2);
    v.integer("ADREG", adreg, 0, 1);
    v.integer("ALUMODEREG", alumodereg, 0, 1);
    v.integer("AREG", areg, 0, 2);
    v.integer("BCASCREG", bcascreg, 0, 2);
    v.integer("BREG", breg, 0, 2);
    v.integer("CARRYINREG", carryinreg, 0, 1);
    v.integer("CARRYINSELREG", carryinselreg, 0, 1);
    v.integer("CREG", creg, 0, 1);
    v.integer("DREG", dreg, 0, 1);
    v.integer("INMODEREG", inmodereg, 0, 1);
    v.integer("MREG", mreg, 0, 1);
    v.integer("OPMODEREG", opmodereg, 0, 1);
    v.integer("PREG", preg, 0, 1);
  }

  template <class V>
  void visit_selections(V& v) {
    v.choice("A_INPUT", a_input, {{Source::direct, "DIRECT"}, {Source::cascade, "CASCADE"}});
    v.choice("B_INPUT", b_input, {{Source::direct, "DIRECT"}, {Source::cascade, "CASCADE"}});
    v.choice("AMULTSEL", amultsel, {{MultiplierA::a, "A"}, {MultiplierA::ad, "AD"}});
    v.choice("BMULTSEL", bmultsel, {{MultiplierB::b, "B"}, {MultiplierB::ad, "AD"}});
    v.choice("PREADDINSEL", preaddinsel, {{PreAdder::a, "A"}, {PreAdder::b, "B"}});
    v.choice(
        "AUTORESET_PATDET", autoreset_patdet,
        {{Autoreset::never, "NO_RESET"}, {Autoreset::match, "RESET_MATCH"}, {Autoreset::not_match, "RESET_NOT_MATCH"}});
    v.choice("AUTORESET_PRIORITY", autoreset_priority,
             {{AutoresetPriority::reset, "RESET"}, {AutoresetPriority::cep, "CEP"}});
    v.bits("MASK", mask, 48);
    v.bits("PATTERN", pattern, 48);
    v.bits("RND", rnd, 48);
    v.choice("SEL_MASK", sel_mask,
             {{Mask::attribute, "MASK"},
              {Mask::c, "C"},
              {Mask::rounding_mode1, "ROUNDING_MODE1"},
              {Mask::rounding_mode2, "ROUNDING_MODE2"}});
    v.choice("SEL_PATTERN", sel_pattern, {{Pattern::attribute, "PATTERN"}, {Pattern::c, "C"}});
    v.choice("USE_MULT", use_mult,
             {{Multiplier::multiply, "MULTIPLY"}, {Multiplier::dynamic, "DYNAMIC"}, {Multiplier::none, "NONE"}});
    v.choice("USE_PATTERN_DETECT", use_pattern_detect,
             {{PatternDetect::off, "NO_PATDET"}, {PatternDetect::on, "PATDET"}});
    v.choice("USE_SIMD", use_simd, {{Simd::one48, "ONE48"}, {Simd::two24, "TWO24"}, {Simd::four12, "FOUR12"}});
    v.choice("USE_WIDEXOR", use_widexor, {{WideXor::off, "FALSE"}, {WideXor::on, "TRUE"}});
    v.choice("XORSIMD", xorsimd, {{XorSimd::xor24_48_96, "XOR24_48_96"}, {XorSimd::xor12, "XOR12"}});
  }

  template <class V>
  void visit_inversions(V& v) {
    v.bits("IS_ALUMODE_INVERTED", is_alumode_inverted, 4);
    v.bits("IS_CARRYIN_INVERTED", is_carryin_inverted, 1);
    v.bits("IS_CLK_INVERTED", is_clk_inverted, 1);
    v.bits("IS_INMODE_INVERTED", is_inmode_inverted, 5);
    v.bits("IS_OPMODE_INVERTED", is_opmode_inverted, 9);
    v.bits("IS_RSTALLCARRYIN_INVERTED", is_rstallcarryin_inverted, 1);
    v.bits("IS_RSTALUMODE_INVERTED", is_rstalumode_inverted, 1);
    v.bits("IS_RSTA_INVERTED", is_rsta_inverted, 1);
    v.bits("IS_RSTB_INVERTED", is_rstb_inverted, 1);
    v.bits("IS_RSTCTRL_INVERTED", is_rstctrl_inverted, 1);
    v.bits("IS_RSTC_INVERTED", is_rstc_inverted, 1);
    v.bits("IS_RSTD_INVERTED", is_rstd_inverted, 1);
    v.bits("IS_RSTINMODE_INVERTED", is_rstinmode_inverted, 1);
    v.bits("IS_RSTM_INVERTED", is_rstm_inverted, 1);
    v.bits("IS_RSTP_INVERTED", is_rstp_inverted, 1);
  }
};

}  // namespace fansim::primitives
