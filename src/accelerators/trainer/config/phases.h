// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "accelerators/trainer/config/account.h"
#include "accelerators/trainer/config/config.h"
#include "accelerators/trainer/config/job.h"

namespace fansim::trainer {

enum class PhaseKind : std::uint8_t {
  load,             // an image or weights, from memory
  forward,          // sums of products, a layer's output
  input_gradient,   // the same, the gradient of a layer's input
  weight_gradient,  // the same, of its weights
  pool,
  unpool,
  softmax,
  update,
  store,  // the result or the weights, to memory
};

// The unit that has a phase to do.
enum class UnitIndex : std::uint8_t {
  loader,
  convolution_forward,
  convolution_backward,
  convolution_update,
  fc1_forward,
  fc1_backward,
  fc1_update,
  fc2_forward,
  fc2_backward,
  fc2_update,
  pooling,
  softmax,
  storer,
};
constexpr std::size_t kUnits = 13;

// One after the other; a phase begins when the one before has ended.
struct Phase {
  PhaseKind kind = PhaseKind::load;
  UnitIndex unit = UnitIndex::loader;
  BucketIndex bucket = kLoad;
  std::size_t layer = 0;
};

std::vector<Phase> phases_of(const Job& job);

// Where a network's tensors lie on the chip, in words: tensor 0 is the input, tensor i + 1 the output of layer i;
// gradients lie like the values that they are of.
struct Layout {
  explicit Layout(const Job& job);

  std::int64_t tensor[kMostLayers + 1];   // in the memories of activations and of gradients
  std::int64_t weights[kMostLayers + 1];  // in those of weights and of their gradients
  std::int64_t activations = 0, all_weights = 0;
};

// Which block a layer with weights runs on: convolutions on theirs, the first fully connected one on fc1, all others
// on fc2.
UnitIndex forward_unit(const Job& job, std::size_t layer);
const WeightedConfig& block_of(const Config& config, const Job& job, std::size_t layer);

// The format of a tensor's words, and of its gradient's: what the unit has that writes them.
arith::FloatFormat value_format(const Config& config, const Job& job, std::size_t tensor);
arith::FloatFormat gradient_format(const Config& config, const Job& job, std::size_t tensor);

// The sums of products of a phase: which words the two factors of a term are, as indices in their tensors.
struct Products {
  PhaseKind kind;
  LayerEntry layer;

  std::int64_t sums() const;
  std::int64_t terms() const;
  // Where sum `sum`, in the order in which they are computed, is in the tensor of results.
  std::int64_t result(std::int64_t sum) const;
  struct Factors {
    std::int64_t a = 0, b = 0;  // a: -1 where a window reaches over the border: zero
  };
  // forward: a value of the input, a weight; weight_gradient: a value of the input, a gradient of the output;
  // input_gradient: a gradient of the output, a weight.
  Factors factors(std::int64_t sum, std::int64_t term) const;
};

// Edges in which the unit takes up terms: a group of sums takes turns, term by term, at most every `kAddLatency`.
std::int64_t product_slots(const Products& products, int accumulators);

}  // namespace fansim::trainer
