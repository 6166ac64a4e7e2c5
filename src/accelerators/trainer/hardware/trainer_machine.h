// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <memory>

#include "accelerators/trainer/config/account.h"
#include "accelerators/trainer/hardware/chip.h"
#include "accelerators/trainer/hardware/controller.h"
#include "accelerators/trainer/hardware/loader.h"
#include "accelerators/trainer/hardware/pooling_unit.h"
#include "accelerators/trainer/hardware/product_unit.h"
#include "accelerators/trainer/hardware/softmax_unit.h"
#include "accelerators/trainer/hardware/storer.h"
#include "accelerators/trainer/hardware/update_unit.h"
#include "axi/mm2s.h"
#include "axi/mover_streams.h"
#include "axi/port_streams.h"
#include "axi/s2mm.h"
#include "platform/clocked_machine.h"

namespace fansim::trainer {

// Contains the boxes of the trainer's block diagram (docs/trainer.md) and the streams between them.
class TrainerAccelerator final : public platform::Shell {
 public:
  TrainerAccelerator(const sc_core::sc_module_name& name, const Config& config, Frame& frame);

 private:
  const contract::Account& account() const override { return trainer::account(); }
  void count(contract::LayerResult& result) const override;
  std::vector<base::Cycles> buckets() const override {
    return {controller_.buckets().begin(), controller_.buckets().end()};
  }

  arith::FloatEvents events() const;
  std::array<const PhaseUnit*, kUnits - 2> units() const;
  void connect_memory();
  template <class Unit>
  void connect_start(Unit& unit, UnitIndex index);
  void connect_starts();

  Chip chip_;
  axi::Mm2s read_mover_;
  axi::S2mm write_mover_;
  Loader loader_;
  ProductUnit convolution_forward_, convolution_backward_, fc1_forward_, fc1_backward_, fc2_forward_, fc2_backward_;
  UpdateUnit convolution_update_, fc1_update_, fc2_update_;
  PoolingUnit pooling_;
  SoftmaxUnit softmax_;
  Storer storer_;
  Controller controller_;

  axi::PortStreams port_{"axi"};
  axi::MoverStreams reads_{"read_command", "read_done", "read_data"},
      writes_{"write_command", "write_done", "write_data"};
  std::array<std::unique_ptr<sim::Stream<PhaseStart>>, kUnits> starts_;
};

using TrainerMachine = platform::MachineOf<TrainerAccelerator, Config>;

}  // namespace fansim::trainer
