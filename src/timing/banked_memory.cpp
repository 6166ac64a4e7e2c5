// SPDX-License-Identifier: Apache-2.0
#include "timing/banked_memory.h"

#include <algorithm>

namespace fansim::timing {

using rules::ReadWait;

BankedMemory::BankedMemory(const arch::DdrConfig& ddr, const arch::AxiConfig& axi, const base::Rational& port_mhz)
    : config_(ddr),
      access_bytes_(static_cast<std::uint32_t>(ddr.part.access_bytes())),
      beat_bytes_(static_cast<std::uint32_t>(axi.beat_bytes())),
      ratio_(ddr.part.clock_mhz, port_mhz),
      ports_(ddr.part, 1, ddr.arbitration == arch::DdrArbitration::priority) {}

void BankedMemory::read(const Burst& burst) {
  const Edge accepted = burst.pushed + 1;
  const std::uint32_t end = burst.address + static_cast<std::uint32_t>(burst.beats) * beat_bytes_;
  const int first = accesses_popped_ + static_cast<int>(accesses_.size());
  for (std::uint32_t at = burst.address; at < end;) {
    const std::uint32_t access = access_of(at);
    const std::uint32_t next = std::min(end, (access + 1) * access_bytes_);
    Access part{};
    part.address = access * access_bytes_;
    part.beats = static_cast<int>((next - at + beat_bytes_ - 1) / beat_bytes_);
    part.last = next == end;
    part.accepted = accepted;
    part.memory_arrival = part.ready = kNever;
    accesses_.push_back(part);
    at += static_cast<std::uint32_t>(part.beats) * beat_bytes_;
  }
  ahead_.push({first, accesses_popped_ + static_cast<int>(accesses_.size()) - first, ready(accepted)});
}

// The next burst's accesses go to the controller, as late as can be: until then more is known of what comes after them.
void BankedMemory::admit() {
  const Ahead burst = ahead_.front();
  ahead_.pop();
  if (admit_whole(burst)) return;
  for (int id = burst.id; id < burst.id + burst.count; ++id)
    ports_.request(0, false, burst.ready, accesses_[static_cast<std::size_t>(id - accesses_popped_)].address, id);
}

// The accesses of a burst that nothing can hold up. Bursts not yet known wait for its data, or later ones, if all data
// before it have been sent.
bool BankedMemory::admit_whole(const Ahead& burst) {
  if (burst.id != accesses_popped_) return false;
  const auto count = static_cast<std::size_t>(burst.count);
  places_.resize(count);
  columns_.resize(count);
  for (std::size_t i = 0; i < count; ++i) places_[i] = config_.part.mapping(accesses_[i].address);
  const Edge until = ahead_.empty() ? kNever : ahead_.front().ready;
  if (!ports_.burst(places_.data(), burst.count, burst.ready, until, columns_.data())) return false;
  for (std::size_t i = 0; i < count; ++i) {
    Access& access = accesses_[i];
    access.memory_arrival = burst.ready + static_cast<Edge>(i);
    access.picked = true;
    access.memory_row_ready = access.memory_column = columns_[i];
    access.ready =
        ratio_.slow_after(columns_[i] + config_.part.cl + arch::DdrPart::kBurstClocks) + config_.response_latency;
  }
  return true;
}

void BankedMemory::write(const Burst& burst) {
  const std::uint32_t last = burst.address + static_cast<std::uint32_t>(burst.beats) * beat_bytes_ - 1;
  const int accesses = static_cast<int>(access_of(last) - access_of(burst.address)) + 1;
  writes_.push_back({burst.address, burst.beats, burst.pushed, accesses, false, kNever});
}

// The access is the controller's with its last beat.
void BankedMemory::written(int beat, Edge popped) {
  const Write& write = writes_[announced_ - 1];
  const std::uint32_t address = write.address + static_cast<std::uint32_t>(beat) * beat_bytes_;
  if (beat + 1 < write.beats && access_of(address) == access_of(address + beat_bytes_)) return;
  ports_.request(0, true, ready(popped), address, writes_popped_ + static_cast<int>(announced_) - 1);
}

bool BankedMemory::next(MemoryEvent& event) {
  while (true) {
    if (announce(event) || respond(event)) return true;
    rules::DdrEvent decided;
    if (accesses_.empty()) {
      if (!ports_.next(kNever, decided)) return false;
      handle(decided);
      continue;
    }
    const Access& oldest = accesses_.front();
    if (oldest.picked) {
      send(event);
      return true;
    }
    // While the oldest read waits, every edge of the port asks what for.
    const Edge edge = std::max({oldest.accepted, sent_, waited_});
    const Edge memory_edge = ratio_.fast_at(edge);
    const bool admits = !ahead_.empty() && ahead_.front().ready <= memory_edge;
    if (ports_.next(admits ? ahead_.front().ready - 1 : memory_edge, decided))
      handle(decided);
    else if (admits)
      admit();
    else
      wait_at(edge);
  }
}

// The beats of a burst are popped without waiting for the controller: the first two edges after the burst was pushed.
bool BankedMemory::announce(MemoryEvent& event) {
  if (announced_ == writes_.size()) return false;
  const Write& write = writes_[announced_++];
  event = {MemoryEvent::Kind::write_data, write.pushed + 2, write.beats};
  return true;
}

bool BankedMemory::respond(MemoryEvent& event) {
  if (writes_.empty() || writes_.front().response == kNever) return false;
  responded_ = std::max(responded_ + 1, writes_.front().response);
  event = {MemoryEvent::Kind::response, responded_, 0};
  writes_.pop_front();
  ++writes_popped_;
  --announced_;
  return true;
}

// The oldest access, and those of its burst that follow without a gap.
void BankedMemory::send(MemoryEvent& event) {
  event = {MemoryEvent::Kind::read_data, std::max(sent_ + 1, accesses_.front().ready), 0};
  bool further = true;
  while (further) {
    const Access access = accesses_.front();
    event.beats += access.beats;
    const Edge last = event.edge + event.beats - 1;
    for (Edge edge = std::max({access.accepted, sent_, waited_}); edge < last; ++edge) {
      const Edge memory_edge = ratio_.fast_at(edge);
      if (access.memory_arrival < memory_edge && access.memory_column <= memory_edge) {
        waits_.add(edge, last, ReadWait::none);
        break;
      }
      waits_.add(edge, edge + 1, why(access, memory_edge));
    }
    accesses_.pop_front();
    ++accesses_popped_;
    sent_ = waited_ = last;
    further = !access.last && accesses_.front().picked && accesses_.front().ready <= last + 1;
  }
}

void BankedMemory::handle(const rules::DdrEvent& event) {
  if (event.write) {
    if (event.picked == config_.part.posted_writes) return;
    Write& write = writes_[static_cast<std::size_t>(event.id - writes_popped_)];
    if (--write.accesses > 0) return;
    write.response =
        ratio_.slow_after(event.picked ? event.pick.end : event.edge) + config_.write_latency - config_.request_latency;
    return;
  }
  Access& access = accesses_[static_cast<std::size_t>(event.id - accesses_popped_)];
  if (!event.picked) {
    access.memory_arrival = event.edge;
    return;
  }
  access.picked = true;
  access.memory_row_ready = event.pick.row_ready;
  access.memory_column = event.pick.column;
  access.memory_refresh = {ports_.state().refresh_start, ports_.state().refresh_end};
  access.wait = event.pick.wait;
  access.ready = ratio_.slow_after(event.pick.end) + config_.response_latency;
}

void BankedMemory::wait_at(Edge edge) {
  waits_.add(edge, edge + 1, why(accesses_.front(), ratio_.fast_at(edge)));
  waited_ = edge + 1;
}

ReadWait BankedMemory::why(const Access& access, Edge edge) const {
  if (access.memory_arrival >= edge) return ReadWait::none;
  if (!access.picked) return ports_.why({access.memory_arrival, config_.part.mapping(access.address), 0, 0}, edge);
  if (access.memory_column <= edge) return ReadWait::none;
  if (edge >= access.memory_refresh.from && edge < access.memory_refresh.to) return ReadWait::refresh;
  return edge < access.memory_row_ready ? ReadWait::row_miss : access.wait;
}

}  // namespace fansim::timing
