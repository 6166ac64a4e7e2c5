// SPDX-License-Identifier: Apache-2.0
#include "primitives/dsp48e2.h"

#include <fmt/format.h>

#include "arith/fixed.h"

namespace fansim::primitives {
namespace {

template <class T>
void load(T& reg, const T& next, bool enable, bool reset) {
  if (reset)
    reg = T();
  else if (enable)
    reg = next;
}

constexpr std::uint64_t kRoundProduct = 6;  // CARRYINSEL 110: rounds the product

// Sign-extends a value of `bits` bits to 64 bits.
std::uint64_t extended(std::uint64_t value, int bits) {
  return static_cast<std::uint64_t>(arith::wrap(static_cast<std::int64_t>(value), bits));
}

bool flip(bool pin, std::uint64_t inverted) { return pin != (inverted != 0); }

}  // namespace

Dsp48e2::Dsp48e2(const Attributes& attributes)
    : attributes_(attributes),
      pre_adds_(
          attributes.use_mult != Attributes::Multiplier::none &&
          (attributes.amultsel == Attributes::MultiplierA::ad || attributes.bmultsel == Attributes::MultiplierB::ad)) {
  attributes_.check();
}

// Inverts the pins before the registers (UG974, IS_..._INVERTED).
Dsp48e2::Inputs Dsp48e2::inverted(Inputs pins) const {
  pins.alumode ^= attributes_.is_alumode_inverted;
  pins.inmode ^= attributes_.is_inmode_inverted;
  pins.opmode ^= attributes_.is_opmode_inverted;
  pins.carryin = flip(pins.carryin, attributes_.is_carryin_inverted);
  pins.rsta = flip(pins.rsta, attributes_.is_rsta_inverted);
  pins.rstallcarryin = flip(pins.rstallcarryin, attributes_.is_rstallcarryin_inverted);
  pins.rstalumode = flip(pins.rstalumode, attributes_.is_rstalumode_inverted);
  pins.rstb = flip(pins.rstb, attributes_.is_rstb_inverted);
  pins.rstc = flip(pins.rstc, attributes_.is_rstc_inverted);
  pins.rstctrl = flip(pins.rstctrl, attributes_.is_rstctrl_inverted);
  pins.rstd = flip(pins.rstd, attributes_.is_rstd_inverted);
  pins.rstinmode = flip(pins.rstinmode, attributes_.is_rstinmode_inverted);
  pins.rstm = flip(pins.rstm, attributes_.is_rstm_inverted);
  pins.rstp = flip(pins.rstp, attributes_.is_rstp_inverted);
  return pins;
}

Dsp48e2::Outputs Dsp48e2::step(const Inputs& pins) {
  const Inputs in = inverted(pins);
  const Wires before = settle(in);
  if (attributes_.is_clk_inverted != 0) {  // the pin falls after the outputs were sampled
    Outputs out = outputs(before);
    out.report = report(in, before, before, pins.clk);
    if (pins.clk) edge(in, before);
    return out;
  }
  if (pins.clk) edge(in, before);
  const Wires after = settle(in);
  Outputs out = outputs(after);
  out.report = report(in, before, after, pins.clk);
  return out;
}

Dsp48e2::Wires Dsp48e2::settle(const Inputs& in) const {
  Wires w;
  settle_inputs(in, w);
  settle_multiplier(w);
  settle_outputs(in, w);
  return w;
}

// The registers of the A, B, C and D ports (UG579, figures of these ports). With one register, only the second one is
// in the path. The first one is loaded too, and INMODE[0] and INMODE[4] can choose it.
void Dsp48e2::settle_inputs(const Inputs& in, Wires& w) const {
  const Attributes& at = attributes_;
  w.a_in = at.a_input == Attributes::Source::cascade ? in.acin : in.a;
  w.b_in = at.b_input == Attributes::Source::cascade ? in.bcin : in.b;
  w.a = at.areg == 0 ? w.a_in : r_.a2;
  w.b = at.breg == 0 ? w.b_in : r_.b2;
  w.acout = at.acascreg < at.areg ? r_.a1 : w.a;
  w.bcout = at.bcascreg < at.breg ? r_.b1 : w.b;
  w.c = at.creg == 0 ? in.c : r_.c;
  w.d = at.dreg == 0 || !pre_adds_ ? in.d : r_.d;
  w.inmode = at.inmodereg == 0 ? in.inmode : r_.inmode;
  w.opmode = at.opmodereg == 0 ? in.opmode : r_.opmode;
  w.alumode = at.alumodereg == 0 ? in.alumode : r_.alumode;
  w.carryin = at.carryinreg == 0 ? std::uint64_t{in.carryin} : r_.carryin;
  w.carryinsel = at.carryinselreg == 0 ? in.carryinsel : r_.carryinsel;
}

// Operands of the multiplier (UG579, table "INMODE[3:0] Functions" and the pre-adder's figure). INMODE[0] and [4]
// choose the first register of A and B, [1] gates the input that PREADDINSEL names, [2] lets D in, [3] subtracts. UG579
// does not document [0] and [4] without registers; the vendor's library has zeros there.
void Dsp48e2::settle_multiplier(Wires& w) const {
  const Attributes& at = attributes_;
  const auto bit = [&](int i) { return (w.inmode >> i & 1) != 0; };
  const bool on_a = at.preaddinsel == Attributes::PreAdder::a;
  Bits a = !bit(0) ? known(w.a & ones(27)) : known(at.areg == 0 ? 0 : r_.a1 & ones(27), 27, at.areg == 0);
  Bits b = !bit(4) ? known(w.b) : known(at.breg == 0 ? 0 : r_.b1, 18, at.breg == 0);
  if (bit(1)) (on_a ? a : b) = {};
  const Bits& operand = on_a ? a : b;
  const std::uint64_t added = on_a ? a.value : extended(b.value, 18);
  const std::uint64_t d = bit(2) ? w.d : 0;
  w.pre_adder = known((bit(3) ? d - added : d + added) & ones(27), 27, operand.beyond != 0);
  const Bits ad = at.adreg == 0 || !pre_adds_ ? w.pre_adder : r_.ad;

  const Bits factor_a = at.amultsel == Attributes::MultiplierA::ad ? ad : a;
  const Bits factor_b = at.bmultsel == Attributes::MultiplierB::ad ? ad : b;
  w.round_in = known(~(factor_a.value >> 26 ^ factor_b.value >> 17) & 1, 1, (factor_a.beyond | factor_b.beyond) != 0);
  w.product = product(factor_a, factor_b);
  w.m = at.mreg == 0 ? w.product : r_.m;
  w.round = at.mreg == 0 ? w.round_in : r_.round;
}

// Splits a product into two partial products. The even bits of its lower 44 bits go to X, the odd ones to Y, and the
// sign to Y. In the SIMD modes nothing drives the multiplier.
Dsp48e2::Product Dsp48e2::product(const Bits& a, const Bits& b) const {
  constexpr std::uint64_t kEven = 0x5555'5555'5555'5555 & ones(44);
  const bool used = attributes_.use_mult != Attributes::Multiplier::none;
  const std::uint64_t value = used ? extended(a.value, 27) * extended(b.value, 18) : 0;
  const std::uint64_t positive = ~value >> 44 & 1;
  return {ones(4) << 44 | (value & kEven), positive << 44 | (value & (kEven << 1) & ones(44)),
          used && (a.beyond | b.beyond) != 0};
}

AluOperands Dsp48e2::operands(const Inputs& in, const Wires& w) const {
  const auto shifted = [](const Bits& bits) {  // by 17 bits to the right, sign-extended (UG579)
    return Bits{bits.value >> 17 | (bits.value >> 47 != 0 ? ones(17) << 31 : 0), 0, bits.beyond};
  };
  const Opmode opmode(w.opmode);
  const Bits p = r_.out.alu.p;
  AluOperands o;
  // MACC_EXTEND (UG579): Y is -1, and the lower slice's two carries are added to it. MULTSIGNIN comes in on X with
  // twice its weight, CARRYCASCIN as the carry.
  const bool extend = opmode.z == Opmode::z_macc_extend;
  const Bits choice_w[] = {known(0), p, known(attributes_.rnd), known(w.c)};
  const Bits choice_x[] = {known(extend && in.multsignin ? 2 : 0), known(w.m.x, 48, w.m.beyond), p,
                           known(w.a << 18 | w.b)};
  const Bits choice_y[] = {known(0), known(w.m.y, 48, w.m.beyond), known(ones(48)), known(w.c)};
  const Bits choice_z[] = {known(0), known(in.pcin), p, known(w.c), p, shifted(known(in.pcin)), shifted(p), shifted(p)};
  o.w = choice_w[opmode.w];
  o.x = choice_x[opmode.x];
  o.y = choice_y[opmode.y];
  o.z = choice_z[opmode.z];
  o.carry_in = carry_in(in, w);
  return o;
}

// Selects the carry (UG579, table "CARRYINSEL Control Carry Source").
Bits Dsp48e2::carry_in(const Inputs& in, const Wires& w) const {
  const Bits sign{r_.out.alu.p.value >> 47 & 1, 0, r_.out.alu.p.beyond >> 47 & 1};
  switch (w.carryinsel) {
    case 0:
      return known(w.carryin);
    case 1:
      return known(~in.pcin >> 47 & 1);
    case 2:
      return known(in.carrycascin);
    case 3:
      return known(in.pcin >> 47 & 1);
    case 4:
      return r_.out.alu.carrycascout;
    case 5:
      return {~sign.value & 1, 0, sign.beyond};
    case kRoundProduct:
      return w.round;
    default:
      return sign;
  }
}

void Dsp48e2::settle_outputs(const Inputs& in, Wires& w) const {
  const Opmode opmode(w.opmode);
  w.undocumented = primitives::undocumented(attributes_, w.opmode, w.alumode, w.carryinsel);
  w.out.alu = alu(attributes_, opmode, w.alumode, operands(in, w), w.undocumented != nullptr);
  const bool rounds = w.carryinsel == kRoundProduct && w.alumode < 4;
  if (w.undocumented == nullptr && ((opmode.multiplier() && w.m.beyond) || (rounds && w.round.beyond != 0)))
    w.undocumented = "INMODE[0] was 1 with AREG 0, or INMODE[4] with BREG 0";
  w.out.match = match_pattern(attributes_, w.out.alu.p, w.c);
  w.out.past = r_.out.match;
}

// Returns whether the P register resets itself at the next edge, on a match or on the loss of one (UG579,
// AUTORESET_PATDET). AUTORESET_PRIORITY says whether that comes before the clock enable.
bool Dsp48e2::resets_itself(const Inputs& in) const {
  const bool now = r_.out.match.pattern.value != 0;
  const bool past = r_.out.past.pattern.value != 0;
  const auto when = attributes_.autoreset_patdet;
  const bool due =
      (when == Attributes::Autoreset::match && now) || (when == Attributes::Autoreset::not_match && past && !now);
  return due && (in.cep || attributes_.autoreset_priority == Attributes::AutoresetPriority::reset);
}

void Dsp48e2::edge(const Inputs& in, const Wires& w) {
  const bool reset_p = in.rstp || resets_itself(in);
  load(r_.a2, attributes_.areg == 2 ? r_.a1 : w.a_in, in.cea2, in.rsta);
  load(r_.a1, w.a_in, in.cea1, in.rsta);
  load(r_.b2, attributes_.breg == 2 ? r_.b1 : w.b_in, in.ceb2, in.rstb);
  load(r_.b1, w.b_in, in.ceb1, in.rstb);
  load(r_.c, in.c, in.cec, in.rstc);
  load(r_.d, in.d, in.ced, in.rstd);
  load(r_.ad, w.pre_adder, in.cead, in.rstd);
  load(r_.inmode, in.inmode, in.ceinmode, in.rstinmode);
  load(r_.opmode, in.opmode, in.cectrl, in.rstctrl);
  load(r_.carryinsel, in.carryinsel, in.cectrl, in.rstctrl);
  load(r_.alumode, in.alumode, in.cealumode, in.rstalumode);
  load(r_.carryin, std::uint64_t{in.carryin}, in.cecarryin, in.rstallcarryin);
  load(r_.round, w.round_in, in.cem, in.rstallcarryin);
  load(r_.m, w.product, in.cem, in.rstm);
  // Without PREG it stays zero, also where it feeds back.
  if (attributes_.preg == 1) load(r_.out, w.out, in.cep, reset_p);
}

Dsp48e2::Outputs Dsp48e2::outputs(const Wires& w) const {
  const bool registered = attributes_.preg == 1;
  const OutputBank& bank = registered ? r_.out : w.out;
  Outputs out;
  out.acout = known(w.acout);
  out.bcout = known(w.bcout);
  out.carrycascout = bank.alu.carrycascout;
  out.carryout = bank.alu.carryout;
  out.multsignout = bank.alu.multsign;
  out.p = out.pcout = bank.alu.p;
  out.patterndetect = bank.match.pattern;
  out.patternbdetect = bank.match.complement;
  out.xorout = bank.alu.xorout;
  // Overflow and underflow of an accumulator in the P register (UG579, section "Overflow and Underflow Logic"). Without
  // that register they are not defined, because the past match is the present one.
  const bool on = attributes_.use_pattern_detect == Attributes::PatternDetect::on;
  out.overflow = !on ? undefined(1) : registered ? left(bank.past.pattern, bank.match) : known(0, 1, true);
  out.underflow = !on ? undefined(1) : registered ? left(bank.past.complement, bank.match) : known(0, 1, true);
  return out;
}

// Undefined control inputs matter only if their result goes somewhere: into the P register at this edge, or to the
// pins.
std::string Dsp48e2::report(const Inputs& in, const Wires& before, const Wires& after, bool clocked) const {
  if (attributes_.preg == 1 && (!clocked || !in.cep || in.rstp)) return {};
  const Wires& w = attributes_.preg == 1 ? before : after;
  if (w.undocumented == nullptr) return {};
  return fmt::format(
      "OPMODE {:09b}, ALUMODE {:04b}, CARRYINSEL {:03b}, INMODE {:05b}: {}; UG579 leaves P undefined, its value is "
      "that "
      "of the vendor's library",
      w.opmode, w.alumode, w.carryinsel, w.inmode, w.undocumented);
}

}  // namespace fansim::primitives
