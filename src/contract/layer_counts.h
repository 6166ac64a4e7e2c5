// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "contract/statistics.h"

namespace fansim::contract {

// Subtracts what `before` had counted from what `counted` has by now: bytes, stages, buckets and the machine's own
// statistics. A statistic of which the largest counts is left as it is.
void subtract(LayerResult& counted, const LayerResult& before, const Account& account);

}  // namespace fansim::contract
