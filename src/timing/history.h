// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "timing/edge.h"

namespace fansim::timing {

// Holds the edges of the items that passed a point, by their number. Only the last `reach` of them are kept. Items
// before the first one passed long ago.
class History {
 public:
  explicit History(int reach) {
    while (mask_ + 1 < static_cast<std::size_t>(reach)) mask_ = 2 * mask_ + 1;
    edges_ = std::make_unique<Edge[]>(mask_ + 1);
    std::fill_n(edges_.get(), mask_ + 1, kLongAgo);
  }

  Edge operator[](std::int64_t i) const { return edges_[static_cast<std::size_t>(i) & mask_]; }
  std::int64_t count() const { return count_; }
  // Returns how many items are kept.
  std::int64_t reach() const { return static_cast<std::int64_t>(mask_ + 1); }
  Edge last() const { return (*this)[count_ - 1]; }
  Edge add(Edge edge) { return edges_[static_cast<std::size_t>(count_++) & mask_] = edge; }

  // Begins again as if so many items had passed long ago.
  void restart(std::int64_t count) {
    std::fill_n(edges_.get(), mask_ + 1, kLongAgo);
    count_ = count;
  }
  // Makes the items kept the last ones of `count` items, which passed by so many edges later.
  void shift(Edge by, std::int64_t count) {
    Edge* const end = edges_.get() + mask_ + 1;
    for (Edge* edge = edges_.get(); edge != end; ++edge) *edge += long_ago(*edge) ? 0 : by;
    std::rotate(edges_.get(), edges_.get() + (static_cast<std::size_t>(count_ - count) & mask_), end);
    count_ = count;
  }

  // Adds items, one per edge behind the last.
  void add_run(std::int64_t items) {
    const Edge end = last() + items;
    count_ += items;
    const std::int64_t kept = std::min(items, reach());
    for (std::int64_t i = 0; i < kept; ++i) edges_[static_cast<std::size_t>(count_ - 1 - i) & mask_] = end - i;
  }
  // Adds items that all pass at one edge.
  void add_same(std::int64_t items, Edge edge) {
    count_ += items;
    const std::int64_t kept = std::min(items, reach());
    for (std::int64_t i = 0; i < kept; ++i) edges_[static_cast<std::size_t>(count_ - 1 - i) & mask_] = edge;
  }

 private:
  std::size_t mask_ = 0;
  std::unique_ptr<Edge[]> edges_;
  std::int64_t count_ = 0;
};

}  // namespace fansim::timing
