// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "accelerators/tiled/paths/clocks.h"
#include "accelerators/tiled/paths/history.h"
#include "timing/queue.h"

namespace fansim::tiled {

// All of a path that decides what it does from now on, as numbers that are the same wherever it does the same: edges
// count from one that the clocks have in common. A path that shows itself to a picture is taken into it, or put back as
// it was, later. What is too long ago to matter, no later than `floor`, counts as `floor`.
class Picture {
 public:
  // Is taken: into `numbers`, edges from the `meeting`-th common one on.
  Picture(const TiledClocks& clocks, timing::Edge meeting, std::vector<std::int32_t>& numbers)
      : to_(&numbers), port_(meeting * clocks.port_period()), fabric_(meeting * clocks.fabric_period()) {
    numbers.clear();
  }
  // Is put back.
  Picture(const TiledClocks& clocks, timing::Edge meeting, const std::int32_t* numbers)
      : from_(numbers), port_(meeting * clocks.port_period()), fabric_(meeting * clocks.fabric_period()) {}

  bool taken() const { return to_ != nullptr; }
  bool whole() const { return whole_; }  // nothing was too large for it
  // The last edges in it, counted as it counts them.
  std::int32_t last_port() const { return last_port_; }
  std::int32_t last_fabric() const { return last_fabric_; }
  // As it counts an edge: the least of all if it is too long ago to matter.
  std::int32_t count_port(timing::Edge edge) { return counted(edge, port_); }
  std::int32_t count_fabric(timing::Edge edge) { return counted(edge, fabric_); }

  void port(timing::Edge& edge, timing::Edge floor = timing::kLongAgo) { this->edge(edge, floor, port_, last_port_); }
  void fabric(timing::Edge& edge, timing::Edge floor = timing::kLongAgo) {
    this->edge(edge, floor, fabric_, last_fabric_);
  }
  template <class N>
  void number(N& n) {
    if (taken())
      put(static_cast<std::int64_t>(n));
    else
      n = static_cast<N>(*from_++);
  }

  // Two that are not negative, of 14 and 16 bits at most.
  template <class N, class M>
  void pair(N& n, M& m) {
    int both = static_cast<int>(n) << 16 | static_cast<int>(m);
    number(both);
    n = static_cast<N>(both >> 16), m = static_cast<M>(both & 0xFFFF);
  }

  // Items of a history from number `first` on, and how many have passed; put back, `count` have.
  void port(History& items, std::int64_t first, std::int64_t count, timing::Edge floor) {
    history(items, first, count, floor, port_, last_port_);
  }
  void fabric(History& items, std::int64_t first, std::int64_t count, timing::Edge floor) {
    history(items, first, count, floor, fabric_, last_fabric_);
  }

  // `show` is told of every item.
  template <class T, class Show>
  void queue(timing::Queue<T>& items, Show&& show) {
    std::size_t size = items.size();
    number(size);
    if (!taken()) {
      items.clear();
      for (std::size_t i = 0; i < size; ++i) items.push({});
    }
    for (std::size_t i = 0; i < size; ++i) show(items[i]);
  }

 private:
  static constexpr std::int32_t kLong = std::numeric_limits<std::int32_t>::min();

  void put(std::int64_t n) {
    whole_ = whole_ && n > kLong / 2 && n < -(kLong / 2);
    to_->push_back(static_cast<std::int32_t>(n));
  }
  std::int32_t counted(timing::Edge edge, timing::Edge origin) {
    if (edge < timing::kLongAgo / 2) return kLong;
    const timing::Edge count = edge - origin;
    whole_ = whole_ && count > kLong / 2 && count < -(kLong / 2);
    return static_cast<std::int32_t>(count);
  }
  void edge(timing::Edge& edge, timing::Edge floor, timing::Edge origin, std::int32_t& last) {
    if (taken()) {
      to_->push_back(counted(std::max(edge, floor), origin));
      last = std::max(last, to_->back());
      return;
    }
    const std::int32_t number = *from_++;
    edge = number == kLong ? timing::kLongAgo : number + origin;
  }
  void history(History& items, std::int64_t first, std::int64_t count, timing::Edge floor, timing::Edge origin,
               std::int32_t& last) {
    if (taken())
      while (first < count && items[first] <= floor) ++first;
    std::int64_t shown = count - first;
    number(shown);
    if (taken()) {
      for (std::int64_t i = first; i < count; ++i) {
        to_->push_back(counted(items[i], origin));
        last = std::max(last, to_->back());
      }
      return;
    }
    items.restart(count - shown);
    for (std::int64_t i = 0; i < shown; ++i) {
      timing::Edge item = 0;
      edge(item, timing::kLongAgo, origin, last);
      items.add(item);
    }
  }

  std::vector<std::int32_t>* to_ = nullptr;
  const std::int32_t* from_ = nullptr;
  timing::Edge port_, fabric_;
  std::int32_t last_port_ = kLong, last_fabric_ = kLong;
  bool whole_ = true;
};

}  // namespace fansim::tiled
