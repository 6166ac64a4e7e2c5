// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "accelerators/stream/compile/job.h"
#include "accelerators/stream/compile/place.h"
#include "accelerators/stream/config/config.h"
#include "compile/memory.h"

namespace fansim::stream {

// Compiles an LSTM or GRU layer in blocks of time steps. First jobs compute W_x x for all steps of a block, one column
// range per job. Then a recurrent job adds W_h h and updates the cell step by step. W_h stays in the resident store.
compile::Fit<Jobs> recurrent_jobs(const network::Layer& layer, const Place& in, const Place& out, const Config& config,
                                  compile::Memory& memory);

}  // namespace fansim::stream
