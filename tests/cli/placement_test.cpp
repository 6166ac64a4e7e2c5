// SPDX-License-Identifier: Apache-2.0
// These tests show concatenations that cost nothing, as a user sees them.
#include <catch2/catch.hpp>

#include "base/file.h"
#include "base/npy.h"
#include "small_network.h"

namespace fansim::placement_test {

using namespace test;

namespace {

// The network has a fire module with a pooling after one of its maps, a part that is read alone, a chain, and a reader
// with padding.
const char* const kLayers =
    "  - {name: squeeze, type: conv, filters: 8, kernel: 1, activation: relu}\n"
    "  - {name: left, type: conv, filters: 16, kernel: 1, activation: relu}\n"
    "  - {name: right, type: conv, input_from: squeeze, filters: 16, kernel: 2, padding: 1}\n"
    "  - {name: smooth, type: maxpool, kernel: 2, stride: 1}\n"
    "  - {name: fire, type: concat, input_from: left, with: smooth}\n"
    "  - {name: third, type: conv, input_from: input, filters: 5, kernel: 1}\n"
    "  - {name: all, type: concat, input_from: fire, with: third}\n"
    "  - {name: next, type: conv, filters: 12, kernel: 3, padding: 1}\n"
    "  - {name: alone, type: conv, input_from: left, filters: 4, kernel: 1}\n";

const nlohmann::json& row(const nlohmann::json& report, const std::string& name) {
  for (const nlohmann::json& layer : report["layers"])
    if (layer["name"] == name) return layer;
  throw std::out_of_range(name);
}

}  // namespace

TEST_CASE(
    "a concatenation by placement takes no cycle and moves no byte and both engines leave the reference's bytes") {
  const SmallNetwork net(kLayers);
  for (const char* machine : {"zcu102_stream", "faq_zcu102_dorefa8"}) {
    CAPTURE(machine);
    const nlohmann::json report = net.json(machine, {"--cross-check", "--verify", "--strict"});
    for (const char* name : {"fire", "all"}) {
      const nlohmann::json& layer = row(report, name);
      CHECK(layer["type"] == "concat");
      CHECK(layer["cycles"] == 0);
      CHECK(layer["bytes_read"] == 0);
      CHECK(layer["bytes_written"] == 0);
      CHECK(!layer.contains("on_host"));
      CHECK(layer["output_hash"].get<std::string>().size() == 16);
    }
    CHECK(!report["total"].contains("on_host_cycles"));
    const nlohmann::json clocked = net.json(machine, {"--engine", "clocked", "--verify"});
    CHECK(row(clocked, "all")["output_hash"] == row(report, "all")["output_hash"]);
  }
}

TEST_CASE("a concatenation that the machine cannot place is its host's") {
  const SmallNetwork net(
      "  - {name: a, type: conv, filters: 12, kernel: 1}\n"
      "  - {name: b, type: conv, input_from: input, filters: 8, kernel: 1}\n"
      "  - {name: j, type: concat, input_from: a, with: b}\n");
  const nlohmann::json stream = net.json("zcu102_stream", {"--verify", "--set", "host.layer_setup=100"});
  CHECK(row(stream, "j")["type"] == "host");
  CHECK(row(stream, "j")["cycles"] == 100 + 2 * 2 * 20 * 30);
  CHECK(row(net.json("faq_zcu102_dorefa8", {"--verify"}), "j")["cycles"] == 0);
}

TEST_CASE("the joint tensor is dumped when the last of its parts is there whatever else runs") {
  const SmallNetwork net(kLayers);
  for (const char* machine : {"zcu102_stream", "faq_zcu102_dorefa8"}) {
    CAPTURE(machine);
    net.json(machine, {"--verify", "--dump", net.path() + "/whole"});
    for (const char* layers :
         {"squeeze..all", "left..fire", "smooth..fire", "third,all", "all,next", "next", "alone"}) {
      CAPTURE(layers);
      net.json(machine, {"--verify", "--layers", layers, "--dump", net.path() + "/part_of_" + machine});
      for (const std::string& file : files_in(net.path() + "/part_of_" + machine))
        CHECK(base::read_file(net.path() + "/part_of_" + machine + "/" + file) ==
              base::read_file(net.path() + "/whole/" + file));
    }
    net.json(machine, {"--layers", "squeeze..all", "--out", net.path() + "/out.npy"});
    CHECK(base::read_file(net.path() + "/out.npy") == base::read_file(net.path() + "/whole/all.npy"));
    const Outcome nothing = net.run(machine, {"--layers", "all", "--out", net.path() + "/out.npy"});
    CHECK(nothing.code == 2);
    CHECK_THAT(nothing.err, Catch::Contains("run: --out: all computes nothing, and what it joins does not run"));
  }
}

TEST_CASE("a batch writes each input into its part of a joint tensor") {
  const SmallNetwork net(
      "  - {name: r, type: relu}\n  - {name: j, type: concat, input_from: input, with: r}\n"
      "  - {name: next, type: conv, filters: 4, kernel: 3, padding: 1}\n");
  constexpr int kPixels = 8 * 6 * 5;
  std::vector<std::int8_t> inputs;
  for (int i = 0; i < 3 * kPixels; ++i) inputs.push_back(static_cast<std::int8_t>(i * 37 % 251 - 125));
  base::write_npy(net.path() + "/x.npy", {3, 8, 6, 5}, inputs);
  for (const char* machine : {"zcu102_stream", "faq_zcu102_dorefa8"}) {
    const nlohmann::json report = net.json(machine, {"--inputs", net.path() + "/x.npy", "--verify"});
    CHECK(row(report, "j")["cycles"] == 0);
    CHECK(report["batch"]["count"] == 3);
  }
}

}  // namespace fansim::placement_test
