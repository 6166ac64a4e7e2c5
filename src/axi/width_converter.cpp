// SPDX-License-Identifier: Apache-2.0
#include "axi/width_converter.h"

#include <algorithm>
#include <cstring>

namespace fansim::axi {

namespace {
std::uint64_t bytes(int count) { return static_cast<std::uint64_t>(count); }
}  // namespace

WidthConverter::WidthConverter(const sc_core::sc_module_name& name, const contract::WidthConverterConfig& config)
    : Module(name),
      config_(config),
      manager_bytes_(config.manager_bytes()),
      subordinate_bytes_(config.subordinate_bytes()),
      reads_(config.outstanding),
      writes_(config.outstanding),
      answers_(config.outstanding) {}

[[gnu::flatten]] void WidthConverter::step() {
  if (reads_.empty() && !read_gear_.full && answers_.empty() && s_ar.empty() && s_aw.empty()) {
    sleep();
    return;
  }
  hand_over(m_ar, read_open_);
  hand_over(m_aw, write_open_);
  respond();
  if (config_.up()) {
    spread_reads();
    gather_writes();
  } else {
    gather_reads();
    spread_writes();
  }
  take_bursts();
}

template <class Burst>
void WidthConverter::hand_over(sim::StreamOut<Burst>& out, Open<Burst>& open) {
  if (open.beats == 0 || !out.can_push()) return;
  open.next.beats = std::min(open.beats, config_.burst_beats);
  out.push(open.next);
  open.beats -= open.next.beats;
  open.next.address += bytes(open.next.beats * subordinate_bytes_);
  splits_ += open.beats > 0;
}

// Begins to pass `burst` on.
template <class Burst>
WidthConverter::Flight WidthConverter::open(const Burst& burst, Open<Burst>& open) {
  open.next = burst;
  open.next.address = burst.address / bytes(subordinate_bytes_) * bytes(subordinate_bytes_);
  open.beats = subordinate_beats(burst.address, burst.beats);
  return {burst.address, burst.beats, (open.beats + config_.burst_beats - 1) / config_.burst_beats, Resp::okay};
}

// Returns how many beats of the subordinate hold `beats` beats of the manager from `address` on.
int WidthConverter::subordinate_beats(std::uint64_t address, int beats) const {
  const auto first = static_cast<int>(address % bytes(subordinate_bytes_));
  return (first + beats * manager_bytes_ + subordinate_bytes_ - 1) / subordinate_bytes_;
}

void WidthConverter::take_bursts() {
  if (read_open_.beats == 0 && s_ar.can_pop() && !reads_.full() && (reads_.empty() || s_ar.front().id == read_id_)) {
    read_id_ = s_ar.front().id;
    reads_.push(open(s_ar.pop(), read_open_));
  }
  if (write_open_.beats == 0 && s_aw.can_pop() && !answers_.full() &&
      (answers_.empty() || s_aw.front().id == write_id_)) {
    write_id_ = s_aw.front().id;
    const Flight flight = open(s_aw.pop(), write_open_);
    writes_.push(flight);
    answers_.push(flight);
  }
}

// Up: one wide read beat makes several narrow ones.
void WidthConverter::spread_reads() {
  Gear& gear = read_gear_;
  if (gear.full && s_r.can_push()) {
    Flight& flight = reads_.front();
    ReadBeat& beat = s_r.push();
    std::memcpy(beat.data.data(), gear.data.data() + gear.lane, static_cast<std::size_t>(manager_bytes_));
    beat.resp = gear.resp;
    beat.id = gear.id;
    beat.last = --flight.beats == 0;
    flight.address += bytes(manager_bytes_);
    gear.lane += manager_bytes_;
    ++read_beats_;
    gear.full = !beat.last && gear.lane < subordinate_bytes_;
    if (beat.last) reads_.pop();
  }
  if (gear.full || !m_r.can_pop()) return;
  const ReadBeat& beat = m_r.pop();
  gear.data = beat.data;
  gear.resp = beat.resp;
  gear.id = beat.id;
  gear.lane = static_cast<int>(reads_.front().address % bytes(subordinate_bytes_));
  gear.full = true;
}

// Down: several narrow read beats make a wide one.
void WidthConverter::gather_reads() {
  Gear& gear = read_gear_;
  if (gear.full && s_r.can_push()) {
    s_r.push({gear.data, gear.last, gear.resp, gear.id});
    ++read_beats_;
    gear.full = false;
    gear.lane = 0;
    gear.resp = Resp::okay;
  }
  if (gear.full || !m_r.can_pop()) return;
  const ReadBeat& beat = m_r.pop();
  std::memcpy(gear.data.data() + gear.lane, beat.data.data(), static_cast<std::size_t>(subordinate_bytes_));
  gear.resp = worst(gear.resp, beat.resp);
  gear.id = beat.id;
  gear.lane += subordinate_bytes_;
  if (gear.lane < manager_bytes_) return;
  gear.full = true;
  gear.last = --reads_.front().beats == 0;
  if (gear.last) reads_.pop();
}

// Called before the first beat of its data is taken, when all beats of the burst before have been sent.
void WidthConverter::begin_writing(const Flight& flight) {
  if (to_send_ == 0) to_send_ = subordinate_beats(flight.address, flight.beats);
}

// Counts a beat that is sent to the subordinate. Returns whether it is the last one of its part.
bool WidthConverter::ends_part() {
  if (part_beats_ == 0) part_beats_ = std::min(to_send_, config_.burst_beats);
  --to_send_;
  return --part_beats_ == 0;
}

// Up: several narrow write beats make a wide one.
void WidthConverter::gather_writes() {
  Gear& gear = write_gear_;
  if (gear.full && m_w.can_push()) {
    m_w.push({gear.data, gear.strobe, ends_part()});
    ++write_beats_;
    gear.full = false;
    gear.strobe = 0;
  }
  if (gear.full || writes_.empty() || !s_w.can_pop()) return;
  Flight& flight = writes_.front();
  begin_writing(flight);
  const WriteBeat& beat = s_w.pop();
  const auto lane = static_cast<int>(flight.address % bytes(subordinate_bytes_));
  std::memcpy(gear.data.data() + lane, beat.data.data(), static_cast<std::size_t>(manager_bytes_));
  gear.strobe |= (beat.strobe & byte_mask(manager_bytes_)) << lane;
  flight.address += bytes(manager_bytes_);
  const bool last = --flight.beats == 0;
  gear.full = last || lane + manager_bytes_ == subordinate_bytes_;
  if (beat.last != last) violation("WLAST is not on the burst's last beat");
  if (last) writes_.pop();
}

// Down: one wide write beat makes several narrow ones.
void WidthConverter::spread_writes() {
  Gear& gear = write_gear_;
  if (gear.full && m_w.can_push()) {
    WriteBeat& beat = m_w.push();
    std::memcpy(beat.data.data(), gear.data.data() + gear.lane, static_cast<std::size_t>(subordinate_bytes_));
    beat.strobe = gear.strobe >> gear.lane & byte_mask(subordinate_bytes_);
    beat.last = ends_part();
    gear.lane += subordinate_bytes_;
    gear.full = gear.lane < manager_bytes_;
    ++write_beats_;
  }
  if (gear.full || writes_.empty() || !s_w.can_pop()) return;
  Flight& flight = writes_.front();
  begin_writing(flight);
  const WriteBeat& beat = s_w.pop();
  gear.data = beat.data;
  gear.strobe = beat.strobe;
  gear.lane = 0;
  gear.full = true;
  if (beat.last != (--flight.beats == 0)) violation("WLAST is not on the burst's last beat");
  if (beat.last) writes_.pop();
}

void WidthConverter::respond() {
  if (answered_ && s_b.can_push()) {
    s_b.push({answers_.front().resp, write_id_});
    answers_.pop();
    answered_ = false;
  }
  if (answered_ || !m_b.can_pop()) return;
  Flight& flight = answers_.front();
  flight.resp = worst(flight.resp, m_b.pop().resp);
  answered_ = --flight.parts == 0;
}

}  // namespace fansim::axi
