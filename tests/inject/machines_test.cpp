// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <stdexcept>
#include <utility>
#include <variant>
#include <vector>

#include "accelerators/registry.h"
#include "inject/campaign.h"
#include "inject/machine.h"
#include "network/network.h"
#include "platform/clocked_machine.h"
#include "support/user_error.h"

// These tests inject faults into the other machines, and show what they share with the streaming one.
namespace fansim::machines_test {

using test::hashes;
using test::tells;

namespace {

runs::Request run_on(const std::string& machine, const std::string& network, const std::vector<std::string>& faults,
                     const std::vector<std::string>& settings = {}) {
  runs::Request request = test::small_run(faults, settings, network);
  request.config = base::data_path("configs/systems/" + machine + ".yaml");
  return request;
}

std::vector<std::string> golden(const std::string& machine, const std::string& network) {
  runs::Request request = run_on(machine, network, {});
  request.engine = runs::Engine::fast;
  return hashes(runs::run(request));
}

constexpr const char* kTiled = "faq_zcu102_dorefa8";

}  // namespace

TEST_CASE("a machine that runs takes no injector any more and goes on") {
  const auto accelerator = accelerators::read_accelerator(base::data_path("configs/systems/tiny_stream.yaml"), {});
  network::Network network = network::load_network(base::data_path("models/tiny_conv.yaml"), {});
  accelerator->prepare(network, {});
  auto compiled = accelerator->compile(network, {});
  const auto program = std::get<contract::Program>(std::move(compiled));
  const auto machine = accelerator->machine(program, {});
  bool refused = false;
  machine->at(100, [&] {
    CHECK_THROWS_AS(machine->injector(), std::logic_error);
    refused = true;
  });
  machine->run();
  CHECK(refused);
  const std::vector<contract::LayerResult> fast = accelerator->run(program, {});
  REQUIRE(machine->layers().size() == fast.size());
  for (std::size_t i = 0; i < fast.size(); ++i) CHECK(machine->layers()[i].cycles == fast[i].cycles);
}

TEST_CASE("flips of the memory do the same on both engines of every machine") {
  for (const auto& [machine, network] : {std::pair{kTiled, "lenet5"}, {"tiny_decoupled", "tiny_conv"}}) {
    CAPTURE(machine);
    runs::Request request = run_on(
        machine, network, {"kind=flip, at=ddr.data, word=3000, bit=5", "kind=flip, at=ddr.data, word=9000, bit=6"});
    request.engine = runs::Engine::fast;
    request.cross_check = true;
    const std::string differences = base::in_child_process([&request] {
      std::string text;
      for (const std::string& line : runs::run(request).differences) text += line;
      return text;
    });
    CHECK(differences.empty());
  }
}

TEST_CASE("a stuck bit of the tiled machine's weights or inputs or sums or outputs reaches its outputs") {
  const std::vector<std::string> right = golden(kTiled, "lenet5");
  // A sum's lowest bits are below a step of its quantiser.
  const std::vector<std::pair<std::string, int>> places{
      {"weight_decoder.conv0", 6}, {"input_decoder.conv0", 6}, {"conv.engine.sums", 12}, {"encoder.half0", 6}};
  for (const auto& [place, bit] : places) {
    CAPTURE(place);
    bool wrong = false;
    for (const char* value : {"0", "1"}) {
      const std::string fault = fmt::format("kind=stuck, word=1, bit={}, at={}, value={}", bit, place, value);
      wrong = wrong || base::in_child_process([&] {
                         return std::string(hashes(runs::run(run_on(kTiled, "lenet5", {fault}))) == right ? "" : "!");
                       }) == "!";
    }
    CHECK(wrong);
  }
}

TEST_CASE("the tiled machine's driver reports a lost interrupt") {
  const runs::Run run =
      runs::run(run_on(kTiled, "lenet5", {"kind=drop, at=host.layer_interrupt, nth=2"}, {"host.timeout=100000"}));
  CHECK(tells(run, "host.layer_interrupt: one is lost"));
  CHECK(run.faults->gave_up == "conv2: no end-of-layer interrupt within 100000 cycles");
}

TEST_CASE("a machine whose core has no reset begins no layer again") {
  CHECK(test::message_of([] {
          runs::run(run_on(kTiled, "lenet5", {"kind=drop, at=host.layer_interrupt"}, {"host.retry=1"}));
        }).find("has no reset") != std::string::npos);
}

TEST_CASE("an interrupt that a machine's host never waits for is no place of it") {
  CHECK(test::message_of([] {
          runs::run(run_on(kTiled, "lenet5", {"kind=drop, at=host.job_interrupt"}));
        }).find("place 'host.job_interrupt' unknown; did you mean") != std::string::npos);
}

TEST_CASE("a machine without a DMA has no channel to halt") {
  CHECK(test::message_of([] {
          runs::run(run_on("tiny_decoupled", "tiny_conv", {"kind=halt, at=dma.mm2s"}));
        }).find("place 'dma.mm2s' unknown") != std::string::npos);
}

TEST_CASE("campaigns on the tiled machine come out as whole runs do") {
  inject::Request request;
  request.run = run_on(kTiled, "lenet5", {});
  request.count = 52;
  request.each = true;
  request.jobs = 2;
  const inject::Campaign cut = run_campaign(request);
  request.to_the_end = true;
  const inject::Campaign whole = run_campaign(request);
  for (std::size_t i = 0; i < cut.results.size(); ++i) {
    CAPTURE(cut.faults[i].fault.text());
    CHECK(cut.results[i].outcome == whole.results[i].outcome);
    CHECK(cut.results[i].wrong_values == whole.results[i].wrong_values);
  }
}

}  // namespace fansim::machines_test
