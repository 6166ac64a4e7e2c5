// SPDX-License-Identifier: Apache-2.0
#include "memory/banked_memory.h"

#include <utility>

namespace fansim::memory {

BankedMemory::BankedMemory(const contract::DdrConfig& ddr, int ports, contract::MemoryImage&& memory)
    : config(ddr),
      bytes(std::make_shared<contract::MemoryImage>(std::move(memory))),
      ports_(ddr.part, ports, ddr.arbitration == contract::DdrArbitration::priority),
      ratio_(ddr.part.clock_mhz, ddr.part.clock_mhz),
      listeners_(static_cast<std::size_t>(ports)) {}

bool BankedMemory::clock(const base::Rational& mhz) {
  if (port_mhz_ && *port_mhz_ != mhz) return false;
  port_mhz_ = mhz;
  ratio_ = {config.part.clock_mhz, mhz};
  return true;
}

void BankedMemory::advance(sim::Edge now) {
  edge_ = ratio_.fast_at(now - epoch_);
  if (edge_ < ports_.next_edge()) return;
  rules::DdrEvent event;
  while (ports_.next(edge_, event)) listeners_[static_cast<std::size_t>(event.port)](event);
}

void BankedMemory::request(int port, bool write, sim::Edge now, std::uint32_t address, int id) {
  ports_.request(port, write, ratio_.fast_at(now - epoch_ + config.request_latency) + 1, address, id);
}

void BankedMemory::quiesce(sim::Edge now) {
  if (now == epoch_) return;
  rules::DdrEvent event;
  while (ports_.next(rules::DdrPick::kNever - 1, event)) listeners_[static_cast<std::size_t>(event.port)](event);
  ports_.quiesce(ratio_.fast_at(now - epoch_));  // counts the refreshes up to here
  ports_.quiesce(0);
  epoch_ = now;
  edge_ = 0;
}

std::pair<std::int64_t, std::int64_t> BankedMemory::take_counts() {
  rules::BankedDdrState& state = ports_.state();
  return {std::exchange(state.refreshes, 0), std::exchange(state.turnarounds, 0)};
}

}  // namespace fansim::memory
