// SPDX-License-Identifier: Apache-2.0
#include "timing/fixed_memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <tuple>

namespace fansim::timing {
namespace {

static_assert(rules::Request::kNever == kNever);
constexpr rules::Request kNone;

}  // namespace

FixedMemory::FixedMemory(const contract::DdrConfig& config, int beat_bytes, int ports)
    : config_(rules::effective(config)),
      count_(ports),
      lanes_(rules::lanes(config, beat_bytes * 8, ports)),
      state_(lanes_) {
  if (config_.refresh_cycles >= config_.refresh_interval)  // no decision would ever be reached
    throw std::invalid_argument(fmt::format("timing: refreshes of {} cycles every {} leave the memory none",
                                            config_.refresh_cycles, config_.refresh_interval));
  rules::quiesce(state_, config_, 0);
}

void FixedMemory::read(int port, ReadSink& sink, Edge accepted, std::uint32_t, int beats) {
  ports_[static_cast<std::size_t>(port)].reads.push({{accepted, beats, port}, &sink});
}

void FixedMemory::write(int port, WriteSource& source, Edge accepted, std::uint32_t, int beats) {
  ports_[static_cast<std::size_t>(port)].writes.push({{accepted, beats, port}, &source});
}

// Beats that came late have held the lane.
void FixedMemory::written(int number, int beats, Edge popped) {
  Port& port = ports_[static_cast<std::size_t>(number)];
  if ((port.to_write -= beats) > 0) return;
  const Edge last = popped + beats - 1;
  rules::FixedDdrLane& lane = state_[lane_of(number)];
  lane.bus_free = lane.burst_end = last + 1;
  WriteSource& source = *port.writing;
  port.writing = nullptr;
  source.respond(last + config_.write_latency);
}

bool FixedMemory::read_all(ReadSink& sink, const Train& train) {
  Port& port = ports_[0];
  if (count_ > 1 || !port.reads.empty() || config_.read_latency > train.longest_latency) return false;
  port.train = Running{train, &sink};
  ++port.trains;
  return true;
}

rules::Request FixedMemory::Port::of_train(int number) const {
  return {train->train.arrival, static_cast<int>(train->train.starts.end(train->next) - train->next), number};
}

inline rules::Request FixedMemory::Port::read(int number) const {
  if (train) return of_train(number);
  return reads.empty() ? rules::Request{} : reads.front().request;
}

inline rules::Requests FixedMemory::heads(int lane) const {
  rules::Requests heads;
  for (int number = 0; number < count_; ++number) {
    if (lane_of(number) != lane) continue;
    const Port& port = ports_[static_cast<std::size_t>(number)];
    heads.read = rules::older(heads.read, port.read(number));
    if (!port.writes.empty()) heads.write = rules::older(heads.write, port.writes.front().request);
  }
  return heads;
}

// A read that arrives no sooner than a decision is seen behind it.
Edge FixedMemory::quiet_until(Edge first, Edge read_arrives) {
  const Edge arrives = std::min(read_arrives, ports_[0].read(0).arrival);
  if (count_ > 1 || arrives < first) return kLongAgo;
  rules::refresh(state_, config_, first);
  const rules::FixedDdrLane& bus = state_[0];
  const Edge turned = bus.last == rules::Direction::read ? bus.burst_end + config_.turnaround : kLongAgo;
  return std::max(bus.bus_free, turned) > first ? kLongAgo : std::min(arrives, state_.refresh_due - 1);
}

void FixedMemory::write_all(const WholeWrite& last) {
  state_[0] = {last.burst.to, last.burst.from, last.burst.to, rules::Direction::write, 0};
}

inline FixedMemory::Decision FixedMemory::decision(int lane, const rules::Request& read,
                                                   const rules::Request& write) const {
  const Edge arrival = std::min(read.arrival, write.arrival);
  return {lane, arrival == kNever ? kNever : rules::decides(state_, arrival + 1, lane)};
}

// What the oldest read waits for is known up to each decision.
inline void FixedMemory::look_at(int number, const Decision& next) {
  const Port& port = ports_[static_cast<std::size_t>(number)];
  if (port.writing && (lane_of(number) == next.lane || next.edge >= state_.refresh_due))
    throw std::logic_error(fmt::format("timing: port {} decides at edge {} while a write lacks {} beats", number,
                                       next.edge, port.to_write));
  if (waits(number).kept() && port.waited < next.edge) wait_until(number, next.edge);
}

FixedMemory::Made FixedMemory::grant_read(int number, int beats, const rules::Pick& pick) {
  Port& port = ports_[static_cast<std::size_t>(number)];
  if (port.train) {
    waits(0).add(port.waited, pick.start, rules::ReadWait::turnaround);
    port.waited = std::max(port.waited, pick.start);
    return run_train(pick.start) ? Made::one : Made::untold;
  }
  const Edge last = port.reads.pop().sink->data(beats, pick.data);
  waits(number).add(port.waited, pick.start, rules::ReadWait::turnaround);
  waits(number).add(std::max(port.waited, pick.start), last, rules::ReadWait::none);
  port.waited = last;
  return Made::one;
}

void FixedMemory::grant_write(int number, int beats, Edge start) {
  Port& port = ports_[static_cast<std::size_t>(number)];
  port.writing = port.writes.pop().source;
  port.to_write = beats;
  port.writing->take(start);
}

inline FixedMemory::Made FixedMemory::make(const Decision& next, const rules::Request& read,
                                           const rules::Request& write) {
  const int beats_read = read.beats, beats_written = write.beats;
  const rules::Pick pick = rules::pick(state_, config_, read, write, next.edge, next.lane);
  if (pick.direction == rules::Direction::none) return Made::untold;  // a refresh comes first
  if (pick.direction == rules::Direction::read) return grant_read(pick.port, beats_read, pick);
  grant_write(pick.port, beats_written, pick.start);
  return Made::one;
}

// Of all lanes the one that decides first.
FixedMemory::Made FixedMemory::decide_first() {
  rules::Requests heads = this->heads(0);
  Decision first = decision(0, heads.read, heads.write);
  for (int lane = 1; lane < lanes_; ++lane) {
    const rules::Requests its = this->heads(lane);
    const Decision other = decision(lane, its.read, its.write);
    if (other.edge < first.edge) first = other, heads = its;
  }
  if (first.edge == kNever) return Made::none;
  for (int number = 0; number < count_; ++number) look_at(number, first);
  return make(first, heads.read, heads.write);
}

// One port.
inline FixedMemory::Made FixedMemory::decide_alone() {
  const Port& port = ports_[0];
  const rules::Request train = port.train ? port.of_train(0) : kNone;
  const rules::Request& read = port.train || port.reads.empty() ? train : port.reads.front().request;
  const rules::Request& write = port.writes.empty() ? kNone : port.writes.front().request;
  const Decision next = decision(0, read, write);
  if (next.edge == kNever) return Made::none;
  look_at(0, next);
  return make(next, read, write);
}

bool FixedMemory::next() {
  const Port& first = ports_[0];
  if (first.train && first.writes.empty() && !first.writing && !read_waits(0).kept()) {
    run_train(alone(first.train->train.arrival + 1));
    return true;
  }
  Made made = Made::untold;
  while (made == Made::untold) made = count_ == 1 ? decide_alone() : decide_first();
  return made == Made::one;
}

int FixedMemory::decide(const bool& stirred, int most) {
  if (count_ > 1 || ports_[0].train) return Memory::decide(stirred, most);
  int made = 0;
  do {
    Made last = Made::untold;
    while (last == Made::untold) last = decide_alone();
    if (last == Made::none) break;
    ++made;
  } while (made < most && !stirred);
  return made;
}

// The oldest read is outstanding from its arrival on, or once the last beat of the one before has been sent.
void FixedMemory::wait_until(int number, Edge edge) {
  Port& port = ports_[static_cast<std::size_t>(number)];
  const rules::Request read = port.read(number);
  if (read.arrival == kNever) return;
  const int lane = lane_of(number);
  const rules::FixedDdrLane& bus = state_[lane];
  Edge from = std::max(read.arrival, port.waited);
  if (from >= edge) return;
  while (from < edge) {
    Edge to = edge;
    for (const Edge change : {read.arrival + 1, bus.burst_start, bus.burst_end, state_.refresh_end, state_.refresh_due})
      if (change > from) to = std::min(to, change);
    waits(number).add(from, to, rules::why(state_, read, from, lane));
    from = to;
  }
  port.waited = from;
}

// The first edge from `edge` on at which no refresh keeps the one port from being granted a burst.
Edge FixedMemory::granted(Edge edge) {
  while (true) {
    edge = std::max(edge, state_[0].bus_free);
    rules::refresh(state_, config_, edge);
    if (state_[0].bus_free <= edge && edge < state_.refresh_due) return edge;
  }
}

// Where a read of the one port is granted that is seen from `seen` on, with nothing else on the bus.
Edge FixedMemory::alone(Edge seen) { return turned(granted(seen)); }

// Where a read that is granted at `edge` begins.
Edge FixedMemory::turned(Edge edge) {
  rules::FixedDdrLane& bus = state_[0];
  const bool turn = bus.last == rules::Direction::write;
  bus.last = rules::Direction::read;
  state_.turnarounds += turn;
  return turn ? std::max(edge, bus.burst_end + config_.turnaround) : edge;
}

// One port, of which nothing is outstanding and nobody asks what it waits for.
bool FixedMemory::quiet() const {
  const Port& port = ports_[0];
  return count_ == 1 && port.reads.empty() && !port.train && port.writes.empty() && !port.writing &&
         !read_waits(0).kept();
}

// A refresh that has ended by a read's grant leaves it as it is, and one that is due once the bus is free again; each
// begins as soon as it is due and the bus free.
std::int64_t FixedMemory::repeat_reads(const std::vector<Span>& reads, Edge period, std::int64_t most) {
  rules::FixedDdrLane& bus = state_[0];
  if (!quiet() || (bus.last == rules::Direction::write && config_.turnaround > 0)) return 0;
  if (reads.empty()) return most;
  if (bus.bus_free > reads.front().from) return 0;
  Edge due = state_.refresh_due, end = state_.refresh_end, free = bus.bus_free;
  std::int64_t times = 0;
  for (Edge by = 0; times < most; ++times, by += period) {
    Edge next_due = due, next_end = end;
    bool met = false;
    for (const Span& read : reads) {
      for (Edge begin; (begin = std::max(next_due, free)) + config_.refresh_cycles <= read.from + by;) {
        free = next_end = begin + config_.refresh_cycles;
        next_due += config_.refresh_interval;
      }
      met = met || next_due < read.to + by;
      free = read.to + by;
    }
    if (met) break;
    due = next_due, end = next_end;
  }
  if (times == 0) return 0;
  state_.refreshes += (due - state_.refresh_due) / config_.refresh_interval;
  state_.refresh_due = due, state_.refresh_end = end;
  const Edge by = (times - 1) * period;
  bus.last = rules::Direction::read;
  bus.burst_start = reads.back().from + by;  // of all its bursts: nobody asks for the last one's
  bus.bus_free = bus.burst_end = reads.back().to + by;
  return times;
}

Edge FixedMemory::read_whole(const Train& train, Edge before) {
  const Edge seen = train.arrival + 1;
  if (!quiet() || config_.read_latency > train.longest_latency || seen >= before) return kNever;
  rules::refresh(state_, config_, seen);
  const rules::BurstStarts& starts = train.starts;
  rules::FixedDdrLane& bus = state_[0];
  const Edge free = std::max(seen, bus.bus_free);
  if (const Edge end = free + config_.turnaround + starts.beats(); end <= before && end <= state_.refresh_due) {
    const Edge begin = turned(free);
    bus.bus_free = bus.burst_end = begin + starts.beats();
    bus.burst_start = begin + starts.begin(starts.beats());
    return bus.bus_free;
  }
  auto all = std::tie(bus, state_.refresh_due, state_.refresh_end, state_.refreshes, state_.turnarounds);
  const auto undone =
      std::make_tuple(bus, state_.refresh_due, state_.refresh_end, state_.refreshes, state_.turnarounds);
  const Edge grant = granted(seen);
  if (grant < before && run_bursts(starts, 0, turned(grant), before) == starts.beats()) return bus.bus_free;
  all = undone;
  return kNever;
}

// From the burst that begins with beat `first` on, which has been granted from `start` on, until a write is seen at
// `write` or all are through: bursts follow each other at once, but for refreshes, for which those behind wait from the
// last beat of the burst before on. The first beat that is left.
std::int64_t FixedMemory::run_bursts(const rules::BurstStarts& starts, std::int64_t first, Edge start, Edge write) {
  Port& port = ports_[0];
  rules::FixedDdrLane& bus = state_[0];
  Edge begin = start - first;  // of beat 0, had all come at once
  std::int64_t next = starts.end(first);
  while (true) {
    next = std::max(next, std::min(starts.from(std::min(state_.refresh_due, write) - begin), starts.beats()));
    bus.bus_free = bus.burst_end = begin + next;
    bus.burst_start = begin + starts.begin(next);
    const Edge last = bus.burst_end + config_.read_latency - 1;
    waits(0).add(port.waited, last, rules::ReadWait::none);
    port.waited = last;
    if (next == starts.beats() || bus.bus_free >= write) return next;
    const Edge grant = granted(bus.bus_free);
    if (grant >= write) return next;
    waits(0).add(last, grant, rules::ReadWait::refresh);
    port.waited = std::max(last, grant);
    begin = grant - next;
  }
}

// The train's bursts up to the next write or the end. Whether that was the end: then its sink is told.
bool FixedMemory::run_train(Edge start) {
  Port& port = ports_[0];
  Running& running = *port.train;
  const rules::FixedDdrLane& bus = state_[0];
  const Edge write = port.writes.empty() ? kNever : port.writes.front().request.arrival + 1;
  running.next = run_bursts(running.train.starts, running.next, start, write);
  running.train.arrival = bus.burst_end - 1;
  if (running.next < running.train.starts.beats()) return false;
  ReadSink& sink = *running.sink;
  const int beats = static_cast<int>(bus.burst_end - bus.burst_start);
  port.train.reset();
  sink.data(beats, bus.burst_start + config_.read_latency);
  return true;
}

// A refresh between two decisions makes them different, whatever else they leave alike.
void FixedMemory::describe(std::vector<Edge>& state) const {
  const Port& port = ports_[0];
  const rules::FixedDdrLane& lane = state_[0];
  const Edge origin = lane.bus_free;
  state.insert(state.end(),
               {lane.burst_start - origin, lane.burst_end - origin, port.waited - origin,
                static_cast<Edge>(read_waits(0).all().size()), state_.refreshes, static_cast<Edge>(port.reads.size())});
  for (std::size_t i = 0; i < port.reads.size(); ++i)
    state.insert(state.end(), {port.reads[i].request.arrival - origin, port.reads[i].request.beats});
}

// Until the next refresh, and until a write is seen.
std::int64_t FixedMemory::repeatable(Edge period) const {
  const Port& port = ports_[0];
  const rules::FixedDdrLane& lane = state_[0];
  if (lane.last != rules::Direction::read) return 0;
  Edge last = state_.refresh_due - 1;
  if (!port.writes.empty()) last = std::min(last, port.writes.front().request.arrival);
  return (last - lane.burst_start) / period;
}

void FixedMemory::skip(std::int64_t bursts, Edge period) {
  Port& port = ports_[0];
  const Edge by = bursts * period;
  rules::FixedDdrLane& lane = state_[0];
  lane.bus_free += by, lane.burst_start += by, lane.burst_end += by;
  port.waited += by;
  for (std::size_t i = 0; i < port.reads.size(); ++i) port.reads[i].request.arrival += by;
  waits(0).extend(by);
}

}  // namespace fansim::timing
