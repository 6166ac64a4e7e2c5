// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <vector>

#include "axi/stream_receiver.h"
#include "contract/buffer.h"
#include "sim/memory_port.h"
#include "sim/module.h"
#include "sim/port_budget.h"
#include "sim/reg.h"

namespace fansim::memory {

// A dual-port block RAM that is split into two halves which take turns, and optionally a third store without a second
// half. In a receiving buffer, the AXI-Stream side writes a target while it is claimed, and the core reads it while it
// is not; in a sending buffer it is the other way round. Breaking this, going beyond the end, or moving more at an edge
// than the ports can is a violation. The exception is that zeros can be read behind a target, because the padded
// columns of a matrix reach past a vector's last word. The buffer has no clocked behaviour of its own: its readers
// count the RAM's latency.
class PingPong final : public sim::Module, public sim::ReadPort, public sim::WritePort, public axi::BeatSink {
 public:
  enum class Role { receive, send };

  PingPong(const sc_core::sc_module_name& name, Role role, const contract::BufferPorts& ports, int half_bytes,
           int resident_bytes = 0);

  bool passive() const override { return true; }

  bool readable(int target) const override { return claimed(target) == (role_ == Role::send); }
  const std::uint8_t* read(int target, int offset, int bytes) override;

  bool writable(int target) const override { return claimed(target) == (role_ == Role::receive); }
  void write(int target, int offset, const std::uint8_t* data, int bytes) override;
  void complete(int target) override { claim(target, true); }
  void fetched(int target) { claim(target, false); }

  void begin(int target) override { claim(target, true); }
  void done(int target) override { claim(target, false); }
  int capacity(int target) const override { return capacity_[index(target)]; }

 private:
  static std::size_t index(int target) { return static_cast<std::size_t>(target); }
  bool claimed(int target) const { return claims_[index(target)]->get(); }
  sim::StoredWords stored(int target) {
    return {bytes_[index(target)].data(), static_cast<std::size_t>(capacity(target))};
  }
  void claim(int target, bool value) { claims_[index(target)]->set(value); }
  void reset() override {
    for (sim::Reg<bool>* claim : claims_)
      if (claim->next()) claim->set(false);
  }
  void step() override {}

  const Role role_;
  const std::array<int, 3> capacity_;
  sim::PortBudget write_ports_, read_ports_;  // in bytes
  std::array<std::vector<std::uint8_t>, 3> bytes_;
  sim::Reg<bool> half0_{*this, "half0_claimed"};
  sim::Reg<bool> half1_{*this, "half1_claimed"};
  sim::Reg<bool> resident_{*this, "resident_claimed"};
  std::array<sim::Reg<bool>*, 3> claims_{&half0_, &half1_, &resident_};
  sim::Memory half0_bits_{*this, "half0", sim::Storage::Of::block_ram, [this] { return stored(0); }};
  sim::Memory half1_bits_{*this, "half1", sim::Storage::Of::block_ram, [this] { return stored(1); }};
  sim::Memory resident_bits_{*this, "resident", sim::Storage::Of::block_ram, [this] { return stored(2); }};

  sim::Counter reads_{*this, "reads", "accesses", "reads"};
  sim::Counter writes_{*this, "writes", "accesses", "writes"};
};

}  // namespace fansim::memory
