// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <variant>

#include "accelerators/tiled/config/config.h"
#include "accelerators/tiled/config/encoded_map.h"
#include "compile/compile.h"
#include "compile/fusion.h"
#include "compile/memory.h"
#include "contract/program.h"

namespace fansim::tiled {

// How a tensor lies in memory, address apart: in blocks of the channels that its reader loads at once, or as one block
// where the reader takes it as a vector. Where values cannot be written byte by byte, planes or else rows are padded so
// that no two tiles of the writer share a word.
compile::Fit<EncodedMap> layout(int producer, const network::Network& network, const compile::Fusion& fusion,
                                const Config& config);

// Reserves it; the image holds the tensor's values if there are any.
void write(const EncodedMap& map, const network::Tensor& values, std::uint8_t* memory);
void reserve(EncodedMap& map, compile::Memory& memory, const network::Tensor* values);

}  // namespace fansim::tiled
