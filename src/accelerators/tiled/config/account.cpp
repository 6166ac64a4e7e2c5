// SPDX-License-Identifier: Apache-2.0
#include "accelerators/tiled/config/account.h"

namespace fansim::tiled {

// The buckets are in the order of rules::ArrayBucket.
const contract::Account& account() {
  static const contract::Account kAccount{
      {
          {"compute", "cycles in which the engine took a point of a tile"},
          {"drain", "cycles in which the engine had nothing left and sums or outputs were on their way to DDR"},
          {"fill", "cycles in which a tile's first points were being read, or a sum was awaited from the pipeline"},
          {"wait_output", "cycles in which a point or tile was held back because no half of the sums' store was free"},
          {"wait_weights", "cycles in which the engine waited for weights, or for a layer's parameters"},
          {"wait_input", "cycles in which the engine waited for a tile's inputs"},
          {"ddr_refresh",
           "as wait_input or wait_weights, while the oldest outstanding read of that port waited for a DDR refresh"},
          {"ddr_row_miss", "the same, while it waited for a row to be opened (banked DDR only)"},
          {"ddr_turnaround", "the same, while the DDR bus turned around between reads and writes"},
          {"ddr_arbitration", "the same, while the DDR served another requester"},
          {"dma_setup", "always 0: the hardware makes its loads itself"},
          {"host", "cycles in which only the host worked: software, register writes, interrupt latency", true},
          {"idle",
           "cycles in which nothing of the layer was left to do but its end, and up to three edges of a job on the way "
           "between blocks"},
      },
      {}};
  return kAccount;
}

}  // namespace fansim::tiled
