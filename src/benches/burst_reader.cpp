// SPDX-License-Identifier: Apache-2.0
#include "benches/burst_reader.h"

#include <algorithm>

#include "rules/burst.h"

namespace fansim::benches {

namespace {
contract::AxiConfig port_of(const BurstReaderConfig& config) {
  contract::AxiConfig axi;
  axi.data_bits = config.data_bits;
  axi.burst_beats = config.burst_beats;
  return axi;
}
}  // namespace

BurstReader::BurstReader(const sc_core::sc_module_name& name, const BurstReaderConfig& config, std::int64_t bytes)
    : Module(name),
      config_(config),
      axi_(port_of(config)),
      bytes_(bytes),
      in_flight_(config.outstanding, config.gap),
      tile_left_(config.tile_bytes) {}

void BurstReader::step() {
  issue();
  take();
}

void BurstReader::issue() {
  const bool tiled = config_.tile_bytes > 0;
  if (tiled && tile_left_ <= 0 && in_flight_.empty()) tile_left_ = config_.tile_bytes;
  if ((tiled && tile_left_ <= 0) || in_flight_.full() || !ar.can_push()) return;
  const std::int64_t left = tiled ? std::min(tile_left_, bytes_ - next_) : bytes_ - next_;
  const int beats = rules::burst_beats(static_cast<std::uint64_t>(next_), left / config_.beat_bytes(), axi_);
  ar.push({static_cast<std::uint64_t>(next_), beats, 0});
  const std::int64_t bytes = std::int64_t{beats} * config_.beat_bytes();
  next_ = (next_ + bytes) % bytes_;
  tile_left_ -= bytes;
  in_flight_.issued(beats, false);
  ++bursts_;
}

void BurstReader::take() {
  if (in_flight_.in_gap(now()) || !r.can_pop()) return;
  const std::string broken = in_flight_.take(r.pop(), now());
  if (!broken.empty()) violation(broken);
  ++beats_;
}

}  // namespace fansim::benches
