// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "memory/outside_memory.h"
#include "platform/machine.h"
#include "support/foreign_memory.h"

namespace fansim::outside_memory_test {

namespace {

// Binds a foreign memory to the accelerator's only socket.
template <class Foreign>
test::MachineRun run_on(const std::string& model) {
  std::unique_ptr<Foreign> foreign;
  return test::run_machine(test::shipped_model(model), test::shipped_config("tiny_stream"),
                           [&](const char* name, const auto& ddr, const auto& axi, contract::MemoryImage&& image) {
                             foreign = std::make_unique<Foreign>("foreign", image.size());
                             auto memory = std::make_unique<memory::OutsideMemory>(name, ddr, axi, std::move(image));
                             memory->outside.bind(foreign->socket);
                             return memory;
                           });
}

}  // namespace

TEST_CASE("a network runs with every byte in an outside memory of four phases") {
  const auto run = run_on<test::PhasedMemory>("tiny_conv");
  CHECK(run.disagreement == "");
  CHECK(run.unaccounted() == "");
}

TEST_CASE("a recurrent network runs with every byte in a loosely timed outside memory") {
  const auto run = run_on<test::BlockingMemory>("tiny_lstm");
  CHECK(run.disagreement == "");
  CHECK(run.unaccounted() == "");
}

}  // namespace fansim::outside_memory_test
