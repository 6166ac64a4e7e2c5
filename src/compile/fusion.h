// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
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

// Where a tensor lies: in the memory of the tensor `of`, from its channel `first` on.
struct Part {
  int of = -1, first = 0;
};

// What the whole network decides about each layer, whichever layers are chosen: what is fused with what, which tensors
// are the same bytes. Layers are indices in the network; -1 is its input.
class Fusion {
 public:
  Fusion(const network::Network& network, const std::vector<int>& wanted, const FusedKinds& kinds);
  // Fused as the machine says: into which layer each is, or -1; several one into the other make a chain.
  Fusion(const network::Network& network, const std::vector<int>& wanted, std::vector<int> into);

  std::vector<int> chosen;  // rising; fused layers with what they are fused into

  // Of the chosen ones, those that run by themselves: not flattened tensors, not concatenations by placement, not what
  // others are fused into.
  std::vector<int> running() const;

  bool is_chosen(int index) const;
  // The layer whose output this is when flattening is seen through.
  int root(int index) const;
  // The layer that its output goes into on the way out, and that at the end of such a chain, which has the output; -1.
  int next(int index) const { return index < 0 ? -1 : fused_into_[static_cast<std::size_t>(index)]; }
  int fused_into(int index) const;
  int pool_behind(int index) const;  // that end, if it is a pooling; -1
  bool is_fused(int index) const;    // its input is fused into it
  int writer(int index) const;       // the layer at the beginning of such a chain
  // The function whose table the layer's results pass: itself or what it is fused into; -1.
  int table_of(int index) const;

  // A concatenation by placement: its operands' producers write into their parts of its tensor.
  bool is_joined(int index) const { return joined_[static_cast<std::size_t>(index)]; }
  // It has no work: a flattened tensor, a concatenation by placement.
  bool moves_nothing(int index) const;
  // Of a producer that is a root.
  Part part(int producer) const;
  // Those that lie in its memory, itself among them.
  std::vector<int> parts_in(int producer) const;
  // Those that are written and together are its tensor, in the order of their channels: itself, or parts.
  std::vector<int> written(int producer) const;

 protected:
  const network::Layer& at(int index) const { return network_.layers[static_cast<std::size_t>(index)]; }
  const network::Network& network_;

  // Makes concatenations placements where that is possible. `suits` is asked of each while it is taken for one.
  void join(const std::function<bool(int concat)>& suits);

 private:
  void fuse(const FusedKinds& kinds);
  bool takes(int layer, int source, const FusedKinds& kinds) const;
  void choose(const std::vector<int>& wanted);
  bool joinable(int concat) const;

  std::vector<int> fused_into_;  // next()
  std::vector<bool> joined_;     // is_joined()
  std::map<int, Part> parts_;    // by operand of those
};

}  // namespace fansim::compile
