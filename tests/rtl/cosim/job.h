// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "accelerators/stream/config/command.h"

// This file converts a job to the twins' register image, tests/rtl/command.vh: registers 1 and 2, sixteen geometry
// words, registers 4 to 6.
namespace fansim::cosim {

template <class Port, class Field>
struct JobFields {
  Port& port;
  const Field& field;
  void bits(const char* name, int value, int reg, int word, int low, int width, const char*) const {
    field(name, 0, port, 32 * word_of(reg, word) + low, width, static_cast<std::uint64_t>(value));
  }
  void address(const char* name, std::uint32_t value, int reg, const char*) const {
    field(name, 0, port, 32 * word_of(reg, 0), 32, value);
  }
  static int word_of(int reg, int word) {
    constexpr int kAfterGeometry = 2 + stream::RegisterImage::kGeometryWords;
    return reg <= 2 ? reg - 1 : reg == 3 ? 2 + word : kAfterGeometry + reg - 4;
  }
};

template <class Port, class Field>
void job_fields(Port& port, const stream::Command& job, const Field& field) {
  stream::Command copy = job;
  JobFields<Port, Field> fields{port, field};
  copy.visit(fields);
}

}  // namespace fansim::cosim
