// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "axi/ring.h"
#include "contract/converters.h"
#include "sim/module.h"
#include "sim/stream.h"

namespace fansim::axi {

// A channel between two clocks: a FIFO whose write side belongs to the source clock and whose read side belongs to the
// other one.
// Throughput: one item per edge of the slower clock, given a depth that covers both ways through the synchronisers.
// Latency:    popped from `in` at source edge t, pushed on `out` at the destination edge rules::crossing_edge(t); its
//             place is free again at the source edge crossing_edge(of that push).
// Stall:      the write side waits while no place is known to be free, the read side while `out` is full.
template <class T>
class ClockCrossing final : public sc_core::sc_module {
 public:
  ClockCrossing(const sc_core::sc_module_name& name, const contract::ClockConverterConfig& config,
                sim::ClockDomain& source, sim::ClockDomain& destination)
      : sc_module(name), buffer_(config, source, destination), write_("write", buffer_), read_("read", buffer_) {
    write_.clock(source);
    read_.clock(destination);
    buffer_.read = &read_;
  }

  sim::StreamIn<T>& in() { return write_.in; }
  sim::StreamOut<T>& out() { return read_.out; }

 private:
  // The FIFO. Entries and freed places carry the edge at which the other clock knows of them. What is done at an
  // instant is never seen at that same instant, so the order in which the two sides step does not matter.
  struct Buffer {
    Buffer(const contract::ClockConverterConfig& c, const sim::ClockDomain& s, const sim::ClockDomain& d)
        : config(c), source(s), destination(d), items(c.depth), freed(c.depth), free(c.depth) {}
    struct Item {
      T value;
      sim::Edge visible;
    };
    const contract::ClockConverterConfig config;
    const sim::ClockDomain& source;
    const sim::ClockDomain& destination;
    // Returns the edge at which a clock sees what is done at this instant: after as many of its coming edges as the
    // synchroniser has stages. This is rules::crossing_edge(), whose quotient is the number of the clock's edges so
    // far.
    sim::Edge seen_by(const sim::ClockDomain& clock) const { return clock.edge + config.sync_stages; }

    Ring<Item> items;
    Ring<sim::Edge> freed;
    int free;  // places that the write side knows to be free
    sim::Module* read = nullptr;
  };

  class Write final : public sim::Module {
   public:
    sim::StreamIn<T> in{"in"};
    Write(const sc_core::sc_module_name& name, Buffer& buffer) : Module(name), buffer_(buffer) {}

   private:
    void step() override {
      if (in.empty()) {
        sleep();
        return;
      }
      while (!buffer_.freed.empty() && buffer_.freed.front() <= now()) {
        buffer_.freed.pop();
        ++buffer_.free;
      }
      if (!in.can_pop()) return;
      if (buffer_.free == 0) {
        ++stalls_;
        return;
      }
      --buffer_.free;
      typename Buffer::Item& item = buffer_.items.push();
      item.value = in.pop();
      item.visible = buffer_.seen_by(buffer_.destination);
      buffer_.read->wake();
    }
    Buffer& buffer_;
    sim::Counter stalls_{*this, "stalls", "cycles", "an item waits for a free place"};
  };

  class Read final : public sim::Module {
   public:
    sim::StreamOut<T> out{"out"};
    Read(const sc_core::sc_module_name& name, Buffer& buffer) : Module(name), buffer_(buffer) {}

   private:
    void step() override {
      if (buffer_.items.empty()) {
        sleep();
        return;
      }
      if (now() < buffer_.items.front().visible) return;
      if (!out.can_push()) {
        ++stalls_;
        return;
      }
      out.push(buffer_.items.front().value);
      buffer_.items.pop();
      buffer_.freed.push(buffer_.seen_by(buffer_.source));
      ++items_;
    }
    Buffer& buffer_;
    sim::Counter items_{*this, "items", "items", "items carried across"};
    sim::Counter stalls_{*this, "stalls", "cycles", "an item waits for room behind"};
  };

  Buffer buffer_;
  Write write_;
  Read read_;
};

}  // namespace fansim::axi
