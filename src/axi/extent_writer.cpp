// SPDX-License-Identifier: Apache-2.0
#include "axi/extent_writer.h"

#include <fmt/format.h>

#include <bitset>

#include "rules/burst.h"

namespace fansim::axi {

ExtentWriter::ExtentWriter(const sc_core::sc_module_name& name, const contract::ExtentPortConfig& config)
    : Module(name),
      axi_(config.axi()),
      buffer_(config.buffer_beats()),
      leaving_(config.outstanding),
      unanswered_(config.outstanding) {}

[[gnu::flatten]] void ExtentWriter::step() {
  if (idle() && runs.empty() && beats.empty() && b.empty()) {
    sleep();
    return;
  }
  if (to_issue_ == 0 && runs.can_pop()) start();
  if (to_issue_ > 0) issue();
  if (beats.can_pop()) accept();
  if (!leaving_.empty() && w.can_push()) send();
  if (b.can_pop()) answer();
}

void ExtentWriter::start() {
  const contract::Extent& extent = runs.pop();
  if (extent.beats <= 0 || extent.address % static_cast<std::uint32_t>(axi_.beat_bytes()) != 0)
    violation(fmt::format("a run of {} beats at {:#x}", extent.beats, extent.address));
  address_ = extent.address;
  to_issue_ = extent.beats;
  ends_tile_ = extent.last;
  ++runs_taken_;
}

void ExtentWriter::issue() {
  const int length = rules::burst_beats(address_, to_issue_, axi_);
  if (unissued_ < length || unanswered_.full() || !aw.can_push()) return;
  aw.push({address_, length, 0});
  unissued_ -= length;
  to_issue_ -= length;
  address_ += static_cast<std::uint64_t>(length) * static_cast<std::uint64_t>(axi_.beat_bytes());
  leaving_.push({length, to_issue_ == 0});
  unanswered_.push({to_issue_ == 0 && ends_tile_});
  ++bursts_;
}

void ExtentWriter::accept() {
  if (buffer_.full()) {
    ++stalls_;
    return;
  }
  buffer_.push(beats.pop());
  ++unissued_;
}

void ExtentWriter::send() {
  Burst& burst = leaving_.front();
  const contract::ExtentBeat& beat = buffer_.front();
  const bool last = --burst.beats == 0;
  if (beat.last != (last && burst.ends_extent))
    violation(fmt::format("a run's last beat is {} with {} beats of its burst to come", int{beat.last}, burst.beats));
  w.push({beat.data, beat.strobe, last});
  ++beats_sent_;
  bytes_ += static_cast<std::int64_t>(std::bitset<64>(beat.strobe).count());
  buffer_.pop();
  if (last) leaving_.pop();
}

void ExtentWriter::answer() {
  if (unanswered_.size() == leaving_.size()) violation("a response to data that have not been sent");
  const bool ends_tile = unanswered_.front().ends_tile;
  if (ends_tile && !written.can_push()) return;
  const Resp resp = b.pop().resp;
  if (resp > Resp::exokay) violation(fmt::format("BRESP is {}", resp == Resp::slverr ? "SLVERR" : "DECERR"));
  if (ends_tile) written.push();
  unanswered_.pop();
}

std::string ExtentWriter::waiting_for() const {
  if (idle()) return {};
  return unanswered_.empty() ? "the beats of its burst" : "write responses";
}

}  // namespace fansim::axi
