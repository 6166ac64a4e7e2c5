// SPDX-License-Identifier: Apache-2.0
#include "accelerators/trainer/hardware/trainer_machine.h"

#include <fmt/format.h>

namespace fansim::trainer {

TrainerAccelerator::TrainerAccelerator(const sc_core::sc_module_name& name, const Config& config,
                                       contract::Program& program, platform::LayerHooks hooks)
    : sc_core::sc_module(name),
      ports(memory::make_ddr_ports({"ddr"}, config.ddr, config.axi, std::move(program.memory))),
      chip(config.memories),
      read_mover("read_mover", config.dma, config.axi),
      write_mover("write_mover", config.dma, config.axi),
      loader("loader", config, chip),
      convolution_forward("convolution_forward", config, chip),
      convolution_backward("convolution_backward", config, chip),
      fc1_forward("fc1_forward", config, chip),
      fc1_backward("fc1_backward", config, chip),
      fc2_forward("fc2_forward", config, chip),
      fc2_backward("fc2_backward", config, chip),
      convolution_update("convolution_update", config, chip),
      fc1_update("fc1_update", config, chip),
      fc2_update("fc2_update", config, chip),
      pooling("pooling", config, chip),
      softmax("softmax", config, chip),
      storer("storer", config, chip),
      controller("controller", {&loader.ended(), &convolution_forward.ended(), &convolution_backward.ended(),
                                &convolution_update.ended(), &fc1_forward.ended(), &fc1_backward.ended(),
                                &fc1_update.ended(), &fc2_forward.ended(), &fc2_backward.ended(), &fc2_update.ended(),
                                &pooling.ended(), &softmax.ended(), &storer.ended()}),
      host(
          "host", config.host, program.ops,
          platform::Interrupts{
              [] { return std::int64_t{0}; }, [this] { return controller.jobs_done(); }, {&controller.job_interrupt()}},
          std::move(hooks)) {
  connect_memory();
  connect_control();
}

void TrainerAccelerator::connect_memory() {
  read_mover.ar(port_.ar);
  ports[0]->ar(port_.ar);
  ports[0]->r(port_.r);
  read_mover.r(port_.r);
  write_mover.aw(port_.aw);
  ports[0]->aw(port_.aw);
  write_mover.w(port_.w);
  ports[0]->w(port_.w);
  ports[0]->b(port_.b);
  write_mover.b(port_.b);

  loader.command(read_command_);
  read_mover.command(read_command_);
  read_mover.done(read_done_);
  loader.done(read_done_);
  read_mover.m_axis(read_data_);
  loader.data(read_data_);
  storer.command(write_command_);
  write_mover.command(write_command_);
  write_mover.done(write_done_);
  storer.done(write_done_);
  storer.data(write_data_);
  write_mover.s_axis(write_data_);
}

template <class Unit>
void TrainerAccelerator::connect_start(Unit& unit, UnitIndex index) {
  const auto i = static_cast<std::size_t>(index);
  starts_[i] = std::make_unique<sim::Stream<PhaseStart>>(fmt::format("start_{}", unit.basename()).c_str());
  (*controller.starts[i])(*starts_[i]);
  unit.start(*starts_[i]);
}

void TrainerAccelerator::connect_control() {
  host.core(request_);
  controller.request(request_);
  controller.response(response_);
  host.core_response(response_);
  host.dma(no_request_);
  host.dma_response(no_response_);  // the controller starts the transfers
  connect_start(loader, UnitIndex::loader);
  connect_start(convolution_forward, UnitIndex::convolution_forward);
  connect_start(convolution_backward, UnitIndex::convolution_backward);
  connect_start(convolution_update, UnitIndex::convolution_update);
  connect_start(fc1_forward, UnitIndex::fc1_forward);
  connect_start(fc1_backward, UnitIndex::fc1_backward);
  connect_start(fc1_update, UnitIndex::fc1_update);
  connect_start(fc2_forward, UnitIndex::fc2_forward);
  connect_start(fc2_backward, UnitIndex::fc2_backward);
  connect_start(fc2_update, UnitIndex::fc2_update);
  connect_start(pooling, UnitIndex::pooling);
  connect_start(softmax, UnitIndex::softmax);
  connect_start(storer, UnitIndex::storer);
}

std::array<const PhaseUnit*, kUnits - 2> TrainerAccelerator::units() const {
  return {&convolution_forward, &convolution_backward, &convolution_update, &fc1_forward, &fc1_backward, &fc1_update,
          &fc2_forward,         &fc2_backward,         &fc2_update,         &pooling,     &softmax};
}

arith::FloatEvents TrainerAccelerator::events() const {
  arith::FloatEvents all = loader.events();
  for (const PhaseUnit* unit : units()) all += unit->events();
  return all;
}

TrainerMachine::TrainerMachine(const Config& config, contract::Program program, platform::MachineOptions options)
    : platform::ClockedMachine(std::move(program), std::move(options), config.clock_mhz),
      config_(config),
      top_("top", config_, program_, hooks()) {}

TrainerMachine::~TrainerMachine() = default;

TrainerMachine::Counts TrainerMachine::counts() const {
  return {top_.loader.bytes(), top_.storer.bytes(), top_.controller.images(), top_.events(), top_.controller.buckets()};
}

void TrainerMachine::begin(const contract::LayerPlan&) {
  for (auto& port : top_.ports) port->quiesce();
  before_ = counts();
}

void TrainerMachine::end(contract::LayerResult& result) {
  const Counts after = counts();
  result.bytes_read = after.read - before_.read;
  result.bytes_written = after.written - before_.written;
  kImages.set(result, after.images - before_.images);
  kSaturations.set(result, after.events.saturations - before_.events.saturations);
  kUnderflows.set(result, after.events.underflows - before_.events.underflows);
  result.buckets.assign(kBuckets, 0);
  base::Cycles busy = 0;
  for (std::size_t i = 0; i < kBuckets; ++i) busy += result.buckets[i] = after.buckets[i] - before_.buckets[i];
  result.buckets[kHost] = result.cycles - busy;
}

std::vector<base::Cycles> TrainerMachine::edges() const {
  const auto& buckets = top_.controller.buckets();
  return {buckets.begin(), buckets.end()};
}

}  // namespace fansim::trainer
