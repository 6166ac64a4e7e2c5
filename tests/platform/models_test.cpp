// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "platform/machine.h"
#include "rules/array_buckets.h"

namespace fansim::models_test {

namespace {

void check(const network::Network& network, const stream::Config& config) {
  const auto run = test::run_machine(network, config);
  CHECK(run.disagreement == "");
  CHECK(run.unaccounted() == "");
}

void check(const std::string& model) { check(test::shipped_model(model), test::shipped_config("zcu102_stream")); }

}  // namespace

TEST_CASE("convolutions of every kernel with pooling run bit-exact and accounted for") { check("tiny_conv"); }
TEST_CASE("depthwise and pointwise layers run bit-exact and accounted for") { check("tiny_mobile"); }
TEST_CASE("residual additions run bit-exact and accounted for") { check("tiny_residual"); }
TEST_CASE("grouped convolutions run bit-exact and accounted for") { check("tiny_grouped"); }
TEST_CASE("functions run bit-exact from code tables") {
  check(test::shipped_model("tiny_functions"), test::shipped_config("tiny_stream", {"array.code_table=true"}));
}
TEST_CASE("uint8 layers with zero points run bit-exact and accounted for") { check("tiny_uint8"); }
TEST_CASE("stacked LSTM layers run bit-exact and accounted for") { check("tiny_lstm"); }
TEST_CASE("stacked GRU layers run bit-exact and accounted for") { check("tiny_gru"); }
TEST_CASE("LeNet-5 runs bit-exact and accounted for") { check("lenet5"); }

TEST_CASE("a 64-bit port carries the same values") {
  check(test::shipped_model("lenet5"), test::shipped_config("zcu102_stream_64"));
}

TEST_CASE("the least-traffic order computes the same values") {
  check(test::shipped_model("tiny_conv"), test::shipped_config("zcu102_stream_least_traffic"));
}

TEST_CASE("a tiny accelerator computes the same values") {
  check(test::shipped_model("tiny_mobile"), test::shipped_config("tiny_stream"));
}

TEST_CASE("a single multiplier per DSP computes the same values a stage earlier") {
  check(test::shipped_model("tiny_conv"), test::shipped_config("zcu102_stream", {"array.multiplier=dsp48e2"}));
}

TEST_CASE("products in LUTs are the same values") {
  check(test::shipped_model("tiny_conv"), test::shipped_config("zcu102_stream", {"array.multiplier=lut"}));
}

TEST_CASE("reconfigurable tables give the same values") {
  check(test::shipped_model("tiny_uint8"), test::shipped_config("lut_kernel", {"array.multiplier=lut_reconfigurable"}));
}

TEST_CASE("reconfigurable tables without shadows give the same values") {
  check(test::shipped_model("tiny_lstm"),
        test::shipped_config("lut_kernel", {"array.multiplier=lut_reconfigurable", "array.shadow_luts=false"}));
}

TEST_CASE("the shipped system of kernels has kernels that give the same values") {
  const stream::Config shipped = test::shipped_config("lut_kernel");
  REQUIRE(shipped.array.kernels());
  check(test::shipped_model("tiny_uint8"), shipped);
}

TEST_CASE("kernels without shadow tables give the same values") {
  check(test::shipped_model("tiny_lstm"), test::shipped_config("lut_kernel", {"array.shadow_luts=false"}));
}

TEST_CASE("an ideal memory is never slower than the fixed one") {
  const auto run = test::run_machine(test::shipped_model("hand_window"),
                                     test::shipped_config("zcu102_stream", {"ddr.fidelity=ideal"}));
  CHECK(run.disagreement == "");
  CHECK(run.cycles() < 7600);
}

TEST_CASE("a banked memory computes the same values") {
  check(test::shipped_model("tiny_conv"), test::shipped_config("zcu102_stream", {"ddr.fidelity=banked"}));
}

TEST_CASE("a banked memory behind a narrow port and another map computes the same values") {
  check(test::shipped_model("tiny_lstm"),
        test::shipped_config("zcu102_stream_64", {"ddr.fidelity=banked", "ddr.part.mapping=zcu102_rev_1_0"}));
}

TEST_CASE("a memory that opens rows slowly shows it as waits for rows") {
  const auto run =
      test::run_machine(test::shipped_model("lenet5"),
                        test::shipped_config("zcu102_stream", {"ddr.fidelity=banked", "ddr.part.trcd=64"}));
  CHECK(run.disagreement == "");
  CHECK(run.unaccounted() == "");
  base::Cycles waits = 0;
  for (const contract::LayerResult& layer : run.layers)
    waits += layer.buckets[static_cast<std::size_t>(rules::ArrayBucket::ddr_row_miss)];
  CHECK(waits > 0);
}

}  // namespace fansim::models_test
