// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "arch/stream_config.h"
#include "compile/capacity.h"
#include "compile/job.h"
#include "compile/memory.h"
#include "compile/place.h"

namespace fansim::compile {

// A fully connected layer: the vector is the input as it lies in DDR, border and padding met by zero weights.
Fit<std::vector<Job>> fully_connected_jobs(const network::Layer& layer, const Place& in, const Place& out,
                                           const arch::StreamConfig& config, Memory& memory);

// Sets the fields of a matrix-vector product with `pieces` vectors, `piece_step` words apart.
void set_matrix(arch::Command& command, const arch::ArrayConfig& array, int pieces, int piece_step);

}  // namespace fansim::compile
