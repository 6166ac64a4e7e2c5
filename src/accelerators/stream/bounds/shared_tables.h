// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <utility>

#include "accelerators/stream/bounds/layer_time.h"
#include "accelerators/stream/config/config.h"
#include "accelerators/stream/replay/tables.h"
#include "accelerators/tables_by_key.h"

namespace fansim::stream {

// Holds what the layers of a search share: cached jobs by their array, and cached transfers by their port and memory.
// It may be used by several threads.
class SharedTables {
 public:
  struct Keys {
    explicit Keys(const Config& config) : array(array_key(config.array)), transfers(transfers_key(config)) {}
    std::string array, transfers;
  };

  ReplayTables take(const Keys& by) { return {jobs_.take(by.array), transfers_.take(by.transfers)}; }
  void give(const Keys& by, ReplayTables tables) {
    jobs_.give(by.array, std::move(tables.jobs));
    transfers_.give(by.transfers, std::move(tables.transfers));
  }

 private:
  // A job takes about 300 bytes, and a cached result of a transfer about 100.
  accelerators::TablesByKey<JobTable> jobs_{std::size_t{1} << 17};
  accelerators::TablesByKey<TransferTable> transfers_{std::size_t{1} << 18};
};

}  // namespace fansim::stream
