// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "arch/stream_config.h"
#include "compile/job.h"
#include "compile/memory.h"
#include "compile/place.h"

namespace fansim::compile {

// An LSTM or GRU layer. Blocks of time steps: W_x x of all steps of a block, one column range per job, then one
// recurrent job that adds W_h h and updates the cell step by step. W_h stays in the resident store.
Fit<std::vector<Job>> recurrent_jobs(const network::Layer& layer, const Place& in, const Place& out,
                                     const arch::StreamConfig& config, Memory& memory);

}  // namespace fansim::compile
