// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <memory>

#include "accelerators/trainer/hardware/chip.h"
#include "accelerators/trainer/hardware/controller.h"
#include "accelerators/trainer/hardware/loader.h"
#include "accelerators/trainer/hardware/pooling_unit.h"
#include "accelerators/trainer/hardware/product_unit.h"
#include "accelerators/trainer/hardware/softmax_unit.h"
#include "accelerators/trainer/hardware/storer.h"
#include "accelerators/trainer/hardware/update_unit.h"
#include "axi/mm2s.h"
#include "axi/port_streams.h"
#include "axi/s2mm.h"
#include "platform/clocked_machine.h"

namespace fansim::trainer {

// Contains the boxes of the trainer's block diagram (docs/trainer.md) and the streams between them.
class TrainerAccelerator final : public sc_core::sc_module {
 public:
  TrainerAccelerator(const sc_core::sc_module_name& name, const Config& config, contract::Program& program,
                     platform::LayerHooks hooks);

  std::vector<std::unique_ptr<memory::Ddr>> ports;
  Chip chip;
  axi::Mm2s read_mover;
  axi::S2mm write_mover;
  Loader loader;
  ProductUnit convolution_forward, convolution_backward, fc1_forward, fc1_backward, fc2_forward, fc2_backward;
  UpdateUnit convolution_update, fc1_update, fc2_update;
  PoolingUnit pooling;
  SoftmaxUnit softmax;
  Storer storer;
  Controller controller;
  platform::Host host;

  arith::FloatEvents events() const;

 private:
  std::array<const PhaseUnit*, kUnits - 2> units() const;
  void connect_memory();
  template <class Unit>
  void connect_start(Unit& unit, UnitIndex index);
  void connect_control();

  axi::PortStreams port_{"axi"};
  sim::Stream<axi::TransferCommand> read_command_{"read_command"}, write_command_{"write_command"};
  sim::Stream<axi::TransferDone> read_done_{"read_done"}, write_done_{"write_done"};
  sim::Stream<axi::StreamBeat> read_data_{"read_data"}, write_data_{"write_data"};
  std::array<std::unique_ptr<sim::Stream<PhaseStart>>, kUnits> starts_;
  sim::Stream<axi::LiteRequest> request_{"request"}, no_request_{"no_request"};
  sim::Stream<axi::LiteResponse> response_{"response"}, no_response_{"no_response"};
};

class TrainerMachine final : public platform::ClockedMachine {
 public:
  TrainerMachine(const Config& config, contract::Program program, platform::MachineOptions options);
  ~TrainerMachine() override;

 private:
  // Holds what was counted before the layer.
  struct Counts {
    std::int64_t read = 0, written = 0, images = 0;
    arith::FloatEvents events;
    std::array<std::int64_t, kBuckets> buckets{};
  };

  platform::Host& host() override { return top_.host; }
  memory::Ddr& ddr() override { return *top_.ports.front(); }
  void begin(const contract::LayerPlan& plan) override;
  void end(contract::LayerResult& result) override;
  std::vector<base::Cycles> edges() const override;
  Counts counts() const;

  const Config config_;
  TrainerAccelerator top_;
  Counts before_;
};

}  // namespace fansim::trainer
