// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "contract/host.h"
#include "contract/host_steps.h"
#include "contract/job_registers.h"
#include "contract/result_of.h"
#include "timing/edge.h"

namespace fansim::timing {

// This is what the host is doing, for the account of a layer's cycles.
enum class HostState : std::uint8_t { works, prepares_dma, waits_for_output };

struct HostSpan {
  Span span;
  HostState state;
};

// Computes the edges of a host's steps on a fast engine, counted from the layer's begin (docs/timing.md). A copy goes
// on by itself and records no spans.
class HostClock {
 public:
  // What the host does is appended to `spans`, if there are any, in the order of edges. It is in no span while it waits
  // for a job.
  explicit HostClock(const contract::HostConfig& config, std::vector<HostSpan>* spans = nullptr)
      : config_(config), spans_(spans) {}
  HostClock(const HostClock& other) : config_(other.config_), now_(other.now_) {}
  HostClock& operator=(const HostClock&) = delete;

  Edge now() const { return now_; }
  // Makes the host's next step begin at this edge.
  void go_to(Edge edge) { now_ = edge; }

  void software(Edge cycles, bool prepares_dma = false) {
    spend(cycles, prepares_dma ? HostState::prepares_dma : HostState::works);
  }
  // Writes a register and returns the edge at which its block takes the write.
  Edge write(HostState state = HostState::works) {
    spend(config_.register_write + contract::HostConfig::kAnswered, state);
    return taken();
  }
  // Returns the edge at which a block took the last register access.
  Edge taken() const { return now_ - contract::HostConfig::kAnswered + contract::HostConfig::kActs; }
  // Reads a register again and again, until a read finds what the register shows from edge `shown` on.
  void poll(Edge shown) {
    const Edge period = config_.register_read + contract::HostConfig::kAnswered;
    const Edge first = now_ + config_.register_read;
    const Edge further = first >= shown ? 0 : (shown - first + period - 1) / period;
    spend((further + 1) * period, HostState::works);
  }
  // Waits for an interrupt. Its line is a register that is set at edge `raised`, so the host sees it an edge later.
  void interrupt(Edge raised, bool of_output = true) {
    const Edge seen = std::max(now_, raised + 1);
    if (of_output) add({now_, seen}, HostState::waits_for_output);
    now_ = seen;
    spend(config_.interrupt, HostState::works);
  }

 private:
  void spend(Edge cycles, HostState state) {
    add({now_, now_ + cycles}, state);
    now_ += cycles;
  }
  void add(Span span, HostState state) {
    if (!spans_ || span.from == span.to) return;
    if (!spans_->empty() && spans_->back().state == state && spans_->back().span.to == span.from)
      spans_->back().span.to = span.to;
    else
      spans_->push_back({span, state});
  }

  const contract::HostConfig config_;
  std::vector<HostSpan>* const spans_ = nullptr;
  Edge now_ = 0;
};

// Follows the host of a machine that does jobs: the host writes the registers of a job and waits for the interrupt of
// its end. The machine says when that is.
class JobHost : public contract::HostFollower {
 public:
  // `registers` hold what the layer before left in them, where that matters.
  JobHost(const contract::HostConfig& config, contract::JobRegisters& registers)
      : clock_(config), registers_(registers) {}
  virtual ~JobHost() = default;

  // Follows all steps of the layer, and returns what the machine counted, with the cycles that no bucket has in one
  // more.
  contract::LayerResult run(const contract::Program& program, const contract::LayerSteps& layer,
                            const contract::ProgressCallback& progress = {}) {
    contract::follow(program, layer, *this, progress);
    contract::LayerResult result = contract::result_of(*layer.plan);
    result.cycles = now();
    count(result);
    contract::add_rest(result);
    return result;
  }
  Edge now() const { return clock_.now(); }

  void software(std::uint32_t cycles, bool) { clock_.software(cycles); }
  void write_core(std::uint32_t address, std::uint32_t value) {
    const Edge taken = clock_.write();
    if (registers_.write(address, value)) ended_ = run_job(registers_, taken);
  }
  void wait_output() { clock_.interrupt(ended_); }

 protected:
  // Runs the job whose start is taken at edge `taken`, and returns the edge at which its interrupt is raised.
  virtual Edge run_job(const contract::JobRegisters& registers, Edge taken) = 0;
  // Puts into `result` what the machine counted: bytes, its own statistics, all buckets but the last.
  virtual void count(contract::LayerResult& result) = 0;

 private:
  HostClock clock_;
  contract::JobRegisters& registers_;
  Edge ended_ = 0;
};

}  // namespace fansim::timing
