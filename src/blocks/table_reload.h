// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "arith/lut_kernel.h"

namespace fansim::blocks {

// Says when reconfigurable tables are usable. A reload begins at one edge, because the tables' clock enable is a
// register, and shifts at 32 more. The first word of the new set may be taken at the edge of the last shift. With
// shadow tables, the set that is not read is reloaded as soon as it is free. Without them, the array cannot be used for
// 32 edges, from the edge at which the new set's first word waits.
class TableReload {
 public:
  explicit TableReload(bool shadow) : shadow_(shadow) {}

  bool running() const { return left_ > 0; }
  // Returns whether a set is loaded that was not taken yet.
  bool loaded() const { return loaded_; }
  // Returns whether a reload may start. `word_waits` says that the new set's first word is in front and nothing older
  // still has to read the tables.
  bool may_start(bool word_waits) const { return !running() && !loaded_ && (shadow_ || word_waits); }
  void start() { left_ = arith::kReloadCycles; }
  void shift() {
    if (--left_ == 0) loaded_ = true;
  }
  void take() { loaded_ = false; }
  void reset() {
    left_ = 0;
    loaded_ = false;
  }

 private:
  const bool shadow_;
  int left_ = 0;
  bool loaded_ = false;
};

}  // namespace fansim::blocks
