// SPDX-License-Identifier: Apache-2.0
// These tests run frames back to back (docs/timing.md, "Frames"): counted from the layers' cycles, and stepped.
#include <algorithm>
#include <catch2/catch.hpp>

#include "small_network.h"

namespace fansim::frames_test {

using namespace test;

namespace {

const std::string kFirst = "  - {name: a, type: conv, filters: 8, kernel: 1, step: 0.05}\n";
const std::string kSecond = "  - {name: b, type: conv, filters: 6, kernel: 3, step: 0.05}\n";
const std::string kTail = "  - {name: h, type: hard_swish}\n  - {name: s, type: softmax}\n";

std::int64_t cycles(const nlohmann::json& report, std::size_t layer) { return report["layers"][layer]["cycles"]; }

}  // namespace

TEST_CASE("frames whose layers the accelerator all computes follow one another") {
  const SmallNetwork net(kFirst + kSecond);
  for (const char* count : {"1", "2", "7"}) {
    const nlohmann::json report = net.json("zcu102_stream", {"--frames", count, "--cross-check", "--verify"});
    const std::int64_t one = report["total"]["cycles"];
    CAPTURE(count);
    CHECK(report["frames"]["first_cycles"] == one);
    CHECK(report["frames"]["steady_cycles"] == one);
    CHECK(report["frames"]["total_cycles"] == std::atoi(count) * one);
    CHECK(report["frames"]["beside_cycles"] == 0);
  }
}

TEST_CASE("a frame's last layers on the host run beside the next frame up to the layer that changes what they read") {
  const SmallNetwork net(kFirst + kSecond + kTail);
  const std::int64_t count = 6;
  for (const char* each : {"0", "2", "300"}) {
    const nlohmann::json report =
        net.json("zcu102_stream", {"--frames", "6", "--cross-check", "--verify", "--set", "host.layer_setup=100",
                                   "--set", std::string("host.cycles_per_value=") + each});
    const std::int64_t a = cycles(report, 0), b = cycles(report, 1), tail = cycles(report, 2) + cycles(report, 3);
    // b waits for what reads its output.
    const std::int64_t steady = std::max(a, tail) + b;
    CAPTURE(each, a, b, tail);
    CHECK(report["frames"]["beside_cycles"] == tail);
    CHECK(report["frames"]["first_cycles"] == a + b + tail);
    CHECK(report["frames"]["steady_cycles"] == steady);
    CHECK(report["frames"]["waited_cycles"] == steady - a - b);
    CHECK(report["frames"]["total_cycles"] == a + b + (count - 1) * steady + tail);
  }
}

TEST_CASE("nothing runs beside the next frame where its input or its only layer changes what is read") {
  for (const std::string& layers :
       {kFirst + kTail, kFirst + kSecond + "  - {name: h, type: hard_swish, input_from: input}\n"}) {
    const nlohmann::json report =
        SmallNetwork(layers).json("zcu102_stream", {"--frames", "5", "--cross-check", "--verify"});
    const std::int64_t one = report["total"]["cycles"];
    CHECK(report["frames"]["steady_cycles"] == one);
    CHECK(report["frames"]["total_cycles"] == 5 * one);
  }
}

TEST_CASE("on clocks that meet now and then both engines agree on frames too") {
  const SmallNetwork net(kFirst + kSecond + kTail);
  for (const char* setup : {"0", "100", "5001"}) {
    const nlohmann::json report = net.json(
        "faq_zcu102_dorefa8", {"--frames", "5", "--cross-check", "--set", std::string("host.layer_setup=") + setup});
    CHECK(report["frames"]["total_cycles"] > 5 * (cycles(report, 0) + cycles(report, 1)));
    const nlohmann::json many = net.json("faq_zcu102_dorefa8", {"--frames", "1000000", "--timing-only", "--set",
                                                                std::string("host.layer_setup=") + setup});
    CHECK(many["frames"]["total_cycles"].get<std::int64_t>() ==
          report["frames"]["total_cycles"].get<std::int64_t>() +
              999'995 * report["frames"]["steady_cycles"].get<std::int64_t>());
  }
}

TEST_CASE("gaps of the writer reach into the next frame less what the host waited before it") {
  const SmallNetwork net(kFirst + kSecond + kTail);
  for (const char* each : {"0", "1"})
    net.json("tiny_stream",
             {"--frames", "5", "--cross-check", "--set", "dma.s2mm_gap=1000", "--set", "host.layer_setup=0", "--set",
              "host.dma_setup=0", "--set", "host.interrupt=0", "--set", std::string("host.cycles_per_value=") + each});
}

TEST_CASE("frames that cannot be are refused and the text says what came of the others") {
  const SmallNetwork net(kFirst + kSecond + kTail);
  const auto refusal = [&](const std::vector<std::string>& more) {
    const Outcome outcome = net.run("zcu102_stream", more);
    CHECK(outcome.code == 2);
    return outcome.err;
  };
  CHECK_THAT(refusal({"--frames", "0"}), Catch::Contains("run: --frames 0: allowed: 1..1000000"));
  CHECK_THAT(refusal({"--frames", "2", "--vcd", net.path() + "/w.vcd"}), Catch::Contains("--vcd records one"));
  CHECK_THAT(refusal({"--frames", "1000000", "--cross-check"}), Catch::Contains("the clocked engine steps"));
  const SmallNetwork flat("  - {name: c, type: conv, filters: 8, kernel: 1}\n  - {name: f, type: flatten}\n");
  for (const char* count : {"1", "2"}) {
    const Outcome nothing = flat.run("zcu102_stream", {"--frames", count, "--layers", "f"});
    CHECK(nothing.code == 2);
    CHECK_THAT(nothing.err, Catch::Contains("run: --frames: no layer runs"));
  }
  const Outcome outcome = net.run("zcu102_stream", {"--frames", "3"});
  CHECK_THAT(outcome.out, Catch::Contains("3 frames back to back: ") && Catch::Contains("beside the next frame"));
}

TEST_CASE("a softmax of codes without a step does not fit whichever layers run") {
  const SmallNetwork net("  - {name: s, type: softmax}\n  - {name: p, type: maxpool, kernel: 1}\n", "");
  for (const char* layers : {"s,p", "s", "p"})
    for (const char* values : {"--verify", "--timing-only"}) {
      const Outcome outcome = net.run("faq_zcu102_dorefa8", {"--layers", layers, values});
      CHECK(outcome.code == 3);
      CHECK_THAT(outcome.err, Catch::Contains("softmax needs to know what it reads stands for"));
    }
}

}  // namespace fansim::frames_test
