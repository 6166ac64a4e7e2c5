// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

#include "base/units.h"
#include "timing/edge.h"
#include "timing/history.h"
#include "timing/queue.h"

namespace fansim::timing {

// A machine does the same in the same state, only later. Its `visit(V&)` lists, once, all members that decide what it
// does from now on; every visitor (SnapshotWriter, SnapshotReader, PeriodWriter, Shift) understands these words:
//
//   origin(edge)                edges count from here, or from the last edge before it that the clocks share
//   edge(edge, floor)           an edge, which matters only if it is later than the floor
//   number(n)                   any other number, bool or enumeration
//   counter(n)                  a number that grows without end: what is counted from it matters, it does not
//   count(n)                    a number that is counted from the counter visited last
//   history(h, i, n, floor)     the items of a history from number i on that are later than the floor; n have passed
//   queue(q, each)              a queue; `each` visits an item
//   idle(yes)                   nothing is under way: what is told late enough finds the machine as it was made
//   told_from(edge)             what is told at an earlier edge of the port does what it would do at this one
//
// origin(), edge() and history() are of the fabric's clock, or begin with the clock that they are of.

// A snapshot is a state as bytes: the same bytes in the same state, whenever the machine is in it.
using SnapshotByte = std::int8_t;
// A snapshot has a multiple of so many bytes.
constexpr std::size_t kSnapshotGrain = sizeof(std::uint64_t);

// Says how many edges of each clock lie between two edges that both have in common. With one clock every edge is
// common.
struct CommonEdges {
  Edge fabric = 1, port = 1;
  Edge of(Clock clock) const { return clock == Clock::port ? port : fabric; }
};

// These bytes are marks: a number takes one byte, or a mark and two or four bytes.
namespace snapshot_bytes {
constexpr SnapshotByte kTwo = std::numeric_limits<SnapshotByte>::min(), kFour = kTwo + 1;
constexpr SnapshotByte kLongAgo = kTwo + 2;
}  // namespace snapshot_bytes

// Takes a snapshot.
class SnapshotWriter {
 public:
  // `buffer` grows with what is written there.
  SnapshotWriter(const CommonEdges& common, std::vector<SnapshotByte>& buffer)
      : common_(common), buffer_(buffer), at_(buffer.data()), end_(at_ + buffer.size()) {}

  // Returns the length of the snapshot, once all has been visited.
  std::size_t finish() {
    make_room(kSnapshotGrain);
    const auto written = static_cast<std::size_t>(at_ - buffer_.data());
    at_ = std::fill_n(at_, base::round_up(written, kSnapshotGrain) - written, SnapshotByte{0});
    return static_cast<std::size_t>(at_ - buffer_.data());
  }
  // Returns whether every number fitted 31 bits.
  bool fits() const { return (large_ & ~std::uint64_t{0xFFFFFFFF}) == 0; }
  // Returns the number of the common edge from which edges count.
  Edge common_edge() const { return common_edge_; }
  // Return the latest edge of a clock, and told_from(), counted from the common edge; the least number if there is
  // none.
  std::int32_t last(Clock clock) const { return last_[index(clock)]; }
  std::int32_t told_from() const { return told_from_; }
  bool idle() const { return idle_; }

  void origin(Edge edge) { origin(Clock::fabric, edge); }
  void origin(Clock clock, Edge edge) {
    common_edge_ = edge / common_.of(clock);
    origins_ = {common_edge_ * common_.fabric, common_edge_ * common_.port};
  }
  void edge(Edge edge, Edge floor = timing::kLongAgo) { this->edge(Clock::fabric, edge, floor); }
  void edge(Clock clock, Edge edge, Edge floor = timing::kLongAgo) {
    make_room(kLongest);
    put_edge(clock, edge > floor ? edge : timing::kLongAgo);
  }
  template <class N>
  void number(N n) {
    make_room(kLongest);
    if constexpr (sizeof(N) <= sizeof(std::int32_t))
      put(static_cast<std::int32_t>(n));
    else
      put(counted(static_cast<std::int64_t>(n), 0));
  }
  template <class N>
  void counter(N n) {
    counter_ = static_cast<std::int64_t>(n);
  }
  template <class N>
  void count(N n) {
    number(static_cast<std::int64_t>(n) - counter_);
  }
  void history(const History& items, std::int64_t first, std::int64_t count, Edge floor) {
    history(Clock::fabric, items, first, count, floor);
  }
  // Items that are later must pass later.
  void history(Clock clock, const History& items, std::int64_t first, std::int64_t count, Edge floor) {
    std::int64_t from = count;
    while (from > first && items[from - 1] > floor) --from;
    make_room(kLongest * (1 + static_cast<std::ptrdiff_t>(count - from)));
    put(static_cast<std::int32_t>(count - from));
    if (from == count) return;
    const Edge origin = origins_[index(clock)], end = items[count - 1] - origin;
    if (!small(items[from] - origin) || !small(end)) {
      for (std::int64_t i = from; i < count; ++i) put_edge(clock, items[i]);
      return;
    }
    for (std::int64_t i = from; i < count; ++i) *at_++ = static_cast<SnapshotByte>(items[i] - origin);
    std::int32_t& last = last_[index(clock)];
    last = std::max(last, static_cast<std::int32_t>(end));
  }
  template <class T, class Each>
  void queue(Queue<T>& items, Each&& each) {
    const std::size_t size = items.size();
    number(size);
    for (std::size_t i = 0; i < size; ++i) each(items[i]);
  }
  void idle(bool yes) { idle_ = yes; }
  void told_from(Edge edge) { told_from_ = long_ago(edge) ? kLeast : counted(edge, origins_[index(Clock::port)]); }

 private:
  static constexpr std::ptrdiff_t kLongest = 5;  // bytes of a number
  static constexpr std::int64_t kHalf = std::int64_t{1} << 30;
  static constexpr std::int32_t kLeast = std::numeric_limits<std::int32_t>::min();

  static constexpr std::size_t index(Clock clock) { return static_cast<std::size_t>(clock); }
  template <class N>
  static bool small(N number) {
    return number > snapshot_bytes::kLongAgo && number <= std::numeric_limits<SnapshotByte>::max();
  }

  // Writes a number; there must be room.
  void put(std::int32_t number) {
    if (!small(number)) return put_large(number);
    *at_++ = static_cast<SnapshotByte>(number);
  }
  [[gnu::noinline]] void put_large(std::int32_t number) {
    const auto half = static_cast<std::int16_t>(number);
    half == number ? put_behind(snapshot_bytes::kTwo, half) : put_behind(snapshot_bytes::kFour, number);
  }
  template <class N>
  void put_behind(SnapshotByte mark, N number) {
    *at_++ = mark;
    std::memcpy(at_, &number, sizeof number);
    at_ += sizeof number;
  }
  void put_edge(Clock clock, Edge edge) {
    if (long_ago(edge)) {
      *at_++ = snapshot_bytes::kLongAgo;
      return;
    }
    const std::int32_t number = counted(edge, origins_[index(clock)]);
    put(number);
    std::int32_t& last = last_[index(clock)];
    last = std::max(last, number);
  }
  std::int32_t counted(std::int64_t number, std::int64_t origin) {
    large_ |= static_cast<std::uint64_t>(number - origin + kHalf) << 1;
    return static_cast<std::int32_t>(number - origin);
  }
  void make_room(std::ptrdiff_t bytes) {
    if (end_ - at_ < bytes) grow(bytes);
  }
  [[gnu::noinline]] void grow(std::ptrdiff_t bytes) {
    const std::ptrdiff_t size = at_ - buffer_.data();
    buffer_.resize(static_cast<std::size_t>(2 * size + bytes));
    at_ = buffer_.data() + size;
    end_ = buffer_.data() + buffer_.size();
  }

  const CommonEdges common_;
  std::vector<SnapshotByte>& buffer_;
  SnapshotByte *at_, *end_;
  Edge common_edge_ = 0;
  std::array<Edge, 2> origins_{};
  std::int64_t counter_ = 0;
  std::array<std::int32_t, 2> last_{kLeast, kLeast};
  std::int32_t told_from_ = kLeast;
  bool idle_ = false;
  std::uint64_t large_ = 0;  // bits of all numbers, which need 31 at most
};

// Restores a snapshot, from any common edge on. Counters stay as they are.
class SnapshotReader {
 public:
  SnapshotReader(const CommonEdges& common, Edge common_edge, const SnapshotByte* bytes)
      : origins_{common_edge * common.fabric, common_edge * common.port}, from_(bytes) {}

  void origin(Edge) {}
  void origin(Clock, Edge) {}
  void edge(Edge& edge, Edge floor = timing::kLongAgo) { this->edge(Clock::fabric, edge, floor); }
  void edge(Clock clock, Edge& edge, Edge = timing::kLongAgo) { edge = next_edge(clock); }
  template <class N>
  void number(N& n) {
    n = static_cast<N>(next());
  }
  template <class N>
  void counter(N& n) {
    counter_ = static_cast<std::int64_t>(n);
  }
  template <class N>
  void count(N& n) {
    n = static_cast<N>(counter_ + next());
  }
  void history(History& items, std::int64_t first, std::int64_t count, Edge floor) {
    history(Clock::fabric, items, first, count, floor);
  }
  void history(Clock clock, History& items, std::int64_t, std::int64_t count, Edge) {
    const std::int32_t kept = next();
    items.restart(count - kept);
    for (std::int32_t i = 0; i < kept; ++i) items.add(next_edge(clock));
  }
  template <class T, class Each>
  void queue(Queue<T>& items, Each&& each) {
    items.clear();
    for (std::int32_t left = next(); left > 0; --left) {
      items.push({});
      each(items.back());
    }
  }
  void idle(bool) {}
  void told_from(Edge) {}

 private:
  std::int32_t next() {
    const SnapshotByte byte = *from_++;
    if (byte == snapshot_bytes::kTwo) return behind<std::int16_t>();
    return byte == snapshot_bytes::kFour ? behind<std::int32_t>() : byte;
  }
  template <class N>
  N behind() {
    N number;
    std::memcpy(&number, from_, sizeof number);
    from_ += sizeof number;
    return number;
  }
  Edge next_edge(Clock clock) {
    if (*from_ != snapshot_bytes::kLongAgo) return next() + origins_[static_cast<std::size_t>(clock)];
    ++from_;
    return timing::kLongAgo;
  }

  const std::array<Edge, 2> origins_;
  const SnapshotByte* from_;
  std::int64_t counter_ = 0;
};

}  // namespace fansim::timing
