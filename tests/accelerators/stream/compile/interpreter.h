// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "accelerators/stream/config/command.h"
#include "accelerators/stream/config/config.h"
#include "accelerators/stream/config/tensor_place.h"
#include "base/random.h"
#include "contract/host_steps.h"
#include "contract/program.h"
#include "network/network.h"

namespace fansim::test {

// Executes a program as the hardware should, in plain loops and without time; it defines the meaning of
// stream::Command. It shares no code with the compiler. Memory that was never written is random, and a broken rule
// throws std::runtime_error.
class Interpreter : public contract::HostFollower {
 public:
  Interpreter(const contract::Program& program, const stream::Config& config);

  void run();
  network::Tensor tensor(const stream::TensorPlace& place, const network::Layer& layer) const;
  std::int64_t bytes_read(int plan) const { return bytes_read_.at(plan); }
  std::int64_t jobs(int plan) const { return jobs_.at(plan); }

  // The host's steps, in order.
  void software(std::uint32_t, bool) {}
  void write_core(std::uint32_t address, std::uint32_t value);
  void write_dma(std::uint32_t address, std::uint32_t value);
  void poll_mm2s();
  void wait_job();
  void wait_output();

 private:
  using Bytes = std::vector<std::uint8_t>;
  struct Half {
    Bytes bytes;
    std::size_t loaded = 0;
  };
  struct Record {
    std::int64_t bias;
    int scale, shift;
  };

  void write_register1(std::uint32_t value);
  void receive(std::uint32_t length);
  void finish_job();

  void run_nest(const stream::Command& c, int step);
  void fill_line(const stream::Command& c, int block, int line);
  void run_pass(const stream::Command& c, int block, int row, int x_block, int group, int step);
  void finish(const stream::Command& c, int group, int row, int window, int output, std::int64_t sum);
  void update_cell(const stream::Command& c, int step);
  void pool(const stream::Command& c);
  void send(const stream::Command& c);

  int activation(std::uint8_t byte, bool is_unsigned) const;
  Record record(const stream::Command& c, int channel) const;
  Bytes garbage(std::size_t bytes);

  const contract::Program& program_;
  stream::Config config_;
  int ci_, co_, array_rows_, array_cols_;
  std::size_t weight_pitch_;
  base::Random random_{1};
  Bytes memory_;
  stream::RegisterImage registers_;
  bool mm2s_runs_ = false, s2mm_runs_ = false;
  std::uint32_t source_ = 0;
  std::optional<stream::Command> armed_;  // by the register 1 write with a receive bit
  std::optional<stream::Command> running_;
  Half input_[2], weights_[2], bias_[2], resident_;
  std::vector<Bytes> lines_;
  int next_line_ = 0;
  std::vector<std::array<std::int64_t, 16>> sums_;  // [entry * rows + bank]
  std::vector<std::int64_t> pre_;                   // pre-activations of a step, by group and channel
  std::vector<int> cell_, hidden_;
  Bytes hidden_words_;
  std::map<int, Bytes> rows_;    // finished rows of [group][column][output]; of the running job, or being pooled
  std::map<int, Bytes> pooled_;  // the same after pooling, of the running job
  int last_output_select_ = -1;
  bool output_interrupt_ = false;
  int plan_ = -1;
  std::map<int, std::int64_t> bytes_read_, jobs_;
};

}  // namespace fansim::test
