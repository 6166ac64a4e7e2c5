// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace fansim::network {

// How a layer computes in single precision (IEEE 754, to nearest, of two as near the even one).
struct SingleStage {
  // conv, fc: as Layer::weights lie, and one for each output.
  std::vector<float> weights, bias;
  // The order of an output's sum: elements of the fan-in [channel][kr][kc], `lanes` to a step; -1: a product of 0. A
  // step's products are added as a tree of adjacent pairs, an odd last one goes up as it is, the tree's sum to what the
  // steps before left, which is 0 at first; the bias comes last.
  int lanes = 1;
  std::vector<std::int32_t> order;
};

}  // namespace fansim::network
