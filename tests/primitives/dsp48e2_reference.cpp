// SPDX-License-Identifier: Apache-2.0
#include "dsp48e2_reference.h"

namespace fansim::test {
namespace {

using A = primitives::Dsp48e2Attributes;

constexpr std::uint64_t kTwo48 = std::uint64_t{1} << 48;

std::int64_t sign_extended(std::int64_t v, int bits) {
  const std::int64_t modulus = std::int64_t{1} << bits;
  const std::int64_t rest = ((v % modulus) + modulus) % modulus;
  return rest >= modulus / 2 ? rest - modulus : rest;
}

std::uint64_t unsigned48(std::int64_t v) { return static_cast<std::uint64_t>(v) % kTwo48; }

bool bit(std::uint64_t v, int i) { return (v >> i & 1) != 0; }

primitives::Bits bits(const std::optional<unsigned>* values, int n) {
  primitives::Bits out;
  for (int i = 0; i < n; ++i) {
    if (values[i])
      out.value |= std::uint64_t{*values[i]} << i;
    else
      out.unknown |= std::uint64_t{1} << i;
  }
  return out;
}

}  // namespace

template <class Next>
Dsp48e2Reference::Value Dsp48e2Reference::held(int t, bool Inputs::*enable, bool Inputs::*reset, Next&& next) const {
  for (int row = t; row >= 0; --row) {
    const Inputs& pins = rows_[static_cast<std::size_t>(row)];
    if (!pins.clk) continue;
    if (pins.*reset) return 0;
    if (pins.*enable) return next(row);
  }
  return 0;
}

// Returns a pin of row s, or the content of its register after row t.
template <class T>
Dsp48e2Reference::Value Dsp48e2Reference::piped(int registers, int t, int s, T Inputs::*pin, bool Inputs::*enable,
                                                bool Inputs::*reset) const {
  const auto value = [&](int row) { return static_cast<Value>(rows_[static_cast<std::size_t>(row)].*pin); };
  return registers == 0 ? value(s) : held(t, enable, reset, value);
}

Dsp48e2Reference::Value Dsp48e2Reference::a_in(int s) const {
  const Inputs& pins = rows_[static_cast<std::size_t>(s)];
  return static_cast<Value>(at_.a_input == A::Source::direct ? pins.a : pins.acin);
}
Dsp48e2Reference::Value Dsp48e2Reference::b_in(int s) const {
  const Inputs& pins = rows_[static_cast<std::size_t>(s)];
  return static_cast<Value>(at_.b_input == A::Source::direct ? pins.b : pins.bcin);
}
Dsp48e2Reference::Value Dsp48e2Reference::a1(int t) const {
  return held(t, &Inputs::cea1, &Inputs::rsta, [&](int row) { return a_in(row); });
}
Dsp48e2Reference::Value Dsp48e2Reference::a2(int t) const {
  return held(t, &Inputs::cea2, &Inputs::rsta, [&](int row) { return at_.areg == 2 ? a1(row - 1) : a_in(row); });
}
Dsp48e2Reference::Value Dsp48e2Reference::b1(int t) const {
  return held(t, &Inputs::ceb1, &Inputs::rstb, [&](int row) { return b_in(row); });
}
Dsp48e2Reference::Value Dsp48e2Reference::b2(int t) const {
  return held(t, &Inputs::ceb2, &Inputs::rstb, [&](int row) { return at_.breg == 2 ? b1(row - 1) : b_in(row); });
}
Dsp48e2Reference::Value Dsp48e2Reference::a(int t, int s) const { return at_.areg == 0 ? a_in(s) : a2(t); }
Dsp48e2Reference::Value Dsp48e2Reference::b(int t, int s) const { return at_.breg == 0 ? b_in(s) : b2(t); }

Dsp48e2Reference::Value Dsp48e2Reference::inmode_bit(int t, int s, int i) const {
  return piped(at_.inmodereg, t, s, &Inputs::inmode, &Inputs::ceinmode, &Inputs::rstinmode) >> i & 1;
}

Dsp48e2Reference::Value Dsp48e2Reference::pre_adder(int t, int s) const {
  const Value d = piped(pre_adder_registers(at_.dreg), t, s, &Inputs::d, &Inputs::ced, &Inputs::rstd);
  const Value chosen_a = inmode_bit(t, s, 0) ? a1(t) : a(t, s);
  const Value chosen_b = inmode_bit(t, s, 4) ? b1(t) : b(t, s);
  const Value other = inmode_bit(t, s, 1)                 ? 0
                      : at_.preaddinsel == A::PreAdder::a ? sign_extended(chosen_a, 27)
                                                          : sign_extended(chosen_b, 18);
  const Value first = inmode_bit(t, s, 2) ? sign_extended(d, 27) : 0;
  return sign_extended(inmode_bit(t, s, 3) ? first - other : first + other, 27);
}

Dsp48e2Reference::Value Dsp48e2Reference::factor_a(int t, int s) const {
  if (at_.amultsel == A::MultiplierA::ad) {
    if (pre_adder_registers(at_.adreg) == 0) return pre_adder(t, s);
    return held(t, &Inputs::cead, &Inputs::rstd, [&](int row) { return pre_adder(row - 1, row); });
  }
  if (inmode_bit(t, s, 1) && at_.preaddinsel == A::PreAdder::a) return 0;
  return sign_extended(inmode_bit(t, s, 0) ? a1(t) : a(t, s), 27);
}

Dsp48e2Reference::Value Dsp48e2Reference::factor_b(int t, int s) const {
  if (at_.bmultsel == A::MultiplierB::ad) {
    if (pre_adder_registers(at_.adreg) == 0) return sign_extended(pre_adder(t, s), 18);
    return held(t, &Inputs::cead, &Inputs::rstd, [&](int row) { return sign_extended(pre_adder(row - 1, row), 18); });
  }
  if (inmode_bit(t, s, 1) && at_.preaddinsel == A::PreAdder::b) return 0;
  return sign_extended(inmode_bit(t, s, 4) ? b1(t) : b(t, s), 18);
}

Dsp48e2Reference::Value Dsp48e2Reference::product(int t, int s) const {
  return at_.use_mult == A::Multiplier::none ? 0 : factor_a(t, s) * factor_b(t, s);
}

Dsp48e2Reference::Value Dsp48e2Reference::m(int t, int s) const {
  if (at_.mreg == 0) return product(t, s);
  return held(t, &Inputs::cem, &Inputs::rstm, [&](int row) { return product(row - 1, row); });
}

Dsp48e2Reference::Value Dsp48e2Reference::round(int t, int s) const {
  const auto same_sign = [&](int after, int row) -> Value {
    return (factor_a(after, row) < 0) == (factor_b(after, row) < 0);
  };
  if (at_.mreg == 0) return same_sign(t, s);
  return held(t, &Inputs::cem, &Inputs::rstallcarryin, [&](int row) { return same_sign(row - 1, row); });
}

// M holds a product since it was last reset.
bool Dsp48e2Reference::multiplied(int t) const {
  return at_.mreg == 0 || held(t, &Inputs::cem, &Inputs::rstm, [](int) -> Value { return 1; }) != 0;
}

unsigned Dsp48e2Reference::carry_in(int t, int s) {
  const Inputs& pins = rows_[static_cast<std::size_t>(s)];
  const auto of = [](bool b) { return b ? 1u : 0u; };
  switch (piped(at_.carryinselreg, t, s, &Inputs::carryinsel, &Inputs::cectrl, &Inputs::rstctrl)) {
    case 0:
      return of(piped(at_.carryinreg, t, s, &Inputs::carryin, &Inputs::cecarryin, &Inputs::rstallcarryin) != 0);
    case 1:
      return of(!bit(pins.pcin, 47));
    case 2:
      return of(pins.carrycascin);
    case 3:
      return of(bit(pins.pcin, 47));
    case 4:
      return registered(t).carrycascout;
    case 5:
      return of(!bit(registered(t).p, 47));
    case 6:
      return of(round(t, s) != 0);
    default:
      return of(bit(registered(t).p, 47));
  }
}

// Computes -z + ... - 1 and the like, lane by lane, in the form in which UG579 writes the four operations. What a
// lane's operands exceed it by, in units of the lane, leaves as carries; a subtracted Z counts there as its complement.
void Dsp48e2Reference::add(Sum& sum, unsigned alumode, const std::uint64_t (&o)[4], unsigned carry, Value above) const {
  const int lanes = at_.use_simd == A::Simd::one48 ? 1 : at_.use_simd == A::Simd::two24 ? 2 : 4;
  const int width = 48 / lanes;
  const std::int64_t modulus = std::int64_t{1} << width;
  for (int lane = 0; lane < lanes; ++lane) {
    const auto part = [&](int i) { return static_cast<std::int64_t>(o[i] >> (lane * width)) & (modulus - 1); };
    const std::int64_t others = part(0) + part(1) + part(2) + (lane == 0 ? std::int64_t{carry} : 0);
    const std::int64_t z = part(3);
    const bool inverts = alumode == 1 || alumode == 3;
    std::int64_t value = 0;
    switch (alumode) {
      case 0:
        value = z + others;
        break;
      case 3:
        value = z - others;
        break;
      case 1:
        value = -z + others - 1;
        break;
      default:
        value = -z - others - 1;
        break;
    }
    sum.p |= static_cast<std::uint64_t>(((value % modulus) + modulus) % modulus) << (lane * width);
    const std::int64_t units = ((inverts ? modulus - 1 - z : z) + others) / modulus + above;
    sum.carrycascout = units % 2 != 0 ? 1 : 0;
    sum.multsign = units / 2 % 2 != 0 ? 1 : 0;
    sum.carryout[4 / lanes * (lane + 1) - 1] = (units % 2 != 0) != (alumode == 3) ? 1 : 0;
  }
}

void Dsp48e2Reference::logic(Sum& sum, unsigned alumode, bool y_ones, bool third, const std::uint64_t (&o)[4]) const {
  const std::uint64_t x = o[1], y = o[2], z = o[3];
  std::uint64_t p = 0;
  if (third) {
    p = x ^ y ^ z;
  } else {
    switch (alumode | (y_ones ? 16u : 0u)) {
      case 4:
      case 7:
      case 21:
      case 22:
        p = x ^ z;
        break;
      case 5:
      case 6:
      case 20:
      case 23:
        p = ~(x ^ z);
        break;
      case 12:
        p = x & z;
        break;
      case 13:
        p = x & ~z;
        break;
      case 14:
        p = ~(x & z);
        break;
      case 15:
        p = ~x | z;
        break;
      case 28:
        p = x | z;
        break;
      case 29:
        p = x | ~z;
        break;
      case 30:
        p = ~(x | z);
        break;
      default:
        p = ~x & z;
        break;
    }
  }
  sum.p = p % kTwo48;
  sum.carryout[3] = (alumode & 3) == 3 ? 1 : 0;  // no carry, which a subtraction inverts
}

void Dsp48e2Reference::wide_xor(Sum& sum, std::uint64_t exclusive) const {
  if (at_.use_widexor == A::WideXor::off) return;
  unsigned sixth[8] = {};
  for (int i = 0; i < 48; ++i) sixth[i / 6] ^= bit(exclusive, i) ? 1u : 0u;
  if (at_.xorsimd == A::XorSimd::xor12) {
    for (int i = 0; i < 8; ++i) sum.xorout[i] = sixth[i];
    return;
  }
  for (int i = 0; i < 8; i += 2) sum.xorout[i] = sixth[i] ^ sixth[i + 1];
  sum.xorout[1] = sum.xorout[0] ^ sum.xorout[2];
  sum.xorout[5] = sum.xorout[4] ^ sum.xorout[6];
  sum.xorout[3] = sum.xorout[1] ^ sum.xorout[5];
  sum.xorout[7] = sixth[7];
}

void Dsp48e2Reference::match(Sum& sum, std::uint64_t c) const {
  sum.match = sum.complement = 1;
  if (at_.use_pattern_detect == A::PatternDetect::off) return;
  for (int i = 0; i < 48; ++i) {
    const bool pattern = bit(at_.sel_pattern == A::Pattern::c ? c : at_.pattern, i);
    bool masked = bit(at_.mask, i);
    if (at_.sel_mask == A::Mask::c) masked = bit(c, i);
    if (at_.sel_mask == A::Mask::rounding_mode1) masked = i >= 1 && !bit(c, i - 1);
    if (at_.sel_mask == A::Mask::rounding_mode2) masked = i >= 2 && !bit(c, i - 2);
    if (masked) continue;
    if (bit(sum.p, i) != pattern) sum.match = 0;
    if (bit(sum.p, i) == pattern) sum.complement = 0;
  }
}

Dsp48e2Reference::Sum Dsp48e2Reference::sum(int t, int s) {
  const Inputs& pins = rows_[static_cast<std::size_t>(s)];
  const auto opmode = piped(at_.opmodereg, t, s, &Inputs::opmode, &Inputs::cectrl, &Inputs::rstctrl);
  const auto alumode =
      static_cast<unsigned>(piped(at_.alumodereg, t, s, &Inputs::alumode, &Inputs::cealumode, &Inputs::rstalumode));
  const auto w = opmode >> 7, x = opmode & 3, y = opmode >> 2 & 3, z = opmode >> 4 & 7;
  const std::uint64_t p = at_.preg == 1 ? registered(t).p : 0;
  const std::uint64_t c = unsigned48(piped(at_.creg, t, s, &Inputs::c, &Inputs::cec, &Inputs::rstc));
  const Value product = m(t, s);
  std::uint64_t o[4] = {};
  if (w != 0) o[0] = w == 1 ? p : w == 2 ? at_.rnd : c;
  if (x != 0) o[1] = x == 1 ? unsigned48(product) : x == 2 ? p : unsigned48(a(t, s) * (1 << 18) + b(t, s));
  if (y == 2) o[2] = kTwo48 - 1;
  if (y == 3) o[2] = c;
  if (z == 4 && pins.multsignin) o[1] = 2;
  if (z == 1 || z == 5) o[3] = pins.pcin;
  if (z == 2 || z == 4 || z == 6) o[3] = p;
  if (z == 3) o[3] = c;
  if (z == 5 || z == 6) o[3] = unsigned48(sign_extended(static_cast<Value>(o[3]), 48) >> 17);

  Sum out;
  std::uint64_t exclusive = o[1] ^ o[2] ^ o[3];
  Value above = 0;
  if (x == 1 && multiplied(t)) {
    // The product comes as two words whose sum is 2^48 more than it; their three uppermost bits are ones.
    above = product < 0 ? 0 : 1;
    exclusive ^= (o[1] & (std::uint64_t{7} << 45)) ^ std::uint64_t{7} << 45;
  }
  if (alumode >= 4)
    logic(out, alumode, y == 2, y == 3, o);
  else
    add(out, alumode, o, carry_in(t, s), above);
  const int lanes = at_.use_simd == A::Simd::one48 ? 1 : at_.use_simd == A::Simd::two24 ? 2 : 4;
  if (x == 1 || alumode >= 4)
    for (int lane = 0; lane + 1 < lanes; ++lane) out.carryout[4 / lanes * (lane + 1) - 1].reset();
  wide_xor(out, exclusive);
  match(out, c);
  return out;
}

bool Dsp48e2Reference::resets_itself(int t) {
  const Sum& before = registered(t - 1);
  if (at_.autoreset_priority == A::AutoresetPriority::cep && !rows_[static_cast<std::size_t>(t)].cep) return false;
  if (at_.autoreset_patdet == A::Autoreset::match) return before.match != 0;
  return at_.autoreset_patdet == A::Autoreset::not_match && before.match == 0 && before.match_past != 0;
}

const Dsp48e2Reference::Sum& Dsp48e2Reference::registered(int t) {
  if (const auto found = registered_.find(t); found != registered_.end()) return found->second;
  Sum value;
  if (t >= 0) {
    const Inputs& pins = rows_[static_cast<std::size_t>(t)];
    const Sum before = registered(t - 1);
    if (!pins.clk || (!pins.cep && !pins.rstp && !resets_itself(t))) {
      value = before;
    } else if (!pins.rstp && !resets_itself(t)) {
      value = sum(t - 1, t);
      value.match_past = before.match;
      value.complement_past = before.complement;
    }
  }
  return registered_[t] = value;
}

Dsp48e2Reference::Outputs Dsp48e2Reference::outputs() {
  const int t = static_cast<int>(rows_.size()) - 1;
  const bool clocked = at_.preg == 1;
  const Sum s = clocked ? registered(t) : sum(t, t);
  Outputs out;
  out.acout = primitives::known(static_cast<std::uint64_t>(at_.areg == 2 && at_.acascreg == 1 ? a1(t) : a(t, t)));
  out.bcout = primitives::known(static_cast<std::uint64_t>(at_.breg == 2 && at_.bcascreg == 1 ? b1(t) : b(t, t)));
  out.p = out.pcout = primitives::known(s.p);
  out.carryout = bits(s.carryout, 4);
  out.carrycascout = primitives::known(s.carrycascout);
  for (int i = 0; i < 8; ++i) out.xorout.value |= std::uint64_t{s.xorout[i]} << i;
  out.multsignout = primitives::known(s.multsign);
  out.patterndetect = primitives::known(s.match);
  out.patternbdetect = primitives::known(s.complement);
  const bool neither = s.match == 0 && s.complement == 0;
  out.overflow = out.underflow = primitives::undefined(1);
  if (at_.use_pattern_detect == A::PatternDetect::off) return out;
  out.overflow = primitives::known(clocked && neither ? s.match_past : 0);
  out.underflow = primitives::known(clocked && neither ? s.complement_past : 0);
  return out;
}

}  // namespace fansim::test
