// SPDX-License-Identifier: Apache-2.0
// If the machine is asked for what no compiler may ask, it ends with a message that says what was wrong.
#include <catch2/catch.hpp>

#include "accelerators/decoupled/hardware/command_program.h"

namespace fansim::broken_rules_test {

using namespace decoupled;

namespace {

test::CommandProgram program_of(const std::vector<Command>& commands) {
  test::CommandProgram program;
  program.memory.resize(0x4000);
  program.layers.push_back(std::make_shared<DecoupledLayer>());
  program.layers.front()->jobs.push_back({commands});
  return program;
}

Command multiply(int columns) {
  Command command;
  command.steps = 1000;
  command.unit = Unit::compute;
  command.action = Action::multiply;
  command.inputs.columns = command.sums.columns = columns;
  return command;
}

void check_refused(const test::CommandProgram& program, const std::string& reason) {
  CHECK_THAT(test::run_clocked(program).error, Catch::Contains(reason));
  CHECK_THAT(test::run_fast(program).error, Catch::Contains(reason));
}

}  // namespace

TEST_CASE("a tile outside of its buffer is a violation") {
  // The tile has 2049 vectors of 16 bytes.
  check_refused(program_of({multiply(2049)}), "a tile up to byte 32784 of the input buffer of 32 KiB");
}

TEST_CASE("a command of another unit is a violation") {
  Command command = multiply(4);
  command.unit = Unit::store;
  check_refused(program_of({command}), "store cannot multiply: the unit has no such command");
}

TEST_CASE("a second load unit that there is not has no commands") {
  Command command;
  command.unit = Unit::load_weights;
  command.action = Action::load_weights;
  const test::EngineRun run = test::run_fast(program_of({command}));
  CHECK_THAT(run.error, Catch::Contains("load.order parallel only"));
}

TEST_CASE("a transfer that is not its tile is a violation") {
  Command command;
  command.planes = {{0, 64, 64, 2}, 0, 1};
  command.inputs.columns = 4;
  check_refused(program_of({command}), "1 planes of 2 rows of 64 bytes, of vectors of 16, for a tile of 1 of 1 of 4");
}

TEST_CASE("units that wait for each other are told of") {
  Command command = multiply(4);
  command.waits = bit(Unit::load);
  const test::CommandProgram program = program_of({command});
  CHECK_THAT(test::run_clocked(program).error, Catch::Contains("compute waits for tokens"));
  CHECK_THAT(test::run_fast(program).error, Catch::Contains("units wait for each other's tokens"));
}

TEST_CASE("a job that the layer does not have is a violation") {
  const test::CommandProgram commands = program_of({});
  contract::Program program = commands.program();
  program.ops[2].value = 1;  // the job's number
  CHECK_THAT(test::run_clocked(commands.config, program).error, Catch::Contains("the layer has no job 1"));
  CHECK_THAT(test::run_fast(commands.config, program).error, Catch::Contains("no job 1"));
}

TEST_CASE("a job that is started while another runs is a violation") {
  const test::CommandProgram commands = program_of({multiply(4)});
  contract::Program program = commands.program();
  program.ops.insert(program.ops.begin() + 4, program.ops[3]);
  CHECK_THAT(test::run_clocked(commands.config, program).error,
             Catch::Contains("a job is started before the one before has ended"));
}

TEST_CASE("a register that there is not is a violation") {
  const test::CommandProgram commands = program_of({});
  contract::Program program = commands.program();
  program.ops[2].address = 8;
  CHECK_THAT(test::run_clocked(commands.config, program).error, Catch::Contains("no register at 0x8"));
}

}  // namespace fansim::broken_rules_test
