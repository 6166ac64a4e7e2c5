// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "arith/quantisation/component.h"
#include "base/random.h"

namespace fansim::test {

// Weights of bell shape, about `mean`, within 3.5 `sigma`.
inline std::vector<float> bell(std::size_t count, std::uint64_t seed, double sigma = 0.1, double mean = 0) {
  base::Random random(seed);
  std::vector<float> weights(count);
  for (float& weight : weights) {
    int sum = 0;
    for (int i = 0; i < 4; ++i) sum += random.uniform(-1000, 1000);
    weight = static_cast<float>(mean + sigma * sum / 1155);
  }
  return weights;
}

// Calls fn(method, bits) for every built-in method and code width.
template <class Fn>
void for_every_width(Fn fn) {
  const arith::QuantisationMethods methods;
  for (const std::string& name : methods.names()) {
    const arith::QuantisationMethod& method = *methods.find(name);
    for (int bits = method.weight_bits().lo; bits <= method.weight_bits().hi; ++bits) fn(method, bits);
  }
}

// Calls fn(method, codec) for every built-in method and code width, with a codec fitted to bell-shaped weights.
template <class Fn>
void for_every_codec(Fn fn) {
  for_every_width([&](const arith::QuantisationMethod& method, int bits) {
    const std::unique_ptr<arith::WeightCodec> codec = method.fit(bell(5000, 7), bits);
    fn(method, *codec);
  });
}

}  // namespace fansim::test
