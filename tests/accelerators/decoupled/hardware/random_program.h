// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "accelerators/decoupled/hardware/command_program.h"

namespace fansim::test {

enum class Order {
  tokens,  // any that let the commands end: units overlap, so what they compute depends on when
  serial,  // each command waits for the one before: values are those of run_serially()
};

// Draws a machine, and jobs of a few layers whose commands fit its buffers.
CommandProgram random_program(std::uint64_t seed, Order order);

}  // namespace fansim::test
