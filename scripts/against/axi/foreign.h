// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <systemc>
#include <vector>

#include "pin.h"

namespace against {

template <class T>
void put(const Pin& pin, const T& value) {
  pin.put(static_cast<std::uint64_t>(value));
}
template <int W>
void put(const Pin& pin, const sc_dt::sc_bv<W>& value) {
  for (int word = 0; 32 * word < W; ++word) pin.put_word(static_cast<std::size_t>(word), value.get_word(word));
}
template <class T>
void get(const Pin& pin, T& value) {
  value = static_cast<T>(pin.get());
}
template <int W>
void get(const Pin& pin, sc_dt::sc_bv<W>& value) {
  for (int word = 0; 32 * word < W; ++word) value.set_word(word, pin.get_word(static_cast<std::size_t>(word)));
}

// Wraps a Verilated model of another project behind SystemC ports. It steps at the rising edge of clk with the inputs
// from before the edge, and follows its inputs between edges, so that a path from an input to an output works as in
// hardware.
template <class Model>
class Foreign : public sc_core::sc_module {
 public:
  sc_core::sc_in<bool> clk{"clk"};
  Model model;

 protected:
  explicit Foreign(const sc_core::sc_module_name& name) : sc_module(name) {}

  // Called at each edge: look() sees the outputs from before the edge, act() sets inputs that no port drives.
  virtual void look() {}
  virtual void act() {}

  // Connects the model's own clock.
  void clocked_by(const Pin& clock) { clock_ = clock; }
  // Connects the ports of a bundle to the model's, in the order of the bundle's `each`.
  template <class Bundle>
  void join(Bundle& bundle, const std::vector<Pin>& pins) {
    auto pin = pins.begin();
    Bundle::each([&](auto& port) { join_port(port, *pin++); }, bundle);
    if (pin != pins.end()) SC_REPORT_FATAL(name(), "more pins than ports");
  }
  template <class T>
  void join_port(sc_core::sc_in<T>& port, const Pin& pin) {
    inputs_.push_back([&port, pin] { put(pin, port.read()); });
    watched_.push_back(&port);
  }
  template <class T>
  void join_port(sc_core::sc_out<T>& port, const Pin& pin) {
    outputs_.push_back([&port, pin] {
      T value{};
      get(pin, value);
      port.write(value);
    });
  }

 private:
  void before_end_of_elaboration() override {
    SC_HAS_PROCESS(Foreign);
    SC_METHOD(edge);
    sensitive << clk.pos();
    dont_initialize();
    SC_METHOD(settle);
    for (sc_core::sc_port_base* port : watched_) sensitive << *port;
  }
  void edge() {
    look();
    clock_.put(1);
    model.eval();
    act();
    clock_.put(std::uint64_t{0});
    model.eval();
    drive();
  }
  void settle() {
    for (const auto& input : inputs_) input();
    model.eval();
    drive();
  }
  void drive() {
    for (const auto& output : outputs_) output();
  }

  Pin clock_;
  std::vector<std::function<void()>> inputs_, outputs_;
  std::vector<sc_core::sc_port_base*> watched_;
};

}  // namespace against
