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

void WidthConverter::step() {
  if (reads_.empty() && !read_gear_.full && answers_.empty() && s_ar.empty() && s_aw.empty()) return sleep();
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
  open.next.beats = std::min(open.beats, kLongest);
  out.push(open.next);
  open.beats -= open.next.beats;
  open.next.address += bytes(open.next.beats * subordinate_bytes_);
  splits_ += open.beats > 0;
}

// Begins to hand `burst` over.
template <class Burst>
WidthConverter::Flight WidthConverter::open(const Burst& burst, Open<Burst>& open) {
  const std::uint64_t end = burst.address + bytes(burst.beats * manager_bytes_);
  open.next = burst;
  open.next.address = burst.address / bytes(subordinate_bytes_) * bytes(subordinate_bytes_);
  open.beats = static_cast<int>((end - open.next.address + bytes(subordinate_bytes_ - 1)) / bytes(subordinate_bytes_));
  return {burst.address, burst.beats, (open.beats + kLongest - 1) / kLongest, Resp::okay};
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

// Up: several narrow write beats make a wide one.
void WidthConverter::gather_writes() {
  Gear& gear = write_gear_;
  if (gear.full && m_w.can_push()) {
    m_w.push({gear.data, gear.strobe, gear.last});
    ++write_beats_;
    gear.full = false;
    gear.strobe = 0;
  }
  if (gear.full || writes_.empty() || !s_w.can_pop()) return;
  Flight& flight = writes_.front();
  const WriteBeat& beat = s_w.pop();
  const auto lane = static_cast<int>(flight.address % bytes(subordinate_bytes_));
  std::memcpy(gear.data.data() + lane, beat.data.data(), static_cast<std::size_t>(manager_bytes_));
  gear.strobe |= (beat.strobe & byte_mask(manager_bytes_)) << lane;
  flight.address += bytes(manager_bytes_);
  gear.last = --flight.beats == 0;
  gear.full = gear.last || lane + manager_bytes_ == subordinate_bytes_;
  if (beat.last != gear.last) violation("WLAST is not on the burst's last beat");
  if (gear.last) writes_.pop();
}

// Down: one wide write beat makes several narrow ones.
void WidthConverter::spread_writes() {
  Gear& gear = write_gear_;
  if (gear.full && m_w.can_push()) {
    WriteBeat& beat = m_w.push();
    std::memcpy(beat.data.data(), gear.data.data() + gear.lane, static_cast<std::size_t>(subordinate_bytes_));
    beat.strobe = gear.strobe >> gear.lane & byte_mask(subordinate_bytes_);
    beat.last = --part_beats_ == 0;
    gear.lane += subordinate_bytes_;
    gear.full = gear.lane < manager_bytes_;
    ++write_beats_;
  }
  if (gear.full || writes_.empty() || !s_w.can_pop()) return;
  Flight& flight = writes_.front();
  if (part_beats_ == 0) part_beats_ = std::min(flight.beats * (manager_bytes_ / subordinate_bytes_), kLongest);
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
