// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <utility>
#include <vector>

#include "accelerators/tiled/hardware/types.h"
#include "support/stream_bench.h"

// The two ends of a tile store whose halves take turns.
namespace fansim::test {

// Fills one tile after another, each into the next half once it is free.
class HalfProducer final : public sim::Module {
 public:
  sim::StreamOut<tiled::Half> filled{"filled"};
  sim::StreamIn<tiled::Half> freed{"freed"};

  // fill(tile, half) at the edge of the token; spoil(half) when the half has come back, so that later reads are seen.
  HalfProducer(const sc_core::sc_module_name& name, int tiles, int halves, std::function<void(int, int)> fill,
               std::function<void(int)> spoil, int stall_percent = 0, std::uint64_t seed = 1)
      : Module(name),
        tiles_(tiles),
        halves_(halves),
        credits_(halves),
        fill_(std::move(fill)),
        spoil_(std::move(spoil)),
        stall_percent_(stall_percent),
        random_(seed, this->name()) {}

  sim::Edge not_before = 0;
  const std::vector<sim::Edge>& edges() const { return edges_; }              // of every token sent
  const std::vector<sim::Edge>& freed_edges() const { return freed_edges_; }  // of every token returned
  bool out_of_turn() const { return out_of_turn_; }

 private:
  void step() override {
    if (freed.can_pop()) {
      const int half = freed.pop().index;
      out_of_turn_ |= half != static_cast<int>(freed_edges_.size()) % halves_;
      freed_edges_.push_back(now());
      spoil_(half);
      ++credits_;
    }
    const int tile = static_cast<int>(edges_.size());
    if (tile == tiles_ || credits_ == 0 || now() < not_before || !filled.can_push()) return;
    if (random_.chance(stall_percent_)) return;
    fill_(tile, tile % halves_);
    filled.push({tile % halves_});
    edges_.push_back(now());
    --credits_;
  }

  const int tiles_, halves_;
  int credits_;
  std::function<void(int, int)> fill_;
  std::function<void(int)> spoil_;
  const int stall_percent_;
  base::Random random_;
  std::vector<sim::Edge> edges_, freed_edges_;
  bool out_of_turn_ = false;
};

// Takes every half when it is complete and gives it back at once.
class HalfConsumer final : public sim::Module {
 public:
  sim::StreamIn<tiled::Half> complete{"complete"};
  sim::StreamOut<tiled::Half> freed{"freed"};

  HalfConsumer(const sc_core::sc_module_name& name, std::function<void(int)> take, int stall_percent = 0,
               std::uint64_t seed = 1)
      : Module(name), take_(std::move(take)), stall_percent_(stall_percent), random_(seed, this->name()) {}

  sim::Edge not_before = 0;
  const std::vector<sim::Edge>& edges() const { return edges_; }  // of every token
  std::size_t count() const { return edges_.size(); }

 private:
  void step() override {
    if (now() < not_before || !complete.can_pop() || !freed.can_push() || random_.chance(stall_percent_)) return;
    const int half = complete.pop().index;
    take_(half);
    freed.push({half});
    edges_.push_back(now());
  }

  std::function<void(int)> take_;
  const int stall_percent_;
  base::Random random_;
  std::vector<sim::Edge> edges_;
};

}  // namespace fansim::test
