// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "accelerators/stream/replay/job_table.h"
#include "accelerators/stream/replay/transfer_table.h"

namespace fansim::stream {

// What layers on one kind of array, port and memory replay: jobs, and transfers of tiles.
struct ReplayTables {
  JobTable jobs;
  TransferTable transfers;
};

}  // namespace fansim::stream
