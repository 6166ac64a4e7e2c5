// SPDX-License-Identifier: Apache-2.0
// These tests show layers that an accelerator leaves to its host, as a user sees them.
#include <catch2/catch.hpp>

#include "small_network.h"

namespace fansim::host_layers_test {

using namespace test;

namespace {

const char* const kLayers =
    "  - {name: c, type: conv, filters: 8, kernel: 1, step: 0.05}\n  - {name: h, type: hard_swish}\n"
    "  - {name: m, type: multiply, with: c}\n  - {name: d, type: conv, filters: 4, kernel: 3}\n";

}  // namespace

TEST_CASE("a layer of the host takes its setup and so many cycles a value on either accelerator and engine") {
  const SmallNetwork net(kLayers);
  for (const char* machine : {"zcu102_stream", "faq_zcu102_dorefa8"})
    for (const char* engine : {"fast", "clocked"}) {
      const nlohmann::json report = net.json(machine, {"--engine", engine, "--verify", "--set", "host.layer_setup=700",
                                                       "--set", "host.cycles_per_value=3"});
      CAPTURE(machine, engine);
      // 240 values are read and written; the product reads twice as many.
      CHECK(report["layers"][1]["cycles"] == 700 + 3 * 480);
      CHECK(report["layers"][2]["cycles"] == 700 + 3 * 720);
      CHECK(report["layers"][1]["type"] == "host");
      CHECK(report["layers"][1]["on_host"] == true);
      CHECK(!report["layers"][0].contains("on_host"));
      CHECK(report["total"]["on_host_cycles"] == 1400 + 3 * 1200);
      CHECK(report["layers"][1]["buckets"]["host"] == 700 + 3 * 480);
    }
}

TEST_CASE("a pooling on the host reads each cell of each window") {
  const SmallNetwork net(
      "  - {name: p, type: maxpool, kernel: 2, stride: 1}\n  - {name: d, type: conv, filters: 4, kernel: 3}\n");
  const nlohmann::json report = net.json("faq_zcu102_dorefa8", {"--timing-only", "--set", "host.layer_setup=0"});
  CHECK(report["layers"][0]["cycles"] == 2 * (8 * 5 * 4 * 4 + 8 * 5 * 4));
}

TEST_CASE("the first line says the host's share and --strict refuses what has no hardware") {
  const SmallNetwork net(kLayers);
  const Outcome outcome = run_program({"run", config("zcu102_stream"), net.file, "--verify", "--cross-check"});
  CHECK(outcome.code == 0);
  CHECK_THAT(outcome.first_line(), Catch::Contains("% of them in software on the host, verified"));
  const Outcome strict = run_program({"run", config("zcu102_stream"), net.file, "--strict"});
  CHECK(strict.code == 3);
  CHECK_THAT(strict.err,
             Catch::Contains("n.yaml:6:5: h: does not fit: the accelerator has no hard_swish; without --strict "
                             "its host computes it"));
}

TEST_CASE("a function whose input stands for nothing known is an error at its place") {
  const SmallNetwork net("  - {name: h, type: tanh}\n", "");
  const Outcome outcome = run_program({"run", config("zcu102_stream"), net.file});
  CHECK(outcome.code == 2);
  CHECK_THAT(outcome.err, Catch::Contains("n.yaml:5:") && Catch::Contains("input has no 'step'"));
}

TEST_CASE("a function in a table is no layer of the host and any layer of its chain brings the others") {
  const SmallNetwork net(
      "  - {name: a, type: conv, filters: 8, kernel: 1, step: 0.05}\n  - {name: t, type: hard_swish}\n"
      "  - {name: p, type: maxpool, kernel: 2}\n  - {name: b, type: conv, filters: 4, kernel: 1, step: 0.1}\n"
      "  - {name: u, type: sigmoid}\n");
  const auto tables = [](const std::string& key, std::vector<std::string> more) {
    more.insert(more.end(), {"--set", key + ".code_table=true", "--strict", "--verify", "--cross-check"});
    return more;
  };
  for (const auto& [machine, key] : {std::pair{"zcu102_stream", "array"}, {"faq_zcu102_dorefa8", "store"}}) {
    CAPTURE(machine);
    const nlohmann::json whole = net.json(machine, tables(key, {}));
    for (const char* layers : {"a", "t", "p", "b", "u"}) {
      CAPTURE(layers);
      const nlohmann::json part = net.json(machine, tables(key, {"--layers", layers}));
      const std::size_t head = layers[0] == 'b' || layers[0] == 'u' ? 3 : 0;
      CHECK(part["layers"].size() == (head == 0 ? 3 : 2));
      CHECK(part["total"]["cycles"] == whole["layers"][head]["cycles"]);
    }
    CHECK(net.run(machine, {"--strict"}).code == 3);
  }
}

}  // namespace fansim::host_layers_test
