// SPDX-License-Identifier: Apache-2.0
// Written by: estimate_test "[.write]", from tests/rtl/gates.csv.
#include "estimate/float_technology.h"

namespace fansim::estimate {

const std::vector<FloatGates>& float_gates() {
  using F = FloatOperator;
  static const std::vector<FloatGates> all{
      {F::adder, 0, 8, 7, 707.6, 78, 65, 23, 835.2, 1892},
      {F::adder, 0, 6, 9, 784.76, 84, 61, 22, 901.2, 1976.8},
      {F::adder, 0, 8, 11, 994.39, 102, 76, 27, 1174.7, 2671.2},
      {F::adder, 0, 8, 15, 1280.64, 126, 89, 34, 1517.5, 3634.5},
      {F::adder, 0, 8, 19, 1602.86, 150, 97, 42, 1790.7, 4378.3},
      {F::adder, 0, 8, 23, 1892.91, 174, 101, 50, 2094.2, 5128.9},
      {F::multiplier, 0, 8, 7, 628.31, 38, 34, 18, 669.1, 709.5},
      {F::multiplier, 0, 6, 9, 869.51, 38, 33, 22, 960, 1048.5},
      {F::multiplier, 0, 8, 11, 1266.2, 46, 39, 26, 1411.7, 1525},
      {F::multiplier, 0, 8, 15, 2217.78, 54, 47, 31, 2650.5, 2867.1},
      {F::multiplier, 0, 8, 19, 3423.46, 62, 51, 37, 4050.6, 4373.9},
      {F::multiplier, 0, 8, 23, 4924.6, 70, 58, 45, 6353.7, 6741.5},
      {F::array_divider, 0, 8, 7, 739.31, 108, 80, 35, 1378.2, 2454.1},
      {F::array_divider, 0, 6, 9, 1042.16, 112, 124, 43, 1947.3, 4924.2},
      {F::array_divider, 0, 8, 11, 1573.42, 180, 167, 53, 3372.6, 10655.6},
      {F::array_divider, 0, 8, 15, 2741.12, 272, 283, 69, 6282.1, 28706.8},
      {F::array_divider, 0, 8, 19, 4220.69, 384, 432, 85, 9745.4, 57275.9},
      {F::array_divider, 0, 8, 23, 6183.2, 516, 613, 101, 14625.4, 107814.8},
      {F::reciprocal_divider, 1, 8, 7, 2429.03, 156, 103, 25, 2428.2, 15442.8},
      {F::reciprocal_divider, 1, 6, 9, 3012.24, 164, 104, 27, 3218.6, 21183.7},
      {F::reciprocal_divider, 1, 8, 11, 3811.91, 192, 114, 31, 4321.7, 28668.4},
      {F::reciprocal_divider, 1, 8, 15, 5439.16, 228, 127, 39, 6385.5, 49343.9},
      {F::reciprocal_divider, 1, 8, 19, 7503.6, 264, 147, 48, 8862.8, 67739.2},
      {F::reciprocal_divider, 1, 8, 23, 9766.44, 300, 153, 55, 12190.7, 95387.1},
      {F::reciprocal_divider, 2, 8, 7, 4188.42, 246, 143, 25, 3545.8, 49016.4},
      {F::reciprocal_divider, 2, 6, 9, 5583.22, 264, 161, 29, 4915.3, 80961},
      {F::reciprocal_divider, 2, 8, 11, 7280.43, 310, 172, 31, 6635.7, 111777.7},
      {F::reciprocal_divider, 2, 8, 15, 11280.53, 374, 205, 39, 10651.4, 201751.7},
      {F::reciprocal_divider, 2, 8, 19, 16202.65, 438, 231, 48, 16288, 302403.9},
      {F::reciprocal_divider, 2, 8, 23, 21839.38, 502, 254, 55, 23063, 427196.6},
  };
  return all;
}

}  // namespace fansim::estimate
