// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "network/network.h"

namespace fansim::network {

// The reference for training. A network whose layers have a FloatStage learns one image at a time, in plain loops, with
// the operations of docs/float.md in the order of docs/trainer.md. Words are those of single precision.
class ReferenceTraining {
 public:
  explicit ReferenceTraining(const Network& network);

  void learn(const std::uint8_t* image, int label, std::uint32_t learning_rate);
  // Returns the weights of all layers, one after the other.
  std::vector<std::uint32_t> weights() const;

 private:
  using Words = std::vector<std::uint32_t>;

  Tensor pixels(const std::uint8_t* image) const;
  void backward(std::size_t i, const Tensor& in, const Tensor& out, Words& gradient);
  void through_products(std::size_t i, const Tensor& in, Words& gradient);
  void through_pooling(std::size_t i, const Tensor& in, const Tensor& out, Words& gradient);
  void update(std::size_t i, std::uint32_t learning_rate);
  bool cuts_before(std::size_t i) const;
  bool learns_below(std::size_t i) const;

  Network network_;
  std::vector<std::shared_ptr<FloatStage>> stages_;
  std::vector<Words> deltas_;
};

}  // namespace fansim::network
