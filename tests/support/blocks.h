// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <array>
#include <catch2/catch.hpp>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "accelerators/stream/config/array.h"
#include "base/random.h"
#include "sim/memory_port.h"
#include "support/stream_bench.h"

// This file holds what the tests of single blocks share: a memory, array shapes, stalled pairs of source and sink, and
// cycle accounts.
namespace fansim::test {

// Holds three targets that are always ready unless told otherwise, and a log of what was written.
class Memory final : public sim::ReadPort, public sim::WritePort {
 public:
  explicit Memory(int bytes_per_target = 1 << 16) {
    for (auto& target : bytes) target.resize(static_cast<std::size_t>(bytes_per_target));
  }
  void randomise(base::Random& random) {
    for (auto& target : bytes)
      for (std::uint8_t& byte : target) byte = static_cast<std::uint8_t>(random.uniform(0, 255));
  }

  bool readable(int target) const override { return ready[at(target)]; }
  const std::uint8_t* read(int target, int offset, int) override { return &bytes[at(target)][at(offset)]; }
  bool writable(int target) const override { return ready[at(target)]; }
  void write(int target, int offset, const std::uint8_t* data, int count) override {
    std::memcpy(&bytes[at(target)][at(offset)], data, at(count));
    ++writes;
  }
  void complete(int target) override { completed.push_back(target); }

  std::array<std::vector<std::uint8_t>, 3> bytes;
  std::array<bool, 3> ready{true, true, true};
  std::vector<int> completed;
  int writes = 0;

 private:
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }
};

inline stream::ArrayConfig array_of(int rows, int cols, int input_channels, int output_channels) {
  stream::ArrayConfig config;
  config.rows = rows;
  config.cols = cols;
  config.input_channels = input_channels;
  config.output_channels = output_channels;
  return config;
}

// Returns the published array and others: larger, smaller, degenerate, and wide enough for parallel rows.
inline std::vector<stream::ArrayConfig> array_shapes() {
  return {array_of(3, 3, 8, 8), array_of(5, 5, 4, 8), array_of(2, 2, 8, 8), array_of(1, 1, 8, 16),
          array_of(6, 6, 8, 8), array_of(3, 2, 5, 7), array_of(1, 1, 1, 2), array_of(12, 3, 16, 16)};
}

inline std::int64_t count(const sim::Module& block, const std::string& counter) {
  for (const sim::Counter* c : block.counters())
    if (counter == c->name) return c->value();
  FAIL("no counter " << counter);
  return 0;
}

struct Stalls {
  int in, out;  // percent
};
constexpr Stalls kStallGrid[] = {{0, 0}, {0, 30}, {0, 70}, {30, 0}, {30, 30}, {30, 70}, {70, 0}, {70, 30}, {70, 70}};

// Every edge of a block is a beat (it popped an item), a stall (it says so, and its output was full), or a bubble
// (there was nothing to pop). observe() must be called once per edge, before the block steps.
class Account {
 public:
  Account(const sim::Module& block, const sim::StreamBase& in, const sim::StreamBase& out)
      : block_(block), in_(in), out_(out) {}

  void observe() {
    const std::int64_t popped = in_.pops() - pops_;
    const std::int64_t stalled = count(block_, "stalls") - stalls_;
    beats += popped;
    stalls += stalled;
    if (popped + stalled > 1 || (stalled && !out_full_)) ++contradictions;
    if (popped + stalled == 0) ++(available_ ? unexplained : bubbles);
    pops_ = in_.pops();
    stalls_ = count(block_, "stalls");
    available_ = in_.occupancy() > 0;
    out_full_ = out_.occupancy() == 2;
    ++edges;
  }

  std::int64_t edges = 0, beats = 0, stalls = 0, bubbles = 0;
  std::int64_t unexplained = 0;     // an item waited although the output was free
  std::int64_t contradictions = 0;  // beat and stall at once, or a stall without a full output

 private:
  const sim::Module& block_;
  const sim::StreamBase& in_;
  const sim::StreamBase& out_;
  std::int64_t pops_ = 0, stalls_ = 0;
  bool available_ = false, out_full_ = false;
};

// Puts blocks side by side, each between a source and a sink.
template <class Block, class In, class Out>
class Lanes {
 public:
  struct Lane {
    template <class... Args>
    Lane(const std::string& name, std::vector<In> items, Stalls stalls, std::uint64_t seed, Args&&... args)
        : in((name + "_in").c_str()),
          out((name + "_out").c_str()),
          source((name + "_source").c_str(), std::move(items), stalls.in, seed),
          sink((name + "_sink").c_str(), stalls.out, seed),
          block((name + "_block").c_str(), std::forward<Args>(args)...),
          account(block, in, out) {}

    // Returns the block's latency from the pop of item i to the push of item j; the streams add two more edges.
    sim::Edge latency(std::size_t i, std::size_t j) const { return sink.edges().at(j) - source.edges().at(i) - 2; }

    sim::Stream<In> in;
    sim::Stream<Out> out;
    Source<In> source;
    Sink<Out> sink;
    Block block;
    Account account;
    std::size_t expected = 0;  // items at the sink
  };

  Lanes(Bench& bench, sim::StreamIn<In> Block::*in, sim::StreamOut<Out> Block::*out)
      : bench_(bench), in_(in), out_(out) {}

  template <class... Args>
  Lane& add(std::vector<In> items, std::size_t expected, Stalls stalls, Args&&... args) {
    lanes_.push_back(std::make_unique<Lane>(fmt::format("lane{}", lanes_.size()), std::move(items), stalls,
                                            std::uint64_t{lanes_.size()}, std::forward<Args>(args)...));
    Lane& lane = *lanes_.back();
    lane.source.out(lane.in);
    (lane.block.*in_)(lane.in);
    (lane.block.*out_)(lane.out);
    lane.sink.in(lane.out);
    lane.expected = expected;
    return lane;
  }

  // Until every sink has what it expects, and a little longer so that nothing more can come. Can be called once.
  void run() {
    bench_.at_each_edge([this](sim::Edge) {
      for (auto& lane : lanes_) lane->account.observe();
    });
    int quiet = 0;
    const bool finished = bench_.run_until([&] {
      for (auto& lane : lanes_)
        if (lane->sink.count() < lane->expected || !lane->source.done()) return false;
      return ++quiet > 40;
    });
    REQUIRE(finished);
    for (auto& lane : lanes_) REQUIRE(lane->sink.count() == lane->expected);
  }

  Lane& operator[](std::size_t i) { return *lanes_[i]; }
  std::size_t size() const { return lanes_.size(); }

  // Checks for every lane that each edge was a beat, a stall or a bubble, and that the counters agree.
  void require_sums(const std::string& beats_counter) {
    for (auto& lane : lanes_) {
      const Account& a = lane->account;
      REQUIRE(a.contradictions == 0);
      REQUIRE(a.unexplained == 0);
      REQUIRE(a.beats == count(lane->block, beats_counter));
      REQUIRE(a.beats + a.stalls + a.bubbles == a.edges);
    }
  }

 private:
  Bench& bench_;
  sim::StreamIn<In> Block::*in_;
  sim::StreamOut<Out> Block::*out_;
  std::vector<std::unique_ptr<Lane>> lanes_;
};

// Returns whether there was one item per edge from the first to the last.
inline bool back_to_back(const std::vector<sim::Edge>& edges) {
  for (std::size_t i = 1; i < edges.size(); ++i)
    if (edges[i] != edges[i - 1] + 1) return false;
  return true;
}

}  // namespace fansim::test
