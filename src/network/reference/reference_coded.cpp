// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>

#include "base/interrupt.h"
#include "network/reference/exact_sum.h"
#include "network/reference/reference_layers.h"
#include "network/reference/windows.h"

namespace fansim::network {
namespace {

using Integers = std::vector<std::int32_t>;

// The integers of one output's weights.
class Rows {
 public:
  explicit Rows(const Layer& layer) : parameters_(layer.parameters()), row_(static_cast<std::size_t>(layer.fan_in())) {
    const unsigned codes = parameters_.codec ? parameters_.codec->codes() : 0;
    for (unsigned code = 0; code < codes; ++code) of_code_.push_back(parameters_.codec->integer(code));
    for (const std::int32_t value : of_code_) largest_ = std::max<std::int64_t>(largest_, std::abs(value));
    if (codes == 0) largest_ = 128;
  }

  const std::int32_t* row(std::size_t output) {
    const std::size_t first = output * row_.size();
    for (std::size_t i = 0; i < row_.size(); ++i) {
      row_[i] = parameters_.codec ? of_code_[parameters_.code(first + i)] : parameters_.weights[first + i];
    }
    return row_.data();
  }
  std::int64_t largest() const { return largest_; }

 private:
  const Parameters& parameters_;
  Integers of_code_, row_;
  std::int64_t largest_ = 0;
};

void run_fc(const Layer& layer, const Tensor& in, Rows& rows, Result& result, const arith::QuantiserFormat& format) {
  const auto values = centred<std::int32_t>(in);
  for (int unit = 0; unit < layer.outputs(); ++unit) {
    base::stop_if_interrupted();
    const auto row = static_cast<std::size_t>(unit);
    const std::int64_t sum = layer.parameters().bias[row] + dot(rows.row(row), values.data(), values.size());
    store(result, row, sum, layer, layer.requantise(unit), format);
  }
}

void run_conv(const Layer& layer, const Tensor& in, Rows& rows, Result& result, const arith::QuantiserFormat& format) {
  const auto taps = static_cast<std::size_t>(layer.fan_in());
  const std::int64_t largest =
      rows.largest() * std::max(in.format.highest() - in.format.zero_point, in.format.zero_point - in.format.lowest());
  arith::Requantise q;
  convolve<std::int32_t, std::int64_t>(
      layer, in,
      [&](std::size_t filter, const std::int32_t* columns, std::size_t positions, std::int64_t* sums) {
        q = layer.requantise(static_cast<int>(filter));
        dot_columns(rows.row(filter), columns, taps, positions, largest, sums);
      },
      [&](std::size_t at, std::size_t filter, std::int64_t sum) {
        store(result, at, sum + layer.parameters().bias[filter], layer, q, format);
      });
}

}  // namespace

void run_coded(const Layer& layer, const arith::QuantiserFormat& format, const Tensor& in, Result& result) {
  Rows rows(layer);
  if (layer.type() == LayerType::conv) {
    run_conv(layer, in, rows, result, format);
  } else {
    run_fc(layer, in, rows, result, format);
  }
}

}  // namespace fansim::network
