// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <numeric>

#include "arch/tiled_config.h"
#include "timing/edge.h"

namespace fansim::timing {

// Scales the edges of one clock to those of another, exactly: floor(edge * ratio). Their edges 0 fall together.
class EdgeRatio {
 public:
  EdgeRatio(const base::Rational& from, const base::Rational& to)
      : by_(from.denominator * to.numerator), over_(from.numerator * to.denominator) {
    const std::int64_t common = std::gcd(by_, over_);
    by_ /= common, over_ /= common;
    wide_ = std::max(by_, over_) > kLargest;
    ratio_ = static_cast<double>(by_) / static_cast<double>(over_);
  }

  // The quotient in double precision is at most one off.
  Edge floor(Edge edge) const {
    if (wide_) return static_cast<Edge>(static_cast<Wide>(edge) * by_ / over_);
    Edge quotient = static_cast<Edge>(static_cast<double>(edge) * ratio_);
    const Edge rest = edge * by_ - quotient * over_;
    if (rest < 0)
      --quotient;
    else if (rest >= over_)
      ++quotient;
    return quotient;
  }
  Edge ceil(Edge edge) const {
    const Edge below = floor(edge);
    return static_cast<Wide>(below) * over_ == static_cast<Wide>(edge) * by_ ? below : below + 1;
  }

 private:
  __extension__ using Wide = __int128;
  static constexpr std::int64_t kLargest = 1 << 20;  // with which products stay exact for 2^43 edges

  bool wide_;
  std::int64_t by_, over_;
  double ratio_;
};

// The two clocks of the tiled accelerator, and what crosses from one into the other (rules::crossing_edge).
struct TiledClocks {
  explicit TiledClocks(const arch::TiledConfig& c)
      : to_port(c.clock_mhz, c.port_mhz), to_fabric(c.port_mhz, c.clock_mhz), stages(c.clock_converter.sync_stages) {}

  Edge seen_by_port(Edge fabric) const { return to_port.floor(fabric) + stages; }
  Edge seen_by_fabric(Edge port) const { return to_fabric.floor(port) + stages; }

  EdgeRatio to_port, to_fabric;
  int stages;
};

// Places of a clock crossing's buffer come back through its synchroniser; before the first item all were free.
template <class Seen>
Edge place_free(Edge taken, Seen&& seen) {
  return taken == kLongAgo ? kLongAgo : seen(taken);
}

}  // namespace fansim::timing
