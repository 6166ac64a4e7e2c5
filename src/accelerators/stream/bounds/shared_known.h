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

// What the layers of a search share of jobs, by their arrays, and of transfers, by their ports and memories. For
// several threads.
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
  // Some 300 bytes a job, and a hundred for whatever was learnt of a transfer.
  accelerators::KnownByKey<KnownJobs> jobs_{std::size_t{1} << 17};
  accelerators::KnownByKey<KnownTransfers> transfers_{std::size_t{1} << 18};
};

}  // namespace fansim::stream
