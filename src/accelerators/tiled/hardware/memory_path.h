// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "accelerators/tiled/config/config.h"
#include "axi/clock_converter.h"
#include "axi/interconnect.h"
#include "axi/pins/link.h"
#include "axi/port_streams.h"
#include "axi/width_converter.h"
#include "contract/memory_image.h"
#include "memory/ddr.h"

namespace fansim::tiled {

// From one manager of the fabric to the clock and the width of the memory's port. The width is changed at the port's
// clock, so that the narrower bus does not run at the slower one.
class PortAdapter final : public sc_core::sc_module {
 public:
  PortAdapter(const sc_core::sc_module_name& name, int manager_bits, const Config& config, sim::ClockDomain& pl,
              sim::ClockDomain& port);

  axi::PortStreams near;  // at the fabric's clock, of the manager's width
  axi::PortStreams far;   // at the port's clock, of its width

 private:
  axi::ClockConverter clocks_;
  axi::WidthConverter widths_;
  axi::PortStreams middle_;
};

// The memory with its one or two ports, and what joins the managers to them: in serial order all on one port; in
// parallel order weights have one of their own.
class MemoryPath final : public sc_core::sc_module {
 public:
  MemoryPath(const sc_core::sc_module_name& name, const Config& config, contract::MemoryImage&& memory,
             sim::ClockDomain& pl, sim::ClockDomain& port);

  PortAdapter inputs, weights, outputs;

  std::vector<memory::Ddr*> ddr_ports();
  // Return the memory behind the port that brings inputs or weights.
  const memory::Ddr& input_port() const { return *ports_.front().ddr; }
  const memory::Ddr& weight_port() const { return *ports_.back().ddr; }

 private:
  // A port of the memory, the interconnect before it, and what lies between: with `port.pins` wires and their checker.
  struct Port {
    std::unique_ptr<memory::Ddr> ddr;
    std::unique_ptr<axi::Interconnect> joint;
    std::unique_ptr<axi::PortStreams> near, far;
    std::unique_ptr<axi::PinLink> wires;
  };
  static void connect(Port& port, const std::vector<PortAdapter*>& managers);

  std::vector<Port> ports_;
};

}  // namespace fansim::tiled
