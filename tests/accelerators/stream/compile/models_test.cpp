// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "accelerators/stream/compile/check.h"

namespace fansim::test::models_test {

TEST_CASE("Every small model computes what the reference computes") {
  const std::string name = GENERATE("tiny_conv", "tiny_grouped", "tiny_mobile", "tiny_residual", "tiny_uint8",
                                    "tiny_lstm", "tiny_gru", "lenet5");
  const ArrayShape shape = GENERATE(ArrayShape{3, 3, 8, 8}, ArrayShape{5, 5, 4, 8});
  const auto order = GENERATE(stream::LoopOrder::thesis, stream::LoopOrder::least_traffic);
  CAPTURE(name, shape.rows, shape.cols, shape.input_channels, shape.output_channels, static_cast<int>(order));
  CHECK(disagreement(model(name), config_of(shape, order)) == "");
}

TEST_CASE("The thesis's widths and truncation give the reference's values") {
  const std::string name = GENERATE("tiny_conv", "tiny_mobile", "tiny_residual", "tiny_lstm");
  stream::Config config = config_of({3, 3, 8, 8}, stream::LoopOrder::thesis);
  config.quantiser = {20, 16, arith::Rounding::truncate};
  CAPTURE(name);
  CHECK(disagreement(model(name), config) == "");
}

}  // namespace fansim::test::models_test
