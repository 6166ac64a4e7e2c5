// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "accelerators/decoupled/config/config.h"
#include "accelerators/decoupled/hardware/buffers.h"
#include "accelerators/decoupled/hardware/compute_unit.h"
#include "accelerators/decoupled/hardware/load_unit.h"
#include "accelerators/decoupled/hardware/start_registers.h"
#include "accelerators/decoupled/hardware/store_unit.h"
#include "axi/mm2s.h"
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
  void connect(LoadLane& lane);
  void connect(StoreLane& lane);

  sim::Stream<axi::TransferCommand> read_command_, write_command_;
  sim::Stream<axi::TransferDone> read_done_, write_done_;
  sim::Stream<axi::StreamBeat> read_data_, write_data_;
};

// Contains the boxes of the machine's block diagram (docs/decoupled.md) and the streams between them.
class DecoupledAccelerator final : public sc_core::sc_module {
 public:
  DecoupledAccelerator(const sc_core::sc_module_name& name, const Config& config, contract::Program& program,
                       platform::LayerHooks hooks);

  std::vector<std::unique_ptr<memory::Ddr>> ports;
  Buffers buffers;
  LoadUnit load;
  std::unique_ptr<LoadUnit> load_weights;  // null if there is only one load unit
  ComputeUnit compute;
  StoreUnit store;
  StartRegisters registers;
  platform::Host host;

 private:
  std::vector<CommandUnit*> units();
  std::vector<const CommandUnit*> started();
  void connect_memory(const Config& config);
  void connect_control();

  std::vector<std::unique_ptr<MemoryPort>> memory_ports_;
  std::vector<std::unique_ptr<sim::Stream<JobStart>>> starts_;
  sim::Stream<axi::LiteRequest> request_{"request"}, no_request_{"no_request"};
  sim::Stream<axi::LiteResponse> response_{"response"}, no_response_{"no_response"};
};

class DecoupledMachine final : public platform::ClockedMachine {
 public:
  DecoupledMachine(const Config& config, contract::Program program, platform::MachineOptions options);
  ~DecoupledMachine() override;

 private:
  struct Counts {
    std::int64_t read = 0, written = 0;
    std::array<std::int64_t, kBuckets> edges{};  // buckets of the compute unit
  };

  platform::Host& host() override { return top_.host; }
  memory::Ddr& ddr() override { return *top_.ports.front(); }
  void begin(const contract::LayerPlan& plan) override;
  void end(contract::LayerResult& result) override;
  std::vector<base::Cycles> edges() const override;
  std::size_t uncounted() const override;
  Counts counts() const;
  void add_transfers(std::vector<base::Cycles>& buckets);

  const Config config_;
  DecoupledAccelerator top_;
  Counts before_;
};

}  // namespace fansim::decoupled
