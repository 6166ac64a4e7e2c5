// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "base/interrupt.h"
#include "network/float/float_layers.h"

namespace fansim::network {
namespace {

double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

// Multiplies rows of [W, U] with one step's features and the hidden state before it.
class Gates {
 public:
  Gates(const Layer& layer, const FloatWeights& weights, const Tensor& in)
      : features_(static_cast<std::size_t>(layer.in.features)),
        hidden_(static_cast<std::size_t>(layer.recurrent().hidden)),
        weights_(weights.weights),
        in_(in),
        hidden_state_(hidden_) {}

  std::vector<double>& h() { return hidden_state_; }

  double of_features(std::size_t step, std::size_t row) const {
    double sum = 0;
    for (std::size_t i = 0; i < features_; ++i)
      sum += double{weights_[row * (features_ + hidden_) + i]} * in_.real(step * features_ + i);
    return sum;
  }
  double of_hidden(std::size_t row) const {
    double sum = 0;
    for (std::size_t i = 0; i < hidden_; ++i)
      sum += weights_[row * (features_ + hidden_) + features_ + i] * hidden_state_[i];
    return sum;
  }

 private:
  const std::size_t features_, hidden_;
  const std::vector<float>& weights_;
  const Tensor& in_;
  std::vector<double> hidden_state_;
};

// Walks the steps. unit(step, u) returns the new hidden value of one unit.
template <class Unit>
void walk(const Layer& layer, Gates& gates, Tensor& out, Unit unit) {
  std::vector<double> next(gates.h().size());
  for (std::size_t step = 0; step < static_cast<std::size_t>(layer.recurrent().steps); ++step) {
    base::stop_if_interrupted();
    for (std::size_t u = 0; u < next.size(); ++u) next[u] = unit(step, u);
    gates.h() = next;
    for (std::size_t u = 0; u < next.size(); ++u) out.set_real(step * next.size() + u, static_cast<float>(next[u]));
  }
}

}  // namespace

void run_float_lstm(const Layer& layer, const FloatWeights& weights, const Tensor& in, Tensor& out) {
  Gates gates(layer, weights, in);
  const std::size_t units = gates.h().size();
  std::vector<double> c(units);
  walk(layer, gates, out, [&](std::size_t step, std::size_t u) {
    const auto pre = [&](std::size_t gate) {
      const std::size_t row = gate * units + u;
      return gates.of_features(step, row) + gates.of_hidden(row) + weights.bias[row];
    };
    c[u] = sigmoid(pre(1)) * c[u] + sigmoid(pre(0)) * std::tanh(pre(2));
    return sigmoid(pre(3)) * std::tanh(c[u]);
  });
}

void run_float_gru(const Layer& layer, const FloatWeights& weights, const Tensor& in, Tensor& out) {
  Gates gates(layer, weights, in);
  const std::size_t units = gates.h().size();
  walk(layer, gates, out, [&](std::size_t step, std::size_t u) {
    const auto of_x = [&](std::size_t gate) {
      return gates.of_features(step, gate * units + u) + weights.bias[gate * units + u];
    };
    const auto of_h = [&](std::size_t gate) {
      return gates.of_hidden(gate * units + u) + weights.bias[(3 + gate) * units + u];
    };
    const double r = sigmoid(of_x(0) + of_h(0)), z = sigmoid(of_x(1) + of_h(1));
    return (1 - z) * std::tanh(of_x(2) + r * of_h(2)) + z * gates.h()[u];
  });
}

}  // namespace fansim::network
