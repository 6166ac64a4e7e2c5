// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "network/network.h"

namespace fansim::compile {

// What is fused beside a maximum: averages, and functions that a code table stands for, behind layers with weights or
// behind all that pass the quantiser.
struct FusedKinds {
  enum class Tables { none, weighted, quantised };
  bool averages = false;
  Tables tables = Tables::none;
  bool one_padding = false;  // poolings alone whose padding is the same on every side
};

// What the whole network decides about each layer, whichever layers are chosen: what is fused with what, which tensors
// are the same bytes. Layers are indices in the network; -1 is its input.
class Fusion {
 public:
  Fusion(const network::Network& network, const std::vector<int>& wanted, const FusedKinds& kinds);
  // Fused as the machine says: into which layer each is, or -1; several one into the other make a chain.
  Fusion(const network::Network& network, const std::vector<int>& wanted, std::vector<int> into);

  std::vector<int> chosen;  // rising; fused layers with what they are fused into

  // Of the chosen ones, those that run by themselves: not flattened tensors, not poolings fused into a convolution.
  std::vector<int> running() const;

  bool is_chosen(int index) const;
  // The layer whose output this is when flattening is seen through.
  int root(int index) const;
  // The layer that its output goes into on the way out, and that at the end of such a chain, which has the output; -1.
  int next(int index) const { return index < 0 ? -1 : fused_into_[static_cast<std::size_t>(index)]; }
  int fused_into(int index) const;
  int pool_behind(int index) const;     // that end, if it is a pooling; -1
  bool is_fused_pool(int index) const;  // its input is fused into it
  // The function whose table the layer's results pass: itself or what it is fused into; -1.
  int table_of(int index) const;

 protected:
  const network::Layer& at(int index) const { return network_.layers[static_cast<std::size_t>(index)]; }
  const network::Network& network_;

 private:
  void fuse(const FusedKinds& kinds);
  bool takes(int layer, int source, const FusedKinds& kinds) const;
  void choose(const std::vector<int>& wanted);

  std::vector<int> fused_into_;  // next()
};

}  // namespace fansim::compile
