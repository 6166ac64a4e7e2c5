// SPDX-License-Identifier: Apache-2.0
#include "accelerators/stream/config/account.h"

namespace fansim::stream {

// The buckets are in the order of rules::ArrayBucket.
const contract::Account& account() {
  static const contract::Account kAccount{
      {
          {"compute", "cycles in which the MAC array took a window"},
          {"drain", "cycles after a job's last window until its results have left the pipeline"},
          {"fill", "cycles in which the line buffers or the window were being filled"},
          {"wait_output", "cycles in which a window was held back because the stages behind the array were full"},
          {"wait_weights", "cycles in which a window or job waited for its weights"},
          {"wait_input", "cycles in which the array waited for input data on its way from DDR"},
          {"ddr_refresh", "as wait_input or wait_weights, while the oldest outstanding read waited for a DDR refresh"},
          {"ddr_row_miss", "the same, while it waited for a row to be opened (banked DDR only)"},
          {"ddr_turnaround", "the same, while the DDR bus turned around between reads and writes"},
          {"ddr_arbitration", "the same, while the DDR served another requester"},
          {"dma_setup", "cycles in which a DMA transfer was being prepared or started and nothing else moved", true},
          {"host", "cycles in which only the host worked: software, register writes, interrupt latency", true},
          {"idle", "cycles in which nothing of the layer was left to do but its end"},
      },
      {}};
  return kAccount;
}

}  // namespace fansim::stream
