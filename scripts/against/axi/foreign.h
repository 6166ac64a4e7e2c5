// SPDX-License-Identifier: Apache-2.0
// A Verilated model of somebody else behind SystemC ports, for benches on the installed kit.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <systemc>
#include <vector>

#include <verilated.h>

namespace against {

// A port of a Verilated model, of any width, or none: what is driven there is dropped, what is read there is `tied`.
class Pin {
 public:
  Pin() = default;
  template <class Port>
  explicit Pin(Port& port) : data_(&port), bytes_(sizeof port) {}
  static Pin tied(std::uint64_t value) {
    Pin pin;
    pin.tied_ = value;
    return pin;
  }

  void put(std::uint64_t value) const {
    if (data_) std::memcpy(data_, &value, std::min(bytes_, sizeof value));
  }
  template <int W>
  void put(const sc_dt::sc_bv<W>& value) const {
    for (std::size_t word = 0; 4 * word < bytes_; ++word) {
      const std::uint32_t bits = value.get_word(static_cast<int>(word));
      std::memcpy(static_cast<char*>(data_) + 4 * word, &bits, std::min<std::size_t>(bytes_ - 4 * word, 4));
    }
  }

  template <class T>
  T get() const {
    return static_cast<T>(number());
  }
  template <int W>
  sc_dt::sc_bv<W> bits() const {
    sc_dt::sc_bv<W> value;
    for (std::size_t word = 0; 4 * word < bytes_; ++word) {
      std::uint32_t part = 0;
      std::memcpy(&part, static_cast<char*>(data_) + 4 * word, std::min<std::size_t>(bytes_ - 4 * word, 4));
      value.set_word(static_cast<int>(word), part);
    }
    return value;
  }

 private:
  std::uint64_t number() const {
    std::uint64_t value = tied_;
    if (data_) value = 0, std::memcpy(&value, data_, std::min(bytes_, sizeof value));
    return value;
  }

  void* data_ = nullptr;
  std::size_t bytes_ = 0;
  std::uint64_t tied_ = 0;
};

template <class T>
void read_pin(const Pin& pin, T& value) {
  value = pin.get<T>();
}
template <int W>
void read_pin(const Pin& pin, sc_dt::sc_uint<W>& value) {
  value = pin.get<std::uint64_t>();
}
template <int W>
void read_pin(const Pin& pin, sc_dt::sc_bv<W>& value) {
  value = pin.bits<W>();
}

// Steps at the rising edge of clk with what its inputs were before it, and follows them between edges, so that a path
// from an input to an output works as in hardware.
template <class Model>
class Foreign : public sc_core::sc_module {
 public:
  sc_core::sc_in<bool> clk{"clk"};
  Model model;

  // Joins the ports of a bundle to the model's, in the order of the bundle's `each`.
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
      read_pin(pin, value);
      port.write(value);
    });
  }

 protected:
  explicit Foreign(const sc_core::sc_module_name& name) : sc_module(name) {}
  // The model's own clock port.
  void clocked_by(CData& clock) { clock_ = &clock; }

 private:
  template <class T>
  static void put(const Pin& pin, const T& value) {
    pin.put(static_cast<std::uint64_t>(value));
  }
  template <int W>
  static void put(const Pin& pin, const sc_dt::sc_bv<W>& value) {
    pin.put(value);
  }

  void before_end_of_elaboration() override {
    SC_HAS_PROCESS(Foreign);
    SC_METHOD(edge);
    sensitive << clk.pos();
    dont_initialize();
    SC_METHOD(settle);
    for (sc_core::sc_port_base* port : watched_) sensitive << *port;
  }
  void edge() {
    *clock_ = 1;
    model.eval();
    *clock_ = 0;
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

  CData* clock_ = nullptr;
  std::vector<std::function<void()>> inputs_, outputs_;
  std::vector<sc_core::sc_port_base*> watched_;
};

}  // namespace against
