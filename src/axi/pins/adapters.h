// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "axi/pins/payload.h"
#include "sim/pin_module.h"
#include "sim/stream.h"

// A stream that wires cut in two. Its two entries become two registers: on the sending side the one that drives valid
// and payload, on the receiving side the one that catches a beat that its reader does not take at once. `ready` says
// that the latter is free. All wires come from registers, and a beat waits on them until ready. Every push and pop
// happens at the same edge as in the undivided stream, so the wires add neither an entry nor a cycle.
namespace fansim::axi {

template <class T, class Channel>
class ToPins final : public sim::PinModule {
 public:
  sim::StreamIn<T> in{"in"};

  ToPins(const sc_core::sc_module_name& name, Channel& pins) : PinModule(name), pins_(pins) {}

 private:
  void before_end_of_elaboration() override {
    if (auto* stream = dynamic_cast<sim::Stream<T>*>(in.get_interface())) stream->hold_one();
  }
  void sample() override {
    if (pins_.valid.read() && pins_.ready.read()) in.stream().depart();
  }
  void drive() override {
    const bool valid = !in.stream().empty();
    axi::drive(pins_.valid, valid_, valid);
    if (!valid || in.stream().pops() == driven_) return;
    driven_ = in.stream().pops();
    axi::drive(pins_, in.stream().front());
  }

  Channel& pins_;
  bool valid_ = false;        // value that is driven
  std::int64_t driven_ = -1;  // beats ahead of the one on the wires, where it waits
};

template <class T, class Channel>
class FromPins final : public sim::PinModule {
 public:
  sim::StreamOut<T> out{"out"};

  FromPins(const sc_core::sc_module_name& name, Channel& pins) : PinModule(name), pins_(pins) {}

 private:
  void sample() override {
    if (!pins_.valid.read() || !pins_.ready.read()) return;
    if (const char* what = unsupported(pins_)) violation(what);
    axi::sample(pins_, beat_);
    out.stream().arrive(beat_);
  }
  void drive() override { axi::drive(pins_.ready, ready_, out.stream().empty()); }

  Channel& pins_;
  bool ready_ = false;  // value that is driven
  T beat_{};
};

}  // namespace fansim::axi
