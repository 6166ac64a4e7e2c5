// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "accelerators/decoupled/config/config.h"
#include "accelerators/decoupled/config/transfers.h"
#include "timing/row_reads.h"
#include "timing/row_writes.h"

namespace fansim::decoupled {

// Times one lane of a load unit, which makes a command's transfers of its planes one after the other.
class LoadLaneTime {
 public:
  LoadLaneTime(const Config& config, timing::Memory& memory, int port, bool closed_forms);

  // Begins a command's transfers at edge `at`.
  void begin(const Transfers& transfers, timing::Edge at);
  // Goes on as far as edges can be computed now. Returns false if that is nowhere.
  bool advance();
  bool ask() { return reads_.ask(); }
  bool done() const { return !transfers_; }
  timing::Edge ended() const { return at_ - 1; }
  std::int64_t bytes() const { return reads_.bytes(); }

 private:
  void next();

  const int beat_bytes_, pad_interval_, row_setup_;
  timing::RowReads reads_;
  std::optional<Transfers> transfers_;
  Transfer transfer_;
  std::int64_t left_ = 0;  // beats left of the transfer
  timing::Edge at_ = 0;    // the first edge at which nothing has been done
};

// Times one lane of the store unit.
class StoreLaneTime {
 public:
  StoreLaneTime(const Config& config, timing::Memory& memory, int port, bool closed_forms);

  void begin(const Transfers& transfers, timing::Edge at, int beat_interval);
  bool advance();
  bool ask() { return !writes_.done() && writes_.ask(); }
  bool done() const { return !transfers_; }
  timing::Edge ended() const { return at_ - 1; }
  std::int64_t bytes() const { return writes_.bytes(); }
  timing::RowWrites& writes() { return writes_; }

 private:
  void next();

  const int beat_bytes_, row_setup_;
  timing::RowWrites writes_;
  std::optional<Transfers> transfers_;
  bool writing_ = false;
  std::int64_t left_ = 0;
  timing::Edge interval_ = 1, at_ = 0;
};

}  // namespace fansim::decoupled
