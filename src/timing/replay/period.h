// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "timing/edge.h"
#include "timing/history.h"
#include "timing/queue.h"

namespace fansim::timing {

// Writes a state of one clock as plain numbers (the words of `visit`: timing/replay/snapshot.h). The numbers that
// decide what follows go to the front of `room`, counters to its back.
class PeriodWriter {
 public:
  PeriodWriter(std::int64_t* room, std::size_t size) : front_(room), back_(room + size) {}

  const std::int64_t* front() const { return front_; }
  const std::int64_t* back() const { return back_; }
  bool fits() const { return fits_; }
  Edge origin() const { return origin_; }

  void origin(Edge edge) { origin_ = edge; }
  void edge(Edge edge, Edge floor = kLongAgo) { put(edge <= floor || long_ago(edge) ? kLongAgo : edge - origin_); }
  template <class N>
  void number(N n) {
    put(static_cast<std::int64_t>(n));
  }
  template <class N>
  void counter(N n) {
    counter_ = static_cast<std::int64_t>(n);
    if (front_ == back_)
      fits_ = false;
    else
      *--back_ = counter_;
  }
  template <class N>
  void count(N n) {
    put(static_cast<std::int64_t>(n) - counter_);
  }
  void history(const History& items, std::int64_t first, std::int64_t count, Edge floor) {
    std::int64_t from = count;
    while (from > first && items[from - 1] > floor) --from;
    put(count - from);
    for (; from < count; ++from) edge(items[from]);
  }
  template <class T, class Each>
  void queue(Queue<T>& items, Each&& each) {
    const std::size_t size = items.size();
    number(size);
    for (std::size_t i = 0; i < size; ++i) each(items[i]);
  }
  void idle(bool) {}
  void told_from(Edge) {}

 private:
  void put(std::int64_t number) {
    if (front_ == back_)
      fits_ = false;
    else
      *front_++ = number;
  }

  std::int64_t *front_, *back_;
  Edge origin_ = 0;
  std::int64_t counter_ = 0;
  bool fits_ = true;
};

// Moves a state of one clock to a later edge, and increases each counter by a number of its own.
class Shift {
 public:
  // `growth_end` is the end of the counters' growths, the last of which belongs to the first counter.
  Shift(Edge by, const std::int64_t* growth_end) : by_(by), growth_(growth_end) {}

  void origin(Edge) {}
  void edge(Edge& edge, Edge = kLongAgo) {
    if (!long_ago(edge)) edge += by_;
  }
  template <class N>
  void number(N&) {}
  template <class N>
  void counter(N& n) {
    grows_ = *--growth_;
    count(n);
  }
  template <class N>
  void count(N& n) {
    n = static_cast<N>(static_cast<std::int64_t>(n) + grows_);
  }
  void history(History& items, std::int64_t, std::int64_t count, Edge) { items.shift(by_, count); }
  template <class T, class Each>
  void queue(Queue<T>& items, Each&& each) {
    for (std::size_t i = 0; i < items.size(); ++i) each(items[i]);
  }
  void idle(bool) {}
  void told_from(Edge) {}

 private:
  const Edge by_;
  const std::int64_t* growth_;
  std::int64_t grows_ = 0;
};

// Finds out that a machine repeats itself: what it does between two looks leaves its state as it was, only later, and
// its counters further. Then it does the same again, as long as nothing else comes. The state is of one clock and has
// `most` numbers at most; a longer one never repeats.
template <std::size_t most>
class Period {
 public:
  // Returns whether the state is that of the look before, edges() later.
  template <class State>
  bool look(State& state) {
    Look& now = looks_[next_];
    const Look& before = looks_[1 - next_];
    PeriodWriter writer(now.numbers.data(), most);
    state.visit(writer);
    now.size = writer.fits() ? static_cast<std::size_t>(writer.front() - now.numbers.data()) : kNothing;
    now.counters = static_cast<std::size_t>(now.numbers.data() + most - writer.back());
    now.origin = writer.origin();
    next_ = 1 - next_;
    return now.size != kNothing && now.size == before.size && now.counters == before.counters &&
           now.origin > before.origin &&
           std::equal(now.numbers.data(), now.numbers.data() + now.size, before.numbers.data());
  }
  void forget() { looks_[1 - next_].size = kNothing; }

  // Returns the edges between the last two looks.
  Edge edges() const { return now().origin - looks_[next_].origin; }
  // Moves the state on by so many further periods, after a look that found one.
  template <class State>
  void skip(State& state, std::int64_t times) {
    Look& now = looks_[1 - next_];
    Look& before = looks_[next_];
    const Edge by = times * edges();
    std::array<std::int64_t, most> growth;
    for (std::size_t i = most - now.counters; i < most; ++i) {
      growth[i] = times * (now.numbers[i] - before.numbers[i]);
      now.numbers[i] += growth[i];
      before.numbers[i] += growth[i];
    }
    now.origin += by;
    before.origin += by;
    Shift shift(by, growth.data() + most);
    state.visit(shift);
  }

 private:
  static constexpr std::size_t kNothing = most + 1;
  struct Look {
    std::array<std::int64_t, most> numbers;  // counters at the end
    std::size_t size = kNothing, counters = 0;
    Edge origin = 0;
  };

  const Look& now() const { return looks_[1 - next_]; }

  std::array<Look, 2> looks_;
  std::size_t next_ = 0;
};

}  // namespace fansim::timing
