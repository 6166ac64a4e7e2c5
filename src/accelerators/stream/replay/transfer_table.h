// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "accelerators/stream/timing/packing.h"
#include "timing/replay/outcome_table.h"
#include "timing/trains/read_train.h"

namespace fansim::stream {

// What becomes of transfers of a tile that differ only in when they come. Edges count from the push of the destination.
struct TransferKind {
  // A burst, and when its address is pushed.
  struct Burst {
    int beats;
    timing::Edge pushed;
  };
  struct Outcome {
    timing::trains::WriteOnBus write;
    timing::Edge idle_from, answered;
  };
  // The outcome of a transfer that met a read, and the beats of the read until the transfer's last burst.
  struct Met {
    Outcome outcome;
    std::int64_t beats;
  };

  // The first bursts, which neither the FIFO nor slots can hold up, and what the last of them leaves: the packer, and
  // the stream beats that were accepted.
  std::vector<Burst> bursts;
  Packing packing;
  std::int64_t accepted = 0;
  std::optional<Outcome> quiet;         // on a quiet bus
  std::vector<std::optional<Met>> met;  // by the edges for which the read's burst held up the first burst
};

// The kinds of transfers through one kind of port and memory. A layer's transfers are of a few kinds, and so are those
// of layers that are alike: by their bytes, how far into a beat they begin and, if they cross a boundary of bursts, how
// far from it.
class TransferTable {
 public:
  // How much the table has learnt.
  std::size_t size() const { return learnt_; }
  // The kind stays where it is.
  TransferKind& find(std::int64_t key) {
    TransferKind* kind = kinds_.find(key);
    if (kind != nullptr) return *kind;
    ++learnt_;
    return *kinds_.add(key, {});
  }
  void learn(TransferKind& kind, std::size_t held_up, const TransferKind::Met& met) {
    if (held_up >= kind.met.size()) {
      learnt_ += held_up + 1 - kind.met.size();
      kind.met.resize(held_up + 1);
    }
    kind.met[held_up] = met;
  }

 private:
  timing::OutcomeTable<std::int64_t, TransferKind> kinds_;
  std::size_t learnt_ = 0;
};

}  // namespace fansim::stream
