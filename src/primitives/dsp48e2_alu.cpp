// SPDX-License-Identifier: Apache-2.0
#include "primitives/dsp48e2_alu.h"

namespace fansim::primitives {
namespace {

using Simd = Dsp48e2Attributes::Simd;
using XorSimd = Dsp48e2Attributes::XorSimd;

constexpr int kBits = 48;
constexpr std::uint64_t kXor = 4;  // ALUMODE 0100
constexpr std::uint64_t kSubtract = 3;

bool is_logic(std::uint64_t alumode) { return (alumode >> 2 & 1) != 0; }

int segments(Simd simd) { return simd == Simd::four12 ? 4 : simd == Simd::two24 ? 2 : 1; }

// The sum of one segment: `width` result bits, the carry above them. UG579, table "ALUMODE": bit 0 inverts Z, bit 1 the
// sum, so that Z - (W + X + Y + CIN) is not(not(Z) + W + X + Y + CIN).
Bits add(std::uint64_t alumode, const AluOperands& in, int low, int width) {
  const auto part = [&](const Bits& bits) { return bits.value >> low & ones(width); };
  const std::uint64_t unknown = (in.w.unknown | in.x.unknown | in.y.unknown | in.z.unknown) >> low & ones(width);
  if (unknown != 0 || in.carry_in.unknown != 0) return undefined(width + 1);
  const std::uint64_t z = (alumode & 1) != 0 ? ~part(in.z) & ones(width) : part(in.z);
  const std::uint64_t sum = z + part(in.w) + part(in.x) + part(in.y) + in.carry_in.value;
  return known(((alumode & 2) != 0 ? sum ^ ones(width) : sum) & ones(width + 1));
}

// UG579, section "CARRYOUT/CARRYCASCOUT": one bit per segment, at its upper end, of a sum of two operands without the
// multiplier. CARRYCASCOUT is the adder's carry; CARRYOUT of a subtraction is its complement, as a fabric subtracter
// has it.
void put_carry(const Bits& sum, int width, int index, bool subtract, AluResult& result) {
  const std::uint64_t carry = sum.value >> width & 1;
  const std::uint64_t unknown = sum.unknown >> width & 1;
  result.carrycascout = {carry, unknown};
  result.carryout.value |= unknown != 0 ? 0 : (carry ^ (subtract ? 1u : 0u)) << index;
  result.carryout.unknown &= ~(std::uint64_t{1} << index);
  result.carryout.unknown |= unknown << index;
}

AluResult arithmetic(const Dsp48e2Attributes& attributes, const Opmode& opmode, std::uint64_t alumode,
                     AluOperands operands) {
  const int count = segments(attributes.use_simd);
  const int width = kBits / count;
  AluResult result;
  result.carryout = undefined(4);
  for (int i = 0; i < count; ++i) {
    const Bits sum = add(alumode, operands, i * width, width);
    result.p.value |= (sum.value & ones(width)) << (i * width);
    result.p.unknown |= (sum.unknown & ones(width)) << (i * width);
    put_carry(sum, width, (i + 1) * 4 / count - 1, alumode == kSubtract, result);
    operands.carry_in = {};  // the chain is cut between segments; CIN enters at bit 0
  }
  if (opmode.operands(alumode) > 2) {
    result.carryout = undefined(4);
    result.carrycascout = undefined(1);
  }
  if (opmode.multiplier()) result.carryout = undefined(4);
  return result;
}

// UG579, table "OPMODE and ALUMODE Control Bits Select Logic Unit Outputs": the adder without its carry chain, whose
// bitwise sums are XOR and whose bitwise carries are AND (Y = 0) and OR (Y = 1).
AluResult logic(std::uint64_t alumode, const AluOperands& in) {
  const std::uint64_t z = (alumode & 1) != 0 ? ~in.z.value : in.z.value;
  const std::uint64_t x = in.x.value;
  const std::uint64_t y = in.y.value;
  const std::uint64_t bits = (alumode & 8) != 0 ? (x & z) | (x & y) | (y & z) : x ^ y ^ z;
  AluResult result;
  result.p.unknown = in.x.unknown | in.y.unknown | in.z.unknown;
  result.p.value = ((alumode & 2) != 0 ? ~bits : bits) & ones(kBits) & ~result.p.unknown;
  result.carryout = undefined(4);
  result.carrycascout = undefined(1);
  return result;
}

Bits parity(const Bits& s, int low, int width) {
  if ((s.unknown >> low & ones(width)) != 0) return undefined(1);
  return known(static_cast<std::uint64_t>(__builtin_parityll(s.value >> low & ones(width))));
}

// UG579, table "XORSIMD": bit i of XOROUT covers the bits from `low` on.
Bits wide_xor(XorSimd mode, const Bits& s) {
  struct Cover {
    int low, width;
  };
  constexpr Cover k12[8] = {{0, 6}, {6, 6}, {12, 6}, {18, 6}, {24, 6}, {30, 6}, {36, 6}, {42, 6}};
  // No wider group ends at bit 7, which keeps its narrow one.
  constexpr Cover k24[8] = {{0, 12}, {0, 24}, {12, 12}, {0, 48}, {24, 12}, {24, 24}, {36, 12}, {42, 6}};
  Bits out;
  for (int i = 0; i < 8; ++i) {
    const Cover& cover = mode == XorSimd::xor12 ? k12[i] : k24[i];
    const Bits bit = parity(s, cover.low, cover.width);
    out.value |= bit.value << i;
    out.unknown |= bit.unknown << i;
  }
  return out;
}

bool wide_xor_used(const Dsp48e2Attributes& attributes) {
  return attributes.use_widexor == Dsp48e2Attributes::WideXor::on;
}

const char* undocumented_opmode(const Dsp48e2Attributes& attributes, std::uint64_t bits) {
  constexpr std::uint64_t kMaccExtend = 0b001001000;
  const Opmode opmode(bits);
  if ((opmode.x == Opmode::x_m) != (opmode.y == Opmode::y_m)) return "X and Y select M only together";
  if (opmode.z == Opmode::z_illegal) return "Z select 111 is illegal";
  if (opmode.z == Opmode::z_macc_extend && bits != kMaccExtend)
    return "Z select 100 is for MACC_EXTEND, OPMODE 001001000, only";
  if (opmode.feeds_back() && attributes.preg == 0) return "an operand P needs PREG 1";
  if (opmode.multiplier() && attributes.use_mult == Dsp48e2Attributes::Multiplier::none)
    return "an operand M needs USE_MULT MULTIPLY or DYNAMIC";
  return nullptr;
}

}  // namespace

const char* undocumented(const Dsp48e2Attributes& attributes, std::uint64_t opmode_bits, std::uint64_t alumode,
                         std::uint64_t carryinsel) {
  if (const char* reason = undocumented_opmode(attributes, opmode_bits)) return reason;
  const Opmode opmode(opmode_bits);
  if (alumode >> 2 == 2) return "ALUMODE 10xx is no operation";
  if (!is_logic(alumode)) {
    const bool feeds_back = carryinsel == 4 || carryinsel == 5 || carryinsel == 7;
    return feeds_back && attributes.preg == 0 ? "CARRYINSEL 100, 101 and 111 need PREG 1" : nullptr;
  }
  if (opmode.w != Opmode::w_zero) return "a logic operation needs W at 0";
  if (opmode.multiplier()) return "a logic operation cannot use the multiplier";
  if (opmode.z == Opmode::z_macc_extend) return "a logic operation cannot be MACC_EXTEND";
  if (opmode.y == Opmode::y_c && alumode != kXor) return "a logic operation has Y at C for ALUMODE 0100 only";
  return nullptr;
}

AluResult undefined_result(const Dsp48e2Attributes& attributes) {
  return {undefined(kBits), undefined(4), undefined(1), wide_xor_used(attributes) ? undefined(8) : Bits{}};
}

AluResult alu(const Dsp48e2Attributes& attributes, const Opmode& opmode, std::uint64_t alumode,
              const AluOperands& operands) {
  AluResult result = is_logic(alumode) ? logic(alumode, operands) : arithmetic(attributes, opmode, alumode, operands);
  // UG579, section "Wide XOR": ALUMODE is 0100.
  if (wide_xor_used(attributes))
    result.xorout = alumode == kXor ? wide_xor(attributes.xorsimd, result.p) : undefined(8);
  return result;
}

}  // namespace fansim::primitives
