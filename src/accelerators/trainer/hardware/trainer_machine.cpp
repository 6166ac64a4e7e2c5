// SPDX-License-Identifier: Apache-2.0
#include "accelerators/trainer/hardware/trainer_machine.h"

#include <fmt/format.h>

namespace fansim::trainer {

TrainerAccelerator::TrainerAccelerator(const sc_core::sc_module_name& name, const Config& config, Frame& frame)
    : Shell(name, frame, {"ddr"}, config.ddr, config.axi),
      chip_(this->name(), config.memories),
      read_mover_("read_mover", config.dma, config.axi),
      write_mover_("write_mover", config.dma, config.axi),
      loader_("loader", config, chip_),
      convolution_forward_("convolution_forward", config, chip_),
      convolution_backward_("convolution_backward", config, chip_),
      fc1_forward_("fc1_forward", config, chip_),
      fc1_backward_("fc1_backward", config, chip_),
      fc2_forward_("fc2_forward", config, chip_),
      fc2_backward_("fc2_backward", config, chip_),
      convolution_update_("convolution_update", config, chip_),
      fc1_update_("fc1_update", config, chip_),
      fc2_update_("fc2_update", config, chip_),
      pooling_("pooling", config, chip_),
      softmax_("softmax", config, chip_),
      storer_("storer", config, chip_),
      controller_("controller", {&loader_.ended(), &convolution_forward_.ended(), &convolution_backward_.ended(),
                                 &convolution_update_.ended(), &fc1_forward_.ended(), &fc1_backward_.ended(),
                                 &fc1_update_.ended(), &fc2_forward_.ended(), &fc2_backward_.ended(),
                                 &fc2_update_.ended(), &pooling_.ended(), &softmax_.ended(), &storer_.ended()}) {
  connect_memory();
  control_by(config.host, controller_);
  connect_starts();
}

void TrainerAccelerator::connect_memory() {
  port_.join(ddr());
  port_.join_reads(read_mover_);
  port_.join_writes(write_mover_);
  reads_.join(read_mover_, loader_);
  read_mover_.m_axis(reads_.data);
  loader_.data(reads_.data);
  writes_.join(write_mover_, storer_);
  storer_.data(writes_.data);
  write_mover_.s_axis(writes_.data);
}

template <class Unit>
void TrainerAccelerator::connect_start(Unit& unit, UnitIndex index) {
  const auto i = static_cast<std::size_t>(index);
  starts_[i] = std::make_unique<sim::Stream<PhaseStart>>(fmt::format("start_{}", unit.basename()).c_str());
  (*controller_.starts[i])(*starts_[i]);
  unit.start(*starts_[i]);
}

void TrainerAccelerator::connect_starts() {
  connect_start(loader_, UnitIndex::loader);
  connect_start(convolution_forward_, UnitIndex::convolution_forward);
  connect_start(convolution_backward_, UnitIndex::convolution_backward);
  connect_start(convolution_update_, UnitIndex::convolution_update);
  connect_start(fc1_forward_, UnitIndex::fc1_forward);
  connect_start(fc1_backward_, UnitIndex::fc1_backward);
  connect_start(fc1_update_, UnitIndex::fc1_update);
  connect_start(fc2_forward_, UnitIndex::fc2_forward);
  connect_start(fc2_backward_, UnitIndex::fc2_backward);
  connect_start(fc2_update_, UnitIndex::fc2_update);
  connect_start(pooling_, UnitIndex::pooling);
  connect_start(softmax_, UnitIndex::softmax);
  connect_start(storer_, UnitIndex::storer);
}

std::array<const PhaseUnit*, kUnits - 2> TrainerAccelerator::units() const {
  return {
      &convolution_forward_, &convolution_backward_, &convolution_update_, &fc1_forward_, &fc1_backward_, &fc1_update_,
      &fc2_forward_,         &fc2_backward_,         &fc2_update_,         &pooling_,     &softmax_};
}

arith::FloatEvents TrainerAccelerator::events() const {
  arith::FloatEvents all = loader_.events();
  for (const PhaseUnit* unit : units()) all += unit->events();
  return all;
}

void TrainerAccelerator::count(contract::LayerResult& result) const {
  const arith::FloatEvents events = this->events();
  result.bytes_read = loader_.bytes();
  result.bytes_written = storer_.bytes();
  kImages.set(result, controller_.images());
  kSaturations.set(result, events.saturations);
  kUnderflows.set(result, events.underflows);
}

}  // namespace fansim::trainer
