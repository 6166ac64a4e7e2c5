// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "accelerators/stream/timing/packing.h"
#include "timing/memory.h"

namespace fansim::stream {

// A burst of a transfer, and when its address is pushed.
struct Outgoing {
  int beats;
  timing::Edge pushed;
};

// What is between the output buffer and the DMA's FIFO.
struct Packed {
  Packing packing;
  std::int64_t accepted = 0;  // stream beats
};

// What is known of a tile's transfers that differ only in when they come; edges count from the write of the
// destination.
struct KnownTransfer {
  // What came of one.
  struct Outcome {
    timing::WholeWrite write;
    timing::Edge idle_from, answered;
  };
  // Of one that met a read, with the beats of that until its last burst.
  struct Met {
    Outcome outcome;
    std::int64_t beats;
  };

  bool realigned = false;
  std::int64_t beats = 0;
  // The first bursts, which neither FIFO nor slots can hold up, and what is left by the last.
  std::vector<Outgoing> bursts;
  Packed packed;
  std::optional<Outcome> quiet;         // on a bus at rest
  std::vector<std::optional<Met>> met;  // by the edges for which the read's burst held up the first
};

// The transfers of layers are of a few kinds, over and over: what has been seen of them through one kind of port and
// memory, by their bytes, how far into a beat they begin and, if they cross a boundary, how far from it.
class KnownTransfers {
 public:
  // What has been learnt.
  std::size_t size() const { return learnt_; }
  // Stays where it is. `fresh` says what is known of it before it was seen.
  template <class Fresh>
  KnownTransfer& find(std::int64_t key, Fresh&& fresh) {
    const auto [found, is_fresh] = kinds_.try_emplace(key);
    if (is_fresh) found->second = fresh(), ++learnt_;
    return found->second;
  }
  void learn(KnownTransfer& kind, std::size_t held_up, const KnownTransfer::Met& met) {
    if (held_up >= kind.met.size()) learnt_ += held_up + 1 - kind.met.size(), kind.met.resize(held_up + 1);
    kind.met[held_up] = met;
  }

 private:
  std::unordered_map<std::int64_t, KnownTransfer> kinds_;
  std::size_t learnt_ = 0;
};

}  // namespace fansim::stream
