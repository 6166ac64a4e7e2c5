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

// A picture: all of a path that decides what it does from now on, as numbers that are the same wherever it does the
// same; edges count from one that the clocks have in common. A path that shows itself to a TakenPicture is taken into
// it, to a PutBackPicture it is put back as it was, later. What is too long ago to matter, no later than `floor`,
// counts as `floor`.
class PictureBase {
 public:
  PictureBase(const TiledClocks& clocks, timing::Edge meeting)
      : port_(meeting * clocks.port_period()), fabric_(meeting * clocks.fabric_period()) {}

 protected:
  static constexpr std::int32_t kLong = std::numeric_limits<std::int32_t>::min();  // an edge long ago

  const timing::Edge port_, fabric_;  // of the common edge
};

class TakenPicture : public PictureBase {
 public:
  // Edges from the `meeting`-th common one on. `room` grows with what is put there.
  TakenPicture(const TiledClocks& clocks, timing::Edge meeting, std::vector<std::int32_t>& room)
      : PictureBase(clocks, meeting), room_(room), at_(room.data()), end_(at_ + room.size()) {}

  static constexpr bool taken() { return true; }
  std::size_t numbers() const { return static_cast<std::size_t>(at_ - room_.data()); }  // of the room's
  bool whole() const { return (large_ & ~std::uint64_t{0xFFFFFFFF}) == 0; }             // nothing was too large for it
  // The last edges in it, counted as it counts them.
  std::int32_t last_port() const { return last_port_; }
  std::int32_t last_fabric() const { return last_fabric_; }
  // As it counts an edge: the least of all if it is too long ago to matter.
  std::int32_t count_port(timing::Edge edge) { return counted(edge, port_); }

  void port(timing::Edge edge, timing::Edge floor = timing::kLongAgo) { put(edge, floor, port_, last_port_); }
  void fabric(timing::Edge edge, timing::Edge floor = timing::kLongAgo) { put(edge, floor, fabric_, last_fabric_); }
  template <class N>
  void number(N n) {
    const auto number = static_cast<std::int64_t>(n);
    large_ |= static_cast<std::uint64_t>(number + kHalf) << 1;
    put(static_cast<std::int32_t>(number));
  }
  // Two that are not negative, of 14 and 16 bits at most.
  template <class N, class M>
  void pair(N n, M m) {
    put(static_cast<int>(n) << 16 | static_cast<int>(m));
  }

  // Items of a history from number `first` on, and how many have passed.
  void port(const History& items, std::int64_t first, std::int64_t count, timing::Edge floor) {
    put(items, first, count, floor, port_, last_port_);
  }
  void fabric(const History& items, std::int64_t first, std::int64_t count, timing::Edge floor) {
    put(items, first, count, floor, fabric_, last_fabric_);
  }

  // `show` is told of every item.
  template <class T, class Show>
  void queue(timing::Queue<T>& items, Show&& show) {
    const std::size_t size = items.size();
    number(size);
    for (std::size_t i = 0; i < size; ++i) show(items[i]);
  }

 private:
  static constexpr std::int64_t kHalf = std::int64_t{1} << 30;

  void put(std::int32_t number) {
    if (at_ == end_) grow();
    *at_++ = number;
  }
  void put(timing::Edge edge, timing::Edge floor, timing::Edge origin, std::int32_t& last) {
    const std::int32_t number = counted(std::max(edge, floor), origin);
    put(number);
    last = std::max(last, number);
  }
  // Items that are later pass later.
  void put(const History& items, std::int64_t first, std::int64_t count, timing::Edge floor, timing::Edge origin,
           std::int32_t& last) {
    std::int64_t from = count;
    while (from > first && items[from - 1] > floor) --from;
    put(static_cast<std::int32_t>(count - from));
    for (std::int64_t i = from; i < count; ++i) put(counted(items[i], origin));
    if (from < count) last = std::max(last, at_[-1]);
  }
  std::int32_t counted(timing::Edge edge, timing::Edge origin) {
    if (edge < timing::kLongAgo / 2) return kLong;
    large_ |= static_cast<std::uint64_t>(edge - origin + kHalf) << 1;
    return static_cast<std::int32_t>(edge - origin);
  }
  void grow() {
    const std::size_t size = room_.size();
    room_.resize(2 * size + 64);
    at_ = room_.data() + size, end_ = room_.data() + room_.size();
  }

  std::vector<std::int32_t>& room_;
  std::int32_t *at_, *end_;
  std::int32_t last_port_ = kLong, last_fabric_ = kLong;
  std::uint64_t large_ = 0;  // bits of all numbers, which need 31 at most
};

class PutBackPicture : public PictureBase {
 public:
  PutBackPicture(const TiledClocks& clocks, timing::Edge meeting, const std::int32_t* numbers)
      : PictureBase(clocks, meeting), from_(numbers) {}

  static constexpr bool taken() { return false; }

  void port(timing::Edge& edge, timing::Edge = timing::kLongAgo) { edge = next(port_); }
  void fabric(timing::Edge& edge, timing::Edge = timing::kLongAgo) { edge = next(fabric_); }
  template <class N>
  void number(N& n) {
    n = static_cast<N>(*from_++);
  }
  template <class N, class M>
  void pair(N& n, M& m) {
    const std::int32_t both = *from_++;
    n = static_cast<N>(both >> 16), m = static_cast<M>(both & 0xFFFF);
  }

  // `count` have passed.
  void port(History& items, std::int64_t, std::int64_t count, timing::Edge) { put_back(items, count, port_); }
  void fabric(History& items, std::int64_t, std::int64_t count, timing::Edge) { put_back(items, count, fabric_); }

  template <class T, class Show>
  void queue(timing::Queue<T>& items, Show&& show) {
    items.clear();
    for (std::int32_t left = *from_++; left > 0; --left) {
      items.push({});
      show(items.back());
    }
  }

 private:
  timing::Edge next(timing::Edge origin) {
    const std::int32_t number = *from_++;
    return number == kLong ? timing::kLongAgo : number + origin;
  }
  void put_back(History& items, std::int64_t count, timing::Edge origin) {
    const std::int32_t shown = *from_++;
    items.restart(count - shown);
    for (std::int32_t i = 0; i < shown; ++i) items.add(next(origin));
  }

  const std::int32_t* from_;
};

}  // namespace fansim::tiled
