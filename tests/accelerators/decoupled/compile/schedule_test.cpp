// SPDX-License-Identifier: Apache-2.0
// These tests list the commands of small layers one by one, and compile layers that fit no buffer.
#include <fmt/format.h>

#include <array>
#include <catch2/catch.hpp>

#include "accelerators/decoupled/compile/compile.h"
#include "accelerators/decoupled/config/command.h"
#include "support/network_text.h"

namespace fansim::schedule_test {

using namespace decoupled;

namespace {

Config tiny(const std::vector<std::string>& settings) {
  std::vector<std::string> all{"array.tm=4", "array.tn=4", "schedule.parameters=command"};
  all.insert(all.end(), settings.begin(), settings.end());
  return Config::read(FANSIM_SOURCE_DIR "/configs/systems/tiny_decoupled.yaml", all);
}

network::Network network(const std::string& layer, const std::string& shape = "[8, 4, 4]") {
  return test::network_of("input: {shape: " + shape + "}\nlayers:\n  - {name: a, type: " + layer + "}\n");
}

contract::Program program(const std::string& layer, const Config& config, const std::string& shape = "[8, 4, 4]") {
  auto compiled = compile_network(network(layer, shape), config, {});
  if (const auto* no = std::get_if<compile::Unschedulable>(&compiled)) FAIL(no->reason);
  return std::get<contract::Program>(std::move(compiled));
}
const DecoupledLayer& first(const contract::Program& program) { return layer_of(program.layers.front()); }

std::string misfit(const std::string& layer, const Config& config) {
  const auto compiled = compile_network(network(layer), config, {});
  const auto* no = std::get_if<compile::Unschedulable>(&compiled);
  return no ? no->layer + ": " + no->reason : "";
}

// Writes a letter for each action, with the units waited for before it and those that get tokens after it: "LX>M" is a
// multiplication that waits for both load units.
std::string text(const Job& job) {
  constexpr char kUnits_[] = "LXCS", kActions[] = "iwpsmPqot";
  std::string all;
  for (const Command& command : job.commands) {
    if (!all.empty()) all += ' ';
    for (int unit = 0; unit < 4; ++unit)
      if ((command.waits >> unit & 1) != 0) all += kUnits_[unit];
    all += fmt::format(">{}>", kActions[static_cast<int>(command.action)]);
    for (int unit = 0; unit < 4; ++unit)
      if ((command.gives >> unit & 1) != 0) all += kUnits_[unit];
  }
  return all;
}

const std::string kConv = "conv, filters: 8, kernel: 3, padding: 1";

}  // namespace

TEST_CASE("input tiles are innermost and alternate between the halves and sums stay until the last one") {
  // There are two tiles of outputs with two tiles of inputs each. The third load waits for the first multiplication.
  // The second store's sums are in the other half, so no multiplication waits for a store.
  const contract::Program whole = program(kConv, tiny({}));
  REQUIRE(first(whole).jobs.size() == 1);
  CHECK(text(first(whole).jobs[0]) == ">i> >w>C L>m>L >i> >w>C L>m>LS C>o> C>i> >w>C L>m> C>i> >w>C L>m>S C>o>");
  const std::vector<Command>& commands = first(whole).jobs[0].commands;
  CHECK(commands[2].fresh);
  CHECK_FALSE(commands[5].fresh);
  CHECK(commands[2].sums.first == commands[5].sums.first);
  CHECK(commands[2].inputs.first != commands[5].inputs.first);
  CHECK(commands[2].steps == 4 * 4 * 9);
  CHECK(commands[0].border.top == 1);
  CHECK(commands[0].planes.rows.rows == 4);
  // The weights of a tile lie side by side, tile behind tile.
  constexpr std::uint32_t kTile = 9 * 4 * 4;
  for (std::size_t i : {4, 8, 11})
    CHECK(commands[i].planes.rows.address == commands[1].planes.rows.address + kTile * (i == 4 ? 1 : i == 8 ? 2 : 3));
}

TEST_CASE("with one half everything waits for everything") {
  const contract::Program whole = program(kConv, tiny({"buffers.halves=1", "buffers.sum_halves=1"}));
  CHECK(text(first(whole).jobs[0]) == ">i> >w>C L>m>L C>i> >w>C L>m>LS C>o>C C>i> >w>C LS>m>L C>i> >w>C L>m>S C>o>");
}

TEST_CASE("threads take turns each in a half of its own") {
  const contract::Program whole = program(kConv, tiny({"schedule.threads=outputs", "buffers.halves=1"}));
  CHECK(text(first(whole).jobs[0]) == ">i> >w>C >i> >w>C L>m>L L>m>L C>i> >w>C C>i> >w>C L>m>S L>m>S C>o> C>o>");
  const std::vector<Command>& commands = first(whole).jobs[0].commands;
  CHECK(commands[4].sums.first != commands[5].sums.first);
  CHECK(commands[4].sums.first == commands[10].sums.first);
  CHECK(commands[13].planes.rows.address == commands[12].planes.rows.address + 4 * 4 * 4);
}

TEST_CASE("passes of the array follow a tile's last multiplication") {
  const contract::Program whole =
      program("conv, filters: 4, kernel: 1", tiny({"post.where=array", "post.passes=2"}), "[4, 4, 4]");
  CHECK(text(first(whole).jobs[0]) == ">i> >w>C L>m> >q> >q>S C>o>");
  CHECK(first(whole).jobs[0].commands[3].steps == 4 * 4 * 4 / 4);
}

TEST_CASE("weights in pieces are multiplied as they arrive in the first column and then in all others") {
  const contract::Program whole = program("conv, filters: 4, kernel: 3, padding: 1",
                                          tiny({"schedule.weight_pieces=2", "load.order=parallel"}), "[4, 1, 6]");
  CHECK(text(first(whole).jobs[0]) == ">i>C >w>C >w>C LX>m> X>m> >m>S C>o>");
  const std::vector<Command>& commands = first(whole).jobs[0].commands;
  CHECK((commands[3].first_tap == 0 && commands[3].taps == 4 && commands[3].steps == 4));
  CHECK((commands[4].first_tap == 4 && commands[4].taps == 5 && commands[4].steps == 5));
  CHECK((commands[5].taps == 0 && commands[5].steps == 5 * 9 && commands[5].sums.columns == 5));
}

TEST_CASE("a call for each tile of inputs is a job and the host prepares each") {
  const Config config = tiny({"schedule.calls=true", "host.call=7", "host.command=2", "host.flush_per_kib=1024"});
  const contract::Program whole = program(kConv, config);
  REQUIRE(first(whole).jobs.size() == 4);
  CHECK(text(first(whole).jobs[0]) == ">i> >w>C L>m>");
  CHECK(text(first(whole).jobs[1]) == ">i> >w>C L>m>S C>o>");
  std::vector<std::uint32_t> software;
  for (const contract::HostOp& op : whole.ops)
    if (op.kind == contract::HostOp::Kind::software) software.push_back(op.value);
  // 64 bytes of inputs and 144 of weights are moved, then 64 of results.
  CHECK(software ==
        std::vector<std::uint32_t>{100, 7 + 3 * 2 + 208, 7 + 4 * 2 + 272, 7 + 3 * 2 + 208, 7 + 4 * 2 + 272});
}

TEST_CASE("loops that are no pipeline lose steps in each round of the two outermost and clearing sums takes its own") {
  // A tile has 4 columns, 3 x 3 places of the kernel, and 4 rows. 16 sums are cleared, column by column.
  const contract::Program whole = program(kConv, tiny({"array.refill=5", "array.clear=true", "array.setup=2"}));
  const std::vector<Command>& commands = first(whole).jobs[0].commands;
  CHECK(commands[2].steps == 144 + 4 * 3 * 5 + 16 + 4 * 4 * 5 + 2);
  CHECK(commands[5].steps == 144 + 4 * 3 * 5);
  const contract::Program one = program("conv, filters: 4, kernel: 1", tiny({"array.refill=5"}), "[8, 4, 1]");
  CHECK(first(one).jobs[0].commands[2].steps == 4 + 4 * 5);
}

TEST_CASE("a single buffer of weights waits for the tile before beside double-buffered inputs") {
  const contract::Program whole = program(kConv, tiny({"buffers.weight_halves=1", "load.order=parallel"}));
  CHECK(text(first(whole).jobs[0]) ==
        ">i>C >w>C LX>m>LX >i>C C>w>C LX>m>LXS C>o> C>i>C C>w>C LX>m>X C>i>C C>w>C LX>m>S C>o>");
}

TEST_CASE("a tile that drains loads its first inputs and weights behind the last products of the one before") {
  const contract::Program whole = program(kConv, tiny({"schedule.drain=true"}));
  CHECK(text(first(whole).jobs[0]) == ">i> >w>C L>m> >i> >w>C L>m>LS C>o> C>i> >w>C L>m> >i> >w>C L>m>S C>o>");
  const contract::Program one = program("conv, filters: 8, kernel: 1", tiny({"schedule.drain=true"}), "[4, 4, 4]");
  CHECK(text(first(one).jobs[0]) == ">i> >w>C L>m>S C>o> >i> >w>C L>m>S C>o>");
}

TEST_CASE("lines take steps to fill and drain and the host clears their partial sums") {
  const contract::Program whole =
      program(kConv, tiny({"schedule.maps=lines", "schedule.calls=true", "schedule.fill_rows=3", "array.window=3",
                           "host.clear_per_kib=1024"}));
  std::vector<std::int64_t> steps;
  for (const Command& command : first(whole).jobs[1].commands)
    if (command.action == Action::multiply) steps.push_back(command.steps);
  CHECK(steps == std::vector<std::int64_t>{6 * 4, 6, 6, 6});
  std::vector<std::int64_t> clears;
  for (const Job& job : first(whole).jobs) clears.push_back(job.clears);
  CHECK(clears == std::vector<std::int64_t>{4 * 16 * 4, 0, 4 * 16 * 4, 0});
  std::vector<std::uint32_t> software;
  for (const contract::HostOp& op : whole.ops)
    if (op.kind == contract::HostOp::Kind::software) software.push_back(op.value);
  CHECK(software == std::vector<std::uint32_t>{100, 256, 256});
}

TEST_CASE("lines go through a ring of rows and sums of the passes before through memory") {
  const contract::Program whole = program("conv, filters: 4, kernel: 3, padding: 1",
                                          tiny({"schedule.maps=lines", "schedule.calls=true", "array.window=3"}));
  REQUIRE(first(whole).jobs.size() == 2);
  // Rows 0 and 1 come first, then a row of outputs. The last row of the map is loaded with the border below it, in the
  // place of the first rows, and makes two rows.
  CHECK(text(first(whole).jobs[0]) == ">w> >i> >i>C L>m>S C>t>C >i>C L>m>LS C>t>C C>i>C LS>m>S C>t> S>m>S C>t>");
  CHECK(text(first(whole).jobs[1]) ==
        ">w> >i> >i> >s>C L>m>S C>o>L >i> >s>C L>m>LS C>o>L C>i> S>s>C L>m>S C>o> S>s>C L>m>S C>o>");
  const std::vector<Command>& commands = first(whole).jobs[1].commands;
  CHECK(commands[4].steps == 4 + 2);
  CHECK(commands[4].inputs.ring == 4);
  CHECK(commands[5].planes.planes == 1);
}

TEST_CASE("a fully connected layer is a convolution of the flattened map and that map is one transfer") {
  const contract::Program whole = program("fc, units: 5", tiny({"schedule.inputs=8"}), "[6, 2, 3]");
  const std::vector<Command>& commands = first(whole).jobs[0].commands;
  CHECK(text(first(whole).jobs[0]) == ">i> >w>C L>m>S C>o> >i> >w>C L>m>S C>o>");
  CHECK(commands[0].planes.planes == 1);
  CHECK(commands[0].planes.rows.row_bytes == 2 * 6 * 4);  // two blocks of four channels, the second with a tail
  CHECK(commands[2].steps == 12);
  CHECK((commands[3].channels == 4 && commands[7].channels == 1));
}

TEST_CASE("steps of windows that are multiplied at once and of kernels that are smaller or larger") {
  const auto steps = [](int kernel) {
    const contract::Program whole =
        program(fmt::format("conv, filters: 4, kernel: {}, padding: {}", kernel, kernel / 2), tiny({"array.window=3"}),
                "[4, 6, 6]");
    for (const Command& command : first(whole).jobs[0].commands)
      if (command.action == Action::multiply) return command.steps;
    return std::int64_t{0};
  };
  CHECK(steps(1) == 36);
  CHECK(steps(3) == 36);
  CHECK(steps(5) == 36 * 3);
}

TEST_CASE("what a buffer cannot hold is refused with the need and the limit and the keys") {
  CHECK(misfit(kConv, tiny({"buffers.input_kib=1", "schedule.rows=4", "schedule.columns=4", "schedule.inputs=8",
                            "array.batch=4"})) ==
        "a: buffers.input_kib 1, two halves: a tile of 4 x 4 outputs of 4 channels, 8 input channels (schedule.rows, "
        "columns, "
        "outputs, inputs, or schedule.tiles) needs 1,152 B of 512");
  CHECK_THAT(misfit(kConv, tiny({"buffers.weight_kib=1", "schedule.inputs=8", "schedule.outputs=8"})),
             Catch::Contains("buffers.weight_kib") && Catch::Contains("needs 576 B of 512"));
  CHECK_THAT(misfit(kConv, tiny({"buffers.sum_kib=1", "schedule.rows=4", "schedule.columns=4", "array.batch=4"})),
             Catch::Contains("buffers.sum_kib") && Catch::Contains("needs 1,024 B of 512"));
  CHECK_THAT(
      misfit(kConv, tiny({"schedule.maps=lines", "buffers.weight_kib=1", "schedule.inputs=8", "schedule.outputs=8"})),
      Catch::Contains("buffers.weight_kib 1, two halves: a pass of 8 input and 8 output channels"));
  CHECK_THAT(misfit("conv, filters: 8, kernel: 1, groups: 4", tiny({})), Catch::Contains("groups: 2 input"));
}

}  // namespace fansim::schedule_test
