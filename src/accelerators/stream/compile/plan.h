// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "accelerators/stream/compile/place.h"
#include "accelerators/stream/config/array.h"
#include "compile/fusion.h"

namespace fansim::stream {

// What the streaming accelerator fuses, and how much border each tensor needs in memory.
class Plan : public compile::Fusion {
 public:
  Plan(const network::Network& network, const ArrayConfig& array, const std::vector<int>& wanted)
      : compile::Fusion(network, wanted, kinds(array)), array_(array) {}

  Place place(int producer) const;
  static compile::FusedKinds kinds(const ArrayConfig& array) {
    using Tables = compile::FusedKinds::Tables;
    return {false, array.code_table ? Tables::quantised : Tables::none};
  }
  // A function in hardware.
  bool looks_up(int index) const { return array_.code_table && table_of(index) == index; }

 private:
  const ArrayConfig& array_;
};

}  // namespace fansim::stream
