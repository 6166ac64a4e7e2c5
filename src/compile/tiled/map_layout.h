// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <variant>

#include "arch/program.h"
#include "arch/tiled_config.h"
#include "compile/fusion.h"
#include "compile/job.h"
#include "compile/memory.h"

namespace fansim::compile {

// How a tensor lies in memory, address apart: in blocks of the channels that its reader loads at once, or as one block
// where the reader takes it as a vector. Where values cannot be written byte by byte, planes or else rows are padded so
// that no two tiles of the writer share a word.
Fit<arch::EncodedMap> layout(int producer, const network::Network& network, const Fusion& fusion,
                             const arch::TiledConfig& config);

// Reserves it; the image holds the tensor's values if there are any.
void reserve(arch::EncodedMap& map, Memory& memory, const network::Tensor* values);

}  // namespace fansim::compile
