// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "axi/types.h"
#include "sim/module.h"
#include "sim/reg.h"
#include "sim/stream.h"

namespace fansim::axi {

// The buffer into which a receiver writes. Targets 0 and 1 are the halves of a ping-pong buffer, target 2 is a store
// without halves. It is called from the receiver's step; an implementation must make `done` visible to others from the
// next edge on.
struct BeatSink {
  virtual ~BeatSink() = default;
  virtual void begin(int target) = 0;
  virtual void write(int target, int offset, const std::uint8_t* data, int bytes) = 0;
  virtual void done(int target) = 0;
  virtual int capacity(int target) const = 0;  // in bytes
};

// Arms a receiver for one packet.
struct ReceiveCommand {
  int target = 0;  // see contract/buffer.h
  int base = 0;    // byte of the target at which the packet starts
  template <class F>
  void wires(F&& f) const {
    f("target", static_cast<std::uint64_t>(target), 2);
    f("base", static_cast<std::uint64_t>(base), 32);
  }
};

// Receives one packet per command into a buffer. Several receivers share a stream. The receiver that is armed pops, so
// at most one may be armed.
// Throughput: one beat per cycle.
// Latency:    command popped at c: first beat popped at c + 1 at the earliest. Last beat popped at t: FINISH at t + 1,
//             sink.done() (wr_done) and IDLE at t + 2, where the next command may be popped.
// Stall:      pops no beat unless in READ; never refuses one there.
class StreamReceiver final : public sim::Module {
 public:
  enum class State : std::uint8_t { idle, read, finish };

  sim::StreamIn<ReceiveCommand> command{"command"};
  // A receiver that waits for a beat is awake anyway, and one that is not armed takes none, so a push need not wake it.
  sim::StreamIn<StreamBeat> s_axis{"s_axis", sim::Push::leaves_alone};

  StreamReceiver(const sc_core::sc_module_name& name, BeatSink& sink) : Module(name), sink_(sink) {}

  State state() const { return state_.get(); }
  void watched_by(sim::Module& watcher) override { state_.wakes(watcher); }
  std::string waiting_for() const override { return state_.next() == State::read ? "its packet" : ""; }

 private:
  void reset() override {
    finished_ = false;
    if (state_.next() != State::idle) state_.set(State::idle);
  }
  void step() override;
  void receive();

  BeatSink& sink_;
  int target_ = 0;
  int offset_ = 0;
  int capacity_ = 0;

  sim::WordReg<State> state_{*this, "state", {"idle", "read", "finish"}};
  bool finished_ = false;  // the packet is complete, and wr_done is still to come
  sim::Counter beats_{*this, "beats", "beats", "beats accepted"};
  sim::Counter bytes_{*this, "bytes", "bytes", "bytes accepted"};
  sim::Counter waits_{*this, "waits", "cycles", "in READ without a beat"};
};

}  // namespace fansim::axi
