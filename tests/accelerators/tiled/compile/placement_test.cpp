// SPDX-License-Identifier: Apache-2.0
// These tests cover concatenation by placement on the tiled accelerator, where parts are channels of one map.
#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>

#include "accelerators/tiled/compile/compile.h"
#include "accelerators/tiled/config/layer_jobs.h"
#include "network/codes/quantise.h"
#include "support/network_text.h"

namespace fansim::placement_test {

namespace {

tiled::Config config_of(int bits) {
  tiled::Config config;
  config.conv = {8, 4};
  config.conv.input_words = 64;
  config.conv.output_words = 64;
  config.weights.kib = 4;
  config.store.words = 64;
  config.quantisation.activation_bits = config.quantisation.weight_bits = bits;
  return config;
}

contract::Program program_of(const std::string& layers, int bits = 8, const std::string& shape = "[4, 6, 5]") {
  network::Network network = test::network_of("input: {shape: " + shape + ", step: 0.05}\nlayers:\n" + layers);
  const arith::QuantisationMethods methods;
  network::quantise(network, {methods.find("dorefa"), bits, bits, arith::Grain::coarse, {}}, {});
  const tiled::Config config = config_of(bits);
  auto compiled = compile_network(network, config);
  if (const auto* no = std::get_if<compile::Unschedulable>(&compiled)) FAIL(no->layer << ": " << no->reason);
  return std::get<contract::Program>(compiled);
}

std::string conv(const std::string& name, const std::string& from, int filters, int groups = 1) {
  return fmt::format("  - {{name: {}, input_from: {}, type: conv, filters: {}, kernel: 1, groups: {}}}\n", name, from,
                     filters, groups);
}
std::string fc(const std::string& name, const std::string& from) {
  return fmt::format("  - {{name: {}, input_from: {}, type: fc, units: 3}}\n", name, from);
}
std::string concat(const std::string& name, const std::string& a, const std::string& b) {
  return fmt::format("  - {{name: {}, input_from: {}, type: concat, with: {}}}\n", name, a, b);
}

const contract::LayerPlan& plan(const contract::Program& program, const std::string& name) {
  return *std::find_if(program.layers.begin(), program.layers.end(), [&](const auto& one) { return one.name == name; });
}
const tiled::TiledJob& job(const contract::Program& program, const std::string& name, std::size_t group = 0) {
  return tiled::layer_jobs_of(plan(program, name)).jobs.at(group);
}
std::string on_host(const contract::Program& program) {
  std::string names;
  for (const contract::LayerPlan& one : program.layers)
    if (one.on_host) names += one.name + " ";
  return names;
}

const std::string kMaps = conv("a", "input", 3) + conv("b", "input", 6) + concat("ab", "a", "b");

}  // namespace

TEST_CASE("writers and readers of a part count from its first channel of the joint map") {
  const contract::Program program = program_of(kMaps + conv("whole", "ab", 5) + conv("of_b", "b", 4, 2) +
                                               conv("c", "input", 2) + concat("abc", "ab", "c"));
  CHECK(on_host(program).empty());
  CHECK(plan(program, "abc").made_of == std::vector<int>{0, 1, 5});
  const std::uint32_t address = job(program, "a").output_address;
  for (const char* name : {"b", "c"}) CHECK(job(program, name).output_address == address);
  CHECK(job(program, "a").out_first == 0);
  CHECK(job(program, "b").out_first == 3);
  CHECK(job(program, "c").out_first == 9);
  CHECK(job(program, "whole").input_address == address);
  CHECK(job(program, "whole").in_first == 0);
  // There are two groups of three channels each.
  CHECK(job(program, "of_b", 0).in_first == 3);
  CHECK(job(program, "of_b", 1).in_first == 6);
}

TEST_CASE("a vector is read of the whole and of what begins with it and not of what does not") {
  CHECK(on_host(program_of(kMaps + fc("f", "ab"))) == "");
  CHECK(on_host(program_of(kMaps + fc("f", "a"))) == "");
  CHECK(on_host(program_of(kMaps + fc("f", "b"))) == "ab ");
  const contract::Program program = program_of(kMaps + fc("f", "a"));
  CHECK(job(program, "a").out_block_channels == 9);
  CHECK(job(program, "a").out_plane == 30);
}

TEST_CASE("a part begins a word where words and not bytes are written") {
  // With 3 bits there are ten values in a word of 32 bits, and three words in a plane of 30 values. A plane of 29
  // values does not end with a word.
  const std::string reader = conv("next", "ab", 4);
  CHECK(on_host(program_of(kMaps + reader, 3)) == "");
  CHECK(on_host(program_of(kMaps + reader, 3, "[4, 29, 1]")) == "");  // tiles do not either, so planes are padded
  CHECK(on_host(program_of(kMaps + fc("f", "ab"), 3)) == "ab ");
  const std::string moved = "  - {name: r, type: relu}\n" + concat("ab", "input", "r");
  CHECK(on_host(program_of(moved + reader, 3, "[3, 29, 1]")) == "r ab ");
  CHECK(on_host(program_of(moved + reader, 3, "[3, 30, 1]")) == "r ");
}

}  // namespace fansim::placement_test
