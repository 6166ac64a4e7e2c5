// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

// This file computes in single precision as declared: each operation is rounded, which `volatile` enforces, and sums
// have an order.
namespace fansim::test {

inline float add(float a, float b) {
  const volatile float sum = a + b;
  return sum;
}
inline float multiply(float a, float b) {
  const volatile float product = a * b;
  return product;
}

// Adds adjacent pairs, level by level; an odd last term moves up unchanged.
inline float tree(std::vector<float> terms) {
  while (terms.size() > 1) {
    std::vector<float> above;
    for (std::size_t i = 0; i + 1 < terms.size(); i += 2) above.push_back(add(terms[i], terms[i + 1]));
    if (terms.size() % 2 == 1) above.push_back(terms.back());
    terms = above;
  }
  return terms[0];
}

}  // namespace fansim::test
