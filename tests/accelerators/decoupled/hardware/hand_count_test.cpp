// SPDX-License-Identifier: Apache-2.0
// These tests check what docs/decoupled.md counts by hand, on both engines. The numbers are typed from that page, not
// from a run.
#include <catch2/catch.hpp>

#include "accelerators/decoupled/config/account.h"
#include "accelerators/decoupled/hardware/command_program.h"

namespace fansim::hand_count_test {

using namespace decoupled;

namespace {

struct Counted {
  base::Cycles cycles;
  std::vector<base::Cycles> buckets;
  std::int64_t bytes_read, bytes_written;
};

void check(const test::CommandProgram& program, const Counted& counted) {
  const test::EngineRun clocked = test::run_clocked(program), fast = test::run_fast(program);
  CHECK(test::difference(clocked, fast) == "");
  REQUIRE(clocked.layers.size() == 1);
  const contract::LayerResult& layer = clocked.layers[0];
  CHECK(layer.cycles == counted.cycles);
  CHECK(layer.buckets == counted.buckets);
  CHECK(layer.bytes_read == counted.bytes_read);
  CHECK(layer.bytes_written == counted.bytes_written);
}

test::CommandProgram machine() {
  test::CommandProgram program;
  program.config.array.tm = program.config.array.tn = 8;
  program.memory.resize(0x4000);
  program.layers.push_back(std::make_shared<DecoupledLayer>());
  return program;
}

void add(test::CommandProgram& program, Command command, Unit unit, Action action) {
  command.unit = unit;
  command.action = action;
  auto& jobs = program.layers.front()->jobs;
  if (jobs.empty()) jobs.emplace_back();
  jobs.back().commands.push_back(command);
}

Planes planes(std::uint32_t address, std::uint32_t row_bytes, std::uint32_t rows) {
  return {{address, row_bytes, row_bytes, rows}, 0, 1};
}

Tile tile(int rows, int columns, int first = 0) { return {first, 1, rows, columns, rows * columns, rows, 0}; }

// Returns a machine whose parts take one edge each.
test::CommandProgram quick_machine() {
  test::CommandProgram program = machine();
  Config& c = program.config;
  c.ddr.fidelity = contract::DdrFidelity::ideal;
  c.axi.data_bits = 64;
  c.dma.mm2s_start = c.dma.mm2s_stream = c.dma.s2mm_start = c.dma.s2mm_store = 1;
  c.host.layer_setup = c.host.register_write = c.host.interrupt = 0;
  return program;
}

}  // namespace

TEST_CASE("a tile of a convolution counted by hand") {
  test::CommandProgram program = machine();
  Command inputs, weights, multiply, store;
  inputs.planes = planes(0x1000, 32, 4);
  inputs.inputs = tile(6, 6);
  inputs.border = {1, 1, 1, 1};
  weights.planes = planes(0x2000, 576, 1);
  weights.gives = bit(Unit::compute);
  multiply.inputs = tile(6, 6);
  multiply.sums = tile(4, 4);
  multiply.kernel = 3;
  multiply.fresh = true;
  multiply.steps = 144;
  multiply.waits = bit(Unit::load);
  multiply.gives = bit(Unit::store);
  store.planes = planes(0x3000, 32, 4);
  store.sums = tile(4, 4);
  store.channels = 8;
  store.waits = bit(Unit::compute);
  add(program, inputs, Unit::load, Action::load_inputs);
  add(program, weights, Unit::load, Action::load_weights);
  add(program, multiply, Unit::compute, Action::multiply);
  add(program, store, Unit::store, Action::store);
  check(program, {3613, {144, 0, 0, 8, 354, 0, 0, 0, 53, 3054}, 704, 128});
}

TEST_CASE("two tiles with a second load unit and passes of the array counted by hand") {
  test::CommandProgram program = quick_machine();
  Config& c = program.config;
  c.load.order = LoadOrder::parallel;
  c.load.setup = 3;
  c.load.row_setup = 2;
  c.load.rows = Rows::single;
  c.array.setup = 2;
  c.array.interval = 2;
  c.array.latency = 3;
  c.post.where = PostPlace::array;
  c.post.setup = 1;
  c.store.setup = 1;
  Command weights;
  weights.planes = planes(0x2000, 64, 1);
  weights.gives = bit(Unit::compute);
  add(program, weights, Unit::load_weights, Action::load_weights);
  for (int half = 0; half < 2; ++half) {
    Command inputs, multiply, post, store;
    inputs.planes = planes(0x1000 + 0x100 * static_cast<std::uint32_t>(half), 32, 2);
    inputs.inputs = tile(2, 4, 8 * half);
    inputs.gives = bit(Unit::compute);
    multiply.inputs = multiply.sums = tile(2, 4, 8 * half);
    multiply.fresh = true;
    multiply.steps = 8;
    multiply.waits = static_cast<std::uint8_t>(bit(Unit::load) | (half == 0 ? bit(Unit::load_weights) : 0));
    post.steps = 4;
    post.gives = bit(Unit::store);
    store.planes = planes(0x3000 + 0x100 * static_cast<std::uint32_t>(half), 32, 2);
    store.sums = tile(2, 4, 8 * half);
    store.channels = 8;
    store.waits = bit(Unit::compute);
    add(program, inputs, Unit::load, Action::load_inputs);
    add(program, multiply, Unit::compute, Action::multiply);
    add(program, post, Unit::compute, Action::post);
    add(program, store, Unit::store, Action::store);
  }
  check(program, {112, {32, 0, 8, 12, 32, 0, 0, 0, 24, 4}, 192, 128});
}

// A burst is pushed 1 behind its command, granted 2 later, its first beat popped 4 later: 7 in all.
TEST_CASE("a load takes a beat per edge") {
  test::CommandProgram program = quick_machine();
  program.config.axi.burst_beats = 256;
  Command weights;
  weights.planes = planes(0x1000, 0x1000, 1);  // 512 beats in two bursts
  add(program, weights, Unit::load, Action::load_weights);
  // Up at 4: command 4, beats 11 to 522; the host looks at 523. With no command the compute unit is done at once.
  check(program, {523, {0, 0, 0, 0, 0, 0, 0, 519, 0, 4}, 4096, 0});
}

// The writer has room for 32 beats, in bursts of 16: it takes a beat per edge as long as earlier beats leave as fast.
TEST_CASE("a store takes a beat per edge and the last burst's end") {
  test::CommandProgram program = quick_machine();
  program.config.post.where = PostPlace::array;
  Command store;
  store.planes = planes(0x1000, 1024, 1);  // 128 beats
  store.sums = tile(1, 128);
  store.channels = 8;
  add(program, store, Unit::store, Action::store);
  // Command 4, beats pushed 5 to 132, taken 6 to 133; the last burst pushed 134, popped 135, granted 136, beats to 151,
  // response 152, popped 153, the end popped 154.
  check(program, {155, {0, 0, 0, 0, 0, 0, 0, 0, 151, 4}, 0, 1024});
}

TEST_CASE("a store waits for the lanes that make its values") {
  test::CommandProgram program = quick_machine();
  program.config.post.lanes = 3;  // a beat of 8 values in 3 edges
  Command store;
  store.planes = planes(0x1000, 64, 1);
  store.sums = tile(1, 8);
  store.channels = 8;
  add(program, store, Unit::store, Action::store);
  // Beats pushed 5, 8 .. 26, taken 27; the burst 28, 29, 30, beats to 37, response 38, popped 39, the end 40.
  check(program, {41, {0, 0, 0, 0, 0, 0, 0, 0, 37, 4}, 0, 64});
}

TEST_CASE("a job without commands ends where it begins") {
  test::CommandProgram program = quick_machine();
  program.layers.front()->jobs.emplace_back();
  // Taken up at 4, where every unit is done; the host looks at 5.
  check(program, {5, {0, 0, 0, 0, 0, 0, 0, 0, 0, 5}, 0, 0});
}

TEST_CASE("planes dealt to three ports with lanes of their own in the memory come at once") {
  test::CommandProgram program = quick_machine();
  program.config.load.ports = 3;
  program.config.ddr.data_bits = 192;
  Command inputs;
  inputs.planes = {{0x1000, 64, 64, 1}, 0x100, 4};
  inputs.inputs = {0, 4, 1, 8, 8, 1, 0};
  add(program, inputs, Unit::load, Action::load_inputs);
  // The first lane: command 4, beats 11 to 18, the fourth plane's command 19, beats 26 to 33.
  check(program, {34, {0, 0, 0, 0, 0, 0, 0, 30, 0, 4}, 256, 0});
}

TEST_CASE("a transfer that begins within a beat waits for the beat behind") {
  test::CommandProgram program = quick_machine();
  Command inputs;
  inputs.planes = planes(0x1004, 64, 1);  // 9 beats of the memory, 8 of the stream
  inputs.inputs = tile(1, 8);
  add(program, inputs, Unit::load, Action::load_inputs);
  // The memory's beats could be popped 11 to 19; the first leaves with the second.
  check(program, {20, {0, 0, 0, 0, 0, 0, 0, 16, 0, 4}, 64, 0});
}

}  // namespace fansim::hand_count_test
