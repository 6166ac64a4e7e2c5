// SPDX-License-Identifier: Apache-2.0
// This file has how reads enter the controller, and which of them are decided at once.
#include <algorithm>

#include "timing/trains/banked_memory.h"

namespace fansim::timing::trains {

using rules::ReadWait;

void BankedMemory::read(int number, ReadSink& sink, Edge accepted, std::uint32_t address, int beats) {
  const std::uint32_t first = access_of(address);
  const std::uint32_t last = access_of(address + static_cast<std::uint32_t>(beats) * beat_bytes_ - 1);
  const ColumnReads reads{first * access_bytes_, static_cast<int>(last - first) + 1, ready(accepted)};
  ahead(number).push({{address, beats, true, &sink, accepted}, reads});
}

// Returns when the first read is ready that another port has to hand over.
Edge BankedMemory::next_of_others(int port) const {
  Edge first = kNever;
  for (int number = 0; number < count_; ++number)
    if (number != port) first = std::min(first, next_ahead(number));
  return first;
}

// Returns the port whose read is handed over next, -1 if there is none. The reads of a port follow each other.
int BankedMemory::first_ahead() const {
  int first = -1;
  for (int number = 0; number < count_; ++number)
    if (next_ahead(number) != kNever && controller_.reads_at(number).empty() &&
        (first < 0 || next_ahead(number) < next_ahead(first)))
      first = number;
  return first;
}

// Hands over a port's next burst. All of it is decided at once, or a part of it, or a part of it is requested. Returns
// true if the last data of a burst were sent.
bool BankedMemory::admit(int number) {
  constexpr int kFew = 8;
  const Queue<Ahead>& ahead = this->ahead(number);
  const ColumnReads burst = ahead.front().reads;
  const Choice behind = next_choice(number, 1, burst);
  const int in_order = burst.count + behind.accesses, alone = std::min(burst.count, left_alone(in_order));
  const bool followed = behind.accesses > 0 && ahead[1].reads.ready <= burst.ready + burst.count;
  for (const int count : {burst.count, alone}) {
    ColumnEdges edges;
    if (count < 1) continue;
    const bool paired = followed && count == burst.count;
    const Edge others = others_from(number, {in_order - count - (paired ? count % 2 : 0), behind.ready});
    if (trains_.decide_burst(number, {burst.address, count, burst.ready}, paired, others, edges))
      return send_decided(number, edges);
    if (alone == count) break;
  }
  // While they keep others out of the queue, no more are requested than needed.
  const Ahead part = take_part(this->ahead(number), alone < kFew ? part_accesses_ : kFew);
  request(number, part, part.accepted);
  return false;
}

// Decides at once what is left of a port's oldest burst, whose reads wait in order, or as much of it as leaves the
// queue full of what follows until other reads come. `sent` tells whether the last data of a burst were sent.
bool BankedMemory::drain(int number, bool& sent) {
  constexpr int kWorthIt = 4;
  const Port& port = at(number);
  if (port.accesses.empty()) return false;
  const Edge seen = ratio_.fast_at(std::max(port.waited, port.accesses.front().read.accepted));
  const auto [first, waiting] = trains_.waiting(number, port.accesses_popped, seen);
  if (first == 0) return false;
  int all = 0;
  bool ends = false;  // its burst
  for (std::size_t i = 0; all < first && !ends; ++i) {
    all += port.accesses[i].memory_column == kNever;
    ends = port.accesses[i].read.last;
  }
  Choice behind{0, ahead(number).empty() ? kNever : ahead(number).front().reads.ready};
  if (!ahead(number).empty() && trains_.follows_waiting(number, ahead(number).front().reads)) {
    const ColumnReads& next = ahead(number).front().reads;
    behind = next_choice(number, 0, {next.address, 0, next.ready});
    if (all == waiting && !ends) all += next.count;
  }
  const int in_order = waiting + behind.accesses, alone = std::min(all, left_alone(in_order));
  const bool followed = all < (first == waiting ? in_order : first);
  for (const int count : {all, alone}) {
    ColumnEdges edges;
    if (count < kWorthIt) continue;
    const bool paired = followed && count == all;
    const ColumnTrains::More more{ready_ahead(ahead(number), 1), ready_ahead(ahead(number), count - waiting),
                                  paired ? ready_ahead(ahead(number), count + 1 - waiting) : rules::DdrPick::kNever};
    const Edge others = others_from(number, {in_order - count - (paired ? count % 2 : 0), behind.ready});
    if (trains_.decide_waiting(number, count, more, others, edges)) {
      sent = send_decided(number, edges);
      steady_ = false;
      return true;
    }
    if (alone == count) break;
  }
  return false;
}

// Returns the edge at which all of the port's next reads, so many, are ready.
Edge BankedMemory::ready_ahead(const Queue<Ahead>& ahead, int reads) {
  Edge ready = 0;
  for (std::size_t i = 0; i < ahead.size() && reads > 0; ++i) {
    ready = ahead[i].reads.ready;
    reads -= ahead[i].reads.count;
  }
  return ready;
}

// Returns how many of so many reads in order may go so that the others fill the queue.
int BankedMemory::left_alone(int in_order) const { return in_order + 1 - config_.part.read_queue; }

// Sends the data of a port's next reads, which are decided at once, with those decided before. Returns true if they
// have the last data of a burst.
bool BankedMemory::send_decided(int number, const ColumnEdges& edges) {
  bool ends = false;
  for (int sent = 0; sent < edges.count;) {
    const Ahead part = take_next(number, edges.count - sent);
    send_part(number, part, edges, sent);
    sent += part.reads.count;
    ends |= part.last;
    ends |= send(number);
  }
  return ends;
}

// Takes a port's next reads that are next to each other in a burst, at most so many: first those that wait, then those
// ahead.
BankedMemory::Ahead BankedMemory::take_next(int number, int most) {
  Port& port = at(number);
  if (port.accesses.empty()) return take_part(ahead(number), most);
  const ReadBeats& first = port.accesses.front().read;
  const auto skipped = static_cast<std::uint32_t>(static_cast<int>(access_bytes_ / beat_bytes_) - first.beats);
  Ahead part{{first.address + skipped * beat_bytes_, 0, false, first.sink, first.accepted}, {first.address, 0, 0}};
  while (part.reads.count < most && !part.last && !port.accesses.empty()) {
    if (port.accesses.front().memory_column != kNever) return part;
    const ReadBeats access = port.accesses.pop().read;
    ++port.accesses_popped;
    ++part.reads.count;
    part.beats += access.beats;
    part.last = access.last;
  }
  if (part.reads.count == most || part.last) return part;
  const Ahead more = take_part(ahead(number), most - part.reads.count);
  part.reads.count += more.reads.count;
  part.beats += more.beats;
  part.last = more.last;
  return part;
}

// Takes a port's next burst, or its first accesses.
BankedMemory::Ahead BankedMemory::take_part(Queue<Ahead>& ahead, int accesses) const {
  if (ahead.front().reads.count <= accesses) return ahead.pop();
  Ahead& burst = ahead.front();
  Ahead part = burst;
  part.reads.count = accesses;
  part.last = false;
  const std::uint64_t end = part.reads.address + static_cast<std::uint64_t>(accesses) * access_bytes_;
  part.beats = static_cast<int>((end - part.address) / beat_bytes_);
  burst.reads.address = burst.address = static_cast<std::uint32_t>(end);
  burst.reads.count -= accesses;
  burst.beats -= part.beats;
  return part;
}

// Finds the first of a port's reads from `next` on, which come after `last`, that are not the next in order. Returns
// how many accesses come before them, and when they are ready; never, if there are none.
BankedMemory::Choice BankedMemory::next_choice(int number, std::size_t next, const ColumnReads& last) const {
  const Queue<Ahead>& ahead = this->ahead(number);
  const ColumnReads* before = &last;
  int accesses = 0;
  for (std::size_t i = next; i < ahead.size(); ++i) {
    if (!trains_.follows(*before, ahead[i].reads)) return {accesses, ahead[i].reads.ready};
    before = &ahead[i].reads;
    accesses += before->count;
  }
  return {accesses, kNever};
}

// Returns the edge by whose pick the port's next reads must be handed over, as far as it is known before the next pick:
// the edge at which they are ready, or at which others that do not just follow them are ready and have room.
Edge BankedMemory::due(int number) const {
  const ColumnReads& next = ahead(number).front().reads;
  if (!trains_.can_wait(number, next)) return next.ready;
  const Choice choice = next_choice(number, 0, {next.address, 0, next.ready});
  const bool full = trains_.entered() + choice.accesses >= config_.part.read_queue;
  return std::min(next_of_others(number), full ? kNever : choice.ready);
}

// Returns the first edge at which reads may enter that change the picks of the reads before them. `behind` tells how
// many reads in order come first: others enter no earlier than the queue has room for them. A read that is not known
// yet waits for the end of a burst's data, or for something later than what is known.
Edge BankedMemory::others_from(int number, const Choice& behind) const {
  const bool enters_later = behind.accesses + 1 >= config_.part.read_queue;
  return std::min(next_of_others(number), enters_later ? kNever : behind.ready);
}

// Sends part of a burst, after all that is before it. Nothing of it waits while it is the oldest. Its first access is
// number `first` of those decided.
void BankedMemory::send_part(int number, const Ahead& part, const ColumnEdges& edges, int first) {
  Port& port = at(number);
  const Edge before = port.waited;
  Edge last = before;
  const int groups = send_beats(part, edges, first, last);
  waits(number).add(std::max(before, part.accepted), last, ReadWait::none);
  port.waited = last;
  steady_ = first == 0 && part.last && groups == 1 && data_ready(edges.first) <= before + 1 &&
            edges.first == part.reads.ready + 1 && !edges.swapped;
  edges_ = edges;
}

// Sends the beats in groups without a gap, and returns how many groups there are. The beats of one access do not wait
// for the next access if the memory is faster than the port. `last` becomes no earlier than the last beat.
int BankedMemory::send_beats(const Ahead& part, const ColumnEdges& edges, int first, Edge& last) const {
  const int in_access = static_cast<int>(access_bytes_ / beat_bytes_), count = part.reads.count;
  int beats = std::min(part.beats, in_access - static_cast<int>(part.address % access_bytes_ / beat_bytes_));
  Edge from = data_ready(edges[first]);
  const Edge spacing = std::max(edges.step, edges.pair - edges.step);
  const bool faster = spacing <= in_access * ratio_.fast_at(1);
  if (count == 1 ||
      (faster && data_ready(edges[first + 1]) <= from + beats && (!edges.swapped || beats == in_access))) {
    last = std::max(last, part.sink->data(part.beats, from));
    return 1;
  }
  int groups = 1, left = part.beats - beats;
  for (int i = 1; i < count; ++i) {
    const Edge ready = data_ready(edges[first + i]);
    if (ready > from + beats) {
      part.sink->data(beats, from);
      from = ready;
      beats = 0;
      ++groups;
    }
    const int more = std::min(left, in_access);
    beats += more;
    left -= more;
  }
  last = std::max(last, part.sink->data(beats, from));
  return groups;
}

}  // namespace fansim::timing::trains
