// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

#include "accelerators/tiled/paths/clocks.h"
#include "accelerators/tiled/paths/history.h"
#include "base/units.h"
#include "timing/queue.h"

namespace fansim::tiled {

// A number of a picture takes a word; three or five if that does not hold it.
using PictureWord = std::int8_t;
// A picture has a multiple of so many, eight bytes.
constexpr std::size_t kPictureWords = sizeof(std::uint64_t) / sizeof(PictureWord);

// A picture: all of a path that decides what it does from now on, as numbers that are the same wherever it does the
// same; edges count from one that the clocks have in common. A path that shows itself to a TakenPicture is taken into
// it, to a PutBackPicture it is put back as it was, later. What is too long ago to matter, no later than `floor`,
// counts as `floor`.
class PictureBase {
 public:
  PictureBase(const TiledClocks& clocks, timing::Edge meeting)
      : port_(meeting * clocks.port_period()), fabric_(meeting * clocks.fabric_period()) {}

 protected:
  // The number follows, in two words or in four.
  static constexpr PictureWord kTwo = std::numeric_limits<PictureWord>::min(), kFour = kTwo + 1;
  static constexpr PictureWord kLong = kTwo + 2;  // an edge long ago

  const timing::Edge port_, fabric_;  // of the common edge
};

class TakenPicture : public PictureBase {
 public:
  // Edges from the `meeting`-th common one on. `room` grows with what is put there.
  TakenPicture(const TiledClocks& clocks, timing::Edge meeting, std::vector<PictureWord>& room)
      : PictureBase(clocks, meeting), room_(room), at_(room.data()), end_(at_ + room.size()) {}

  static constexpr bool taken() { return true; }
  // Of the room, once all has been shown.
  std::size_t words() {
    make_room(kPictureWords);
    const auto shown = static_cast<std::size_t>(at_ - room_.data());
    at_ = std::fill_n(at_, base::round_up(shown, kPictureWords) - shown, PictureWord{0});
    return static_cast<std::size_t>(at_ - room_.data());
  }
  bool whole() const { return (large_ & ~std::uint64_t{0xFFFFFFFF}) == 0; }  // nothing was too large for it
  // The last edges in it, counted as it counts them.
  std::int32_t last_port() const { return last_port_; }
  std::int32_t last_fabric() const { return last_fabric_; }
  // As it counts an edge: the least of all if it is too long ago to matter.
  std::int32_t count_port(timing::Edge edge) { return edge < kOld ? kLeast : counted(edge, port_); }

  void port(timing::Edge edge, timing::Edge floor = timing::kLongAgo) { put(edge, floor, port_, last_port_); }
  void fabric(timing::Edge edge, timing::Edge floor = timing::kLongAgo) { put(edge, floor, fabric_, last_fabric_); }
  template <class N>
  void number(N n) {
    make_room(kLongest);
    if constexpr (sizeof(N) <= sizeof(std::int32_t))
      put(static_cast<std::int32_t>(n));
    else
      put(counted(static_cast<std::int64_t>(n), 0));
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
  static constexpr std::ptrdiff_t kLongest = 5;  // of a number
  static constexpr std::int64_t kHalf = std::int64_t{1} << 30;
  static constexpr timing::Edge kOld = timing::kLongAgo / 2;  // and sooner
  static constexpr std::int32_t kLeast = std::numeric_limits<std::int32_t>::min();

  template <class N>
  static bool small(N number) {
    return number > kLong && number <= std::numeric_limits<PictureWord>::max();
  }

  // There is room.
  void put(std::int32_t number) {
    if (!small(number)) return put_large(number);
    *at_++ = static_cast<PictureWord>(number);
  }
  [[gnu::noinline]] void put_large(std::int32_t number) {
    const auto half = static_cast<std::int16_t>(number);
    half == number ? put_behind(kTwo, half) : put_behind(kFour, number);
  }
  template <class N>
  void put_behind(PictureWord mark, N number) {
    *at_++ = mark;
    std::memcpy(at_, &number, sizeof number);
    at_ += sizeof number;
  }
  void put_edge(timing::Edge edge, timing::Edge origin, std::int32_t& last) {
    if (edge < kOld) {
      *at_++ = kLong;
      return;
    }
    const std::int32_t number = counted(edge, origin);
    put(number);
    last = std::max(last, number);
  }
  void put(timing::Edge edge, timing::Edge floor, timing::Edge origin, std::int32_t& last) {
    make_room(kLongest);
    put_edge(std::max(edge, floor), origin, last);
  }
  // Items that are later pass later.
  void put(const History& items, std::int64_t first, std::int64_t count, timing::Edge floor, timing::Edge origin,
           std::int32_t& last) {
    std::int64_t from = count;
    while (from > first && items[from - 1] > floor) --from;
    make_room(kLongest * (1 + static_cast<std::ptrdiff_t>(count - from)));
    put(static_cast<std::int32_t>(count - from));
    if (from == count) return;
    const timing::Edge end = items[count - 1] - origin;
    if (!small(items[from] - origin) || !small(end)) {
      for (std::int64_t i = from; i < count; ++i) put_edge(items[i], origin, last);
      return;
    }
    for (std::int64_t i = from; i < count; ++i) *at_++ = static_cast<PictureWord>(items[i] - origin);
    last = std::max(last, static_cast<std::int32_t>(end));
  }
  std::int32_t counted(std::int64_t number, std::int64_t origin) {
    large_ |= static_cast<std::uint64_t>(number - origin + kHalf) << 1;
    return static_cast<std::int32_t>(number - origin);
  }
  void make_room(std::ptrdiff_t words) {
    if (end_ - at_ < words) grow(words);
  }
  [[gnu::noinline]] void grow(std::ptrdiff_t words) {
    const std::ptrdiff_t size = at_ - room_.data();
    room_.resize(static_cast<std::size_t>(2 * size + words));
    at_ = room_.data() + size, end_ = room_.data() + room_.size();
  }

  std::vector<PictureWord>& room_;
  PictureWord *at_, *end_;
  std::int32_t last_port_ = kLeast, last_fabric_ = kLeast;
  std::uint64_t large_ = 0;  // bits of all numbers, which need 31 at most
};

class PutBackPicture : public PictureBase {
 public:
  PutBackPicture(const TiledClocks& clocks, timing::Edge meeting, const PictureWord* words)
      : PictureBase(clocks, meeting), from_(words) {}

  static constexpr bool taken() { return false; }

  void port(timing::Edge& edge, timing::Edge = timing::kLongAgo) { edge = next(port_); }
  void fabric(timing::Edge& edge, timing::Edge = timing::kLongAgo) { edge = next(fabric_); }
  template <class N>
  void number(N& n) {
    n = static_cast<N>(next());
  }

  // `count` have passed.
  void port(History& items, std::int64_t, std::int64_t count, timing::Edge) { put_back(items, count, port_); }
  void fabric(History& items, std::int64_t, std::int64_t count, timing::Edge) { put_back(items, count, fabric_); }

  template <class T, class Show>
  void queue(timing::Queue<T>& items, Show&& show) {
    items.clear();
    for (std::int32_t left = next(); left > 0; --left) {
      items.push({});
      show(items.back());
    }
  }

 private:
  std::int32_t next() {
    const PictureWord word = *from_++;
    if (word == kTwo) return behind<std::int16_t>();
    return word == kFour ? behind<std::int32_t>() : word;
  }
  template <class N>
  N behind() {
    N number;
    std::memcpy(&number, from_, sizeof number);
    from_ += sizeof number;
    return number;
  }
  timing::Edge next(timing::Edge origin) {
    if (*from_ != kLong) return next() + origin;
    ++from_;
    return timing::kLongAgo;
  }
  void put_back(History& items, std::int64_t count, timing::Edge origin) {
    const std::int32_t shown = next();
    items.restart(count - shown);
    for (std::int32_t i = 0; i < shown; ++i) items.add(next(origin));
  }

  const PictureWord* from_;
};

}  // namespace fansim::tiled
