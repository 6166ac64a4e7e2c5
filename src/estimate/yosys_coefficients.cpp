// SPDX-License-Identifier: Apache-2.0
// Written by: estimate_test "[.write]", least squares over the points of tests/rtl/resources.csv in set `fit`.
#include "estimate/twins.h"

namespace fansim::estimate {

const std::vector<TwinCoefficients>& yosys_coefficients() {
  static const std::vector<TwinCoefficients> all{
      {"stream_register", {1, 5}, {2, 2}},
      {"activation", {54, 78}, {95, 151}},
      {"quantiser", {187.75, 5.21152, 2.04042, 204.421}, {101, 3, 314}},
  };
  return all;
}

}  // namespace fansim::estimate
