// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "accelerators/tiled/config/code_book.h"
#include "accelerators/tiled/config/config.h"
#include "accelerators/tiled/config/encoded_map.h"
#include "accelerators/tiled/config/tiled_job.h"
#include "compile/compile.h"
#include "compile/memory.h"
#include "contract/program.h"
#include "network/network.h"

namespace fansim::tiled {

// The jobs of a convolution or fully connected layer, one per group of channels, its weights and parameters reserved.
// `pool` is the pooling fused into it, or null; `in` and `out` lie where the memory has put them.
compile::Fit<std::vector<TiledJob>> layer_jobs(const network::Layer& layer, const network::Layer* pool,
                                               const EncodedMap& in, const EncodedMap& out, const Config& config,
                                               compile::Memory& memory);

// Whether two tiles of the layer would write bits of one word of a map so laid out, where bytes cannot be written
// alone.
bool tiles_share_words(const network::Layer& layer, const network::Layer* pool, const EncodedMap& out,
                       const Config& config);

// What the layer's weight codes stand for.
CodeBook code_book(const network::Layer& layer);

}  // namespace fansim::tiled
