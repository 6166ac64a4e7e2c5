// SPDX-License-Identifier: Apache-2.0
#include "estimate/float_cells.h"

#include <catch2/catch.hpp>

namespace fansim::float_cells_test {

using namespace estimate;

TEST_CASE("Dadda's reduction has the adders of its formula") {
  // There are n^2 - 4 n + 3 full adders and n - 1 half adders; the levels follow from the heights 2, 3, 4, 6, 9, 13,
  // 19, 28.
  const int levels[] = {2, 4, 5, 6, 7};
  const int sizes[] = {4, 8, 12, 16, 24};
  for (int i = 0; i < 5; ++i) {
    const Dadda d = dadda(sizes[i]);
    CAPTURE(sizes[i]);
    CHECK(d.full_adders == sizes[i] * sizes[i] - 4 * sizes[i] + 3);
    CHECK(d.half_adders == sizes[i] - 1);
    CHECK(d.levels == levels[i]);
  }
}

TEST_CASE("operators shrink with their width and the multiplier's energy the most") {
  // The formats go from single precision to custom-24 and brain-16.
  const OperatorCells add[] = {float_adder(8, 24), float_adder(8, 16), float_adder(8, 8)};
  const OperatorCells multiply[] = {float_multiplier(8, 24), float_multiplier(8, 16), float_multiplier(8, 8)};
  const OperatorCells divide[] = {float_array_divider(8, 24), float_array_divider(8, 16), float_array_divider(8, 8)};
  for (int i = 1; i < 3; ++i) {
    CHECK(add[i].gates < add[i - 1].gates);
    CHECK(multiply[i].toggles < multiply[i - 1].toggles);
    CHECK(divide[i].gates < divide[i - 1].gates);
  }
  CHECK(multiply[2].toggles / multiply[0].toggles < add[2].toggles / add[0].toggles);
}

TEST_CASE("the array of rows is smaller and takes less energy than three multipliers") {
  for (const int p : {8, 10, 16, 24}) {
    const OperatorCells array = float_array_divider(8, p);
    const OperatorCells reciprocal = float_reciprocal_divider(8, p, p + 3, 6, p > 13 ? 2 : 1);
    CAPTURE(p);
    CHECK(array.gates < reciprocal.gates);
    CHECK(array.toggles < reciprocal.toggles);
  }
}

}  // namespace fansim::float_cells_test
