// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "contract/ddr.h"
#include "contract/memory_image.h"
#include "rules/clock_ratio.h"
#include "rules/ddr_ports.h"
#include "sim/clock_domain.h"

namespace fansim::memory {

// What the ports of one banked DDR share: its bytes, and its controller on the memory's clock. All ports are on one
// clock. The port that looks first at an edge advances the controller to it; no result depends on which one that is.
class BankedMemory {
 public:
  BankedMemory(const contract::DdrConfig& config, int ports, contract::MemoryImage&& bytes);

  using Listener = std::function<void(const rules::DdrEvent&)>;
  void attach(int index, Listener listener) { listeners_[static_cast<std::size_t>(index)] = std::move(listener); }
  // Sets the clock of the ports. Returns false if another port has a different one.
  bool clock(const base::Rational& mhz);

  // Takes every decision up to the ports' edge `now` and tells the ports.
  void advance(sim::Edge now);
  void request(int port, bool write, sim::Edge now, std::uint32_t address, int id);
  rules::ReadWait why(const rules::DdrRequest& read) const { return ports_.why(read, edge_); }
  // Takes all remaining decisions at a layer boundary, once per edge. Both clocks then count from here.
  void quiesce(sim::Edge now);

  // Returns the memory's last edge that is not after the ports' edge to which it was advanced.
  sim::Edge edge() const { return edge_; }
  // Returns the first edge of the ports after an edge of the memory.
  sim::Edge after(sim::Edge memory_edge) const { return epoch_ + ratio_.slow_after(memory_edge); }
  bool refreshing() const { return edge_ >= state().refresh_start && edge_ < state().refresh_end; }
  const rules::BankedDdrState& state() const { return ports_.state(); }
  // Returns the refreshes and turnarounds since the last call.
  std::pair<std::int64_t, std::int64_t> take_counts();

  const contract::DdrConfig config;
  const std::shared_ptr<contract::MemoryImage> bytes;

 private:
  rules::DdrPorts ports_;
  std::optional<base::Rational> port_mhz_;
  rules::ClockRatio ratio_;
  std::vector<Listener> listeners_;
  sim::Edge epoch_ = 0;
  sim::Edge edge_ = 0;
};

}  // namespace fansim::memory
