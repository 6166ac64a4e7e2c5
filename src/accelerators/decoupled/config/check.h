// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "accelerators/decoupled/config/command.h"
#include "accelerators/decoupled/config/config.h"

namespace fansim::decoupled {

// Return the bytes of a vector of inputs, of a vector of sums, and of a block of weights.
inline int input_vector_bytes(const Config& c) { return c.array.batch * c.block() * c.data.bytes(); }
inline int sum_vector_bytes(const Config& c) { return c.array.batch * c.array.tm * c.sum_bytes(); }
inline int weight_block_bytes(const Config& c) { return c.array.tm * c.array.tn * c.data.bytes(); }
constexpr int kMostParameters = 1 << 12;  // records in the buffer; enough for the widest layers of AlexNet and VGG

// Returns why no machine of this configuration can execute a command; empty: it can. It checks that tiles lie within
// the buffers, and that a transfer moves exactly what its tile holds.
std::string refusal(const Command& command, const Config& config);

}  // namespace fansim::decoupled
