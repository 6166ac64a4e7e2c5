// SPDX-License-Identifier: Apache-2.0
#include "systems/memory_path.h"

#include <fmt/format.h>

namespace fansim::systems {

PortAdapter::PortAdapter(const sc_core::sc_module_name& name, int manager_bits, const arch::TiledConfig& config,
                         sim::ClockDomain& pl, sim::ClockDomain& port)
    : sc_module(name),
      near("near"),
      far("far"),
      clocks_("clocks", config.clock_converter, pl, port),
      widths_("widths", {manager_bits, config.port.data_bits, config.port.outstanding}),
      middle_("middle") {
  widths_.clock(port);
  clocks_.ar.in()(near.ar), clocks_.ar.out()(middle_.ar), widths_.s_ar(middle_.ar), widths_.m_ar(far.ar);
  widths_.m_r(far.r), widths_.s_r(middle_.r), clocks_.r.in()(middle_.r), clocks_.r.out()(near.r);
  clocks_.aw.in()(near.aw), clocks_.aw.out()(middle_.aw), widths_.s_aw(middle_.aw), widths_.m_aw(far.aw);
  clocks_.w.in()(near.w), clocks_.w.out()(middle_.w), widths_.s_w(middle_.w), widths_.m_w(far.w);
  widths_.m_b(far.b), widths_.s_b(middle_.b), clocks_.b.in()(middle_.b), clocks_.b.out()(near.b);
}

MemoryPath::MemoryPath(const sc_core::sc_module_name& name, const arch::TiledConfig& config,
                       std::vector<std::uint8_t>&& memory, sim::ClockDomain& pl, sim::ClockDomain& port)
    : sc_module(name),
      inputs("inputs", config.load.input_bits, config, pl, port),
      weights("weights", config.load.weight_bits, config, pl, port),
      outputs("outputs", config.store.bits, config, pl, port) {
  const bool serial = config.load.order == arch::LoadOrder::serial;
  std::vector<std::vector<PortAdapter*>> managers{{&inputs, &outputs}, {&weights}};
  if (serial) managers = {{&inputs, &weights, &outputs}};

  arch::InterconnectConfig joint;
  joint.data_bits = config.port.data_bits;
  joint.outstanding = config.port.outstanding;
  joint.subordinates = {{0, std::uint64_t{1} << 32}};
  std::vector<std::string> names{"ddr"};
  if (!serial) names = {"ddr0", "ddr1"};
  ports_ = memory::make_ddr_ports(names, config.ddr, config.port, std::move(memory));
  for (std::size_t i = 0; i < ports_.size(); ++i) {
    joint.managers = static_cast<int>(managers[i].size());
    joints_.push_back(std::make_unique<axi::Interconnect>(fmt::format("interconnect{}", i).c_str(), joint));
    between_.push_back(std::make_unique<axi::PortStreams>(fmt::format("port{}", i)));
    ports_[i]->clock(port);
    joints_[i]->clock(port);
    join(*ports_[i], *joints_[i], *between_[i], managers[i]);
  }
}

void MemoryPath::quiesce() {
  for (const auto& port : ports_) port->quiesce();
}

void MemoryPath::join(memory::Ddr& ddr, axi::Interconnect& joint, axi::PortStreams& between,
                      const std::vector<PortAdapter*>& managers) {
  for (std::size_t i = 0; i < managers.size(); ++i) {
    axi::Interconnect::ManagerPort& port = joint.manager(static_cast<int>(i));
    axi::PortStreams& streams = managers[i]->far;
    port.ar(streams.ar), port.r(streams.r), port.aw(streams.aw), port.w(streams.w), port.b(streams.b);
  }
  axi::Interconnect::SubordinatePort& out = joint.subordinate(0);
  out.ar(between.ar), out.r(between.r), out.aw(between.aw), out.w(between.w), out.b(between.b);
  ddr.ar(between.ar), ddr.r(between.r), ddr.aw(between.aw), ddr.w(between.w), ddr.b(between.b);
}

}  // namespace fansim::systems
