// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "accelerators/stream/compile/capacity.h"
#include "accelerators/stream/compile/cut_cache.h"
#include "accelerators/stream/compile/job.h"
#include "accelerators/stream/compile/place.h"
#include "accelerators/stream/config/config.h"
#include "compile/memory.h"

namespace fansim::stream {

// Compiles a fully connected layer. The vector is the input as it lies in DDR; its border and padding meet zero
// weights. Returns no jobs if the steps are known.
compile::Fit<Jobs> fully_connected_jobs(const network::Layer& layer, const Place& in, const Place& out,
                                        const Config& config, compile::Memory& memory, const CutCache& known);

// Sets the fields of a matrix-vector product with `pieces` vectors, `piece_step` words apart.
void set_matrix(Command& command, const ArrayConfig& array, int pieces, int piece_step);

}  // namespace fansim::stream
