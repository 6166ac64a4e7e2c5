// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

#include "base/rational.h"
#include "base/units.h"

namespace fansim::base {

// What a step costs, as a configuration says it: edges of the clock that the step is counted in ("38", "38 cycles"), a
// time ("152 ns"), edges of another clock ("24 cycles of 1600/3 MHz"), or a sum ("110 ns - 2 cycles"). follow() makes
// whole edges of it, the time rounded up. Engines see these alone.
class Cost {
 public:
  // Costs are counted in this clock until follow() says in which.
  static constexpr Rational kFirstClock{250, 1};

  Cost(int cycles = 0) : edges_(cycles), cycles_(cycles) {}  // NOLINT(google-explicit-constructor): a plain number
  static Cost nanoseconds(int time);

  operator int() const { return cycles_; }  // NOLINT(google-explicit-constructor): engines count in edges

  // Counts the cost in that clock. Returns why the result is not in lo..hi; empty if it is. A difference is never below
  // `lo`: no more can be hidden than there is.
  std::string follow(const Rational& mhz, int lo, int hi);
  // Returns whether it can be in lo..hi. A time can, until follow() counts it.
  bool may_be_in(int lo, int hi) const { return is_timed() || (edges_ >= lo && edges_ <= hi); }
  bool is_timed() const { return picoseconds_ != 0; }
  std::int64_t picoseconds() const { return picoseconds_; }
  int edges() const { return edges_; }
  const Rational& clock() const { return mhz_; }

  // Returns the edges of doing something `count` times at this cost. The sum is rounded up, not each time.
  Cycles times(std::int64_t count) const { return sum({{count, *this}}); }
  // Returns the edges of everything together, divided by `divisor` and then rounded up.
  static Cycles sum(std::initializer_list<std::pair<std::int64_t, Cost>> parts, std::int64_t divisor = 1);

  std::string text() const;  // as a configuration says it

 private:
  friend std::string read_cost(std::string_view text, Cost& cost);

  std::int64_t picoseconds_ = 0;
  int edges_ = 0;
  int cycles_ = 0;
  Rational mhz_ = kFirstClock;
};

// Reads a cost. Returns what is wrong with the text; empty if nothing is.
std::string read_cost(std::string_view text, Cost& cost);

// What a data path carries, as a configuration says it: bits in each cycle of its clock ("128"), or bytes in a time
// ("17066 MB/s", "17.066 GB/s"). follow() makes whole bits a cycle of it, rounded down.
class Bandwidth {
 public:
  Bandwidth(int bits = 0) : bits_(bits) {}  // NOLINT(google-explicit-constructor): a plain number

  operator int() const { return bits_; }  // NOLINT(google-explicit-constructor): engines count in bits a cycle

  std::string follow(const Rational& mhz, int lo, int hi);
  bool is_rate() const { return kilobytes_ > 0; }
  bool may_be_in(int lo, int hi) const { return is_rate() || (bits_ >= lo && bits_ <= hi); }
  std::string text() const;

 private:
  friend std::string read_bandwidth(std::string_view text, Bandwidth& bandwidth);

  std::int64_t kilobytes_ = 0;  // per second; 0: `bits_` are given
  int bits_ = 0;
};

std::string read_bandwidth(std::string_view text, Bandwidth& bandwidth);

// Returns a time without the zeros behind it, in the largest unit of which it is at least one: "7.8 us".
std::string time_text(std::int64_t picoseconds);

}  // namespace fansim::base
