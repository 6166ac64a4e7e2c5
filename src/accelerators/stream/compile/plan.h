// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "accelerators/stream/compile/place.h"
#include "accelerators/stream/config/config.h"
#include "compile/fusion.h"

namespace fansim::stream {

// Decides what the streaming accelerator fuses, which concatenations are placements, and how each tensor lies in
// memory.
class Plan : public compile::Fusion {
 public:
  Plan(const network::Network& network, const Config& config, const std::vector<int>& wanted)
      : compile::Fusion(network, wanted, kinds(config.array)), config_(config) {
    join([this](int concat) { return suits(concat); });
  }

  // The address is relative to the tensor of which it is a part.
  Place place(int producer) const;
  static compile::FusedKinds kinds(const ArrayConfig& array) {
    using Tables = compile::FusedKinds::Tables;
    return {false, array.code_table ? Tables::quantised : Tables::none, false,
            [bits = array.weight_bits()](const network::Layer& layer) { return too_heavy(layer, bits); }};
  }
  // Returns whether the layer is a sum whose weights do not fit into coefficients of so many bits.
  static bool too_heavy(const network::Layer& layer, int coefficient_bits);
  // Returns whether the hardware computes a function by its table. A function with a pass of its own needs exact sums.
  bool looks_up(int index) const {
    return config_.array.code_table && table_of(index) == index && (is_fused(index) || !config_.array.rounds());
  }

 private:
  bool suits(int concat) const;
  bool holds_rows_of(int reader) const;
  network::Shape stored_shape(int producer) const;

  const Config& config_;
};

}  // namespace fansim::stream
