// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "arch/program.h"
#include "arch/tiled_config.h"
#include "arch/tiled_job.h"
#include "compile/job.h"
#include "compile/memory.h"
#include "network/network.h"

namespace fansim::compile {

// The jobs of a convolution or fully connected layer, one per group of channels, its weights and parameters reserved.
// `pool` is the pooling fused into it, or null; `in` and `out` lie where the memory has put them.
Fit<std::vector<arch::TiledJob>> layer_jobs(const network::Layer& layer, const network::Layer* pool,
                                            const arch::EncodedMap& in, const arch::EncodedMap& out,
                                            const arch::TiledConfig& config, Memory& memory);

// Whether two tiles of the layer would write bits of one word of a map so laid out, where bytes cannot be written
// alone.
bool tiles_share_words(const network::Layer& layer, const network::Layer* pool, const arch::EncodedMap& out,
                       const arch::TiledConfig& config);

// What the layer's weight codes stand for.
arch::CodeBook code_book(const network::Layer& layer);

}  // namespace fansim::compile
