// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "axi/pins/channels.h"
#include "sim/pin_module.h"

// Whole interfaces. Roles is ManagerRole, SubordinateRole or MonitorsRole for ports, WiresRole for the wires between
// them. A module with several interfaces gives each a prefix: "m_axi_" makes m_axi_araddr.
namespace fansim::axi {

template <class Roles, class W>
struct ReadPins {
  explicit ReadPins(const std::string& prefix = "") : ar(prefix + "ar"), r(prefix) {}

  AddressChannel<typename Roles::request, W> ar;
  ReadDataChannel<typename Roles::response, W> r;

  template <class F, class... Bundle>
  static void each(F&& f, Bundle&... b) {
    decltype(ar)::each(f, b.ar...);
    decltype(r)::each(f, b.r...);
  }
};

template <class Roles, class W>
struct WritePins {
  explicit WritePins(const std::string& prefix = "") : aw(prefix + "aw"), w(prefix), b(prefix) {}

  AddressChannel<typename Roles::request, W> aw;
  WriteDataChannel<typename Roles::request, W> w;
  WriteResponseChannel<typename Roles::response, W> b;

  template <class F, class... Bundle>
  static void each(F&& f, Bundle&... bundle) {
    decltype(aw)::each(f, bundle.aw...);
    decltype(w)::each(f, bundle.w...);
    decltype(b)::each(f, bundle.b...);
  }
};

template <class Roles, class W>
struct Axi4Pins : ReadPins<Roles, W>, WritePins<Roles, W> {
  explicit Axi4Pins(const std::string& prefix = "") : ReadPins<Roles, W>(prefix), WritePins<Roles, W>(prefix) {}

  template <class F, class... Bundle>
  static void each(F&& f, Bundle&... b) {
    ReadPins<Roles, W>::each(f, b...);
    WritePins<Roles, W>::each(f, b...);
  }
};

template <class Roles, int Data>
struct StreamPins {
  explicit StreamPins(const std::string& prefix = "") : t(prefix) {}

  StreamChannel<typename Roles::request, Data> t;

  template <class F, class... Bundle>
  static void each(F&& f, Bundle&... b) {
    decltype(t)::each(f, b.t...);
  }
};

// Binds ports to wires, or to the ports of the enclosing module.
template <class Ports, class Others>
void bind(Ports& ports, Others& others) {
  Ports::each([](auto& port, auto& other) { port(other); }, ports, others);
}

// The wires of an interface under a name of their own, such as "name.arvalid".
template <class Pins>
class WireBundle final : public sim::Wires, public Pins {
 public:
  explicit WireBundle(const sc_core::sc_module_name& name) : sim::Wires(name) {}

  void trace(sim::Tracer& tracer) const override {
    Pins::each([&](const auto& wire) { tracer.wire(wire.name(), wire.read()); }, *this);
  }
};

}  // namespace fansim::axi
