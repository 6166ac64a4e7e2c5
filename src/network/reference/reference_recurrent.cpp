// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "base/interrupt.h"
#include "network/reference/exact_sum.h"
#include "network/reference/recurrent.h"
#include "network/reference/reference_arithmetic.h"
#include "network/reference/reference_layers.h"
#include "network/reference/windows.h"

namespace fansim::network {
namespace {

// One step's operand: the features of the step, then the hidden state.
class Operand {
 public:
  Operand(const Layer& layer, const Tensor& in)
      : sequence_(centred<std::int16_t>(in)),
        features_(static_cast<std::size_t>(layer.in.features)),
        weights_(layer.parameters().weights),
        values_(features_ + static_cast<std::size_t>(layer.recurrent().hidden)) {}

  void load_step(std::size_t step) {
    std::copy_n(sequence_.begin() + static_cast<std::ptrdiff_t>(step * features_), features_, values_.begin());
  }
  void set_hidden(const std::vector<int>& h) {
    for (std::size_t u = 0; u < h.size(); ++u) values_[features_ + u] = static_cast<std::int16_t>(h[u]);
  }
  int hidden(std::size_t unit) const { return values_[features_ + unit]; }

  std::int64_t dot_row(std::size_t row) const {
    return dot(&weights_[row * values_.size()], values_.data(), values_.size());
  }
  std::int64_t dot_features(std::size_t row) const {
    return dot(&weights_[row * values_.size()], values_.data(), features_);
  }

 private:
  std::vector<std::int16_t> sequence_;
  std::size_t features_;
  const std::vector<std::int8_t>& weights_;
  std::vector<std::int16_t> values_;
};

int pre_activation(Result& result, std::int64_t sum, const Layer& layer, const arith::QuantiserFormat& format) {
  const Scales& scales = layer.scales();
  const arith::Requantise q{scales.scale[0], scales.shift[0], 0, false, 16};
  const int value = quantised(sum, q, format);
  count(result, sum, value, q, format);
  return value;
}

// Walks the steps. unit(u) returns the new hidden value of one unit.
template <class Unit>
void walk(const Layer& layer, Operand& operand, Tensor& out, Unit unit) {
  std::vector<int> h(static_cast<std::size_t>(layer.recurrent().hidden));
  const View<std::int8_t> outputs = out.view<std::int8_t>();
  for (std::size_t step = 0; step < static_cast<std::size_t>(layer.recurrent().steps); ++step) {
    operand.load_step(step);
    for (std::size_t u = 0; u < h.size(); ++u) {
      base::stop_if_interrupted();
      h[u] = unit(u);
    }
    operand.set_hidden(h);
    for (std::size_t u = 0; u < h.size(); ++u) outputs.set(step * h.size() + u, static_cast<std::int8_t>(h[u]));
  }
}

}  // namespace

void run_lstm(const Layer& layer, const arith::QuantiserFormat& format, const Tensor& in, Result& result) {
  Operand operand(layer, in);
  const Recurrent& lstm = layer.recurrent();
  const auto hidden = static_cast<std::size_t>(lstm.hidden);
  std::vector<int> c(hidden);
  walk(layer, operand, result.out, [&](std::size_t u) {
    const auto gate = [&](std::size_t index) {
      const std::size_t row = index * hidden + u;
      return pre_activation(result, lstm.parameters.bias[row] + operand.dot_row(row), layer, format);
    };
    LstmGates pre;
    pre.i = gate(0);
    pre.f = gate(1);
    pre.g = gate(2);
    pre.o = gate(3);
    const LstmState next = lstm_unit(pre, c[u], lstm.hidden_scale, lstm.hidden_shift);
    c[u] = next.c;
    return next.h;
  });
}

void run_gru(const Layer& layer, const arith::QuantiserFormat& format, const Tensor& in, Result& result) {
  Operand operand(layer, in);
  const auto hidden = static_cast<std::size_t>(layer.recurrent().hidden);
  const std::vector<std::int64_t>& bias = layer.parameters().bias;
  walk(layer, operand, result.out, [&](std::size_t u) {
    const auto gate = [&](std::size_t index) {
      const std::size_t row = index * hidden + u;
      const std::int64_t sum = bias[row] + bias[3 * hidden + row] + operand.dot_row(row);
      return pre_activation(result, sum, layer, format);
    };
    const std::size_t row = 2 * hidden + u;
    const std::int64_t of_features = operand.dot_features(row);
    const std::int64_t of_hidden = operand.dot_row(row) - of_features;
    GruGates pre;
    pre.r = gate(0);
    pre.z = gate(1);
    pre.nx = pre_activation(result, bias[row] + of_features, layer, format);
    pre.nh = pre_activation(result, bias[3 * hidden + row] + of_hidden, layer, format);
    return gru_unit(pre, operand.hidden(u));
  });
}

}  // namespace fansim::network
