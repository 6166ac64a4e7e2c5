// SPDX-License-Identifier: Apache-2.0
#include "timing/trains/banked_memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "base/units.h"

namespace fansim::timing::trains {

BankedMemory::BankedMemory(const contract::DdrConfig& config, int beat_bytes, const base::Rational& port_mhz, int ports)
    : timing::BankedMemory(config, beat_bytes, port_mhz, ports),
      part_accesses_(base::round_up(std::max(16, config.part.read_queue), 2)),
      trains_(config.part, controller_) {}

bool BankedMemory::next() {
  steady_ = false;
  while (true) {
    bool sent = false;
    if (orderly_ >= 0 && drain(orderly_, sent)) {
      if (sent) return true;
      continue;
    }
    orderly_ = -1;
    const int number = first_ahead();
    const Edge edge = controller_.next_edge();
    Edge until = number < 0 ? kNever : next_ahead(number);
    if (until <= edge && number >= 0) until = due(number);
    if (until <= edge && number >= 0) {
      if (admit(number)) return true;
      continue;
    }
    if (edge >= rules::DdrPick::kNever) return false;
    if (step(std::max(edge, std::min(until - 1, look_until(edge))))) return true;
  }
}

// Takes the events of the controller as far as nothing else is to be asked for between them.
bool BankedMemory::step(Edge until) {
  rules::DdrEvent event;
  while (trains_.next(until, event)) {
    if (event.picked && !event.write) orderly_ = event.port;
    if (handle(event)) return true;
    const bool entered = !event.picked && !event.write;
    if (!entered || event.id == at(event.port).accesses_popped || controller_.reads_at(event.port).empty())
      return false;
  }
  return false;
}

void BankedMemory::visit(PeriodWriter& state) {
  state.number(read_waits(0).all().size());
  state.queue(ahead(0), [&](Ahead& burst) {
    state.edge(burst.accepted);
    state.number(burst.beats);
  });
}

// Bursts repeat as long as they lie in turns in the rows of one block, each is picked before the next one enters, and
// early enough to be sent right behind the one before. The block's end, the next refresh and the next write end this.
// The memory's edges lie anywhere between the port's, so bounds stand for them.
std::int64_t BankedMemory::repeatable(Edge period) const {
  if (ahead(0).empty()) return 0;
  const Ahead& next = ahead(0).front();
  const int count = next.reads.count;
  const std::uint32_t bytes = static_cast<std::uint32_t>(next.beats) * beat_bytes_;
  const std::uint64_t block = config_.part.mapping.in_order_bytes(), in_block = next.address % block;
  const std::uint32_t turn = 2 * access_bytes_;
  if (next.beats != period || in_block == 0 || in_block % turn != 0 || bytes % turn != 0) return 0;
  const Edge length = edges_[count - 1] - edges_.first;  // from the first pick to the last
  if (ratio_.fast_at(period) < std::max<Edge>(count, length + std::max(3, config_.part.tccd_l))) return 0;
  for (int i = 0; i < count; ++i) {
    const Edge latency = config_.request_latency + data_ready(2 + edges_[i] - edges_.first);
    if (next.accepted + latency > origin() + 1 + Edge{i} * static_cast<Edge>(access_bytes_ / beat_bytes_)) return 0;
  }
  Edge until = std::min(kNever, controller_.ready(true));
  if (config_.part.trfc > 0) until = std::min(until, controller_.state().refresh_due);
  const Edge last = ratio_.slow_after(until - 3 - length) - 1 - config_.request_latency;  // accepted by then
  if (last < next.accepted) return 0;
  return std::min(static_cast<std::int64_t>((block - in_block) / bytes), (last - next.accepted) / period + 1);
}

// Only the last of them is decided: nothing before it counts for what follows.
void BankedMemory::grant(std::int64_t bursts, Edge period) {
  const Edge by = bursts * period;
  const Ahead& next = ahead(0).front();
  const auto bytes = static_cast<std::uint32_t>(next.beats) * beat_bytes_;
  ColumnReads last = next.reads;
  last.address += static_cast<std::uint64_t>(bursts - 1) * bytes;
  last.ready = ready(next.accepted + by - period);
  ColumnEdges edges;
  if (!trains_.decide_burst(0, last, false, kNever, edges) || edges.count < last.count)
    throw std::logic_error(fmt::format("timing: port 0: the burst accepted at edge {} cannot repeat another",
                                       next.accepted + by - period));
  controller_.state().row_hits += (bursts - 1) * last.count;
  at(0).waited += by;
  waits(0).extend(by);
  for (std::size_t i = 0; i < ahead(0).size(); ++i) {
    Ahead& burst = ahead(0)[i];
    burst.accepted += by;
    burst.address += static_cast<std::uint32_t>(bursts) * bytes;
    burst.reads.address += static_cast<std::uint64_t>(bursts) * bytes;
    burst.reads.ready = ready(burst.accepted);
  }
}

}  // namespace fansim::timing::trains
