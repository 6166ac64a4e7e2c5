// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "timing/edge.h"

namespace fansim::timing {

// The edges of the items that passed a point, by their number; only the last `reach` of them are kept. Items before the
// first one passed long ago.
class History {
 public:
  explicit History(int reach) {
    std::size_t size = 1;
    while (size < static_cast<std::size_t>(reach)) size *= 2;
    edges_.assign(size, kLongAgo);
  }

  Edge operator[](std::int64_t i) const { return edges_[static_cast<std::size_t>(i) & (edges_.size() - 1)]; }
  std::int64_t count() const { return count_; }
  Edge last() const { return (*this)[count_ - 1]; }
  Edge add(Edge edge) { return edges_[static_cast<std::size_t>(count_++) & (edges_.size() - 1)] = edge; }
  // Further items, one edge after the other behind the last.
  void add_run(std::int64_t items) {
    const Edge end = last() + items;
    count_ += items;
    const auto kept = std::min(items, static_cast<std::int64_t>(edges_.size()));
    for (std::int64_t i = 0; i < kept; ++i)
      edges_[static_cast<std::size_t>(count_ - 1 - i) & (edges_.size() - 1)] = end - i;
  }
  // Further items, all at one edge.
  void add_same(std::int64_t items, Edge edge) {
    count_ += items;
    const auto kept = std::min(items, static_cast<std::int64_t>(edges_.size()));
    for (std::int64_t i = 0; i < kept; ++i) edges_[static_cast<std::size_t>(count_ - 1 - i) & (edges_.size() - 1)] = edge;
  }

 private:
  std::vector<Edge> edges_;
  std::int64_t count_ = 0;
};

}  // namespace fansim::timing
