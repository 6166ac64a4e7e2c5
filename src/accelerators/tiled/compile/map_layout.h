// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <variant>
#include <vector>

#include "accelerators/tiled/compile/layer_jobs.h"
#include "accelerators/tiled/config/config.h"
#include "accelerators/tiled/config/encoded_map.h"
#include "compile/compile.h"
#include "compile/fusion.h"
#include "compile/memory.h"
#include "contract/program.h"

namespace fansim::tiled {

// Decides what is fused on the tiled accelerator, and which concatenations are placements.
class Plan : public compile::Fusion {
 public:
  Plan(const network::Network& network, const Config& config, const std::vector<int>& wanted)
      : compile::Fusion(network, wanted, fused_kinds(config)), config_(config) {
    join([this](int concat) { return suits(concat); });
  }

 private:
  bool suits(int concat) const;

  const Config& config_;
};

// Returns the layout of a tensor in memory, without its address. It consists of blocks of the channels that its reader
// loads at once, or of one block if the reader takes it as a vector. If values cannot be written byte by byte, planes
// or rows are padded so that no two tiles of a writer share a word. For a tensor that consists of parts, it is the
// layout of the whole.
compile::Fit<EncodedMap> layout(int producer, const network::Network& network, const compile::Fusion& fusion,
                                const Config& config);

// Returns the layout of a part, which begins at its channels of the whole.
EncodedMap part_of(EncodedMap whole, int producer, const network::Network& network, const compile::Fusion& fusion);

// reserve() reserves memory; its image holds the tensor's values if there are any.
void write(const EncodedMap& map, const network::Tensor& values, std::uint8_t* memory);
void reserve(EncodedMap& map, compile::Memory& memory, const network::Tensor* values);

}  // namespace fansim::tiled
