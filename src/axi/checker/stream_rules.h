// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "axi/checker/axi4_rules.h"

namespace fansim::axi {

// Checks the rules of an AXI4-Stream interface (IHI 0051 2.2), edge by edge: those of its handshake. Bytes that TKEEP
// leaves out may change.
class StreamRules {
 public:
  explicit StreamRules(const CheckerConfig& config) : handshake_("t", config.patience) {}

  void edge(const StreamView& view);
  Findings findings;
  std::int64_t beats() const { return beats_; }

 private:
  HandshakeRules<StreamView> handshake_;
  std::int64_t cycle_ = 0;
  std::int64_t beats_ = 0;
};

}  // namespace fansim::axi
