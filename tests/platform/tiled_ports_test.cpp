// SPDX-License-Identifier: Apache-2.0
// These tests compare what each store's ports move at an edge with accelerators/tiled/config/store_ports.h, for which
// the estimate pays. A machine whose ports move one value less breaks down.
#include <catch2/catch.hpp>

#include "accelerators/tiled/hardware/tiled_accelerator.h"
#include "platform/machine.h"
#include "support/network_text.h"

namespace fansim::tiled_ports_test {

using tiled::Config;
using tiled::StorePorts;
using tiled::TiledBlocks;

namespace {

Config small() {
  return test::shipped_tiled("faq_zcu102_dorefa8", {"first.tm=0", "first.tn=0", "conv.tm=8", "conv.tn=6",
                                                    "conv.dsp_channels=8", "store.lanes=8", "fc.tm=8", "fc.tn=8"});
}

// The layers have two tiles of input channels, windows of which several close at once, and a vector.
test::MachineRun run(const std::function<void(TiledBlocks&)>& plant = {}) {
  return test::run_machine(test::network_of("input: {shape: [12, 4, 4], type: int8}\nlayers:\n"
                                            "  - {name: conv, type: conv, filters: 8, kernel: 3}\n"
                                            "  - {name: pool, type: maxpool, kernel: 2, stride: 1, padding: 1}\n"
                                            "  - {name: fc, type: fc, units: 16}\n"),
                           small(), {}, plant);
}

// A store's ports, with `written` and `read` values less.
template <class Store>
void narrow(Store& store, const StorePorts& ports, int written, int read) {
  store.ports.fill(sim::RamPorts(ports.accesses(), ports.written - written, ports.read - read));
}

void check_breaks(const std::function<void(TiledBlocks&)>& plant, const std::string& message) {
  REQUIRE_THROWS_WITH(run(plant), Catch::Contains(message));
}

const std::string kWritten = "more is written at an edge than the half's ports move";
const std::string kRead = "more is read at an edge than the half's ports move";

}  // namespace

TEST_CASE("the ports that were paid for carry every access of a machine") { CHECK(run().disagreement == ""); }

TEST_CASE("an input store that takes a value less than a beat breaks the decoder") {
  check_breaks(
      [](TiledBlocks& b) { narrow(b.engines[Config::kConv]->inputs, input_ports(small(), small().conv), 1, 0); },
      "top.input_decoder: " + kWritten);
}

TEST_CASE("an input store that gives a channel less than a point has breaks the walker") {
  check_breaks(
      [](TiledBlocks& b) { narrow(b.engines[Config::kConv]->inputs, input_ports(small(), small().conv), 0, 1); },
      "top.conv.walker: " + kRead);
}

TEST_CASE("a level-1 store that gives a code less than a word breaks the feeder") {
  check_breaks([](TiledBlocks& b) { narrow(b.stores.conv_weights, weight_ports(small()), 0, 1); },
               "top.conv.feeder: " + kRead);
}

TEST_CASE("a level-1 store that takes a code less than a row has breaks the decoder") {
  check_breaks(
      [](TiledBlocks& b) { b.stores.conv_weights.ports.fill(sim::RamPorts(1, 7, weight_ports(small()).read)); },
      "top.weight_decoder: " + kWritten);
}

TEST_CASE("an FC weight store that gives a weight less than a point has breaks the feeder") {
  check_breaks([](TiledBlocks& b) { narrow(b.stores.fc_weights, fc_weight_ports(small()), 0, 1); },
               "top.fc.feeder: " + kRead);
}

TEST_CASE("sums with one port cannot be read and written back at an edge") {
  check_breaks([](TiledBlocks& b) { b.engines[Config::kConv]->sums.port(0) = sim::RamPorts(1, 1, 1); },
               "top.conv.engine: a sum is used beside others that its ports move");
}

TEST_CASE("an output store that takes a value less than there are lanes breaks the post-processing") {
  check_breaks([](TiledBlocks& b) { narrow(b.stores.outputs, output_ports(small()), 1, 0); },
               "top.post_process: " + kWritten);
}

TEST_CASE("an output store that gives a value less than a beat breaks the encoder") {
  check_breaks([](TiledBlocks& b) { narrow(b.stores.outputs, output_ports(small()), 0, 1); }, "top.encoder: " + kRead);
}

}  // namespace fansim::tiled_ports_test
