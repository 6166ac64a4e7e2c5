// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "accelerators/vision/config/job.h"
#include "axi/ring.h"
#include "sim/module.h"
#include "sim/stream.h"

namespace fansim::vision {

constexpr std::size_t kMostSamples = 8;
using Samples = std::array<std::int32_t, kMostSamples>;

// Holds the neighbouring samples of a row that one cycle carries, and beside them those of the second image or the
// results of the second filter.
struct PixelBeat {
  Samples samples{}, second{};
  template <class F>
  void wires(F&& f) const {
    constexpr std::array<const char*, kMostSamples> kNames{"sample0", "sample1", "sample2", "sample3",
                                                           "sample4", "sample5", "sample6", "sample7"};
    for (std::size_t i = 0; i < kMostSamples; ++i) f(kNames[i], static_cast<std::uint16_t>(samples[i]), 16);
  }
};

// Starts a job in a block. The block's registers do not change while the job runs.
struct JobStart {
  const Job* job = nullptr;
};

// Holds beats on their way through a block's registers: a beat that is pushed at edge n leaves at n + latency. Nothing
// in it ever waits, because the reader sends only what the packer has room for.
class Pipeline {
 public:
  explicit Pipeline(int latency) : latency_(latency), beats_(latency + 1) {}

  bool empty() const { return beats_.empty(); }
  PixelBeat& enter(sim::Edge now) {
    Entry& entry = beats_.push();
    entry.at = now + latency_;
    entry.beat = {};
    return entry.beat;
  }
  // Returns the beat that leaves at this edge; null: none does.
  const PixelBeat* leaving(sim::Edge now) const {
    return !beats_.empty() && beats_.front().at == now ? &beats_.front().beat : nullptr;
  }
  void leave() { beats_.pop(); }

 private:
  struct Entry {
    sim::Edge at = 0;
    PixelBeat beat;
  };
  const int latency_;
  axi::Ring<Entry> beats_;
};

}  // namespace fansim::vision
