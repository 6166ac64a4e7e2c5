// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "base/random.h"
#include "blocks/lut_types.h"
#include "contract/lut_kernel.h"

// This file has sizes and operands of reconfigurable LUT kernels.
namespace fansim::test {

inline contract::LutKernelConfig kernel_of(int inputs, int input_bits, int coefficient_bits, bool faithful,
                                           bool shadow) {
  return {{inputs, input_bits, coefficient_bits, faithful}, shadow};
}

inline std::vector<contract::LutKernelConfig> kernel_sizes() {
  return {kernel_of(9, 8, 8, false, true),   kernel_of(25, 12, 12, true, true), kernel_of(1, 5, 7, false, true),
          kernel_of(49, 16, 16, true, true), kernel_of(9, 8, 8, true, false),   kernel_of(4, 11, 16, false, false)};
}

inline std::string text(const contract::LutKernelConfig& c) {
  return std::to_string(c.format.inputs) + " inputs of " + std::to_string(c.format.input_bits) + " bits times " +
         std::to_string(c.format.coefficient_bits) + (c.format.faithful ? ", faithful" : ", full") +
         (c.shadow_luts ? ", shadow" : "");
}

// Often an end of the range.
inline std::int16_t operand(int bits, base::Random& random) {
  const int low = -(1 << (bits - 1));
  const int draw = random.uniform(0, 5);
  return static_cast<std::int16_t>(draw == 0 ? low : draw == 1 ? -low - 1 : random.uniform(low, -low - 1));
}

inline blocks::Coefficients random_coefficients(const contract::LutKernelConfig& config, base::Random& random) {
  blocks::Coefficients set{};
  for (int i = 0; i < config.format.inputs; ++i)
    set.values[static_cast<std::size_t>(i)] = operand(config.format.coefficient_bits, random);
  return set;
}

// Passes of one or more vectors, each pass with its own coefficients.
struct KernelWork {
  KernelWork(const contract::LutKernelConfig& c, int passes, int longest_pass, base::Random& random) : config(c) {
    for (int pass = 0; pass < passes; ++pass) {
      sets.push_back(random_coefficients(config, random));
      const int length = random.uniform(1, longest_pass);
      for (int k = 0; k < length; ++k) add_vector(pass, k == 0, random);
    }
  }
  void add_vector(int pass, bool first, base::Random& random) {
    blocks::KernelInputs vector{};
    vector.index = static_cast<int>(vectors.size());
    vector.new_coefficients = first;
    for (int i = 0; i < config.format.inputs; ++i)
      vector.x[static_cast<std::size_t>(i)] = operand(config.format.input_bits, random);
    vectors.push_back(vector);
    pass_of.push_back(pass);
  }
  int x(std::size_t k, int i) const { return vectors[k].x[static_cast<std::size_t>(i)]; }
  int coefficient(std::size_t k, int i) const {
    return sets[static_cast<std::size_t>(pass_of[k])].values[static_cast<std::size_t>(i)];
  }
  std::int64_t expected(std::size_t k) const {
    std::vector<int> xs, cs;
    for (int i = 0; i < config.format.inputs; ++i) {
      xs.push_back(x(k, i));
      cs.push_back(coefficient(k, i));
    }
    const arith::LutKernel kernel(config.format);
    return config.format.faithful ? kernel.evaluate(xs, cs) : kernel.exact(xs, cs);
  }

  contract::LutKernelConfig config;
  std::vector<blocks::Coefficients> sets;
  std::vector<blocks::KernelInputs> vectors;
  std::vector<int> pass_of;
};

}  // namespace fansim::test
