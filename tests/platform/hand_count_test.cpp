// SPDX-License-Identifier: Apache-2.0
// The layers are those that docs/timing.md counts by hand. The numbers are typed from that page, not from a run.
#include <catch2/catch.hpp>

#include "platform/machine.h"
#include "rules/array_buckets.h"
#include "support/network_text.h"

namespace fansim::hand_count_test {

using Bucket = rules::ArrayBucket;

namespace {

// The page counts with round constants of the memory, and not with the board's.
stream::Config counted_config(std::vector<std::string> settings = {}) {
  settings.insert(settings.begin(), "ddr=../parts/round_numbers_ddr.yaml");
  return test::shipped_config("zcu102_stream", settings);
}

base::Cycles bucket(const test::MachineRun& run, Bucket which) {
  return run.layers.at(0).buckets[static_cast<std::size_t>(which)];
}

void check_window(const std::vector<std::string>& settings, base::Cycles cycles) {
  const auto run = test::run_machine(test::shipped_model("hand_window"), counted_config(settings));
  CHECK(run.disagreement == "");
  CHECK(run.cycles() == cycles);
  CHECK(bucket(run, Bucket::compute) == 1);
  CHECK(run.unaccounted() == "");
}

}  // namespace

TEST_CASE("a single 3 x 3 window takes the 7600 cycles counted by hand") {
  const auto run = test::run_machine(test::shipped_model("hand_window"), counted_config());
  CHECK(run.disagreement == "");
  CHECK(run.cycles() == 7600);
  CHECK(bucket(run, Bucket::compute) == 1);
  CHECK(bucket(run, Bucket::ddr_refresh) == 15);
  CHECK(run.unaccounted() == "");
}

TEST_CASE("a 1 x 1 layer takes the 7596 cycles counted by hand") {
  const auto run = test::run_machine(test::shipped_model("hand_pointwise"), counted_config());
  CHECK(run.disagreement == "");
  CHECK(run.cycles() == 7596);
  CHECK(bucket(run, Bucket::compute) == 4);
  CHECK(run.unaccounted() == "");
}

TEST_CASE("a sum of two weights takes the 8214 cycles counted by hand") {
  const auto run = test::run_machine(test::shipped_model("hand_sum"), counted_config());
  CHECK(run.disagreement == "");
  CHECK(run.cycles() == 8214);
  CHECK(bucket(run, Bucket::compute) == 8);
  CHECK(run.unaccounted() == "");
}

TEST_CASE("a sum of two weights takes 9315 cycles where its weights are fetched one after the other") {
  const auto run =
      test::run_machine(test::shipped_model("hand_sum"), counted_config({"schedule.loop_order=least_traffic"}));
  CHECK(run.disagreement == "");
  CHECK(run.cycles() == 9315);
  CHECK(run.unaccounted() == "");
}

TEST_CASE("one LSTM step takes the 9649 cycles counted by hand") {
  const auto run = test::run_machine(test::shipped_model("hand_lstm_step"), counted_config());
  CHECK(run.disagreement == "");
  CHECK(run.cycles() == 9649);
  CHECK(bucket(run, Bucket::compute) == 8);
  CHECK(run.unaccounted() == "");
}

TEST_CASE("the single window waits for its shadow tables as counted by hand") {
  const auto run =
      test::run_machine(test::shipped_model("hand_window"), counted_config({"array.multiplier=lut_reconfigurable"}));
  CHECK(run.disagreement == "");
  CHECK(run.cycles() == 7623);
  CHECK(bucket(run, Bucket::compute) == 1);
  CHECK(run.unaccounted() == "");
}

TEST_CASE("the single window waits 32 cycles for tables without shadows") {
  const auto run =
      test::run_machine(test::shipped_model("hand_window"),
                        counted_config({"array.multiplier=lut_reconfigurable", "array.shadow_luts=false"}));
  CHECK(run.disagreement == "");
  CHECK(run.cycles() == 7631);
  CHECK(run.unaccounted() == "");
}

TEST_CASE("the single window takes the 7623 cycles counted by hand through kernels of tables") {
  const auto run =
      test::run_machine(test::shipped_model("hand_window"), counted_config({"array.multiplier=lut_kernel"}));
  CHECK(run.disagreement == "");
  CHECK(run.cycles() == 7623);
  CHECK(run.unaccounted() == "");
}

TEST_CASE("the single window takes the 7631 cycles counted by hand through kernels without shadow tables") {
  const auto run = test::run_machine(test::shipped_model("hand_window"),
                                     counted_config({"array.multiplier=lut_kernel", "array.shadow_luts=false"}));
  CHECK(run.disagreement == "");
  CHECK(run.cycles() == 7631);
  CHECK(run.unaccounted() == "");
}

TEST_CASE("the single window of one product per slice takes the 7599 cycles counted by hand") {
  check_window({"array.multiplier=dsp48e2"}, 7599);
}

TEST_CASE("the single window of 16 bits takes the 7636 cycles counted by hand") {
  check_window({"array.multiplier=dsp48e2", "array.operand_bits=16"}, 7636);
}

TEST_CASE("the single window of 12 bits takes the 7636 cycles of 16") {
  check_window({"array.multiplier=dsp48e2", "array.operand_bits=12"}, 7636);
}

TEST_CASE("the single window of 16 bits takes the 7661 cycles counted by hand through kernels") {
  check_window({"array.multiplier=lut_kernel", "array.operand_bits=16"}, 7661);
}

TEST_CASE("the single window of 12 bits takes the 7661 cycles counted by hand through kernels") {
  check_window({"array.multiplier=lut_kernel", "array.operand_bits=12"}, 7661);
}

TEST_CASE("the single window of 16 bits and coefficients of 8 takes the 7624 cycles counted by hand") {
  check_window({"array.multiplier=lut_kernel", "array.operand_bits=16", "array.coefficient_bits=8"}, 7624);
}

TEST_CASE("the single window of 16 bits takes the 7669 cycles counted by hand through kernels without shadow tables") {
  check_window({"array.multiplier=lut_kernel", "array.operand_bits=16", "array.shadow_luts=false"}, 7669);
}

TEST_CASE("the single window takes the 7605 cycles counted by hand through chains that share activations") {
  const auto run =
      test::run_machine(test::shipped_model("hand_window"), counted_config({"array.multiplier=dsp48e2_int8_chain"}));
  CHECK(run.disagreement == "");
  CHECK(run.cycles() == 7605);
  CHECK(run.unaccounted() == "");
}

TEST_CASE("the single window takes the 7606 cycles counted by hand through chains of eight terms") {
  const auto run = test::run_machine(test::shipped_model("hand_window"),
                                     counted_config({"array.multiplier=dsp48e2_int8_chain", "array.terms=8"}));
  CHECK(run.disagreement == "");
  CHECK(run.cycles() == 7606);
  CHECK(run.unaccounted() == "");
}

TEST_CASE("the single window takes the 7607 cycles counted by hand through chains that share weights") {
  const auto run = test::run_machine(test::shipped_model("hand_window"),
                                     counted_config({"array.multiplier=dsp48e2_int8_chain", "array.shared=weight"}));
  CHECK(run.disagreement == "");
  CHECK(run.cycles() == 7607);
  CHECK(run.unaccounted() == "");
}

TEST_CASE("the single window takes the 7602 cycles counted by hand through lines of block RAM") {
  const auto run = test::run_machine(test::shipped_model("hand_window"), counted_config({"array.line_memory=block"}));
  CHECK(run.disagreement == "");
  CHECK(run.cycles() == 7602);
  CHECK(run.unaccounted() == "");
}

TEST_CASE("lines of flip-flops take the cycles of SRLs") {
  const auto run = test::run_machine(test::shipped_model("hand_window"), counted_config({"array.line_memory=ff"}));
  CHECK(run.disagreement == "");
  CHECK(run.cycles() == 7600);
  CHECK(run.unaccounted() == "");
}

TEST_CASE("the 1 x 1 layer takes the 7598 cycles counted by hand through lines of block RAM") {
  const auto run =
      test::run_machine(test::shipped_model("hand_pointwise"), counted_config({"array.line_memory=block"}));
  CHECK(run.disagreement == "");
  CHECK(run.cycles() == 7598);
  CHECK(run.unaccounted() == "");
}

TEST_CASE("the LSTM step takes the 9653 cycles counted by hand through lines of block RAM") {
  const auto run =
      test::run_machine(test::shipped_model("hand_lstm_step"), counted_config({"array.line_memory=block"}));
  CHECK(run.disagreement == "");
  CHECK(run.cycles() == 9653);
  CHECK(run.unaccounted() == "");
}

TEST_CASE("the LSTM step takes the 9652 cycles counted by hand with a multiplier for its hidden state") {
  const auto run =
      test::run_machine(test::shipped_model("hand_lstm_step"), counted_config({"array.hidden_requantise=true"}));
  CHECK(run.disagreement == "");
  CHECK(run.cycles() == 9652);
  CHECK(run.unaccounted() == "");
}

TEST_CASE("the single window takes the 11056 cycles counted by hand when its pixel is looked up") {
  const auto run = test::run_machine(test::network_of("input: {shape: [8, 3, 3], step: 0.05}\nlayers:\n"
                                                      "  - {name: c, type: conv, filters: 8, kernel: 3, step: 0.05}\n"
                                                      "  - {name: s, type: hard_swish}\n"),
                                     counted_config({"array.code_table=true"}));
  CHECK(run.disagreement == "");
  CHECK(run.cycles() == 11056);
  CHECK(bucket(run, Bucket::ddr_refresh) == 0);
  CHECK(run.unaccounted() == "");
}

TEST_CASE("a product in LUTs takes one cycle less than a packed pair") {
  const auto run = test::run_machine(test::shipped_model("hand_window"), counted_config({"array.multiplier=lut"}));
  CHECK(run.disagreement == "");
  CHECK(run.cycles() == 7599);
}

}  // namespace fansim::hand_count_test
