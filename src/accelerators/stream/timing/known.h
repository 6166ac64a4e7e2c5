// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "accelerators/stream/timing/known_jobs.h"
#include "accelerators/stream/timing/known_transfers.h"

namespace fansim::stream {

// What has been seen of a layer's jobs, on such an array, and of its transfers, through such a port and memory.
struct Known {
  KnownJobs jobs;
  KnownTransfers transfers;
};

}  // namespace fansim::stream
