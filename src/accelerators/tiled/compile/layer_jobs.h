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

// Returns what the accelerator fuses after a layer with weights: a pooling and, with a code table, a function.
compile::FusedKinds fused_kinds(const Config& config);

// Holds a convolution or fully connected layer, and the function and the pooling that are fused after it, or null.
struct FusedLayer {
  FusedLayer(const network::Network& network, const compile::Fusion& fusion, int index);

  const network::Layer& layer;
  const network::Layer* table = nullptr;
  const network::Layer* pool = nullptr;

  const network::Shape& out() const { return pool ? pool->out : layer.out; }
  const network::NumberFormat& out_format() const { return table ? table->out_format : layer.out_format; }
};

// Returns a layer's jobs, one for each group of channels, and reserves memory for its weights and parameters. `in` and
// `out` lie where the memory has placed them.
compile::Fit<std::vector<TiledJob>> layer_jobs(const FusedLayer& fused, const EncodedMap& in, const EncodedMap& out,
                                               const Config& config, compile::Memory& memory);

// Returns whether two tiles of the layer would write bits of the same word of a map in this layout, on machines where
// bytes cannot be written separately.
bool tiles_share_words(const FusedLayer& fused, const EncodedMap& out, const Config& config);

// Returns what the layer's weight codes stand for.
CodeBook code_book(const network::Layer& layer);

}  // namespace fansim::tiled
