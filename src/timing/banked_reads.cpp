// SPDX-License-Identifier: Apache-2.0
// How reads come into the controller, and what of them is decided in one go.
#include <algorithm>

#include "timing/banked_memory.h"

namespace fansim::timing {

using rules::ReadWait;

void BankedMemory::read(int number, ReadSink& sink, Edge accepted, std::uint32_t address, int beats) {
  const std::uint32_t first = access_of(address);
  const std::uint32_t last = access_of(address + static_cast<std::uint32_t>(beats) * beat_bytes_ - 1);
  const rules::DdrReads reads{first * access_bytes_, static_cast<int>(last - first) + 1, ready(accepted)};
  at(number).ahead.push({reads, address, beats, true, &sink, accepted});
}

// The first read that another port has to hand over.
Edge BankedMemory::next_of_others(int port) const {
  Edge first = kNever;
  for (int number = 0; number < count_; ++number)
    if (number != port) first = std::min(first, next_ahead(number));
  return first;
}

// The port with the first read to be handed over; those of a port follow each other.
int BankedMemory::first_ahead() const {
  int first = -1;
  for (int number = 0; number < count_; ++number)
    if (next_ahead(number) != kNever && !controller_.has_requests(number) &&
        (first < 0 || next_ahead(number) < next_ahead(first)))
      first = number;
  return first;
}

// A port's next burst is handed over, as late as can be: until then more is known of what comes after it. All of it is
// decided in one go, or part of it, or part of it is requested. True: a burst's last data were sent.
bool BankedMemory::admit(int number) {
  constexpr int kFew = 8;
  const Queue<Ahead>& ahead = at(number).ahead;
  const rules::DdrReads burst = ahead.front().reads;
  const Choice behind = next_choice(number, 1, burst);
  const int in_order = burst.count + behind.accesses, alone = std::min(burst.count, left_alone(in_order));
  const bool followed = behind.accesses > 0 && ahead[1].reads.ready <= burst.ready + burst.count;
  for (const int count : {burst.count, alone}) {
    rules::DdrColumns columns;
    if (count < 1) continue;
    const bool paired = followed && count == burst.count;
    const Edge others = others_from(number, {in_order - count - (paired ? count % 2 : 0), behind.ready});
    if (controller_.burst(number, {burst.address, count, burst.ready}, paired, others, columns))
      return send_decided(number, columns);
    if (alone == count) break;
  }
  // No more than needed while they keep others out of the queue.
  request(number, take_part(at(number).ahead, alone < kFew ? part_accesses_ : kFew));
  return false;
}

// What is left of a port's oldest burst whose reads wait in order, decided in one go, or as much of it as leaves the
// queue full of what follows until other reads come. `sent`: a burst's last data were.
bool BankedMemory::drain(int number, bool& sent) {
  constexpr int kWorthIt = 4;
  const Port& port = at(number);
  if (port.accesses.empty()) return false;
  const Edge seen = ratio_.fast_at(std::max(port.waited, port.accesses.front().accepted));
  const auto [first, waiting] = controller_.waiting(number, port.accesses_popped, seen);
  if (first == 0) return false;
  int all = 0;
  bool ends = false;  // its burst
  for (std::size_t i = 0; all < first && !ends; ++i) {
    all += port.accesses[i].memory_column == kNever;
    ends = port.accesses[i].last;
  }
  Choice behind{0, port.ahead.empty() ? kNever : port.ahead.front().reads.ready};
  if (!port.ahead.empty() && controller_.follows_waiting(number, port.ahead.front().reads)) {
    const rules::DdrReads& next = port.ahead.front().reads;
    behind = next_choice(number, 0, {next.address, 0, next.ready});
    if (all == waiting && !ends) all += next.count;
  }
  const int in_order = waiting + behind.accesses, alone = std::min(all, left_alone(in_order));
  const bool followed = all < (first == waiting ? in_order : first);
  for (const int count : {all, alone}) {
    rules::DdrColumns columns;
    if (count < kWorthIt) continue;
    const bool paired = followed && count == all;
    const rules::DdrPorts::More more{ready_ahead(port.ahead, 1), ready_ahead(port.ahead, count - waiting),
                                     paired ? ready_ahead(port.ahead, count + 1 - waiting) : rules::DdrPick::kNever};
    const Edge others = others_from(number, {in_order - count - (paired ? count % 2 : 0), behind.ready});
    if (controller_.drain(number, count, more, others, columns)) {
      sent = send_decided(number, columns);
      steady_ = false;
      return true;
    }
    if (alone == count) break;
  }
  return false;
}

// When the port's next reads, so many, are all ready.
Edge BankedMemory::ready_ahead(const Queue<Ahead>& ahead, int reads) {
  Edge ready = 0;
  for (std::size_t i = 0; i < ahead.size() && reads > 0; ++i) {
    ready = ahead[i].reads.ready;
    reads -= ahead[i].reads.count;
  }
  return ready;
}

// How many of so many reads in order leave the queue full of the others.
int BankedMemory::left_alone(int in_order) const { return in_order + 1 - config_.part.read_queue; }

// The data of a port's next reads, which are decided in one go, with those that were before; true: a burst's last ones.
bool BankedMemory::send_decided(int number, const rules::DdrColumns& columns) {
  bool ends = false;
  for (int sent = 0; sent < columns.count;) {
    const Ahead part = take_next(number, columns.count - sent);
    send_part(number, part, columns, sent);
    sent += part.reads.count;
    ends |= part.last;
    ends |= send(number);
  }
  return ends;
}

// A port's next reads that are next to each other in a burst, at most so many: those that wait, then those ahead.
BankedMemory::Ahead BankedMemory::take_next(int number, int most) {
  Port& port = at(number);
  if (port.accesses.empty()) return take_part(port.ahead, most);
  const Access& first = port.accesses.front();
  const auto skipped = static_cast<std::uint32_t>(static_cast<int>(access_bytes_ / beat_bytes_) - first.beats);
  Ahead part{{first.address, 0, 0}, first.address + skipped * beat_bytes_, 0, false, first.sink, first.accepted};
  while (part.reads.count < most && !part.last && !port.accesses.empty()) {
    if (port.accesses.front().memory_column != kNever) return part;
    const Access access = port.accesses.pop();
    ++port.accesses_popped;
    ++part.reads.count;
    part.beats += access.beats;
    part.last = access.last;
  }
  if (part.reads.count == most || part.last) return part;
  const Ahead more = take_part(port.ahead, most - part.reads.count);
  part.reads.count += more.reads.count;
  part.beats += more.beats;
  part.last = more.last;
  return part;
}

// A port's next burst, or its first accesses.
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

void BankedMemory::request(int number, const Ahead& part) {
  Port& port = at(number);
  const std::uint32_t end = part.address + static_cast<std::uint32_t>(part.beats) * beat_bytes_;
  for (std::uint32_t address = part.address; address < end;) {
    const std::uint32_t next = std::min(end, (access_of(address) + 1) * access_bytes_);
    Access access{};
    access.address = access_of(address) * access_bytes_;
    access.beats = static_cast<int>((next - address + beat_bytes_ - 1) / beat_bytes_);
    access.last = part.last && next == end;
    access.sink = part.sink;
    access.accepted = part.accepted;
    controller_.request(number, false, part.reads.ready, access.address,
                        port.accesses_popped + static_cast<int>(port.accesses.size()));
    port.accesses.push(access);
    address += static_cast<std::uint32_t>(access.beats) * beat_bytes_;
  }
}

// Finds the first of a port's reads from `next` on, which come after `last`, that are not the next in order. Returns
// how many accesses come before them, and when they are ready; never, if there are none.
BankedMemory::Choice BankedMemory::next_choice(int number, std::size_t next, const rules::DdrReads& last) const {
  const Queue<Ahead>& ahead = at(number).ahead;
  const rules::DdrReads* before = &last;
  int accesses = 0;
  for (std::size_t i = next; i < ahead.size(); ++i) {
    if (!controller_.follows(*before, ahead[i].reads)) return {accesses, ahead[i].reads.ready};
    before = &ahead[i].reads;
    accesses += before->count;
  }
  return {accesses, kNever};
}

// The edge by whose pick the port's next reads must be handed over, as far as it is known before the next pick: that at
// which they are ready, or others that do not just follow them are and have room.
Edge BankedMemory::due(int number) const {
  const rules::DdrReads& next = at(number).ahead.front().reads;
  if (!controller_.can_wait(number, next)) return next.ready;
  const Choice choice = next_choice(number, 0, {next.address, 0, next.ready});
  const bool full = controller_.entered() + choice.accesses >= config_.part.read_queue;
  return std::min(next_of_others(number), full ? kNever : choice.ready);
}

// The first edge at which reads enter that may change the picks of some that others are behind, and before these as
// many that are next in order: they do not before the queue has room for them. What is not yet known waits for the end
// of a burst's data, or for something later than what is.
Edge BankedMemory::others_from(int number, const Choice& behind) const {
  const bool enters_later = behind.accesses + 1 >= config_.part.read_queue;
  return std::min(next_of_others(number), enters_later ? kNever : behind.ready);
}

// All before it have been sent, and nothing of it waits while it is the oldest. Its first access is number `first` of
// those decided.
void BankedMemory::send_part(int number, const Ahead& part, const rules::DdrColumns& columns, int first) {
  Port& port = at(number);
  const Edge before = port.waited;
  Edge last = before;
  const int runs = send_runs(part, columns, first, last);
  waits(number).add(std::max(before, part.accepted), last, ReadWait::none);
  port.waited = last;
  steady_ = first == 0 && part.last && runs == 1 && data_ready(columns.first) <= before + 1 &&
            columns.first == part.reads.ready + 1 && !columns.swapped;
  columns_ = columns;
}

// In runs of beats without a gap, of which it returns how many. Beats of one access wait for none of the next where the
// memory is the faster. `last` becomes no earlier than the last beat.
int BankedMemory::send_runs(const Ahead& part, const rules::DdrColumns& columns, int first, Edge& last) const {
  const int in_access = static_cast<int>(access_bytes_ / beat_bytes_), count = part.reads.count;
  int beats = std::min(part.beats, in_access - static_cast<int>(part.address % access_bytes_ / beat_bytes_));
  Edge from = data_ready(columns[first]);
  const Edge spacing = std::max(columns.step, columns.pair - columns.step);
  const bool faster = spacing <= in_access * ratio_.fast_at(1);
  if (count == 1 ||
      (faster && data_ready(columns[first + 1]) <= from + beats && (!columns.swapped || beats == in_access))) {
    last = std::max(last, part.sink->data(part.beats, from));
    return 1;
  }
  int runs = 1, left = part.beats - beats;
  for (int i = 1; i < count; ++i) {
    const Edge ready = data_ready(columns[first + i]);
    if (ready > from + beats) {
      part.sink->data(beats, from);
      from = ready, beats = 0;
      ++runs;
    }
    const int more = std::min(left, in_access);
    beats += more, left -= more;
  }
  last = std::max(last, part.sink->data(beats, from));
  return runs;
}

}  // namespace fansim::timing
