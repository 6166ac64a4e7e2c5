// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "accelerators/stream/config/array.h"
#include "accelerators/stream/hardware/types.h"
#include "contract/axi.h"
#include "sim/memory_port.h"
#include "sim/module.h"
#include "sim/reg.h"
#include "sim/stream.h"

namespace fansim::stream {

class RecurrentCell;

// Runs one job at a time: walks the nest of stream::Command and issues line-buffer commands, passes and weight sets,
// then waits until the job's last sum is done and raises the job interrupt. A job starts when the halves it reads have
// been received and the half it writes has been sent.
// Throughput: one line command (fill or pass) per cycle.
// Latency:    the first fill is issued at the edge that starts the job.
// Stall:      holds its place while any of the streams it issues to is full.
class Sequencer final : public sim::Module {
 public:
  sim::StreamIn<Command> command{"command"};
  sim::StreamIn<JobDone> done{"done"};
  sim::StreamOut<LineCommand> lines{"lines", sim::Pop::wakes};
  sim::StreamOut<Pass> passes{"passes", sim::Pop::wakes};
  sim::StreamOut<WeightCommand> weights{"weights", sim::Pop::wakes};

  Sequencer(const sc_core::sc_module_name& name, const ArrayConfig& config, const sim::ReadPort& input,
            const sim::ReadPort& weight_buffer, const sim::ReadPort& bias, const sim::WritePort& output,
            const RecurrentCell& cell);

  // Return the jobs finished since the start, as a number and as a register. Whoever compares it with what it has seen
  // latches the job interrupt.
  std::int64_t jobs_done() const { return jobs_done_.get(); }
  const sim::Reg<std::int64_t>& job_interrupt() const { return jobs_done_; }

  enum class State { idle, wait_input, wait_weights, wait_output, issue, drain };
  State state() const { return state_; }

  std::string waiting_for() const override;

 private:
  void reset() override { state_ = State::idle; }
  void step() override;
  bool start();
  void issue();
  void issue_fill();
  void issue_pass();
  void next_pass();
  void next_row();
  void finish_job();
  const Command& job() const { return jobs_[slot_]; }

  // Beats keep pointing at their job while it drains, long after the next has started. No more than a few jobs do so at
  // once (JobRef checks it).
  static constexpr std::size_t kJobs = 16;

  const ArrayConfig config_;
  const sim::ReadPort& input_;
  const sim::ReadPort& weight_buffer_;
  const sim::ReadPort& bias_;
  const sim::WritePort& output_;
  const RecurrentCell& cell_;

  std::array<Command, kJobs> jobs_{};
  std::size_t slot_ = 0;
  State state_ = State::idle;
  sim::Word state_word_{
      *this, "state", {"idle", "wait_input", "wait_weights", "wait_output", "issue", "drain"}, state_};
  bool fill_due_ = false;
  int block_ = 0, row_ = 0, x_block_ = 0, group_ = 0, step_ = 0;
  std::int64_t cell_steps_before_ = 0;
  sim::Reg<std::int64_t> jobs_done_{*this, "jobs_done"};

  sim::Counter jobs_run_{*this, "jobs", "jobs", "jobs run"};
  sim::Counter fills_{*this, "fills", "fills", "line-buffer fills issued"};
  sim::Counter passes_issued_{*this, "passes", "passes", "passes issued"};
};

}  // namespace fansim::stream
