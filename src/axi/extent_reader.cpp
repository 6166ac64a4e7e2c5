// SPDX-License-Identifier: Apache-2.0
#include "axi/extent_reader.h"

#include <fmt/format.h>

#include <algorithm>

#include "rules/burst.h"

namespace fansim::axi {

ExtentReader::ExtentReader(const sc_core::sc_module_name& name, const contract::ExtentPortConfig& config)
    : Module(name), axi_(config.axi()), bursts_(config.outstanding, config.gap) {}

[[gnu::flatten]] void ExtentReader::step() {
  if (to_issue_ == 0 && bursts_.empty() && runs.empty() && r.empty()) {
    sleep();
    return;
  }
  if (to_issue_ == 0 && runs.can_pop()) start();
  if (to_issue_ > 0) issue();
  take();
}

void ExtentReader::start() {
  const contract::Extent& extent = runs.pop();
  if (extent.beats <= 0 || extent.address % static_cast<std::uint32_t>(axi_.beat_bytes()) != 0)
    violation(fmt::format("a run of {} beats at {:#x}", extent.beats, extent.address));
  address_ = extent.address;
  to_issue_ = extent.beats;
  ++runs_taken_;
}

void ExtentReader::issue() {
  if (bursts_.full() || !ar.can_push()) return;
  const int length = rules::burst_beats(address_, to_issue_, axi_);
  ar.push({address_, length, 0});
  to_issue_ -= length;
  address_ += static_cast<std::uint64_t>(length) * static_cast<std::uint64_t>(axi_.beat_bytes());
  bursts_.issued(length, to_issue_ == 0);
  ++bursts_issued_;
}

void ExtentReader::take() {
  if (bursts_.in_gap(now())) {
    if (!bursts_.empty()) ++gaps_;
    return;
  }
  if (!r.can_pop()) {
    if (!bursts_.empty()) ++waits_;
    return;
  }
  if (!beats.can_push()) {
    ++stalls_;
    return;
  }
  const ReadBeat& taken = r.pop();
  contract::ExtentBeat& beat = beats.push();
  std::copy_n(taken.data.data(), axi_.beat_bytes(), beat.data.data());
  beat.last = taken.last && !bursts_.empty() && bursts_.ends_extent();
  const std::string broken = bursts_.take(taken, now());
  if (!broken.empty()) violation(broken);
  ++beats_taken_;
}

std::string ExtentReader::waiting_for() const { return bursts_.empty() ? "" : "read data"; }

}  // namespace fansim::axi
