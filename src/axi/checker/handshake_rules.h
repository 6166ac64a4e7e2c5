// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <string>

#include "axi/checker/findings.h"

namespace fansim::axi {

// The rules of one channel's handshake (IHI 0022 A3.1.2, A3.2.1):
//   valid_in_reset   valid high during reset or at the first edge after it
//   valid_dropped    valid taken back before ready
//   payload_changed  payload other than at the edge before, on whichever stalled edge
//   hang             a beat waits for ready longer than `patience` edges
template <class View>
class HandshakeRules {
 public:
  HandshakeRules(std::string channel, std::int64_t patience) : channel_(std::move(channel)), patience_(patience) {}

  // `changed(now, before)` returns the name of a field that differs, or null.
  template <class Changed>
  void edge(const View& now, bool resetn, std::int64_t cycle, Findings& findings, const Changed& changed) {
    if (!now.valid && !stalled_) {
      was_resetn_ = resetn;
      return;
    }
    if (now.valid && !(resetn && was_resetn_))
      report("valid_in_reset", cycle, "valid is high in reset or at the first edge after it", findings);
    if (stalled_ && resetn) {
      ++waited_;
      const char* field = now.valid ? changed(now, before_) : nullptr;
      if (!now.valid) report("valid_dropped", cycle, "valid fell before ready", findings);
      if (field) report("payload_changed", cycle, fmt::format("{} changed while waiting for ready", field), findings);
    }
    stalled_ = now.valid && !now.ready && resetn;
    if (!stalled_) waited_ = 0;
    if (stalled_ && waited_ == patience_)
      report("hang", cycle, fmt::format("valid has waited {} cycles for ready", patience_), findings);
    was_resetn_ = resetn;
    if (stalled_) before_ = now;
  }

  // Returns whether the beat that was seen last still waits.
  bool stalled() const { return stalled_; }

 private:
  void report(const char* rule, std::int64_t cycle, const std::string& text, Findings& findings) const {
    findings.add(channel_ + "_" + rule, cycle, text);
  }

  const std::string channel_;
  const std::int64_t patience_;
  View before_{};  // the beat while it is stalled
  bool stalled_ = false;
  bool was_resetn_ = true;
  std::int64_t waited_ = 0;
};

}  // namespace fansim::axi
