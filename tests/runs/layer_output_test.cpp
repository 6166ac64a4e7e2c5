// SPDX-License-Identifier: Apache-2.0
#include "runs/layer_output.h"

#include <catch2/catch.hpp>

#include "accelerators/stream/config/tensor_place.h"
#include "base/npy.h"
#include "support/user_error.h"

namespace fansim::layer_output_test {

namespace {

network::Tensor tensor(const std::vector<std::int8_t>& values) {
  network::Tensor tensor{network::Shape::map(2, 1, 3), {}, {}};
  for (const std::int8_t value : values) tensor.bytes.push_back(static_cast<std::uint8_t>(value));
  return tensor;
}

}  // namespace

TEST_CASE("the first difference names its place and both values") {
  const network::Tensor reference = tensor({1, 2, 3, 4, 5, 6});
  CHECK_FALSE(runs::first_difference(reference, reference).has_value());
  CHECK(runs::first_difference(tensor({1, 2, 3, 4, -5, 7}), reference) ==
        "output differs at (1, 0, 1): simulated -5, reference 5");
  CHECK(runs::first_difference(tensor({1}), reference) == "output has 1 values, the reference 6");
}

TEST_CASE("a map is read from planes of words inside its border") {
  network::Layer layer;
  layer.out = network::Shape::map(3, 2, 2);
  stream::TensorPlace place;
  place.address = 4;
  place.channels = 3;
  place.height = 2;
  place.width = 2;
  place.lanes = 2;
  place.row_pitch = 8;
  place.plane_pitch = 32;
  contract::LayerPlan plan;
  plan.output = std::make_shared<const stream::TensorPlace>(place);
  std::vector<std::uint8_t> ddr(80);
  for (std::size_t i = 0; i < ddr.size(); ++i) ddr[i] = static_cast<std::uint8_t>(i);
  CHECK(runs::read_output(layer, plan, ddr.data()).bytes ==
        std::vector<std::uint8_t>{4, 6, 12, 14, 5, 7, 13, 15, 36, 38, 44, 46});
}

TEST_CASE("a dump has the type that holds the tensor's values") {
  const test::ScratchDirectory scratch;
  const auto dumped = [&](int bits, bool is_unsigned) {
    network::Tensor out{network::Shape::map(1, 1, 2), network::NumberFormat::codes(bits, is_unsigned), {}};
    out.resize(2);
    out.set(0, out.format.lowest());
    out.set(1, out.format.highest());
    runs::dump(scratch.path(), "out", out);
    return scratch / "out.npy";
  };
  CHECK(base::read_npy<std::int8_t>(dumped(4, false), {1, 1, 2}) == std::vector<std::int8_t>{-8, 7});
  CHECK(base::read_npy<std::uint8_t>(dumped(8, true), {1, 1, 2}) == std::vector<std::uint8_t>{0, 255});
  CHECK(base::read_npy<std::int16_t>(dumped(9, false), {1, 1, 2}) == std::vector<std::int16_t>{-256, 255});
  CHECK(base::read_npy<std::int16_t>(dumped(16, false), {1, 1, 2}) == std::vector<std::int16_t>{-32768, 32767});
  CHECK(test::message_of([&] {
          base::read_npy<std::int16_t>(dumped(12, true), {1, 1, 2});
        }).find("uint16") != std::string::npos);
}

}  // namespace fansim::layer_output_test
