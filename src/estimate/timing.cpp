// SPDX-License-Identifier: Apache-2.0
#include "estimate/timing.h"

#include <fmt/format.h>

namespace fansim::estimate {

const char* name(TimingVerdict verdict) {
  switch (verdict) {
    case TimingVerdict::fits:
      return "fits";
    case TimingVerdict::cannot_tell:
      return "cannot_tell";
    case TimingVerdict::does_not_fit:
      return "does_not_fit";
  }
  return "";
}

const char* words(TimingVerdict verdict) {
  switch (verdict) {
    case TimingVerdict::fits:
      return "fits";
    case TimingVerdict::cannot_tell:
      return "cannot tell";
    case TimingVerdict::does_not_fit:
      return "does not fit";
  }
  return "";
}

TimingVerdict Timing::verdict() const {
  if (clock_hz <= least_hz) return TimingVerdict::fits;
  return clock_hz <= most_hz ? TimingVerdict::cannot_tell : TimingVerdict::does_not_fit;
}

std::string Timing::text() const {
  std::string fmax = fmt::format("Fmax {:.0f} MHz", fmax_hz / 1e6);
  if (uncertainty > 0) fmax += fmt::format(" +-{:.0f} %", 1e2 * uncertainty);
  if (least_hz < most_hz) fmax += fmt::format(" ({:.4g} to {:.4g} MHz)", least_hz / 1e6, most_hz / 1e6);
  switch (verdict()) {
    case TimingVerdict::fits:
      return fmt::format("meets {:.6g} MHz: {}", clock_hz / 1e6, fmax);
    case TimingVerdict::cannot_tell:
      return fmt::format("cannot tell whether it meets {:.6g} MHz: {}", clock_hz / 1e6, fmax);
    case TimingVerdict::does_not_fit:
      return fmt::format("clock {:.6g} MHz above {}", clock_hz / 1e6, fmax);
  }
  return "";
}

Timing timing(double clock_hz, const Fmax& fmax) {
  return {clock_hz, fmax.hz, fmax.least_hz, fmax.most_hz, fmax.uncertainty()};
}

std::vector<std::string> misfits(const Estimate& cost, const Timing& timing, bool allow_slack) {
  std::vector<std::string> reasons = cost.fit.reasons;
  if (timing.missed() && !allow_slack) reasons.push_back(timing.text());
  return reasons;
}

}  // namespace fansim::estimate
