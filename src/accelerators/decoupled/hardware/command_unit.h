// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <utility>
#include <vector>

#include "accelerators/decoupled/config/command.h"
#include "accelerators/decoupled/config/config.h"
#include "sim/module.h"
#include "sim/reg.h"
#include "sim/stream.h"

namespace fansim::decoupled {

// Starts a job in a unit. Its commands do not change while it runs.
struct JobStart {
  const DecoupledLayer* layer = nullptr;
  const Job* job = nullptr;
};

// Holds the edges of a job in a unit, from its start to the end of its last command. If there is no command, it ends on
// the edge before its start.
struct JobSpan {
  sim::Edge from = 0, to = 0;
};

// Executes its commands of a job one after another. A command begins once it has a token from every unit for which it
// waits.
// Throughput: a command at a time.
// Latency:    a job popped at n begins at n; tokens given at n are seen at n + 1, where the next command begins at the
//             earliest.
// Stall:      waits for tokens.
class CommandUnit : public sim::Module {
 public:
  sim::StreamIn<JobStart> start{"start"};

  CommandUnit(const sc_core::sc_module_name& name, Unit unit, const Config& config);

  // Connects the tokens of another unit for which its commands may wait.
  void hears(const CommandUnit& other) { sources_[index(other.unit_)] = &other.tokens_[index(unit_)]; }
  // Returns whether a command of a job was executed or waited for at the edge that has just passed.
  bool in_job() const { return command_ || next_ < commands_.size() || (!spans_.empty() && spans_.back().to == now()); }
  const sim::Reg<std::int64_t>& jobs_done() const { return jobs_done_; }
  // Returns the spans of the jobs since the last call.
  std::vector<JobSpan> take_spans() { return std::exchange(spans_, {}); }
  std::string waiting_for() const override;

 protected:
  // Called at the edge at which a command begins, before its first work().
  virtual void begin(const Command& command) = 0;
  // Does an edge of the command; returns true at its last edge.
  virtual bool work(const Command& command) = 0;
  // Called at an edge at which a command waited for a token of another unit.
  virtual void waits(Unit) {}

  const DecoupledLayer& layer() const { return *layer_; }
  const Config config_;

 private:
  void step() override;
  void take_up(const JobStart& job);
  bool take_tokens(const Command& command);
  void end();

  const Unit unit_;
  const DecoupledLayer* layer_ = nullptr;
  std::vector<const Command*> commands_;
  std::size_t next_ = 0;
  const Command* command_ = nullptr;  // null: none is running
  std::vector<JobSpan> spans_;

  std::array<const sim::Reg<std::int64_t>*, kUnits> sources_{};
  std::array<std::int64_t, kUnits> taken_{};
  std::array<sim::Reg<std::int64_t>, kUnits> tokens_{
      {{*this, "to_load"}, {*this, "to_load_weights"}, {*this, "to_compute"}, {*this, "to_store"}}};
  sim::Word doing_{*this,
                   "command",
                   {"load_inputs", "load_weights", "load_parameters", "load_sums", "multiply", "pool", "post", "store",
                    "store_sums", "wait", "idle"},
                   [this] {
                     return command_                   ? static_cast<std::size_t>(command_->action)
                            : next_ < commands_.size() ? std::size_t{9}
                                                       : std::size_t{10};
                   }};
  sim::Reg<std::int64_t> jobs_done_{*this, "jobs_done"};
  sim::Counter executed_{*this, "commands", "commands", "commands executed"};
};

}  // namespace fansim::decoupled
