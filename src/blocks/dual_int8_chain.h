// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "contract/dual_int8.h"
#include "primitives/dsp48e2.h"

namespace fansim::blocks {

// One pair of products per slice of the chain.
struct Int8Pairs {
  using Operands = std::array<std::int16_t, contract::DualInt8Config::kMaxTerms>;
  Operands high{}, low{}, shared{};
  bool first = true;  // first of the pairs that are summed: the re-based sums start anew
  bool last = true;
};

struct Int8Sums {
  std::int32_t high = 0, low = 0;
  template <class F>
  void wires(F&& f) const {
    f("high", static_cast<std::uint32_t>(high), 32);
    f("low", static_cast<std::uint32_t>(low), 32);
  }
};

// The slices of a DualInt8Mac. The pairs of slice k wait k edges for the sum that arrives through PCIN.
class DualInt8Chain {
 public:
  explicit DualInt8Chain(const contract::DualInt8Config& config);

  // Steps one edge with all clocks enabled. Null means that nothing enters.
  void step(const Int8Pairs* pairs);

  Int8Sums sums() const;  // in the P register of the last slice
  int slices() const { return static_cast<int>(chain_.size()) + 1; }
  std::int64_t maccs() const { return maccs_; }  // multiply-accumulates that entered the multipliers

 private:
  struct Beat {
    Int8Pairs pairs;
    bool valid = false;
  };
  const Beat& entered(int edges_ago) const;
  void step_rebase();
  void step_slice(int k);

  const contract::DualInt8Config config_;
  std::vector<primitives::Dsp48e2> chain_;
  std::vector<std::uint64_t> p_;  // P of every slice of the chain
  primitives::Dsp48e2 rebase_;
  std::uint64_t sums_ = 0;
  std::vector<Beat> beats_;  // a ring of the beats that still wait
  std::size_t newest_ = 0;
  std::int64_t maccs_ = 0;
};

}  // namespace fansim::blocks
