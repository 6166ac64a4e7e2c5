// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "accelerators/tiled/hardware/tile_engine.h"
#include "accelerators/tiled/hardware/tiled_layer.h"
#include "support/blocks.h"

namespace fansim::test {

// Points and weight sets for one tile engine, every half of the sums used once, and the sums they make by plain loops.
struct EngineWork {
  using Kind = tiled::SumStore::Kind;

  EngineWork(const tiled::EngineConfig& config, Kind sums) : engine(config), kind(sums) {}
  EngineWork(const tiled::EngineConfig& config, Kind sums, int count, base::Random& random) : EngineWork(config, sums) {
    for (int i = 0; i < count; ++i) {
      const int entries = random.uniform(1, 12);
      add_half(entries, random.uniform(1, 6), random.chance(30) ? 1 : entries, random);
    }
  }

  // `steps` over `entries`, with a new set every `points_per_set` points.
  void add_half(int entries, int steps, int points_per_set, base::Random& random) {
    if (book.integers.empty()) book = random_book(6, random);
    for (int step = 0; step < steps; ++step)
      for (int entry = 0; entry < entries; ++entry) {
        tiled::Point p{};
        p.entry = entry;
        p.half = halves;
        p.new_set = (step * entries + entry) % points_per_set == 0;
        p.first = step == 0;
        p.last = step + 1 == steps && entry + 1 == entries;
        for (int i = 0; i < engine.tn; ++i)
          p.values[static_cast<std::size_t>(i)] =
              static_cast<std::int16_t>(random.chance(20) ? -32768 : random.uniform(-32768, 32767));
        if (p.new_set) {
          sets.emplace_back();
          for (int i = 0; i < engine.tm * engine.tn; ++i)
            sets.back().codes.push_back(static_cast<std::uint16_t>(random.uniform(0, 63)));
        }
        points.push_back(p);
      }
    ++halves;
  }

  tiled::EngineConfig engine;
  Kind kind;
  tiled::CodeBook book;
  std::vector<tiled::Point> points;
  std::vector<tiled::WeightSet> sets;
  int halves = 0;
};

struct EngineLane {
  EngineLane(const std::string& name, const EngineWork& of, Stalls stalls = {0, 0}, int set_stalls = 0)
      : work(of),
        store(of.engine, of.halves, of.kind == EngineWork::Kind::real, of.kind == EngineWork::Kind::int64 ? 48 : 32),
        point_stream((name + "_points").c_str()),
        set_stream((name + "_sets").c_str()),
        sums((name + "_sums").c_str()),
        points((name + "_point_source").c_str(), of.points, stalls.in),
        sets((name + "_set_source").c_str(), of.sets, set_stalls),
        sink((name + "_sink").c_str(), stalls.out),
        block((name + "_block").c_str(), of.engine, of.book, store),
        monitor((name + "_monitor").c_str(), *this) {
    points.out(point_stream);
    block.points(point_stream);
    sets.out(set_stream);
    block.sets(set_stream);
    block.sums(sums);
    sink.in(sums);
  }

  bool done() const { return sink.count() == static_cast<std::size_t>(work.halves); }
  void require_sums();

  const EngineWork& work;
  tiled::SumStore store;
  sim::Stream<tiled::Point> point_stream;
  sim::Stream<tiled::WeightSet> set_stream;
  sim::Stream<tiled::Half> sums;
  Source<tiled::Point> points;
  Source<tiled::WeightSet> sets;
  Sink<tiled::Half> sink;
  tiled::TileEngine block;
  sim::Edge first_point_taken = 0, last_point_taken = 0;
  std::array<std::int64_t, 6> states{};  // edges in each
  std::int64_t edges = 0;

 private:
  // Sees the engine as it leaves an edge, because it steps after it.
  class Monitor final : public sim::Module {
   public:
    Monitor(const sc_core::sc_module_name& name, EngineLane& lane) : Module(name), lane_(lane) {}

   private:
    void step() override {
      ++lane_.edges;
      ++lane_.states[static_cast<std::size_t>(lane_.block.state())];
      if (lane_.point_stream.pops() == pops_) return;
      if (pops_ == 0) lane_.first_point_taken = now();
      lane_.last_point_taken = now();
      pops_ = lane_.point_stream.pops();
    }
    EngineLane& lane_;
    std::int64_t pops_ = 0;
  };
  Monitor monitor;
};

}  // namespace fansim::test
