// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "accelerators/stream/hardware/output_writer.h"
#include "accelerators/stream/hardware/sequencer.h"
#include "sim/pin_module.h"

namespace fansim::stream {

// Drives the core's two outputs for the eye, registers on wires of their own. `done` is high from the edge after the
// end-of-layer interrupt until a job comes; `led` blinks while there is a clock.
class CoreOutputs final : public sim::PinModule {
 public:
  CoreOutputs(const sc_core::sc_module_name& name, sim::ClockDomain& domain, const Sequencer& sequencer,
              const OutputWriter& writer)
      : PinModule(name), sequencer_(sequencer), writer_(writer) {
    clock(domain);
  }

  // The LED shows the highest bit of a counter of all edges, which is less than two blinks a second at 250 MHz.
  static constexpr int kLedBits = 27;
  static bool led(sim::Edge edge) { return (edge >> (kLedBits - 1) & 1) != 0; }

 private:
  class Pins final : public sim::Wires {
   public:
    using Wires::Wires;
    void trace(sim::Tracer& tracer) const override {
      for (const auto* wire : {&done, &led}) tracer.wire(wire->name(), wire->read());
    }
    sc_core::sc_signal<bool> done{"done"}, led{"led"};
  };

  void sample() override {}
  void drive() override {
    const bool finished = writer_.layers_done() != layers_seen_;
    layers_seen_ = writer_.layers_done();
    done_ = finished || (done_ && sequencer_.state() == Sequencer::State::idle);
    pins_.done.write(done_);
    pins_.led.write(led(now()));
  }

  const Sequencer& sequencer_;
  const OutputWriter& writer_;
  std::int64_t layers_seen_ = 0;
  bool done_ = false;
  Pins pins_{"core"};
};

}  // namespace fansim::stream
