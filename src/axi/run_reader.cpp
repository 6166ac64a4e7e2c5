// SPDX-License-Identifier: Apache-2.0
#include "axi/run_reader.h"

#include <fmt/format.h>

#include <algorithm>

#include "rules/burst.h"

namespace fansim::axi {

RunReader::RunReader(const sc_core::sc_module_name& name, const contract::RunPortConfig& config)
    : Module(name), axi_(config.axi()), bursts_(config.outstanding, config.gap) {}

[[gnu::flatten]] void RunReader::step() {
  if (to_issue_ == 0 && bursts_.empty() && runs.empty() && r.empty()) return sleep();
  if (to_issue_ == 0 && runs.can_pop()) start();
  if (to_issue_ > 0) issue();
  take();
}

void RunReader::start() {
  const contract::Run& run = runs.pop();
  if (run.beats <= 0 || run.address % static_cast<std::uint32_t>(axi_.beat_bytes()) != 0)
    violation(fmt::format("a run of {} beats at {:#x}", run.beats, run.address));
  address_ = run.address;
  to_issue_ = run.beats;
  ++runs_taken_;
}

void RunReader::issue() {
  if (bursts_.full() || !ar.can_push()) return;
  const int length = rules::burst_beats(address_, to_issue_, axi_);
  ar.push({address_, length, 0});
  to_issue_ -= length;
  address_ += static_cast<std::uint64_t>(length) * static_cast<std::uint64_t>(axi_.beat_bytes());
  bursts_.issued(length, to_issue_ == 0);
  ++bursts_issued_;
}

void RunReader::take() {
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
  contract::RunBeat& beat = beats.push();
  std::copy_n(taken.data.data(), axi_.beat_bytes(), beat.data.data());
  beat.last = taken.last && !bursts_.empty() && bursts_.ends_run();
  const std::string broken = bursts_.take(taken, now());
  if (!broken.empty()) violation(broken);
  ++beats_taken_;
}

std::string RunReader::waiting_for() const { return bursts_.empty() ? "" : "read data"; }

}  // namespace fansim::axi
