// SPDX-License-Identifier: Apache-2.0
#include "contract/layer_counts.h"

namespace fansim::contract {

void subtract(LayerResult& counted, const LayerResult& before, const Account& account) {
  counted.bytes_read -= before.bytes_read;
  counted.bytes_written -= before.bytes_written;
  for (const Counted& row : account.own)
    if (row.aggregation == Aggregation::sum && counted.own.count(row.key) > 0)
      row.set(counted, row.of(counted) - row.of(before));
  for (std::size_t i = 0; i < counted.buckets.size(); ++i) counted.buckets[i] -= before.buckets.at(i);
  for (std::size_t i = 0; i < counted.stages.size(); ++i) {
    counted.stages[i].tiles -= before.stages.at(i).tiles;
    counted.stages[i].beats -= before.stages[i].beats;
    counted.stages[i].cycles -= before.stages[i].cycles;
  }
}

}  // namespace fansim::contract
