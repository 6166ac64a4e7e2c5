// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>

#include "base/rational.h"
#include "timing/edge.h"

namespace fansim::timing {

// Scales the edges of one clock to those of another, exactly: floor(edge * ratio). Their edges 0 fall together.
class EdgeRatio {
 public:
  EdgeRatio(const base::Rational& from, const base::Rational& to)
      : by_(from.denominator * to.numerator), over_(from.numerator * to.denominator) {
    const std::int64_t common = std::gcd(by_, over_);
    by_ /= common;
    over_ /= common;
    inverse_ = std::max(by_, over_) > kLargest ? 0 : ~std::uint64_t{0} / static_cast<std::uint64_t>(over_) + 1;
  }

  // Multiplies by the inverse of `over`, rounded up to 64 binary places: exact while edge * by * over < 2^64.
  Edge floor(Edge edge) const {
    if (over_ == 1) return edge * by_;
    if (inverse_ == 0)
      return static_cast<Edge>(static_cast<Wide>(edge) * static_cast<Wide>(by_) / static_cast<Wide>(over_));
    return static_cast<Edge>(static_cast<Wide>(static_cast<std::uint64_t>(edge * by_)) * inverse_ >> 64);
  }
  Edge ceil(Edge edge) const {
    const Edge below = floor(edge);
    return static_cast<Wide>(below) * static_cast<Wide>(over_) == static_cast<Wide>(edge) * static_cast<Wide>(by_)
               ? below
               : below + 1;
  }
  // Return the edges of each clock after which both meet again.
  std::int64_t from_period() const { return over_; }
  std::int64_t to_period() const { return by_; }

 private:
  __extension__ using Wide = unsigned __int128;
  static constexpr std::int64_t kLargest = 1 << 15;  // the inverse is exact for 2^34 edges of such clocks

  std::int64_t by_, over_;
  std::uint64_t inverse_;  // 0: floor() divides
};

// Describes the clocks of a fabric and of its memory's port, and what crosses from one to the other
// (rules::crossing_edge).
struct TwoClocks {
  TwoClocks(const base::Rational& fabric_mhz, const base::Rational& port_mhz, int sync_stages)
      : to_port(fabric_mhz, port_mhz), to_fabric(port_mhz, fabric_mhz), stages(sync_stages) {}

  // Return the edges of each clock from one edge that they have in common to the next.
  Edge port_period() const { return to_port.to_period(); }
  Edge fabric_period() const { return to_port.from_period(); }

  // Returns the earliest edge of the fabric at which what follows from an edge of the port can happen.
  Edge after(Edge port) const { return port < 0 ? kLongAgo : to_fabric.floor(port); }

  Edge seen_by_port(Edge fabric) const { return to_port.floor(fabric) + stages; }
  Edge seen_by_fabric(Edge port) const { return to_fabric.floor(port) + stages; }

  EdgeRatio to_port, to_fabric;
  int stages;
};

// Returns when a place in a clock crossing's buffer is free again: it comes back through the synchroniser. Before the
// first item all places were free.
template <class Seen>
Edge place_free(Edge taken, Seen&& seen) {
  return taken == kLongAgo ? kLongAgo : seen(taken);
}

}  // namespace fansim::timing
