// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "base/interrupt.h"
#include "network/reference/reference_layers.h"
#include "network/reference/windows.h"

namespace fansim::network {
namespace {

// Sums one output's products in a given order, for many positions at once. Operands lie in the order in which they are
// multiplied, `lanes` per step. An operand of index -1 is not in the fan-in; its product is 0.
class FloatSum {
 public:
  FloatSum(int lanes, std::vector<std::int32_t> order)
      : lanes_(static_cast<std::size_t>(lanes)), order_(std::move(order)) {}

  // columns[e * positions + p] is element e of position p.
  void add_up(const float* weights, const float* columns, std::size_t positions, float* sums) {
    products_.resize(lanes_ * positions);
    std::fill(sums, sums + positions, 0.0f);
    for (std::size_t step = 0; step < order_.size(); step += lanes_) {
      for (std::size_t lane = 0; lane < lanes_; ++lane)
        multiply(weights, columns, positions, order_[step + lane], &products_[lane * positions]);
      add_tree(positions);
      for (std::size_t p = 0; p < positions; ++p) sums[p] += products_[p];
    }
  }

 private:
  static void multiply(const float* weights, const float* columns, std::size_t positions, std::int32_t element,
                       float* products) {
    if (element < 0) {
      std::fill(products, products + positions, 0.0f);
      return;
    }
    const auto e = static_cast<std::size_t>(element);
    for (std::size_t p = 0; p < positions; ++p) products[p] = weights[e] * columns[e * positions + p];
  }

  // Adds adjacent pairs, level by level; an odd last one passes unchanged. The sum ends up in lane 0.
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

  const std::size_t lanes_;
  const std::vector<std::int32_t> order_;
  std::vector<float> products_;
};

// Returns the order that Layer::sum_lanes and sum_steps give.
std::vector<std::int32_t> order_of(const FloatSums& sums, std::int64_t all) {
  const std::int64_t lanes = sums.lanes, steps = sums.steps;
  std::vector<std::int32_t> order;
  for (std::int64_t tile = 0; tile < all; tile += lanes * steps)
    for (std::int64_t k = 0; k < steps; ++k)
      for (std::int64_t lane = 0; lane < lanes; ++lane) {
        const std::int64_t element = tile + lane * steps + k;
        order.push_back(element < all ? static_cast<std::int32_t>(element) : -1);
      }
  return order;
}

// weights_of(output) returns the operands of an output; keep(at, output, sum) takes each sum.
template <class Weights, class Keep>
void sum_up(const Layer& layer, const Tensor& in, FloatSum total, Weights weights_of, Keep keep) {
  if (layer.type() == LayerType::fc) {
    const auto values = centred<float>(in);
    for (std::size_t unit = 0; unit < static_cast<std::size_t>(layer.outputs()); ++unit) {
      base::stop_if_interrupted();
      float sum = 0;
      total.add_up(weights_of(unit), values.data(), 1, &sum);
      keep(unit, unit, sum);
    }
    return;
  }
  convolve<float, float>(
      layer, in,
      [&](std::size_t filter, const float* columns, std::size_t positions, float* sums) {
        total.add_up(weights_of(filter), columns, positions, sums);
      },
      keep);
}

}  // namespace

void run_float_sum(const Layer& layer, const Tensor& in, Result& result) {
  const Parameters& parameters = layer.parameters();
  const FloatSums& sums = *parameters.float_sums;
  std::vector<float> weights(static_cast<std::size_t>(layer.fan_in()));
  sum_up(
      layer, in, {sums.lanes, order_of(sums, layer.fan_in())},
      [&](std::size_t output) {
        for (std::size_t i = 0; i < weights.size(); ++i) weights[i] = parameters.operand(output * weights.size() + i);
        return weights.data();
      },
      [&](std::size_t at, std::size_t output, float sum) {
        store(result, at, sum + static_cast<float>(parameters.bias[output]), layer);
      });
}

void run_single_sum(const Layer& layer, const Tensor& in, Tensor& out) {
  const SingleStage& stage = *layer.single();
  sum_up(
      layer, in, {stage.lanes, stage.order},
      [&](std::size_t output) { return &stage.weights[output * static_cast<std::size_t>(layer.fan_in())]; },
      [&](std::size_t at, std::size_t output, float sum) {
        const float value = sum + stage.bias[output];
        out.set_real(at, layer.activation == Activation::relu && value < 0 ? 0 : value);
      });
}

}  // namespace fansim::network
