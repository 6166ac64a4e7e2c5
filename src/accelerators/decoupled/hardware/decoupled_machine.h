// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "accelerators/decoupled/config/account.h"
#include "accelerators/decoupled/config/config.h"
#include "accelerators/decoupled/hardware/buffers.h"
#include "accelerators/decoupled/hardware/compute_unit.h"
#include "accelerators/decoupled/hardware/load_unit.h"
#include "accelerators/decoupled/hardware/start_registers.h"
#include "accelerators/decoupled/hardware/store_unit.h"
#include "axi/mm2s.h"
#include "axi/mover_streams.h"
#include "axi/port_streams.h"
#include "axi/s2mm.h"
#include "platform/clocked_machine.h"

namespace fansim::decoupled {

// Contains a port of the memory and the movers of its lanes: at most one that reads and one that writes.
struct MemoryPort {
  MemoryPort(int number, memory::Ddr& ddr, const Config& config, LoadLane* load, StoreLane* store);

  axi::PortStreams axi;
  std::unique_ptr<axi::Mm2s> reader;
  std::unique_ptr<axi::S2mm> writer;

 private:
  axi::MoverStreams reads_, writes_;
};

// Contains the boxes of the machine's block diagram (docs/decoupled.md) and the streams between them.
class DecoupledAccelerator final : public platform::Shell {
 public:
  DecoupledAccelerator(const sc_core::sc_module_name& name, const Config& config, Frame& frame);

 private:
  const contract::Account& account() const override { return decoupled::account(); }
  void begin(const contract::LayerPlan& plan) override { registers_.layer(layer_of(plan)); }
  void settle(contract::LayerResult& result) override;
  void count(contract::LayerResult& result) const override;
  std::optional<arith::Saturation> take_saturation() override;
  std::vector<base::Cycles> buckets() const override;
  std::size_t uncounted() const override;

  std::vector<CommandUnit*> units();
  axi::JobRegisters::Ended ended();
  void connect_memory(const Config& config);
  void connect_units();

  const bool codes_;  // what it computes with; false: floats, which have no quantiser
  Buffers buffers_;
  LoadUnit load_;
  std::unique_ptr<LoadUnit> load_weights_;  // null if there is only one load unit
  ComputeUnit compute_;
  StoreUnit store_;
  StartRegisters registers_;
  std::vector<std::unique_ptr<MemoryPort>> memory_ports_;
};

using DecoupledMachine = platform::MachineOf<DecoupledAccelerator, Config>;

}  // namespace fansim::decoupled
