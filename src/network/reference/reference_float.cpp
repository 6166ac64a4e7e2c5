// SPDX-License-Identifier: Apache-2.0
#include "base/interrupt.h"
#include "network/reference/reference_layers.h"
#include "network/reference/windows.h"

namespace fansim::network {
namespace {

// Sums of one output's products in the layer's order (network.h, Layer::sum_lanes), for many positions at once.
class FloatSum {
 public:
  explicit FloatSum(const Layer& layer)
      : lanes_(static_cast<std::size_t>(layer.sum_lanes)),
        steps_(static_cast<std::size_t>(layer.sum_steps)),
        weights_(static_cast<std::size_t>(layer.fan_in())) {}

  void take_weights(const Layer& layer, std::size_t output) {
    for (std::size_t i = 0; i < weights_.size(); ++i) weights_[i] = layer.weight_operand(output * weights_.size() + i);
  }

  // columns[e * positions + p]: element e of position p.
  void add_up(const float* columns, std::size_t positions, float* sums) {
    products_.resize(lanes_ * positions);
    std::fill(sums, sums + positions, 0.0f);
    for (std::size_t tile = 0; tile < weights_.size(); tile += lanes_ * steps_) {
      for (std::size_t k = 0; k < steps_; ++k) {
        for (std::size_t lane = 0; lane < lanes_; ++lane) multiply(columns, positions, tile + lane * steps_ + k, lane);
        add_tree(positions);
        for (std::size_t p = 0; p < positions; ++p) sums[p] += products_[p];
      }
    }
  }

 private:
  void multiply(const float* columns, std::size_t positions, std::size_t element, std::size_t lane) {
    float* products = &products_[lane * positions];
    if (element >= weights_.size()) {
      std::fill(products, products + positions, 0.0f);
      return;
    }
    const float weight = weights_[element];
    for (std::size_t p = 0; p < positions; ++p) products[p] = weight * columns[element * positions + p];
  }

  // Adjacent pairs, level by level; an odd last one passes unchanged. The sum is left in lane 0.
  void add_tree(std::size_t positions) {
    for (std::size_t left = lanes_; left > 1; left = (left + 1) / 2) {
      for (std::size_t pair = 0; pair < left / 2; ++pair) {
        float* to = &products_[pair * positions];
        const float* a = &products_[2 * pair * positions];
        const float* b = a + positions;
        for (std::size_t p = 0; p < positions; ++p) to[p] = a[p] + b[p];
      }
      if (left % 2 != 0) {
        std::copy_n(&products_[(left - 1) * positions], positions, &products_[left / 2 * positions]);
      }
    }
  }

  const std::size_t lanes_, steps_;
  std::vector<float> weights_;
  std::vector<float> products_;
};

}  // namespace

void run_float_sum(const Layer& layer, const Tensor& in, Result& result) {
  FloatSum total(layer);
  const auto keep = [&](std::size_t at, std::size_t output, float sum) {
    store(result, at, sum + static_cast<float>(layer.bias[output]), layer);
  };
  if (layer.type == LayerType::fc) {
    const auto values = centred<float>(in);
    for (std::size_t unit = 0; unit < static_cast<std::size_t>(layer.units); ++unit) {
      base::stop_if_interrupted();
      float sum = 0;
      total.take_weights(layer, unit);
      total.add_up(values.data(), 1, &sum);
      keep(unit, unit, sum);
    }
    return;
  }
  convolve<float, float>(
      layer, in,
      [&](std::size_t filter, const float* columns, std::size_t positions, float* sums) {
        total.take_weights(layer, filter);
        total.add_up(columns, positions, sums);
      },
      keep);
}

}  // namespace fansim::network
