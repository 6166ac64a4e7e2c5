// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "accelerators/trainer/config/account.h"
#include "accelerators/trainer/config/config.h"
#include "accelerators/trainer/config/job.h"

namespace fansim::trainer {

enum class PhaseKind : std::uint8_t {
  load,             // reads an image or weights from memory
  forward,          // sums products to a layer's output
  input_gradient,   // sums products to the gradient of a layer's input
  weight_gradient,  // sums products to the gradient of its weights
  pool,
  unpool,
  softmax,
  update,
  store,  // writes the result or the weights to memory
};

// Names the unit that does a phase.
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

// Describes a phase. A phase begins when the one before it has ended.
struct Phase {
  PhaseKind kind = PhaseKind::load;
  UnitIndex unit = UnitIndex::loader;
  BucketIndex bucket = kLoad;
  std::size_t layer = 0;
};

std::vector<Phase> phases_of(const Job& job);

// Says where a network's tensors lie on the chip, in words. Tensor 0 is the input, tensor i + 1 the output of layer i.
// Gradients have the same places as their values.
struct Layout {
  explicit Layout(const Job& job);

  std::int64_t tensor[kMostLayers + 1];   // in the memories of activations and of gradients
  std::int64_t weights[kMostLayers + 1];  // in the memories of weights and of their gradients
  std::int64_t activations = 0, all_weights = 0;
};

// Return the block on which a layer with weights runs: convolutions on theirs, the first fully connected layer on fc1,
// all others on fc2.
UnitIndex forward_unit(const Job& job, std::size_t layer);
const WeightedConfig& block_of(const Config& config, const Job& job, std::size_t layer);

// Return the format of a tensor's words, and of its gradient's. It is the format of the unit that writes them.
arith::FloatFormat value_format(const Config& config, const Job& job, std::size_t tensor);
arith::FloatFormat gradient_format(const Config& config, const Job& job, std::size_t tensor);

// Describes the sums of products of a phase: for each term, the indices of its two factors in their tensors.
struct Products {
  PhaseKind kind;
  LayerEntry layer;

  std::int64_t sums() const;
  std::int64_t terms() const;
  // Returns the index of sum `sum` in the tensor of results; sums are numbered in the order of their computation.
  std::int64_t result(std::int64_t sum) const;
  struct Factors {
    std::int64_t a = 0, b = 0;  // a: -1 where a window extends over the border; the value is zero
  };
  // forward: a value of the input and a weight; weight_gradient: a value of the input and a gradient of the output;
  // input_gradient: a gradient of the output and a weight.
  Factors factors(std::int64_t sum, std::int64_t term) const;
};

// Returns the number of edges during which the unit accepts terms. The sums of a group take turns, term by term; each
// accepts a term at most every `kAddLatency` edges.
std::int64_t product_slots(const Products& products, int accumulators);

}  // namespace fansim::trainer
