// SPDX-License-Identifier: Apache-2.0
#include "timing/banked_memory.h"

#include <algorithm>
#include <stdexcept>

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
  const std::uint32_t last = burst.address + static_cast<std::uint32_t>(burst.beats) * beat_bytes_ - 1;
  const std::uint32_t first = access_of(burst.address);
  const int count = static_cast<int>(access_of(last) - first) + 1;
  ahead_.push({{first * access_bytes_, count, ready(accepted)}, burst.address, burst.beats, accepted});
}

// The next burst goes to the controller, as late as can be: until then more is known of what comes after it. True: all
// of it was decided, and its data are sent.
bool BankedMemory::admit(MemoryEvent& event) {
  const Ahead burst = ahead_.pop();
  rules::DdrColumns columns;
  if (accesses_.empty() && ports_.burst(0, burst.reads, others_from(burst), columns)) {
    send_whole(burst, columns, event);
    return true;
  }
  if (accesses_.empty()) wait_until_arrival(burst);
  split(burst, burst.address);
  for (std::size_t i = accesses_.size() - static_cast<std::size_t>(burst.reads.count); i < accesses_.size(); ++i)
    ports_.request(0, false, burst.reads.ready, accesses_[i].address, accesses_popped_ + static_cast<int>(i));
  return false;
}

// Whether the next burst need not enter yet, though it may: it would change no pick up to `edge`.
bool BankedMemory::holds(Edge edge) const {
  const Ahead& next = ahead_.front();
  if (!ports_.can_wait(0, next.reads)) return false;
  for (std::size_t i = 1; i < ahead_.size(); ++i)
    if (ahead_[i].reads.ready <= edge && !ports_.follows(ahead_[i - 1].reads, ahead_[i].reads)) return false;
  return true;
}

// The first edge at which reads arrive that may change the picks of `burst`. Bursts not yet known wait for its data, or
// later ones, if all data before it have been sent.
Edge BankedMemory::others_from(const Ahead& burst) const {
  const rules::DdrReads* last = &burst.reads;
  for (std::size_t i = 0; i < ahead_.size(); ++i) {
    const rules::DdrReads& next = ahead_[i].reads;
    if (!ports_.follows(*last, next)) return next.ready;
    last = &next;
  }
  return kNever;
}

// Nothing is to be known of the edges at which the memory has not seen it.
void BankedMemory::wait_until_arrival(const Ahead& burst) {
  const Edge from = std::max({burst.accepted, sent_, waited_}), to = ratio_.slow_after(burst.reads.ready - 1);
  if (to <= from) return;
  waits_.add(from, to, ReadWait::none);
  waited_ = to;
}

// The accesses of a burst from address `at` on.
void BankedMemory::split(const Ahead& burst, std::uint32_t at) {
  const std::uint32_t end = burst.address + static_cast<std::uint32_t>(burst.beats) * beat_bytes_;
  while (at < end) {
    const std::uint32_t next = std::min(end, (access_of(at) + 1) * access_bytes_);
    Access access{};
    access.address = access_of(at) * access_bytes_;
    access.beats = static_cast<int>((next - at + beat_bytes_ - 1) / beat_bytes_);
    access.last = next == end;
    access.accepted = burst.accepted;
    accesses_.push(access);
    at += static_cast<std::uint32_t>(access.beats) * beat_bytes_;
  }
}

// The beats that come without a gap; what remains of the burst is left as picked. None of it waits for anything while
// it is the oldest.
void BankedMemory::send_whole(const Ahead& burst, const rules::DdrColumns& columns, MemoryEvent& event) {
  const bool at_once = data_ready(columns[0]) <= sent_ + 1;
  event = {MemoryEvent::Kind::read_data, std::max(sent_ + 1, data_ready(columns[0])), 0};
  const int in_access = static_cast<int>(access_bytes_ / beat_bytes_);
  const int in_first = std::min(burst.beats, in_access - static_cast<int>(burst.address % access_bytes_ / beat_bytes_));
  const int count = burst.reads.count;
  int sent = 1;
  event.beats = in_first;
  if (data_ready(columns[count - 1]) <= event.edge + in_first) {
    sent = count;
    event.beats = burst.beats;
  }
  for (; sent < count && data_ready(columns[sent]) <= event.edge + event.beats; ++sent)
    event.beats = std::min(burst.beats, event.beats + in_access);
  const Edge last = event.edge + event.beats - 1;
  waits_.add(std::max({burst.accepted, sent_, waited_}), last, ReadWait::none);
  sent_ = waited_ = last;
  accesses_popped_ += sent;
  steady_ = sent == count && at_once && columns.first == burst.reads.ready + 1;
  columns_ = columns;
  split(burst, burst.address + static_cast<std::uint32_t>(event.beats) * beat_bytes_);
  for (std::size_t i = 0; i < accesses_.size(); ++i) {
    Access& access = accesses_[i];
    access.picked = true;
    access.memory_column = columns[sent + static_cast<int>(i)];
    access.memory_arrival = access.memory_column - 1;
    access.ready = data_ready(access.memory_column);
  }
}

void BankedMemory::write(const Burst& burst) {
  const std::uint32_t last = burst.address + static_cast<std::uint32_t>(burst.beats) * beat_bytes_ - 1;
  const int accesses = static_cast<int>(access_of(last) - access_of(burst.address)) + 1;
  writes_.push({burst.address, burst.beats, burst.pushed, accesses, false, kNever});
}

// An access is the controller's with its last beat.
void BankedMemory::written(Edge popped) {
  const Write& write = writes_[announced_ - 1];
  const std::uint32_t end = write.address + static_cast<std::uint32_t>(write.beats) * beat_bytes_;
  for (std::uint32_t at = write.address; at < end;) {
    const std::uint32_t next = std::min(end, (access_of(at) + 1) * access_bytes_);
    const Edge beat = (next - write.address) / beat_bytes_ - 1;
    ports_.request(0, true, ready(popped + beat), next - beat_bytes_,
                   writes_popped_ + static_cast<int>(announced_) - 1);
    at = next;
  }
}

bool BankedMemory::next(MemoryEvent& event) {
  steady_ = false;
  while (true) {
    if (announce(event) || respond(event)) return true;
    if (!accesses_.empty() && accesses_.front().picked) return send(event), true;
    // While the oldest read waits, every edge of the port asks what for.
    const bool waits = !accesses_.empty();
    const Edge edge = waits ? std::max({accesses_.front().accepted, sent_, waited_}) : kNever;
    const Edge memory_edge = waits ? ratio_.fast_at(edge) : kNever;
    const bool admits = !ahead_.empty() && ahead_.front().reads.ready <= memory_edge && !(waits && holds(memory_edge));
    rules::DdrEvent decided;
    if (ports_.next(admits ? ahead_.front().reads.ready - 1 : memory_edge, decided))
      handle(decided);
    else if (admits && admit(event))
      return true;
    else if (!admits && !waits)
      return false;
    else if (!admits)
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
  writes_.pop();
  ++writes_popped_;
  --announced_;
  return true;
}

// The oldest access, and those of its burst that follow without a gap.
void BankedMemory::send(MemoryEvent& event) {
  event = {MemoryEvent::Kind::read_data, std::max(sent_ + 1, accesses_.front().ready), 0};
  bool further = true;
  while (further) {
    const Access& access = accesses_.front();
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
    const bool ends = access.last;
    accesses_.pop();
    ++accesses_popped_;
    sent_ = waited_ = last;
    further = !ends && accesses_.front().picked && accesses_.front().ready <= last + 1;
  }
}

void BankedMemory::describe(std::vector<Edge>& state) const {
  state.insert(state.end(),
               {waited_ - sent_, static_cast<Edge>(waits_.all().size()), static_cast<Edge>(ahead_.size())});
  for (std::size_t i = 0; i < ahead_.size(); ++i)
    state.insert(state.end(), {ahead_[i].accepted - sent_, ahead_[i].beats});
}

// Bursts that lie in turns in the rows of one block, each picked before the next one enters and early enough to be sent
// right behind the one before: up to the block's end, the next refresh and the next write. Edges of the memory lie as
// they fall between those of the port, so bounds stand for them.
std::int64_t BankedMemory::repeatable(Edge period) const {
  if (ahead_.empty()) return 0;
  const Ahead& next = ahead_.front();
  const int count = next.reads.count;
  const std::uint32_t bytes = static_cast<std::uint32_t>(next.beats) * beat_bytes_;
  const std::uint64_t block = config_.part.mapping.in_order_bytes(), in_block = next.address % block;
  const std::uint32_t turn = 2 * access_bytes_;
  if (next.beats != period || in_block == 0 || in_block % turn != 0 || bytes % turn != 0) return 0;
  const Edge length = columns_[count - 1] - columns_.first;  // from the first pick to the last
  if (ratio_.fast_at(period) < std::max<Edge>(count, length + std::max(3, config_.part.tccd_l))) return 0;
  for (int i = 0; i < count; ++i) {
    const Edge latency = config_.request_latency + data_ready(2 + columns_[i] - columns_.first);
    if (next.accepted + latency > sent_ + 1 + Edge{i} * static_cast<Edge>(access_bytes_ / beat_bytes_)) return 0;
  }
  Edge until = std::min(kNever, ports_.next_write());
  if (config_.part.trfc > 0) until = std::min(until, ports_.state().refresh_due);
  const Edge last = ratio_.slow_after(until - 3 - length) - 1 - config_.request_latency;  // accepted by then
  if (last < next.accepted) return 0;
  return std::min(static_cast<std::int64_t>((block - in_block) / bytes), (last - next.accepted) / period + 1);
}

// The last of them is decided as such: nothing before it counts for what follows.
void BankedMemory::skip(std::int64_t bursts, Edge period) {
  const Edge by = bursts * period;
  const Ahead& next = ahead_.front();
  const auto bytes = static_cast<std::uint32_t>(next.beats) * beat_bytes_;
  rules::DdrReads last = next.reads;
  last.address += static_cast<std::uint64_t>(bursts - 1) * bytes;
  last.ready = ready(next.accepted + by - period);
  rules::DdrColumns columns;
  if (!ports_.burst(0, last, kNever, columns)) throw std::logic_error("timing: a burst that cannot repeat another");
  ports_.state().row_hits += (bursts - 1) * last.count;
  accesses_popped_ += static_cast<int>(bursts) * last.count;
  sent_ += by, waited_ += by;
  waits_.extend(by);
  for (std::size_t i = 0; i < ahead_.size(); ++i) {
    Ahead& burst = ahead_[i];
    burst.accepted += by;
    burst.address += static_cast<std::uint32_t>(bursts) * bytes;
    burst.reads.address += static_cast<std::uint64_t>(bursts) * bytes;
    burst.reads.ready = ready(burst.accepted);
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
  access.ready = data_ready(event.pick.column);
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
