// SPDX-License-Identifier: Apache-2.0
#include "timing/trains/column_trains.h"

#include <algorithm>
#include <utility>

namespace fansim::timing::trains {

using contract::DdrPlace;
using rules::DdrRequest;

namespace {

bool same_row(const DdrPlace& a, const DdrPlace& b) { return a.bank == b.bank && a.row == b.row; }

// Returns whether the last read continues the order of so many reads before it.
bool continues_order(const DdrRequest* last, int before) {
  if (before == 0) return true;
  if (before > 1) return same_row(last[0].place, last[-2].place);
  return same_row(last[0].place, last[-1].place) || last[0].place.group != last[-1].place.group;
}

// Returns how many of the first reads go to two groups in turns.
int first_in_turns(const rules::DdrQueue& queue) {
  const DdrRequest* const read = queue.requests;
  if (queue.size < 2 || read[0].place.group == read[1].place.group) return 0;
  int i = 2;
  while (i < queue.size && read[i].place.group == read[i - 2].place.group) ++i;
  return i;
}

}  // namespace

ColumnTrains::ColumnTrains(const contract::DdrPart& part, rules::DdrPorts& ports)
    : part_(part),
      bytes_(static_cast<std::uint64_t>(part.access_bytes())),
      ports_(ports),
      picks_(static_cast<std::size_t>(part.read_queue) + 1, ports.state().decided),
      pick_count_(picks_.size()) {}

bool ColumnTrains::next(Edge until, rules::DdrEvent& event) {
  if (!ports_.next(until, event)) return false;
  if (event.write) return true;
  if (event.picked)
    note_pick(event.pick);
  else
    note_entry(event);
  hold_reads();
  return true;
}

void ColumnTrains::note_entry(const rules::DdrEvent& event) {
  last_port_ = event.port;
  last_end_ = event.address + bytes_;
  const rules::DdrQueue reads = queue();
  ordered_ = continues_order(reads.requests + reads.size - 1, ordered_) ? ordered_ + 1 : 1;
}

// A read that is taken from among those in order leaves a gap there.
void ColumnTrains::note_pick(const rules::DdrPick& pick) {
  ordered_ = std::min(ordered_, entered() - pick.index);
  picks_[pick_count_++ % picks_.size()] = pick.edge;
}

// Notes reads that were decided at once: so many waited in the controller, and the others enter one per edge from
// `arrival` on.
void ColumnTrains::note_decided(int port, const ColumnEdges& edges, int waiting, Edge arrival) {
  for (int i = std::max(0, edges.count - static_cast<int>(picks_.size())); i < edges.count; ++i)
    picks_[(pick_count_ + static_cast<std::size_t>(i)) % picks_.size()] = edges.pick(i);
  pick_count_ += static_cast<std::size_t>(edges.count);
  const int entering = std::max(0, edges.count - waiting);
  ports_.drop_reads(port, edges.count - entering, entering);
  ordered_ = std::min(ordered_, entered());
  if (entering > 0) {
    last_port_ = port;
    last_end_ += static_cast<std::uint64_t>(entering) * bytes_;
    ports_.hold_reads(std::max(arrival + entering, last_pick(part_.read_queue + 1) + 2));
  }
  hold_reads();
}

// An access enters at an edge behind the pick that makes room for it.
void ColumnTrains::hold_reads() {
  if (const int room = ports_.controller().room(false); room > 0) ports_.hold_reads(last_pick(room) + 1);
}

// Returns the `back`-th last pick of a read.
Edge ColumnTrains::last_pick(int back) const {
  return picks_[(pick_count_ - static_cast<std::size_t>(back)) % picks_.size()];
}

bool ColumnTrains::decide_burst(int port, const ColumnReads& reads, bool followed, Edge until, ColumnEdges& edges) {
  if (ports_.ready(false) != rules::DdrPick::kNever || !ports_.controller().empty() ||
      !in_one_block(reads.address, reads.end(bytes_) - 1))
    return false;
  const bool follows = continues(port, reads.address) && !ports_.state().writing;
  const std::uint64_t second = reads.address + bytes_;
  const ColumnSequence sequence{
      {row_of(reads.address), row_of(in_one_block(reads.address, second) ? second : reads.address)},
      reads.count,
      std::max(reads.ready, ports_.read_entry()),
      port,
      followed,
      {}};
  if (!decide_sequence(ports_.state(), part_, sequence, follows, std::min(until, ports_.ready(true)), edges))
    return false;
  last_end_ = reads.address;
  note_decided(port, edges, 0, sequence.arrival);
  return true;
}

ColumnTrains::Waiting ColumnTrains::waiting(int port, int id, Edge seen) {
  if (last_port_ != port) return {};
  const int first = waiting_in_order(seen);
  if (first == 0 || waiting(0).port != port || waiting(0).id != id) return {};
  const std::deque<rules::DdrAccess>& own = ports_.reads_at(port);
  for (int other = 0; other < ports_.count(); ++other)
    if (other != port && !ports_.reads_at(other).empty()) return {};
  if (!own.empty()) {
    const std::uint64_t next = own.front().address, last = own.back().address;
    if (next != last_end_ || last != next + (own.size() - 1) * bytes_ || !in_one_block(last_end_ - 1, last)) return {};
  }
  row_of(last_end_ - bytes_);
  if (!in_order() && !(keeps_to_turns(rows_[0]) && keeps_to_turns(rows_[1]))) return {};
  const int all = entered() + static_cast<int>(own.size());
  return {first == entered() && turns_go_on() ? all : first, all};
}

// The number of reads that wait in order, no writes, if the first waits for nothing but other reads, seen from `seen`
// on.
int ColumnTrains::waiting_in_order(Edge seen) const {
  const rules::DdrHeads heads = ports_.controller().heads();
  if (heads.reads.size == 0 || heads.writes.size > 0) return 0;
  const DdrRequest& read = waiting(0);
  const Edge from = std::max(seen, read.arrival + 1);
  if (bank(read.place).row != read.place.row || bank(read.place).column > from) return 0;
  const rules::BankedDdrState& state = ports_.state();
  if (state.command_count > 0) {
    const rules::DdrCommand& last = state.commands[static_cast<std::size_t>(state.command_count - 1)];
    if (last.write && last.edge > from) return 0;
  }
  return in_order() ? heads.reads.size : waiting_in_turns();
}

// Returns whether the reads that wait, if any, are in order with nothing left out.
bool ColumnTrains::in_order() const {
  const int last = entered() - 1;
  return ordered_ == entered() && (last < 0 || waiting(last).id == waiting(0).id + last);
}

// Reads to open rows of two groups: of each group the oldest goes first, as none comes sooner. The first ones that go
// to these in turns are as good as in order, and the others wait for them.
int ColumnTrains::waiting_in_turns() const {
  const rules::DdrQueue reads = queue();
  const int turns = first_in_turns(reads);
  int first = 0;
  while (first < turns && bank(waiting(first).place).column <= ports_.state().decided + std::max(1, first)) ++first;
  if (first < 2) return 0;
  const bool open = std::all_of(reads.requests, reads.requests + reads.size,
                                [&](const DdrRequest& read) { return keeps_to_turns(read.place); });
  return open ? first : 0;
}

// Returns whether reads to a place leave those that wait their turns. Their row must be open, and they must not come
// sooner. A read to a third group may come sooner if tCCD_L is long, or if a command is decided that comes after the
// last pick: the read may fit before that command where both groups of the turns do not.
bool ColumnTrains::keeps_to_turns(const DdrPlace& place) const {
  if (bank(place).row != place.row) return false;
  if (place.group == waiting(0).place.group || place.group == waiting(1).place.group) return true;
  return part_.tccd_l <= 2 * part_.tccd_s && !commands_to_come();
}

// Returns whether a command is decided that comes after the last pick.
bool ColumnTrains::commands_to_come() const {
  const rules::BankedDdrState& state = ports_.state();
  const int last = state.command_count - 1;
  return last >= 0 && state.commands[static_cast<std::size_t>(last)].edge > state.decided;
}

// Returns whether the next reads in order to the last one that entered go on to take turns.
bool ColumnTrains::turns_go_on() {
  if (in_order()) return true;
  const std::array<DdrPlace, 2> next = next_rows();
  return next[0].group == waiting(entered() - 2).place.group && next[1].group == waiting(entered() - 1).place.group;
}

bool ColumnTrains::follows_waiting(int port, const ColumnReads& reads) {
  const std::uint64_t end = last_end_ + ports_.reads_at(port).size() * bytes_;
  return reads.address == end && in_one_block(end - 1, reads.end(bytes_) - 1) && turns_go_on();
}

// Reads that have not entered do so as picks make room for them, one per edge, in time for their own picks.
bool ColumnTrains::decide_waiting(int port, int count, const More& more, Edge until, ColumnEdges& edges) {
  const std::deque<rules::DdrAccess>& own = ports_.reads_at(port);
  const int waiting = entered(), requested = waiting + static_cast<int>(own.size());
  // This is the arrival of the first read to enter, unless it waits for the first of these picks.
  const Edge arrival = std::max(own.empty() ? more.first : own.front().ready, ports_.read_entry());
  const auto in_time = [&](int read, Edge ahead) {
    if (read < waiting) return true;
    const Edge ready = read < requested ? own[static_cast<std::size_t>(read - waiting)].ready : ahead;
    return std::max(arrival, ready) <= due(waiting);
  };
  if (!in_time(count - 1, more.last)) return false;
  ColumnSequence sequence{next_rows(), count, this->waiting(0).arrival, port, false, queue()};
  if (waiting % 2 != 0) std::swap(sequence.rows[0], sequence.rows[1]);
  sequence.followed = more.next != rules::DdrPick::kNever && in_time(count, more.next);
  if (!came_in_time(std::max(2, count + sequence.followed))) return false;
  if (!decide_sequence(ports_.state(), part_, sequence, true, std::min(until, ports_.ready(true)), edges)) return false;
  note_decided(port, edges, waiting, arrival);
  return true;
}

// Returns whether so many of the reads that wait came before their turns and waited for nothing but each other.
bool ColumnTrains::came_in_time(int count) const {
  const rules::DdrQueue reads = queue();
  for (int i = 1; i < reads.size; ++i)
    if ((i < count && waiting(i).arrival > due(i)) || waiting(i).port != waiting(0).port) return false;
  return true;
}

// Returns the last edge at which a read that waits behind the first one must have arrived.
Edge ColumnTrains::due(int read) const {
  const Edge first = waiting(0).arrival, decided = ports_.state().decided;
  return read == 1 ? std::max(first + 1, decided) : std::max(first, decided) + read;
}

bool ColumnTrains::follows(const ColumnReads& reads, const ColumnReads& next) const {
  return next.address == reads.end(bytes_) && in_one_block(reads.address, next.end(bytes_) - 1);
}

bool ColumnTrains::can_wait(int port, const ColumnReads& reads) const {
  return ports_.ready(false) == rules::DdrPick::kNever && continues(port, reads.address) && ordered_ == entered() &&
         stays_first(ports_.state(), part_, queue(), {reads.ready, part_.mapping(reads.address), port, 0});
}

// Returns whether the address is next in order to the last read.
bool ColumnTrains::continues(int port, std::uint64_t address) const {
  return port == last_port_ && address == last_end_ && in_one_block(last_end_ - 1, address);
}

bool ColumnTrains::in_one_block(std::uint64_t address, std::uint64_t next) const {
  return (address ^ next) < part_.mapping.in_order_bytes();
}

// Returns the place of an access but for its column.
const DdrPlace& ColumnTrains::row_of(std::uint64_t address) {
  const std::uint64_t size = part_.mapping.in_order_bytes();
  if (block_ != (address & ~(size - 1))) {
    block_ = address & ~(size - 1);
    rows_ = {part_.mapping(block_), part_.mapping(block_ + (size > bytes_ ? bytes_ : 0))};
  }
  return rows_[(address & bytes_) != 0];
}

// Returns the rows of the two reads after the last one that entered, if they are in order.
std::array<DdrPlace, 2> ColumnTrains::next_rows() {
  const DdrPlace first = row_of(last_end_);
  return {first, rows_[(last_end_ & bytes_) == 0]};
}

}  // namespace fansim::timing::trains
