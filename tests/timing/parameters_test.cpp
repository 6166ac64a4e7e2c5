// SPDX-License-Identifier: Apache-2.0
#include <atomic>
#include <catch2/catch.hpp>
#include <chrono>
#include <future>
#include <stdexcept>
#include <thread>

#include "base/workers.h"
#include "timing/parameters_ahead.h"

namespace fansim::parameters_test {

namespace {

// Each layer's parameters are a byte of its own number.
contract::Program program_of(std::size_t layers) {
  contract::Program program;
  program.memory = contract::MemoryImage(layers);
  program.layers.resize(layers);
  for (std::size_t i = 0; i < layers; ++i)
    program.layers[i].parameters = [i](std::uint8_t* memory) { memory[i] = static_cast<std::uint8_t>(i + 1); };
  return program;
}

}  // namespace

TEST_CASE("a layer's parameters are there once it has waited for them and those before it too") {
  contract::Program program = program_of(50);
  program.layers[7].parameters = nullptr;
  timing::ParametersAhead ahead(program.layers, program.memory.data());
  for (const std::size_t layer : {0, 7, 30, 20, 49}) {
    ahead.wait_for(layer);
    for (std::size_t i = 0; i <= layer; ++i) REQUIRE(program.memory[i] == (i == 7 ? 0 : i + 1));
  }
}

TEST_CASE("on one core parameters are written when a layer waits for them") {
  base::allow_cores(1);
  contract::Program program = program_of(5);
  timing::ParametersAhead ahead(program.layers, program.memory.data());
  ahead.wait_for(2);
  CHECK(std::vector<int>(program.memory.begin(), program.memory.end()) == std::vector<int>{1, 2, 3, 0, 0});
  ahead.wait_for(4);
  CHECK(program.memory[4] == 5);
  base::allow_cores(0);
}

TEST_CASE("no layer waits where no parameters were left") {
  contract::Program program;
  program.layers.resize(3);
  timing::ParametersAhead ahead(program.layers, nullptr);
  ahead.wait_for(2);
}

TEST_CASE("what keeps parameters from being written is told to every layer from there on") {
  contract::Program program = program_of(4);
  program.layers[1].parameters = [](std::uint8_t*) { throw std::runtime_error("no such weights"); };
  timing::ParametersAhead ahead(program.layers, program.memory.data());
  CHECK_THROWS_WITH(ahead.wait_for(1), "no such weights");
  CHECK_THROWS_WITH(ahead.wait_for(3), "no such weights");
  CHECK(program.memory[2] == 0);
}

TEST_CASE("parameters that nobody waits for any more are not begun") {
  contract::Program program = program_of(3);
  std::promise<void> begun, ended;
  program.layers[0].parameters = [&](std::uint8_t* memory) {
    begun.set_value();
    ended.get_future().wait();
    memory[0] = 1;
  };
  std::thread end;
  {
    timing::ParametersAhead ahead(program.layers, program.memory.data());
    begun.get_future().wait();
    end = std::thread([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
      ended.set_value();
    });
  }
  end.join();
  CHECK(program.memory[0] == 1);
  CHECK(program.memory[1] == 0);
  CHECK(program.memory[2] == 0);
}

TEST_CASE("runs that share parameters read the same ones and these are written once") {
  contract::Program program = program_of(20);
  std::atomic<int> written{0};
  for (std::size_t i = 0; i < 20; ++i)
    program.layers[i].parameters = [&written, i](std::uint8_t* memory) {
      ++written;
      memory[i] = static_cast<std::uint8_t>(i + 1);
    };
  timing::SharedParameters shared(program);
  std::atomic<int> wrong{0};
  std::vector<std::thread> runs;
  for (int run = 0; run < 3; ++run)
    runs.emplace_back([&] {
      for (std::size_t i = 0; i < 20; ++i) {
        shared.wait_for(i);
        wrong += shared.memory()[i] != i + 1;
      }
    });
  for (std::thread& run : runs) run.join();
  CHECK(wrong == 0);
  CHECK(written == 20);
  CHECK(program.memory[0] == 0);
}

}  // namespace fansim::parameters_test
