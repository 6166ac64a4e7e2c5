// SPDX-License-Identifier: Apache-2.0
#include "primitives/dsp48e2_alu.h"

namespace fansim::primitives {
namespace {

using Simd = Dsp48e2Attributes::Simd;
using XorSimd = Dsp48e2Attributes::XorSimd;

constexpr int kBits = 48;
constexpr std::uint64_t kXor = 4;  // ALUMODE 0100: exclusive-or
constexpr std::uint64_t kSubtract = 3;

int segments(Simd simd) { return simd == Simd::four12 ? 4 : simd == Simd::two24 ? 2 : 1; }
// Returns the bits of CARRYOUT that a SIMD mode has below the highest one.
std::uint64_t inner_carries(Simd simd) { return simd == Simd::four12 ? 0b0111 : simd == Simd::two24 ? 0b0010 : 0; }

// Sums and carries of X, Y and Z, bit by bit, as ALUMODE passes them to the adder. Bit 0 inverts Z, bit 2 suppresses
// the carries, bit 3 replaces the sums by the carries. Without carries the sums are XOR, and the carries are AND (Y =
// 0) or OR (Y = 1). Sources: UG579, tables "ALUMODE" and "Logic Unit".
struct Columns {
  std::uint64_t exclusive, sums, carries;
};

Columns columns(std::uint64_t alumode, const AluOperands& in) {
  const std::uint64_t x = in.x.value, y = in.y.value;
  const std::uint64_t z = (alumode & 1) != 0 ? ~in.z.value & ones(kBits) : in.z.value;
  const std::uint64_t exclusive = x ^ y ^ z, majority = (x & y) | (x & z) | (y & z);
  return {exclusive, (alumode & 8) != 0 ? majority : exclusive, (alumode & 4) != 0 ? 0 : majority};
}

// Adds. CARRYOUT has a bit per segment, at its upper end (UG579, section "CARRYOUT/CARRYCASCOUT"). CARRYCASCOUT is the
// adder's carry. In a subtraction CARRYOUT is its complement, as in a fabric subtracter. Four operands can carry into
// two bits: MULTSIGNOUT is the carry into the second bit above P, and MACC_EXTEND gives it that weight in the next
// slice.
AluResult add(const Dsp48e2Attributes& attributes, std::uint64_t alumode, const Columns& in, std::uint64_t w,
              std::uint64_t carry_in) {
  const int count = segments(attributes.use_simd);
  const int width = kBits / count;
  AluResult result;
  for (int i = 0; i < count; ++i) {
    const auto part = [&](std::uint64_t bits) { return bits >> (i * width) & ones(width); };
    const std::uint64_t sum = part(in.sums) + 2 * part(in.carries) + part(w) + (i == 0 ? carry_in : 0);
    const std::uint64_t carry = sum >> width & 1;
    result.p.value |= (((alumode & 2) != 0 ? ~sum : sum) & ones(width)) << (i * width);
    result.carryout.value |= (carry ^ ((alumode & kSubtract) == kSubtract ? 1u : 0u)) << ((i + 1) * 4 / count - 1);
    result.carrycascout.value = carry;
    result.multsign.value = sum >> (width + 1) & 1;
  }
  return result;
}

std::uint64_t parity(std::uint64_t s, int low, int width) {
  return static_cast<std::uint64_t>(__builtin_parityll(s >> low & ones(width)));
}

// Returns XOROUT, in which bit i covers the bits from `low` on (UG579, table "XORSIMD").
std::uint64_t wide_xor(XorSimd mode, std::uint64_t s) {
  struct Cover {
    int low, width;
  };
  constexpr Cover k12[8] = {{0, 6}, {6, 6}, {12, 6}, {18, 6}, {24, 6}, {30, 6}, {36, 6}, {42, 6}};
  // No wider group ends at bit 7, so this bit keeps its narrow group.
  constexpr Cover k24[8] = {{0, 12}, {0, 24}, {12, 12}, {0, 48}, {24, 12}, {24, 24}, {36, 12}, {42, 6}};
  std::uint64_t out = 0;
  for (int i = 0; i < 8; ++i) {
    const Cover& cover = mode == XorSimd::xor12 ? k12[i] : k24[i];
    out |= parity(s, cover.low, cover.width) << i;
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
  if (alumode < kXor) {
    const bool feeds_back = carryinsel == 4 || carryinsel == 5 || carryinsel == 7;
    return feeds_back && attributes.preg == 0 ? "CARRYINSEL 100, 101 and 111 need PREG 1" : nullptr;
  }
  if (opmode.w != Opmode::w_zero) return "a logic operation needs W at 0";
  if (opmode.multiplier()) return "a logic operation cannot use the multiplier";
  if (opmode.z == Opmode::z_macc_extend) return "a logic operation cannot be MACC_EXTEND";
  if (opmode.y == Opmode::y_c && alumode != kXor) return "a logic operation has Y at C for ALUMODE 0100 only";
  return nullptr;
}

AluResult alu(const Dsp48e2Attributes& attributes, const Opmode& opmode, std::uint64_t alumode, const AluOperands& in,
              bool beyond) {
  const bool logic = alumode >= kXor;
  const Columns columns = primitives::columns(alumode, in);
  AluResult result = add(attributes, alumode, columns, in.w.value, logic ? 0 : in.carry_in.value);
  // UG579 requires ALUMODE 0100 here (section "Wide XOR"). The vendor's library computes the bitwise sums for any
  // ALUMODE.
  if (wide_xor_used(attributes)) result.xorout.value = wide_xor(attributes.xorsimd, columns.exclusive);

  beyond = beyond || (in.w.beyond | in.x.beyond | in.y.beyond | in.z.beyond | (logic ? 0 : in.carry_in.beyond)) != 0;
  const bool carries_beyond = beyond || logic || opmode.operands(alumode) > 2;
  // The vendor's library, too, has x for the carries between segments of a product or a logic operation.
  if (logic || opmode.multiplier()) result.carryout.unknown = inner_carries(attributes.use_simd);
  result.carryout.value &= ~result.carryout.unknown;
  result.p.beyond = beyond ? ones(kBits) : 0;
  result.carryout.beyond = carries_beyond || opmode.multiplier() ? ones(4) & ~result.carryout.unknown : 0;
  result.carrycascout.beyond = carries_beyond ? 1 : 0;
  result.multsign.beyond = beyond || !opmode.multiplier() ? 1 : 0;
  result.xorout.beyond = wide_xor_used(attributes) && (beyond || alumode != kXor) ? ones(8) : 0;
  return result;
}

}  // namespace fansim::primitives
