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

// What is fused on the tiled accelerator and which concatenations are placements.
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

// How a tensor lies in memory, address apart: in blocks of the channels that its reader loads at once, or as one block
// where the reader takes it as a vector. Where values cannot be written byte by byte, planes or else rows are padded so
// that no two tiles of a writer share a word. A tensor that parts make up is meant as a whole.
compile::Fit<EncodedMap> layout(int producer, const network::Network& network, const compile::Fusion& fusion,
                                const Config& config);

// What lies in it, at its channels.
EncodedMap part_of(EncodedMap whole, int producer, const network::Network& network, const compile::Fusion& fusion);

// Reserves it; the image holds the tensor's values if there are any.
void write(const EncodedMap& map, const network::Tensor& values, std::uint8_t* memory);
void reserve(EncodedMap& map, compile::Memory& memory, const network::Tensor* values);

}  // namespace fansim::tiled
