// SPDX-License-Identifier: Apache-2.0
// These tests cover concatenation by placement: where the parts of a joint tensor lie, and what is left to the host.
#include <algorithm>
#include <catch2/catch.hpp>

#include "accelerators/stream/compile/check.h"
#include "network/reference/reference.h"

namespace fansim::test::placement_test {

namespace {

const stream::Config kConfig = config_of({3, 3, 8, 8});

std::string conv(const std::string& name, const std::string& from, int filters, int kernel, int padding) {
  return "  - {name: " + name + ", input_from: " + from + ", type: conv, filters: " + std::to_string(filters) +
         ", kernel: " + std::to_string(kernel) + ", padding: " + std::to_string(padding) + "}\n";
}
std::string concat(const std::string& name, const std::string& a, const std::string& b) {
  return "  - {name: " + name + ", input_from: " + a + ", type: concat, with: " + b + "}\n";
}
network::Network net(const std::string& layers) {
  return network_of("input: {shape: [8, 9, 7], step: 0.05}\nlayers:\n" + layers);
}

const contract::LayerPlan& plan(const contract::Program& program, const std::string& name) {
  return *std::find_if(program.layers.begin(), program.layers.end(), [&](const auto& one) { return one.name == name; });
}
const stream::TensorPlace& place(const contract::Program& program, const std::string& name) {
  return place_of(plan(program, name));
}
int layers_run(const contract::Program& program) {
  return static_cast<int>(std::count_if(program.ops.begin(), program.ops.end(), [](const contract::HostOp& op) {
    return op.kind == contract::HostOp::Kind::begin_layer;
  }));
}

const std::string kFire = conv("squeeze", "input", 8, 1, 0) + conv("left", "squeeze", 16, 1, 0) +
                          conv("right", "squeeze", 24, 3, 1) + concat("fire", "left", "right") +
                          conv("next", "fire", 8, 1, 0);

}  // namespace

TEST_CASE("A fire module's maps lie behind one another and joining them is no step") {
  const network::Network network = net(kFire);
  const contract::Program program = compiled(network, kConfig);
  const stream::TensorPlace &left = place(program, "left"), &right = place(program, "right");
  const stream::TensorPlace& fire = place(program, "fire");
  CHECK(fire.address == left.address);
  CHECK(fire.channels == 40);
  CHECK(right.address == left.address + 2U * static_cast<unsigned>(left.plane_pitch));
  CHECK(right.plane_pitch == fire.plane_pitch);
  CHECK(plan(program, "fire").type == "concat");
  CHECK(!plan(program, "fire").on_host);
  CHECK(plan(program, "fire").made_of == std::vector<int>{1, 2});
  CHECK(layers_run(program) == 4);
  CHECK(disagreement(network, kConfig) == "");
}

TEST_CASE("A concatenation of concatenations is one tensor whichever comes first") {
  const std::string maps = conv("a", "input", 8, 1, 0) + conv("b", "input", 16, 3, 1) + conv("c", "input", 5, 1, 0);
  for (const std::string& joints :
       {concat("ab", "a", "b") + concat("all", "ab", "c"), concat("bc", "b", "c") + concat("all", "a", "bc")}) {
    const network::Network network = net(maps + joints + conv("next", "all", 8, 3, 1));
    const contract::Program program = compiled(network, kConfig);
    const stream::TensorPlace& a = place(program, "a");
    const auto pitch = static_cast<unsigned>(a.plane_pitch);
    CHECK(place(program, "all").address == a.address);
    CHECK(place(program, "b").address == a.address + pitch);
    CHECK(place(program, "c").address == a.address + 3 * pitch);
    CHECK(plan(program, "all").made_of == std::vector<int>{0, 1, 2});
    CHECK(layers_run(program) == 4);
    CHECK(disagreement(network, kConfig) == "");
  }
}

TEST_CASE("A joint tensor has the largest border of what reads it or a part of it") {
  const std::string fire = conv("a", "input", 8, 1, 0) + conv("b", "input", 8, 1, 0) + concat("ab", "a", "b");
  const std::string plain = conv("next", "ab", 8, 1, 0), wide = conv("of_b", "b", 8, 3, 1);
  const auto pitch = [](const std::string& layers) {
    const network::Network network = net(layers);
    CHECK(disagreement(network, kConfig) == "");
    const contract::Program program = compiled(network, kConfig);
    CHECK(!plan(program, "ab").on_host);
    CHECK(place(program, "a").row_pitch == place(program, "b").row_pitch);
    return place(program, "ab").row_pitch;
  };
  CHECK(pitch(fire + plain) == 7 * 8);
  CHECK(pitch(fire + plain + wide) == 9 * 8);
  CHECK(pitch(fire + conv("next", "ab", 8, 3, 1) + conv("of_a", "a", 8, 1, 0)) == 9 * 8);
  CHECK(pitch(fire + plain + wide + "  - {name: f, type: fc, input_from: a, units: 4}\n") == 9 * 8);
}

TEST_CASE("A pooling behind a convolution and the network's input are placed too") {
  const network::Network pooled =
      net(conv("c", "input", 16, 2, 1) + "  - {name: p, type: maxpool, kernel: 2, stride: 1}\n" +
          conv("d", "input", 3, 1, 0) + concat("pd", "p", "d") + conv("next", "pd", 8, 3, 1));
  const contract::Program program = compiled(pooled, kConfig);
  CHECK(plan(program, "c").fused_into == 1);
  CHECK(place(program, "p").address == place(program, "pd").address);
  CHECK(layers_run(program) == 3);
  CHECK(disagreement(pooled, kConfig) == "");

  const network::Network given =
      net("  - {name: r, type: relu}\n" + concat("j", "input", "r") + conv("next", "j", 8, 3, 1));
  contract::Program first = compiled(given, kConfig);
  CHECK(!plan(first, "j").on_host);
  CHECK(disagreement(given, kConfig) == "");
  // Another picture is written over the first where the joint tensor has it, and nowhere else.
  std::vector<std::uint8_t> memory(first.memory.size(), 0x55);
  first.fill_input(memory.data());
  const stream::TensorPlace& joint = place(first, "j");
  const std::vector<std::int32_t> values = joint.values(memory.data());
  for (std::size_t i = 0; i < 8 * 9 * 7; ++i) REQUIRE(values[i] == given.input.at(i));
  CHECK(std::count(memory.begin(), memory.end(), 0x55) >= static_cast<std::ptrdiff_t>(memory.size() - 8 * 9 * 7));
}

TEST_CASE("What does not suit stays on the host") {
  const std::string maps = conv("a", "input", 8, 1, 0) + conv("b", "input", 8, 1, 0) + conv("odd", "input", 12, 1, 0);
  const auto on_host = [&](const std::string& layers, const stream::Config& config = kConfig) {
    const network::Network network = net(maps + layers);
    const contract::Program program = compiled(network, config);
    std::string names;
    for (const contract::LayerPlan& one : program.layers)
      if (one.on_host) names += one.name + " ";
    return names;
  };
  CHECK(on_host(concat("j", "odd", "a")) == "j ");
  CHECK(on_host(concat("j", "a", "odd")) == "");
  CHECK(on_host(concat("j", "a", "a")) == "j ");
  CHECK(on_host(concat("j", "a", "b") + concat("k", "a", "odd")) == "k ");
  CHECK(on_host(concat("j", "a", "b") + concat("k", "j", "j")) == "k ");
  CHECK(on_host(concat("j", "a", "b") + concat("k", "j", "b")) == "k ");
  // Different zero points make different formats, which the network's reader refuses; a flattened map lies in memory as
  // a map.
  const std::string vectors = "  - {name: f, type: fc, input_from: a, units: 8}\n";
  CHECK(on_host(vectors + "  - {name: g, type: flatten, input_from: b}\n" + concat("j", "f", "g")) == "j ");
  CHECK(on_host(vectors + "  - {name: g, type: fc, input_from: b, units: 3}\n" + concat("j", "f", "g")) == "");
  // The rows of a part fit its reader without the joint tensor's border, but not with it: 7 words and 39.
  stream::Config small = kConfig;
  small.buffers.input_kib = 2;
  const std::string bordered = concat("j", "a", "b") + conv("next", "j", 8, 1, 16);
  CHECK(on_host(bordered, small) == "");
  CHECK(on_host(bordered + "  - {name: p, type: avgpool, input_from: a, kernel: 5}\n", small) == "j ");
}

TEST_CASE("A part of a joint tensor compiled alone computes the same with the same steps") {
  const network::Network network = net(kFire + conv("of_right", "right", 8, 3, 1));
  const auto results = network::run_reference(network, kConfig.quantiser);
  const auto steps = [](const contract::Program& program, int layer) {
    std::vector<std::uint32_t> all;
    bool inside = false;
    for (const contract::HostOp& op : program.ops) {
      if (op.kind == contract::HostOp::Kind::begin_layer) inside = program.layers[op.value].layer == layer;
      if (inside) {
        all.push_back(op.address);
        all.push_back(static_cast<std::uint32_t>(op.kind));
      }
    }
    return all;
  };
  const contract::Program whole = compiled(network, kConfig);
  for (int layer = 0; layer < static_cast<int>(network.layers.size()); ++layer) {
    CAPTURE(layer);
    compile::Options options;
    options.layers = {layer};
    const network::Layer& one = network.layers[static_cast<std::size_t>(layer)];
    for (const int producer : {one.source, one.with})
      if (producer >= 0) options.tensors[producer] = results[static_cast<std::size_t>(producer)].out;
    CHECK(disagreement(network, kConfig, options) == "");
    const contract::Program alone = compiled(network, kConfig, options);
    CHECK(steps(alone, layer) == steps(whole, layer));
  }
}

TEST_CASE("What a card loads of a joint tensor are the parts that no layer computes") {
  const network::Network network = net(kFire);
  const auto results = network::run_reference(network, kConfig.quantiser);
  const auto given = [&](std::vector<int> layers) {
    compile::Options options;
    options.layers = std::move(layers);
    for (const int producer : {0, 3}) options.tensors[producer] = results[static_cast<std::size_t>(producer)].out;
    return compiled(network, kConfig, options).given_bytes;
  };
  const std::int64_t map = 9 * 7, squeeze = 8 * (9 + 2) * (7 + 2);  // right's padding is in the border
  const std::int64_t left = given({1}), right = given({2}), next = given({4});
  CHECK(given({1, 4}) == left + next - 16 * map);
  CHECK(given({2, 4}) == right + next - 24 * map);
  CHECK(given({1, 2, 4}) == left + right - squeeze + next - 40 * map);
}

}  // namespace fansim::test::placement_test
