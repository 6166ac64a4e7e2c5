// SPDX-License-Identifier: Apache-2.0
#include "blocks/dual_int8_chain.h"

#include "arith/fixed.h"

namespace fansim::blocks {
namespace {

using primitives::Dsp48e2Attributes;
using primitives::Dsp48e2Inputs;
using primitives::ones;

constexpr int kLane = contract::DualInt8Config::kSumBits;
// OPMODE. In the chain X and Y select M, and Z selects zero or PCIN. In the re-basing slice X selects A:B, Z selects C,
// and W selects zero or P.
constexpr std::uint64_t kProduct = 0b000000101, kProductAndCascade = 0b000010101;
constexpr std::uint64_t kStart = 0b000110011, kAccumulate = 0b010110011;

Dsp48e2Attributes multiplying() {
  Dsp48e2Attributes at;
  at.amultsel = Dsp48e2Attributes::MultiplierA::ad;
  at.breg = at.bcascreg = 2;  // as many registers as the path through the pre-adder and its register
  at.alumodereg = at.carryinreg = at.carryinselreg = at.inmodereg = at.opmodereg = 0;
  return at;
}

Dsp48e2Attributes rebasing() {
  Dsp48e2Attributes at;
  at.use_mult = Dsp48e2Attributes::Multiplier::none;
  at.use_simd = Dsp48e2Attributes::Simd::two24;
  at.alumodereg = at.carryinreg = at.carryinselreg = at.inmodereg = at.opmodereg = 0;
  return at;
}

std::uint64_t low_bits(std::int64_t value, int bits) { return static_cast<std::uint64_t>(value) & ones(bits); }

}  // namespace

DualInt8Chain::DualInt8Chain(const contract::DualInt8Config& config)
    : config_(config),
      chain_(static_cast<std::size_t>(config.terms), primitives::Dsp48e2(multiplying())),
      p_(chain_.size()),
      rebase_(rebasing()),
      beats_(static_cast<std::size_t>(config.latency())) {}

const DualInt8Chain::Beat& DualInt8Chain::entered(int edges_ago) const {
  return beats_[(newest_ + beats_.size() - static_cast<std::size_t>(edges_ago)) % beats_.size()];
}

// Goes from the end of the cascade to its head, so that a slice sees what the one before it had before the edge.
void DualInt8Chain::step(const Int8Pairs* pairs) {
  newest_ = (newest_ + 1) % beats_.size();
  beats_[newest_].valid = pairs != nullptr;
  if (pairs != nullptr) beats_[newest_].pairs = *pairs;
  step_rebase();
  for (int k = config_.terms - 1; k >= 0; --k) step_slice(k);
}

// Makes two lanes of 24 bits: the low sum, sign-extended, and the high sum with the low one's borrow added back
// (WP486).
void DualInt8Chain::step_rebase() {
  const std::uint64_t p = p_.back();
  const std::uint64_t low = low_bits(arith::wrap(static_cast<std::int64_t>(p), config_.shift), kLane);
  const std::uint64_t lanes = (p >> config_.shift & ones(kLane)) << kLane | low;
  const Beat& arriving = entered(config_.latency() - 1);
  Dsp48e2Inputs in;
  in.a = lanes >> 18;
  in.b = lanes & ones(18);
  in.c = (p >> (config_.shift - 1) & 1) << kLane;
  in.opmode = arriving.pairs.first ? kStart : kAccumulate;
  in.cea2 = in.ceb2 = in.cec = true;
  in.cep = arriving.valid;
  sums_ = rebase_.step(in).p.value;
}

void DualInt8Chain::step_slice(int k) {
  const auto i = static_cast<std::size_t>(k);
  const Beat& beat = entered(k);
  Dsp48e2Inputs in;
  in.a = in.b = in.d = 0;
  if (beat.valid) {
    in.a = low_bits(std::int64_t{beat.pairs.high[i]} * (1 << config_.shift), 30);
    in.d = low_bits(beat.pairs.low[i], 27);
    in.b = low_bits(beat.pairs.shared[i], 18);
    maccs_ += 2;
  }
  in.inmode = 0b00100;  // D + A
  in.opmode = k == 0 ? kProduct : kProductAndCascade;
  in.pcin = k == 0 ? 0 : p_[i - 1];
  in.cea2 = in.ceb1 = in.ceb2 = in.ced = in.cead = in.cem = in.cep = true;
  p_[i] = chain_[i].step(in).p.value;
}

Int8Sums DualInt8Chain::sums() const {
  return {static_cast<std::int32_t>(arith::wrap(static_cast<std::int64_t>(sums_ >> kLane), kLane)),
          static_cast<std::int32_t>(arith::wrap(static_cast<std::int64_t>(sums_), kLane))};
}

}  // namespace fansim::blocks
