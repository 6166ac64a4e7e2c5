// SPDX-License-Identifier: Apache-2.0
// The layers are those of the tiled accelerator that docs/timing.md counts by hand. The numbers are typed from that
// page, not from a run.
#include <catch2/catch.hpp>

#include "platform/machine.h"
#include "rules/array_buckets.h"
#include "support/network_text.h"

namespace fansim::tiled_hand_count_test {

using Bucket = rules::ArrayBucket;

namespace {

// The page counts with round constants of the memory, and not with the board's.
tiled::Config counted_config(const std::string& name, std::vector<std::string> overrides) {
  overrides.insert(overrides.begin(), "ddr=../parts/round_numbers_ddr.yaml");
  return test::shipped_tiled(name, overrides);
}

tiled::Config dorefa8(const std::vector<std::string>& overrides = {}) {
  return counted_config("faq_zcu102_dorefa8", overrides);
}

// One clock for all, and the memory's costs as many cycles of it as they are of the shipped port's.
tiled::Config one_clock(std::vector<std::string> overrides) {
  for (const char* setting : {"port_mhz=200", "ddr.read_latency=53", "ddr.write_latency=27", "ddr.turnaround=11",
                              "ddr.refresh_interval=2600", "ddr.refresh_cycles=87"})
    overrides.emplace_back(setting);
  return dorefa8(overrides);
}

base::Cycles bucket(const test::MachineRun& run, Bucket which) {
  return run.layers.at(0).buckets[static_cast<std::size_t>(which)];
}

void check_parallel_window(const test::MachineRun& run, base::Cycles wait_weights) {
  CHECK(run.disagreement == "");
  CHECK(bucket(run, Bucket::wait_weights) == wait_weights);
  CHECK(bucket(run, Bucket::wait_input) == 62);
  CHECK(bucket(run, Bucket::ddr_refresh) == 21);
  CHECK(run.unaccounted() == "");
}

}  // namespace

TEST_CASE("a convolution of two tiles takes the 3682 cycles counted by hand") {
  const auto run =
      test::run_machine(test::shipped_model("hand_tile"),
                        one_clock({"first.tm=0", "first.tn=0", "conv.tm=8", "conv.tn=6", "conv.dsp_channels=8"}));
  CHECK(run.disagreement == "");
  CHECK(run.cycles() == 3682);
  CHECK(bucket(run, Bucket::compute) == 72);
  CHECK(bucket(run, Bucket::fill) == 6);
  CHECK(bucket(run, Bucket::wait_weights) == 413);
  CHECK(bucket(run, Bucket::wait_input) == 199);
  CHECK(bucket(run, Bucket::ddr_refresh) == 23);
  CHECK(bucket(run, Bucket::drain) == 82);
  CHECK(bucket(run, Bucket::host) == 2884);
  CHECK(bucket(run, Bucket::idle) == 3);
  CHECK(run.unaccounted() == "");
}

TEST_CASE("the two tiles take the 6498 cycles counted by hand when their outputs are looked up") {
  const auto run = test::run_machine(test::network_of("input: {shape: [12, 4, 4], step: 0.05}\nlayers:\n"
                                                      "  - {name: c, type: conv, filters: 8, kernel: 3, step: 0.05}\n"
                                                      "  - {name: s, type: hard_swish}\n"),
                                     one_clock({"first.tm=0", "first.tn=0", "conv.tm=8", "conv.tn=6",
                                                "conv.dsp_channels=8", "store.code_table=true"}));
  CHECK(run.disagreement == "");
  CHECK(run.cycles() == 6498);
  CHECK(run.unaccounted() == "");
}

TEST_CASE("the two tiles behind padded pooling windows take the 3707 cycles counted by hand") {
  const auto run = test::run_machine(
      test::network_of("input: {shape: [12, 4, 4], type: int8}\nlayers:\n"
                       "  - {name: conv, type: conv, filters: 8, kernel: 3}\n"
                       "  - {name: pool, type: maxpool, kernel: 2, stride: 1, padding: 1}\n"),
      one_clock({"first.tm=0", "first.tn=0", "conv.tm=8", "conv.tn=6", "conv.dsp_channels=8", "store.burst_beats=32"}));
  CHECK(run.disagreement == "");
  CHECK(run.cycles() == 3707);
  CHECK(bucket(run, Bucket::compute) == 72);
  CHECK(bucket(run, Bucket::drain) == 107);
  CHECK(bucket(run, Bucket::idle) == 3);
  CHECK(run.unaccounted() == "");
}

TEST_CASE("a single window on the shipped tiles takes the 5058 cycles counted by hand") {
  const auto run = test::run_machine(test::shipped_model("hand_window"), dorefa8());
  CHECK(run.disagreement == "");
  CHECK(run.cycles() == 5058);
  CHECK(bucket(run, Bucket::compute) == 9);
  CHECK(bucket(run, Bucket::fill) == 3);
  CHECK(bucket(run, Bucket::wait_weights) == 1975);
  CHECK(bucket(run, Bucket::wait_input) == 110);
  CHECK(bucket(run, Bucket::ddr_refresh) == 21);
  CHECK(bucket(run, Bucket::drain) == 53);
  CHECK(bucket(run, Bucket::host) == 2884);
  CHECK(bucket(run, Bucket::idle) == 3);
  CHECK(run.unaccounted() == "");
}

TEST_CASE("a single window through chains of packed slices takes the 5064 cycles counted by hand") {
  const auto run = test::run_machine(test::shipped_model("hand_window"),
                                     counted_config("faq_zcu102_dorefa8_dsp", {"conv.tn=24", "conv.macs=int8_chain"}));
  CHECK(run.disagreement == "");
  CHECK(run.cycles() == 5064);
  CHECK(bucket(run, Bucket::drain) == 59);
  CHECK(run.unaccounted() == "");
}

TEST_CASE("a single window through chains of eight terms takes the 5065 cycles counted by hand") {
  const auto run = test::run_machine(
      test::shipped_model("hand_window"),
      counted_config("faq_zcu102_dorefa8_dsp", {"conv.tn=24", "conv.macs=int8_chain", "conv.terms=8"}));
  CHECK(run.disagreement == "");
  CHECK(run.cycles() == 5065);
  CHECK(bucket(run, Bucket::drain) == 60);
  CHECK(run.unaccounted() == "");
}

TEST_CASE("the window with a port for each stream takes the 4952 cycles counted by hand") {
  const auto run = test::run_machine(test::shipped_model("hand_window"), dorefa8({"load.order=parallel"}));
  CHECK(run.cycles() == 4952);
  check_parallel_window(run, 1917);
}

TEST_CASE("the window with a lane of the memory for each port takes the 4949 cycles counted by hand") {
  const auto run =
      test::run_machine(test::shipped_model("hand_window"), dorefa8({"load.order=parallel", "ddr.data_bits=256"}));
  CHECK(run.cycles() == 4949);
  check_parallel_window(run, 1914);
}

TEST_CASE("a fully connected layer takes those 3102 cycles with its vectors in registers") {
  const auto run = test::run_machine(test::shipped_model("hand_fc"), dorefa8({"fc.vectors=registers"}));
  CHECK(run.disagreement == "");
  CHECK(run.cycles() == 3102);
}

TEST_CASE("a fully connected layer takes the 3102 cycles counted by hand") {
  const auto run = test::run_machine(test::shipped_model("hand_fc"), dorefa8());
  CHECK(run.disagreement == "");
  CHECK(run.cycles() == 3102);
  CHECK(bucket(run, Bucket::compute) == 4);
  CHECK(bucket(run, Bucket::fill) == 4);
  CHECK(bucket(run, Bucket::wait_weights) == 54);
  CHECK(bucket(run, Bucket::wait_input) == 97);
  CHECK(bucket(run, Bucket::ddr_refresh) == 0);
  CHECK(bucket(run, Bucket::drain) == 56);
  CHECK(bucket(run, Bucket::host) == 2884);
  CHECK(bucket(run, Bucket::idle) == 3);
  CHECK(run.unaccounted() == "");
}

}  // namespace fansim::tiled_hand_count_test
