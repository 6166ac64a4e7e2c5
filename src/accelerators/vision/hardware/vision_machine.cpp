// SPDX-License-Identifier: Apache-2.0
#include "accelerators/vision/hardware/vision_machine.h"

#include <numeric>

#include "accelerators/vision/config/layer.h"

namespace fansim::vision {
namespace {

std::array<sim::Stream<PixelBeat>, PixelSwitch::kUnits> unit_streams(const char* filter, const char* median,
                                                                     const char* simd) {
  return {sim::Stream<PixelBeat>(filter), sim::Stream<PixelBeat>(median), sim::Stream<PixelBeat>(simd)};
}

}  // namespace

VisionAccelerator::VisionAccelerator(const sc_core::sc_module_name& name, const Config& config, Frame& frame)
    : Shell(name, frame, {"ddr", "ddr_second"}, config.ddr, config.axi),
      image_rows_("image_rows", Rows::image, config.dma.length_bits),
      second_rows_("second_rows", Rows::second, config.dma.length_bits),
      result_rows_("result_rows", Rows::result, config.dma.length_bits),
      image_mover_("image_mover", config.dma, config.axi),
      second_mover_("second_mover", config.dma, config.axi),
      result_mover_("result_mover", config.dma, config.axi),
      packer_("packer", config),
      reader_("reader", config, packer_.taken()),
      pixel_switch_("switch"),
      filter_(config.filter.exists() ? std::make_unique<FilterUnit>("filter", config) : nullptr),
      median_(config.median.exists() ? std::make_unique<MedianUnit>("median", config) : nullptr),
      simd_(config.simd.enabled ? std::make_unique<SimdUnit>("simd", config) : nullptr),
      registers_("registers", blocks(config), {&result_rows_.jobs_done(), &packer_.jobs_done()}),
      into_(unit_streams("filter_in", "median_in", "simd_in")),
      out_of_(unit_streams("filter_out", "median_out", "simd_out")) {
  connect_memory();
  connect_pixels();
  connect_starts();
  control_by(config.host, registers_);
}

void VisionAccelerator::connect_memory() {
  port_.join(port(0));
  port_.join_reads(image_mover_);
  port_.join_writes(result_mover_);
  second_port_.join(port(1));
  second_port_.join_reads(second_mover_);
  image_.join(image_mover_, image_rows_);
  second_.join(second_mover_, second_rows_);
  result_.join(result_mover_, result_rows_);
}

void VisionAccelerator::connect_pixels() {
  image_mover_.m_axis(image_.data);
  reader_.image(image_.data);
  second_mover_.m_axis(second_.data);
  reader_.second(second_.data);
  reader_.out(samples_);
  pixel_switch_.from_reader(samples_);
  for (std::size_t i = 0; i < PixelSwitch::kUnits; ++i) {
    pixel_switch_.to[i](into_[i]);
    pixel_switch_.from[i](out_of_[i]);
  }
  if (filter_) {
    filter_->in(into_[0]);
    filter_->out(out_of_[0]);
  }
  if (median_) {
    median_->in(into_[1]);
    median_->out(out_of_[1]);
  }
  if (simd_) {
    simd_->in(into_[2]);
    simd_->out(out_of_[2]);
  }
  pixel_switch_.to_packer(results_);
  packer_.in(results_);
  packer_.out(result_.data);
  result_mover_.s_axis(result_.data);
}

void VisionAccelerator::connect_starts() {
  registers_.starts(image_rows_);
  registers_.starts(second_rows_);
  registers_.starts(result_rows_);
  registers_.starts(packer_);
  registers_.starts(reader_);
  registers_.starts(pixel_switch_);
  if (filter_) registers_.starts(*filter_);
  if (median_) registers_.starts(*median_);
  if (simd_) registers_.starts(*simd_);
}

void VisionAccelerator::count(contract::LayerResult& result) const {
  result.bytes_read = image_rows_.bytes() + second_rows_.bytes();
  result.bytes_written = result_rows_.bytes();
  kPixels.set(result, packer_.samples());
  kUnits.set(result, plan_ ? layer_of(*plan_).units : 0);
}

// The reader's edges come first: the registers count a job's other edges, until its last result is in memory, as drain.
std::vector<base::Cycles> VisionAccelerator::buckets() const {
  std::vector<base::Cycles> edges{reader_.streamed(), reader_.flushed(), reader_.waited_output(),
                                  reader_.waited_input()};
  edges.push_back(registers_.busy_edges() - std::accumulate(edges.begin(), edges.end(), base::Cycles{0}));
  return edges;
}

}  // namespace fansim::vision
