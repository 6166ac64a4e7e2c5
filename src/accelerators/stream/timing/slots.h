// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "accelerators/stream/config/config.h"

namespace fansim::stream {

// Of the port's slots for outstanding bursts those that can count, where the largest transfer of outputs has so many
// bytes: with more of them no read and no such transfer would wait for one, and a layer's time is the same.
int slots_that_count(const Config& config, int largest_write);

}  // namespace fansim::stream
