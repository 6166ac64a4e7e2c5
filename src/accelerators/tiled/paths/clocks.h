// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>

#include "accelerators/tiled/config/config.h"
#include "timing/edge.h"

namespace fansim::tiled {

// Scales the edges of one clock to those of another, exactly: floor(edge * ratio). Their edges 0 fall together.
class EdgeRatio {
 public:
  EdgeRatio(const base::Rational& from, const base::Rational& to)
      : by_(from.denominator * to.numerator), over_(from.numerator * to.denominator) {
    const std::int64_t common = std::gcd(by_, over_);
    by_ /= common, over_ /= common;
    inverse_ = std::max(by_, over_) > kLargest ? 0 : ~std::uint64_t{0} / static_cast<std::uint64_t>(over_) + 1;
  }

  // By the inverse of `over`, rounded up to 64 binary places: exact while edge * by * over < 2^64.
  timing::Edge floor(timing::Edge edge) const {
    if (over_ == 1) return edge * by_;
    if (inverse_ == 0)
      return static_cast<timing::Edge>(static_cast<Wide>(edge) * static_cast<Wide>(by_) / static_cast<Wide>(over_));
    return static_cast<timing::Edge>(static_cast<Wide>(static_cast<std::uint64_t>(edge * by_)) * inverse_ >> 64);
  }
  // After so many edges of the one clock and of the other they meet again.
  std::int64_t from_period() const { return over_; }
  std::int64_t to_period() const { return by_; }
  timing::Edge ceil(timing::Edge edge) const {
    const timing::Edge below = floor(edge);
    return static_cast<Wide>(below) * static_cast<Wide>(over_) == static_cast<Wide>(edge) * static_cast<Wide>(by_)
               ? below
               : below + 1;
  }

 private:
  __extension__ using Wide = unsigned __int128;
  static constexpr std::int64_t kLargest = 1 << 15;  // with which that holds for 2^34 edges

  std::int64_t by_, over_;
  std::uint64_t inverse_;  // 0: by division
};

// The two clocks of the tiled accelerator, and what crosses from one into the other (rules::crossing_edge).
struct TiledClocks {
  explicit TiledClocks(const Config& c)
      : to_port(c.clock_mhz, c.port_mhz), to_fabric(c.port_mhz, c.clock_mhz), stages(c.clock_converter.sync_stages) {}

  // Edges of each from one that they have in common to the next.
  timing::Edge port_period() const { return to_port.to_period(); }
  timing::Edge fabric_period() const { return to_port.from_period(); }

  // What is known only behind an edge of the port happens at no earlier edge of the fabric.
  timing::Edge after(timing::Edge port) const { return port < 0 ? timing::kLongAgo : to_fabric.floor(port); }

  timing::Edge seen_by_port(timing::Edge fabric) const { return to_port.floor(fabric) + stages; }
  timing::Edge seen_by_fabric(timing::Edge port) const { return to_fabric.floor(port) + stages; }

  EdgeRatio to_port, to_fabric;
  int stages;
};

// Places of a clock crossing's buffer come back through its synchroniser; before the first item all were free.
template <class Seen>
timing::Edge place_free(timing::Edge taken, Seen&& seen) {
  return taken == timing::kLongAgo ? timing::kLongAgo : seen(taken);
}

}  // namespace fansim::tiled
