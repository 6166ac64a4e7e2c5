// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <stdexcept>
#include <string>

#include "base/units.h"
#include "contract/host.h"
#include "contract/program.h"

// Reads a host's program. Only this file says how steps make layers, and which of a follower's functions a step calls.
namespace fansim::contract {

// The base of classes that follow a program. A class has a function for every step that its machine knows.
struct HostFollower {
  void software(std::uint32_t /*cycles*/, bool /*prepares_dma*/) { unknown("software"); }
  void write_core(std::uint32_t /*address*/, std::uint32_t /*value*/) { unknown("write_core"); }
  void write_dma(std::uint32_t /*address*/, std::uint32_t /*value*/) { unknown("write_dma"); }
  void poll_mm2s() { unknown("poll_mm2s"); }
  void wait_job() { unknown("wait_job"); }
  void wait_output() { unknown("wait_output"); }

 private:
  [[noreturn]] static void unknown(const char* step) {
    throw std::logic_error(std::string("host program: the machine has no step ") + step);
  }
};

// Calls the follower's function for one step. LayerSteps handles steps between layers, and those where a layer begins
// and ends.
template <class Follower>
void follow(const HostOp& op, Follower& follower) {
  using Kind = HostOp::Kind;
  switch (op.kind) {
    case Kind::software:
    case Kind::prepare_dma:
      return follower.software(op.value, op.kind == Kind::prepare_dma);
    case Kind::write_core:
      return follower.write_core(op.address, op.value);
    case Kind::write_dma:
      return follower.write_dma(op.address, op.value);
    case Kind::poll_mm2s:
      return follower.poll_mm2s();
    case Kind::wait_job:
      return follower.wait_job();
    case Kind::wait_output:
      return follower.wait_output();
    case Kind::align:
    case Kind::begin_layer:
    case Kind::end_layer:
    case Kind::start_thread:
    case Kind::wait_thread:
      return;
  }
}

// The steps [first, last) of one layer of a program, without its begin_layer and end_layer.
struct LayerSteps {
  const LayerPlan* plan = nullptr;
  std::uint32_t align = 1;  // the layer begins at an edge that is a multiple of this
  std::size_t first = 0, last = 0;
  std::size_t before = 0;   // the first step after the layer before
  base::Cycles waited = 0;  // how many cycles before this layer the host waited for its other processor
};

// An engine calls it now and then while it computes a layer. It ends the run by throwing.
using ProgressCallback = std::function<void()>;

// Tells the follower all steps of a layer.
template <class Follower>
void follow(const Program& program, const LayerSteps& layer, Follower& follower, const ProgressCallback& progress) {
  constexpr std::size_t kStepsPerCall = 1024;
  for (std::size_t i = layer.first; i < layer.last; ++i) {
    if (progress && (i - layer.first) % kStepsPerCall == 0) progress();
    follow(program.ops[i], follower);
  }
}

// Finds the program's next layer from step `at` on and moves `at` behind it. Returns false if there is none.
inline bool next_layer(const Program& program, std::size_t& at, LayerSteps& layer) {
  using Kind = HostOp::Kind;
  layer = {};
  layer.before = at;
  for (; at < program.ops.size(); ++at) {
    const HostOp& op = program.ops[at];
    if (op.kind == Kind::align) layer.align = op.value;
    if (op.kind == Kind::begin_layer) {
      layer.plan = &program.layers[op.value];
      layer.first = at + 1;
    }
    if (op.kind != Kind::end_layer) continue;
    layer.last = at++;
    return true;
  }
  return false;
}

// Returns the edge at which a program's first layer begins, unless that layer is aligned. By then the host has done
// what it does once per program.
inline base::Cycles first_edge(const Program& program, const HostConfig& host) {
  struct Once : HostFollower {
    void software(std::uint32_t cycles, bool) { now += cycles; }
    void write_core(std::uint32_t, std::uint32_t) { now += write; }
    void write_dma(std::uint32_t, std::uint32_t) { now += write; }
    base::Cycles now = 1, write = 0;
  } once;
  once.write = host.register_write + HostConfig::kAnswered;
  for (const HostOp& op : program.ops) {
    if (op.kind == HostOp::Kind::begin_layer) break;
    follow(op, once);
  }
  return once.now;
}

// Counts when a program's layers begin and end: in cycles since the first layer's begin, or in edges if `start` is
// first_edge().
class ProgramClock {
 public:
  explicit ProgramClock(base::Cycles start = 0) : now_(start) {}

  // Goes to the next layer's begin. Returns by how many cycles it is later because the host waits for its other
  // processor.
  base::Cycles begin(const Program& program, const LayerSteps& layer) {
    const base::Cycles alone = base::round_up(now_, base::Cycles{layer.align});
    for (std::size_t at = layer.before; at < layer.first; ++at) {
      const HostOp& op = program.ops[at];
      if (op.kind == HostOp::Kind::start_thread) idle_from_ = now_ + op.value;
      if (op.kind == HostOp::Kind::wait_thread) now_ = std::max(now_, idle_from_);
    }
    now_ = base::round_up(now_, base::Cycles{layer.align});
    return now_ - alone;
  }
  void end(base::Cycles cycles) { now_ += cycles; }
  base::Cycles now() const { return now_; }

 private:
  base::Cycles now_ = 0, idle_from_ = 0;
};

}  // namespace fansim::contract
