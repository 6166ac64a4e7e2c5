// SPDX-License-Identifier: Apache-2.0
#include "benches/dma_bench.h"

#include <algorithm>

#include "benches/dma_monitor.h"

namespace fansim::benches {

namespace {
constexpr int kDescriptorBeatBytes = 4;

std::vector<std::uint8_t> initial_memory(int kib) {
  std::vector<std::uint8_t> bytes(static_cast<std::size_t>(kib) * 1024);
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = PacketSource::pattern(static_cast<std::int64_t>(i));
  return bytes;
}
}  // namespace

DmaBench::DmaBench(const sc_core::sc_module_name& name, const DmaBenchConfig& config, std::vector<DmaOp> ops)
    : sc_module(name),
      memory_(initial_memory(config.memory.kib)),
      dma_("dma", config.dma, config.axi),
      driver_("driver", std::move(ops), dma_.registers, memory_, events_),
      source_("source", config.axi.beat_bytes(), driver_.packets),
      data_("data", config.memory, config.axi.beat_bytes(), memory_),
      monitor_(std::make_unique<DmaMonitor>("monitor", DmaMonitor::Ports{ar_, mm2s_, s2mm_, aw_, w_, sg_ar_, sg_aw_},
                                            dma_.registers, events_)) {
  scheduler_.domain("axi", config.clock_mhz);
  scheduler_.watchdog = config.watchdog;
  driver_.finished = [this] { scheduler_.finish(); };
  connect_registers();
  connect_streams();
  connect_memory();
  if (dma_.descriptors) connect_descriptors(config.memory);
}

DmaBench::~DmaBench() = default;

void DmaBench::connect_registers() {
  driver_.request(lite_);
  dma_.registers.host(lite_);
  dma_.registers.host_response(lite_response_);
  driver_.response(lite_response_);
  dma_.registers.pl(lite_pl_);
  dma_.registers.pl_response(lite_pl_response_);
}

void DmaBench::connect_streams() {
  dma_.mm2s.m_axis(mm2s_);
  sink_.in(mm2s_);
  source_.out(s2mm_);
  dma_.s2mm.s_axis(s2mm_);
}

void DmaBench::connect_memory() {
  dma_.mm2s.ar(ar_);
  data_.ar(ar_);
  data_.r(r_);
  dma_.mm2s.r(r_);
  dma_.s2mm.aw(aw_);
  data_.aw(aw_);
  dma_.s2mm.w(w_);
  data_.w(w_);
  data_.b(b_);
  dma_.s2mm.b(b_);
}

void DmaBench::connect_descriptors(const contract::RamConfig& config) {
  descriptors_ = std::make_unique<axi::Ram>("descriptors", config, kDescriptorBeatBytes, memory_);
  axi::DescriptorEngine& engine = *dma_.descriptors;
  engine.ar(sg_ar_);
  descriptors_->ar(sg_ar_);
  descriptors_->r(sg_r_);
  engine.r(sg_r_);
  engine.aw(sg_aw_);
  descriptors_->aw(sg_aw_);
  engine.w(sg_w_);
  descriptors_->w(sg_w_);
  descriptors_->b(sg_b_);
  engine.b(sg_b_);
}

std::vector<DmaEvent> DmaBench::events() const {
  std::vector<DmaEvent> sorted = events_;
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const DmaEvent& a, const DmaEvent& b) { return a.cycle < b.cycle; });
  return sorted;
}

}  // namespace fansim::benches
