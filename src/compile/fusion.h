// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <vector>

#include "network/network.h"

namespace fansim::compile {

// Which kinds of layers are fused beside maximum poolings: average poolings, and functions that are code tables. Tables
// are fused behind layers with weights only, or behind all layers whose results are requantised. Nothing is fused
// behind a layer that the host computes.
struct FusedKinds {
  enum class Tables { none, weighted, quantised };
  bool averages = false;
  Tables tables = Tables::none;
  bool one_padding = false;  // fuses only poolings whose padding is the same on every side
  std::function<bool(const network::Layer&)> hosted = nullptr;  // names layers that the host computes; null: none
};

// Where a tensor lies: in the memory of the tensor `of`, from that one's channel `first` on.
struct Part {
  int of = -1, first = 0;
};

// What is decided about each layer for the network as a whole, whichever layers are chosen: which layers are fused, and
// which tensors share bytes. Layers are indices in the network; -1 is its input.
class Fusion {
 public:
  Fusion(const network::Network& network, const std::vector<int>& wanted, const FusedKinds& kinds);
  // Takes the machine's own decision. `into` holds, for each layer, the layer into which it is fused, or -1. Layers
  // fused one into the other make a chain.
  Fusion(const network::Network& network, const std::vector<int>& wanted, std::vector<int> into);

  std::vector<int> chosen;  // in rising order; fused layers come with the layers into which they are fused

  // Returns the chosen layers that run by themselves. These are not flattened tensors, not concatenations by placement,
  // and not layers into which others are fused.
  std::vector<int> running() const;

  bool is_chosen(int index) const;
  // Returns the layer whose output this is, passing through flattening.
  int root(int index) const;
  // next() returns the layer into which this one is fused, fused_into() the layer at the end of such a chain, which has
  // the output. Both return -1 if there is none.
  int next(int index) const { return index < 0 ? -1 : fused_into_[static_cast<std::size_t>(index)]; }
  int fused_into(int index) const;
  int pool_behind(int index) const;  // returns fused_into() if that is a pooling, otherwise -1
  bool is_fused(int index) const;    // returns whether its input is fused into it
  int writer(int index) const;       // returns the layer at the beginning of the chain
  // Returns the function whose table the layer's results pass: the layer itself or the one into which it is fused; -1
  // if there is none.
  int table_of(int index) const;

  // Returns whether this is a concatenation by placement: the producers of its operands write into their parts of its
  // tensor.
  bool is_joined(int index) const { return joined_[static_cast<std::size_t>(index)]; }
  // Returns whether the layer has no work: a flattened tensor, or a concatenation by placement.
  bool moves_nothing(int index) const;
  // Returns where the output of a root producer lies.
  Part part(int producer) const;
  // Returns the tensors that lie in its memory, with itself.
  std::vector<int> parts_in(int producer) const;
  // Returns the tensors that are written and together make up this one, in the order of their channels: itself, or its
  // parts.
  std::vector<int> written(int producer) const;

 protected:
  const network::Layer& at(int index) const { return network_.layers[static_cast<std::size_t>(index)]; }
  const network::Network& network_;

  // Makes concatenations placements where that is possible. `suits` is asked about each one while it is assumed to be a
  // placement.
  void join(const std::function<bool(int concat)>& suits);

 private:
  void fuse(const FusedKinds& kinds);
  bool takes(int layer, int source, const FusedKinds& kinds) const;
  void choose(const std::vector<int>& wanted);
  bool joinable(int concat) const;

  std::vector<int> fused_into_;  // what next() returns
  std::vector<bool> joined_;     // what is_joined() returns
  std::map<int, Part> parts_;    // by operand of a concatenation by placement
};

}  // namespace fansim::compile
