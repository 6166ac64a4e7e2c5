// SPDX-License-Identifier: Apache-2.0
#include "axi/ram.h"

#include <fmt/format.h>

#include <cstring>

namespace fansim::axi {

Ram::Ram(const sc_core::sc_module_name& name, const contract::RamConfig& config, int beat_bytes,
         std::vector<std::uint8_t>& bytes)
    : Module(name), config_(config), beat_bytes_(beat_bytes), bytes_(bytes) {}

void Ram::step() {
  if (reads_.empty() && writes_.empty() && answers_.empty() && ar.empty() && aw.empty()) {
    sleep();
    return;
  }
  send_read();
  respond();
  take_write();
  accept();
}

void Ram::send_read() {
  if (reads_.empty() || reads_.front().stuck || now() < reads_.front().ready || !r.can_push()) return;
  const Burst& burst = reads_.front();
  ReadBeat& beat = r.push();
  const std::uint64_t from = burst.address + static_cast<std::uint64_t>(sent_ * beat_bytes_);
  if (burst.resp == Resp::okay)
    std::memcpy(beat.data.data(), bytes_.data() + from, static_cast<std::size_t>(beat_bytes_));
  beat.resp = burst.resp;
  beat.id = burst.id;
  beat.last = ++sent_ == burst.beats;
  ++read_beats_;
  if (!beat.last) return;
  reads_.pop();
  sent_ = 0;
}

void Ram::respond() {
  if (answers_.empty() || answers_.front().stuck || now() < answers_.front().ready || !b.can_push()) return;
  b.push({answers_.front().resp, answers_.front().id});
  answers_.pop();
}

void Ram::take_write() {
  if (writes_.empty() || answers_.full() || !w.can_pop()) return;
  Burst& burst = writes_.front();
  const WriteBeat& beat = w.pop();
  const std::uint64_t to = burst.address + static_cast<std::uint64_t>(taken_ * beat_bytes_);
  for (int i = 0; burst.resp == Resp::okay && i < beat_bytes_; ++i)
    if (beat.strobe >> i & 1) bytes_[to + static_cast<std::uint64_t>(i)] = beat.data[static_cast<std::size_t>(i)];
  ++write_beats_;
  if (beat.last != (++taken_ == burst.beats))
    violation(fmt::format("WLAST is {} at beat {} of {}", int{beat.last}, taken_, burst.beats));
  if (!beat.last) return;
  burst.ready = now() + config_.write_latency;
  answers_.push(burst);
  writes_.pop();
  taken_ = 0;
}

void Ram::accept() {
  if (!reads_.full() && ar.can_pop()) {
    const ReadBurst& request = ar.pop();
    reads_.push(burst(request.address, request.beats, request.id));
  }
  if (!writes_.full() && aw.can_pop()) {
    const WriteBurst& request = aw.pop();
    writes_.push(burst(request.address, request.beats, request.id));
  }
}

Ram::Burst Ram::burst(std::uint64_t address, int beats, std::uint8_t id) const {
  const auto size = static_cast<std::uint64_t>(beats) * static_cast<std::uint64_t>(beat_bytes_);
  Resp resp = Resp::okay;
  if (touches(config_.slave_error_page, address)) resp = Resp::slverr;
  if (address > bytes_.size() || size > bytes_.size() - address) resp = Resp::decerr;
  return {address, beats, id, resp, touches(config_.stuck_page, address), now() + config_.read_latency};
}

// Returns whether the burst lies in that page. A burst never crosses a page, because pages have the size of AXI's burst
// boundary.
bool Ram::touches(int page, std::uint64_t address) const {
  return page != 0 && address / contract::RamConfig::kPageBytes == static_cast<std::uint64_t>(page);
}

std::string Ram::waiting_for() const {
  const bool stuck = (!reads_.empty() && reads_.front().stuck) || (!answers_.empty() && answers_.front().stuck);
  return stuck ? "nobody: its stuck_page never answers" : "";
}

}  // namespace fansim::axi
