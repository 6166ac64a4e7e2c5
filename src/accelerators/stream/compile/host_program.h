// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "accelerators/stream/compile/job.h"
#include "accelerators/stream/config/command.h"
#include "accelerators/stream/config/config.h"
#include "accelerators/stream/config/left_out.h"
#include "contract/program.h"

namespace fansim::stream {

// Writes the host's program. While job j runs, it makes the transfers of job j + 1 into the other halves; it omits a
// transfer if the bytes are already there. A layer relies on nothing that the layer before left: it writes every
// register and fetches all its data, so its cycles are the same in any program.
class HostProgram {
 public:
  // `left_out` receives the rounds that are not written; null: all are written.
  explicit HostProgram(const contract::HostConfig& host, LeftOuts* left_out = nullptr);

  // `index` is the position of the layer's plan in Program::layers.
  void software_layer(int index, std::uint32_t cycles);
  // `table` is the table in which the layer looks up its results, or null. Throws WideField.
  void layer(int index, const Jobs& jobs, const CodeTable* table);
  std::vector<contract::HostOp> take();

 private:
  using Kind = contract::HostOp::Kind;
  // Holds what the machine contains, as far as this layer's program knows.
  struct Machine {
    std::optional<RegisterImage> registers;
    Transfer input, weights, bias, resident;
    std::uint32_t selects = 0;  // bits of register 1
  };

  void op(Kind kind, std::uint32_t address = 0, std::uint32_t value = 0) { ops_.push_back({kind, address, value}); }
  void leave_out(int rounds, const Job& next);
  void write_register(int reg, std::uint32_t value);
  void receive(const Transfer& transfer, std::uint32_t bits);
  void fetch(const Job& job);
  void fetch_resident(const Job& job);
  void start(const Job& job, bool end_of_layer);

  const contract::HostConfig host_;
  LeftOuts* const left_out_;
  const Register1& bits_ = Register1::bits();
  std::vector<contract::HostOp> ops_;
  Machine machine_;
  std::uint32_t reg1_ = 0;  // as last written, without receive and start bits
};

}  // namespace fansim::stream
