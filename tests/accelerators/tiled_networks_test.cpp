// SPDX-License-Identifier: Apache-2.0
// These tests run whole networks on the shipped tiled accelerator with both engines, without values. CTest runs every
// case in its own process. AlexNet with values is compared through the program (tests/networks).
#include <catch2/catch.hpp>

#include "accelerators/both_engines.h"
#include "accelerators/registry.h"

namespace fansim::tiled_networks_test {

namespace {

const std::string kSource = FANSIM_SOURCE_DIR;

void check(const char* config, const char* network, int expected_layers,
           const std::vector<std::string>& settings = {}) {
  const auto loaded = accelerators::read_accelerator(kSource + "/configs/systems/" + config + ".yaml", settings);
  const auto result = test::compare_engines(kSource + "/models/" + network + ".yaml", *loaded, false);
  CHECK(result.difference == "");
  CHECK(result.layers == expected_layers);
}

}  // namespace

TEST_CASE("both engines agree on VGG-16 in 8 bits") { check("faq_zcu102_dorefa8", "vgg16", 16); }
TEST_CASE("both engines agree on AlexNet behind a memory with banks and two ports") {
  check("faq_zcu102_dorefa8", "alexnet", 8,
        {"ddr.fidelity=banked", "ddr.part=../parts/zcu102_ddr4_2133.yaml", "load.order=parallel"});
}

}  // namespace fansim::tiled_networks_test
