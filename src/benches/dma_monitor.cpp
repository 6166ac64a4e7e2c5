// SPDX-License-Identifier: Apache-2.0
#include "benches/dma_monitor.h"

namespace fansim::benches {

template <class Burst>
void DmaMonitor::burst(const char* name, const sim::Stream<Burst>& stream, std::int64_t& seen) {
  if (stream.shown() == seen) return;
  seen = stream.shown();
  log(name, stream.newest().address, static_cast<std::uint64_t>(stream.newest().beats));
}

void DmaMonitor::step() {
  burst("sg_arvalid", ports_.sg_ar, sg_ar_);
  burst("sg_awvalid", ports_.sg_aw, sg_aw_);
  burst("mm2s_arvalid", ports_.mm2s_ar, mm2s_ar_);
  burst("s2mm_awvalid", ports_.s2mm_aw, s2mm_aw_);
  if (ports_.s2mm_w.shown() != s2mm_w_) {
    s2mm_w_ = ports_.s2mm_w.shown();
    if (ports_.s2mm_w.newest().last) log("s2mm_wlast", 0, 0);
  }
  packet(ports_.mm2s, mm2s_);
  packet(ports_.s2mm, s2mm_);
  line("mm2s_introut", registers_.mm2s_introut(), mm2s_introut_);
  line("s2mm_introut", registers_.s2mm_introut(), s2mm_introut_);
}

void DmaMonitor::packet(const sim::Stream<axi::StreamBeat>& stream, Packet& packet) {
  if (stream.shown() == packet.seen) return;
  packet.seen = stream.shown();
  if (packet.bytes == 0) log(packet.begins, 0, 0);
  packet.bytes += static_cast<std::uint64_t>(stream.newest().bytes);
  if (!stream.newest().last) return;
  log(packet.ends, 0, packet.bytes);
  packet.bytes = 0;
}

void DmaMonitor::line(const char* name, bool level, bool& last) {
  if (level != last) log(name, 0, level);
  last = level;
}

void DmaMonitor::log(const char* what, std::uint64_t address, std::uint64_t value) {
  events_.push_back({now() - 1, what, address, value});
}

}  // namespace fansim::benches
