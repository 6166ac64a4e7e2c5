// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <systemc>

namespace fansim::axi {

// The roles of a channel's two ends. `forward` wires run with the beats (valid and payload), `backward` wires against
// them (ready).
struct SourceRole {
  template <class T>
  using forward = sc_core::sc_out<T>;
  template <class T>
  using backward = sc_core::sc_in<T>;
};

struct SinkRole {
  template <class T>
  using forward = sc_core::sc_in<T>;
  template <class T>
  using backward = sc_core::sc_out<T>;
};

struct MonitorRole {
  template <class T>
  using forward = sc_core::sc_in<T>;
  template <class T>
  using backward = sc_core::sc_in<T>;
};

// The wires themselves.
struct WireRole {
  template <class T>
  using forward = sc_core::sc_signal<T>;
  template <class T>
  using backward = sc_core::sc_signal<T>;
};

// The roles of a whole interface: a manager's requests run forward, responses run back.
struct ManagerRole {
  using request = SourceRole;
  using response = SinkRole;
};
struct SubordinateRole {
  using request = SinkRole;
  using response = SourceRole;
};
struct MonitorsRole {
  using request = MonitorRole;
  using response = MonitorRole;
};
struct WiresRole {
  using request = WireRole;
  using response = WireRole;
};

}  // namespace fansim::axi
