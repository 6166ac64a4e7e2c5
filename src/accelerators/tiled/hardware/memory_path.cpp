// SPDX-License-Identifier: Apache-2.0
#include "accelerators/tiled/hardware/memory_path.h"

#include <string>

namespace fansim::tiled {

PortAdapter::PortAdapter(const sc_core::sc_module_name& name, int manager_bits, const Config& config,
                         sim::ClockDomain& pl, sim::ClockDomain& port)
    : sc_module(name),
      near("near"),
      far("far"),
      clocks_("clocks", config.clock_converter, pl, port),
      widths_("widths", {manager_bits, config.port.data_bits, config.port.outstanding, config.port.burst_beats}),
      middle_("middle") {
  widths_.clock(port);
  clocks_.ar.in()(near.ar);
  clocks_.ar.out()(middle_.ar);
  widths_.s_ar(middle_.ar);
  widths_.m_ar(far.ar);
  widths_.m_r(far.r);
  widths_.s_r(middle_.r);
  clocks_.r.in()(middle_.r);
  clocks_.r.out()(near.r);
  clocks_.aw.in()(near.aw);
  clocks_.aw.out()(middle_.aw);
  widths_.s_aw(middle_.aw);
  widths_.m_aw(far.aw);
  clocks_.w.in()(near.w);
  clocks_.w.out()(middle_.w);
  widths_.s_w(middle_.w);
  widths_.m_w(far.w);
  widths_.m_b(far.b);
  widths_.s_b(middle_.b);
  clocks_.b.in()(middle_.b);
  clocks_.b.out()(near.b);
}

MemoryPath::MemoryPath(const sc_core::sc_module_name& name, const Config& config, contract::MemoryImage&& memory,
                       sim::ClockDomain& pl, sim::ClockDomain& port)
    : sc_module(name),
      inputs("inputs", config.load.input_bits, config, pl, port),
      weights("weights", config.load.weight_bits, config, pl, port),
      outputs("outputs", config.store.bits, config, pl, port) {
  const bool serial = config.load.order == LoadOrder::serial;
  std::vector<std::vector<PortAdapter*>> managers{{&inputs, &outputs}, {&weights}};
  if (serial) managers = {{&inputs, &weights, &outputs}};

  contract::InterconnectConfig joint;
  joint.data_bits = config.port.data_bits;
  joint.outstanding = config.port.outstanding;
  joint.subordinates = {{0, std::uint64_t{1} << 32}};
  std::vector<std::string> names{"ddr"};
  if (!serial) names = {"ddr0", "ddr1"};
  for (auto& ddr : memory::make_ddr_ports(names, config.ddr, config.port, std::move(memory))) {
    const std::string number = std::to_string(ports_.size());
    const std::vector<PortAdapter*>& here = managers[ports_.size()];
    joint.managers = static_cast<int>(here.size());
    Port made;
    made.joint = std::make_unique<axi::Interconnect>(("interconnect" + number).c_str(), joint);
    made.near = std::make_unique<axi::PortStreams>("port" + number);
    if (config.port.pins) {
      made.far = std::make_unique<axi::PortStreams>("ddr_port" + number);
      made.wires = axi::link_memory(("m_axi" + number).c_str(), port, config.port.data_bits, *made.near, *made.far);
    }
    made.ddr = std::move(ddr);
    made.ddr->clock(port);
    made.joint->clock(port);
    connect(made, here);
    ports_.push_back(std::move(made));
  }
}

std::vector<memory::Ddr*> MemoryPath::ddr_ports() {
  std::vector<memory::Ddr*> ports;
  for (Port& port : ports_) ports.push_back(port.ddr.get());
  return ports;
}

void MemoryPath::connect(Port& port, const std::vector<PortAdapter*>& managers) {
  for (std::size_t i = 0; i < managers.size(); ++i) managers[i]->far.join(port.joint->manager(static_cast<int>(i)));
  port.near->join(port.joint->subordinate(0));
  (port.far ? *port.far : *port.near).join(*port.ddr);
}

}  // namespace fansim::tiled
