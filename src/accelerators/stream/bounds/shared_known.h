// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <utility>

#include "accelerators/known_by_key.h"
#include "accelerators/stream/bounds/layer_time.h"
#include "accelerators/stream/config/config.h"
#include "accelerators/stream/timing/known.h"

namespace fansim::stream {

// Holds what the layers of a search share: cached jobs by their array, and cached transfers by their port and memory.
// It may be used by several threads.
class SharedKnown {
 public:
  struct Keys {
    explicit Keys(const Config& config) : array(array_key(config.array)), transfers(transfers_key(config)) {}
    std::string array, transfers;
  };

  Known take(const Keys& by) { return {jobs_.take(by.array), transfers_.take(by.transfers)}; }
  void give(const Keys& by, Known known) {
    jobs_.give(by.array, std::move(known.jobs));
    transfers_.give(by.transfers, std::move(known.transfers));
  }

 private:
  // A job takes about 300 bytes, and a cached result of a transfer about 100.
  accelerators::KnownByKey<KnownJobs> jobs_{std::size_t{1} << 17};
  accelerators::KnownByKey<KnownTransfers> transfers_{std::size_t{1} << 18};
};

}  // namespace fansim::stream
