// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "accelerators/tiled/config/code_book.h"
#include "accelerators/tiled/config/config.h"
#include "accelerators/tiled/config/encoded_map.h"
#include "accelerators/tiled/config/tiled_job.h"
#include "compile/compile.h"
#include "compile/fusion.h"
#include "compile/memory.h"
#include "contract/program.h"
#include "network/network.h"

namespace fansim::tiled {

// What the accelerator fuses behind a layer with weights: a pooling, and with a code table a function.
compile::FusedKinds fused_kinds(const Config& config);

// A convolution or fully connected layer, and the function and the pooling fused behind it, or null.
struct FusedLayer {
  FusedLayer(const network::Network& network, const compile::Fusion& fusion, int index);

  const network::Layer& layer;
  const network::Layer* table = nullptr;
  const network::Layer* pool = nullptr;

  const network::Shape& out() const { return pool ? pool->out : layer.out; }
  const network::NumberFormat& out_format() const { return table ? table->out_format : layer.out_format; }
};

// Its jobs, one per group of channels, its weights and parameters reserved. `in` and `out` lie where the memory has put
// them.
compile::Fit<std::vector<TiledJob>> layer_jobs(const FusedLayer& fused, const EncodedMap& in, const EncodedMap& out,
                                               const Config& config, compile::Memory& memory);

// Whether two tiles of the layer would write bits of one word of a map so laid out, where bytes cannot be written
// alone.
bool tiles_share_words(const FusedLayer& fused, const EncodedMap& out, const Config& config);

// What the layer's weight codes stand for.
CodeBook code_book(const network::Layer& layer);

}  // namespace fansim::tiled
