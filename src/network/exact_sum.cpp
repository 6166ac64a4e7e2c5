// SPDX-License-Identifier: Apache-2.0
#include "network/exact_sum.h"

#include <algorithm>

// Function versions are resolved before a sanitizer's runtime is up.
#if defined(__x86_64__) && !defined(FANSIM_CHECKED)
#define FANSIM_CLONES __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define FANSIM_CLONES
#endif

namespace fansim::network {
namespace {

// A product is at most 128 * 255: this many fit 32 bits.
constexpr std::size_t kChunk = 65536;

FANSIM_CLONES std::int32_t dot_chunk(const std::int8_t* weights, const std::int16_t* values, std::size_t count) {
  std::int32_t sum = 0;
  for (std::size_t i = 0; i < count; ++i) sum += weights[i] * values[i];
  return sum;
}

// Four taps at a time: each sum is read and written once for four products.
FANSIM_CLONES void add_columns(const std::int8_t* weights, const std::int16_t* columns, std::size_t taps,
                               std::size_t positions, std::int32_t* __restrict sums) {
  std::size_t t = 0;
  for (; t + 4 <= taps; t += 4) {
    const std::int32_t w0 = weights[t], w1 = weights[t + 1], w2 = weights[t + 2], w3 = weights[t + 3];
    const std::int16_t* c0 = columns + t * positions;
    const std::int16_t* c1 = c0 + positions;
    const std::int16_t* c2 = c1 + positions;
    const std::int16_t* c3 = c2 + positions;
    for (std::size_t p = 0; p < positions; ++p) sums[p] += w0 * c0[p] + w1 * c1[p] + w2 * c2[p] + w3 * c3[p];
  }
  for (; t < taps; ++t) {
    const std::int32_t w = weights[t];
    for (std::size_t p = 0; p < positions; ++p) sums[p] += w * columns[t * positions + p];
  }
}

}  // namespace

std::vector<std::int16_t> centred(const Tensor& tensor) {
  std::vector<std::int16_t> values(tensor.bytes.size());
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = static_cast<std::int16_t>(tensor.at(i) - tensor.zero_point);
  return values;
}

std::int64_t dot(const std::int8_t* weights, const std::int16_t* values, std::size_t count) {
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < count; i += kChunk)
    sum += dot_chunk(weights + i, values + i, std::min(kChunk, count - i));
  return sum;
}

void dot_columns(const std::int8_t* weights, const std::int16_t* columns, std::size_t taps, std::size_t positions,
                 std::int64_t* sums) {
  std::vector<std::int32_t> chunk(positions);
  std::fill(sums, sums + positions, 0);
  for (std::size_t t = 0; t < taps; t += kChunk) {
    std::fill(chunk.begin(), chunk.end(), 0);
    add_columns(weights + t, columns + t * positions, std::min(kChunk, taps - t), positions, chunk.data());
    for (std::size_t p = 0; p < positions; ++p) sums[p] += chunk[p];
  }
}

Bordered::Bordered(const Layer& layer, const Tensor& in, std::int16_t outside)
    : stride_(layer.stride),
      height_(std::max(layer.padding[0] + in.shape.height, (layer.out.height - 1) * layer.stride + layer.kernel)),
      width_(std::max(layer.padding[1] + in.shape.width, (layer.out.width - 1) * layer.stride + layer.kernel)),
      values_(static_cast<std::size_t>(in.shape.channels) * static_cast<std::size_t>(height_) *
                  static_cast<std::size_t>(width_),
              outside) {
  std::size_t from = 0;
  for (int c = 0; c < in.shape.channels; ++c) {
    for (int row = 0; row < in.shape.height; ++row) {
      auto to =
          static_cast<std::size_t>((std::int64_t{c} * height_ + row + layer.padding[0]) * width_ + layer.padding[1]);
      for (int column = 0; column < in.shape.width; ++column, ++from, ++to) {
        values_[to] = static_cast<std::int16_t>(in.at(from) - in.zero_point);
      }
    }
  }
}

}  // namespace fansim::network
