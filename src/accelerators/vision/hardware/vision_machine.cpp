// SPDX-License-Identifier: Apache-2.0
#include "accelerators/vision/hardware/vision_machine.h"

#include "accelerators/vision/config/account.h"
#include "accelerators/vision/config/layer.h"

namespace fansim::vision {
namespace {

std::array<sim::Stream<PixelBeat>, PixelSwitch::kUnits> unit_streams(const char* filter, const char* median,
                                                                     const char* simd) {
  return {sim::Stream<PixelBeat>(filter), sim::Stream<PixelBeat>(median), sim::Stream<PixelBeat>(simd)};
}

}  // namespace

VisionAccelerator::VisionAccelerator(const sc_core::sc_module_name& name, const Config& config,
                                     contract::Program& program, platform::LayerHooks hooks)
    : sc_core::sc_module(name),
      ports(memory::make_ddr_ports({"ddr", "ddr_second"}, config.ddr, config.axi, std::move(program.memory))),
      image_rows("image_rows", Rows::image, config.dma.length_bits),
      second_rows("second_rows", Rows::second, config.dma.length_bits),
      result_rows("result_rows", Rows::result, config.dma.length_bits),
      image_mover("image_mover", config.dma, config.axi),
      second_mover("second_mover", config.dma, config.axi),
      result_mover("result_mover", config.dma, config.axi),
      packer("packer", config),
      reader("reader", config, packer.taken()),
      pixel_switch("switch"),
      filter(config.filter.exists() ? std::make_unique<FilterUnit>("filter", config) : nullptr),
      median(config.median.exists() ? std::make_unique<MedianUnit>("median", config) : nullptr),
      simd(config.simd.enabled ? std::make_unique<SimdUnit>("simd", config) : nullptr),
      registers("registers", blocks(config), result_rows.jobs_done(), packer.jobs_done()),
      host("host", config.host, program.ops,
           platform::Interrupts{[] { return std::int64_t{0}; },
                                [this] { return registers.jobs_done(); },
                                {&result_rows.jobs_done(), &packer.jobs_done()}},
           std::move(hooks)),
      into_(unit_streams("filter_in", "median_in", "simd_in")),
      out_of_(unit_streams("filter_out", "median_out", "simd_out")),
      starts_{sim::Stream<JobStart>("start0"), sim::Stream<JobStart>("start1"), sim::Stream<JobStart>("start2"),
              sim::Stream<JobStart>("start3"), sim::Stream<JobStart>("start4"), sim::Stream<JobStart>("start5"),
              sim::Stream<JobStart>("start6"), sim::Stream<JobStart>("start7"), sim::Stream<JobStart>("start8")} {
  connect_memory();
  connect_pixels();
  connect_control();
}

void VisionAccelerator::connect_memory() {
  image_mover.ar(port_.ar);
  ports[0]->ar(port_.ar);
  ports[0]->r(port_.r);
  image_mover.r(port_.r);
  result_mover.aw(port_.aw);
  ports[0]->aw(port_.aw);
  result_mover.w(port_.w);
  ports[0]->w(port_.w);
  ports[0]->b(port_.b);
  result_mover.b(port_.b);
  second_mover.ar(second_port_.ar);
  ports[1]->ar(second_port_.ar);
  ports[1]->r(second_port_.r);
  second_mover.r(second_port_.r);
  ports[1]->aw(second_port_.aw);
  ports[1]->w(second_port_.w);
  ports[1]->b(second_port_.b);

  image_rows.command(image_command_);
  image_mover.command(image_command_);
  image_mover.done(image_done_);
  image_rows.done(image_done_);
  second_rows.command(second_command_);
  second_mover.command(second_command_);
  second_mover.done(second_done_);
  second_rows.done(second_done_);
  result_rows.command(result_command_);
  result_mover.command(result_command_);
  result_mover.done(result_done_);
  result_rows.done(result_done_);
}

void VisionAccelerator::connect_pixels() {
  image_mover.m_axis(image_stream_);
  reader.image(image_stream_);
  second_mover.m_axis(second_stream_);
  reader.second(second_stream_);
  reader.out(samples_);
  pixel_switch.from_reader(samples_);
  for (std::size_t i = 0; i < PixelSwitch::kUnits; ++i) {
    pixel_switch.to[i](into_[i]);
    pixel_switch.from[i](out_of_[i]);
  }
  if (filter) {
    filter->in(into_[0]);
    filter->out(out_of_[0]);
  }
  if (median) {
    median->in(into_[1]);
    median->out(out_of_[1]);
  }
  if (simd) {
    simd->in(into_[2]);
    simd->out(out_of_[2]);
  }
  pixel_switch.to_packer(results_);
  packer.in(results_);
  packer.out(result_stream_);
  result_mover.s_axis(result_stream_);
}

void VisionAccelerator::connect_control() {
  host.core(request_);
  registers.request(request_);
  registers.response(response_);
  host.core_response(response_);
  host.dma(no_request_);
  host.dma_response(no_response_);  // the registers say which rows to transfer
  std::size_t at = 0;
  connect_start(image_rows, at++);
  connect_start(second_rows, at++);
  connect_start(result_rows, at++);
  connect_start(packer, at++);
  connect_start(reader, at++);
  connect_start(pixel_switch, at++);
  if (filter) connect_start(*filter, at++);
  if (median) connect_start(*median, at++);
  if (simd) connect_start(*simd, at++);
}

VisionMachine::VisionMachine(const Config& config, contract::Program program, platform::MachineOptions options)
    : platform::ClockedMachine(std::move(program), std::move(options), config.clock_mhz),
      config_(config),
      top_("top", config_, program_, hooks()) {}

VisionMachine::~VisionMachine() = default;

VisionMachine::Counts VisionMachine::counts() const {
  return {top_.image_rows.bytes() + top_.second_rows.bytes(),
          top_.result_rows.bytes(),
          top_.reader.streamed(),
          top_.reader.flushed(),
          top_.reader.waited_output(),
          top_.reader.waited_input(),
          top_.registers.busy(),
          top_.packer.samples()};
}

void VisionMachine::begin(const contract::LayerPlan& plan) {
  plan_ = &plan;
  for (auto& port : top_.ports) port->quiesce();
  before_ = counts();
}

void VisionMachine::end(contract::LayerResult& result) {
  const Counts after = counts();
  const VisionLayer& layer = layer_of(*plan_);
  result.bytes_read = after.read - before_.read;
  result.bytes_written = after.written - before_.written;
  kPixels.set(result, after.samples - before_.samples);
  kUnits.set(result, layer.units);
  result.buckets.resize(kBuckets);
  result.buckets[kStream] = after.streamed - before_.streamed;
  result.buckets[kFlush] = after.flushed - before_.flushed;
  result.buckets[kWaitOutput] = after.waited_output - before_.waited_output;
  result.buckets[kWaitInput] = after.waited_input - before_.waited_input;
  base::Cycles reader = 0;
  for (const BucketIndex bucket : {kStream, kFlush, kWaitOutput, kWaitInput}) reader += result.buckets[bucket];
  result.buckets[kDrain] = after.busy - before_.busy - reader;
  result.buckets[kHost] = result.cycles - reader - result.buckets[kDrain];
}

std::vector<base::Cycles> VisionMachine::edges() const {
  const Counts now = counts();
  std::vector<base::Cycles> edges(kBuckets);
  edges[kStream] = now.streamed;
  edges[kFlush] = now.flushed;
  edges[kWaitOutput] = now.waited_output;
  edges[kWaitInput] = now.waited_input;
  // The first count that rises names the edge's bucket, as in end(). So this count may include edges of the reader.
  edges[kDrain] = now.busy;
  return edges;
}

}  // namespace fansim::vision
