// SPDX-License-Identifier: Apache-2.0
#include "inject/worker.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/child_process.h"
#include "base/interrupt.h"
#include "inject/result_text.h"
#include "inject/verdict.h"
#include "sim/violation.h"
#include "timing/engine_options.h"

namespace fansim::inject {
namespace {

using contract::Fault;

// Is thrown when the rest of a run is known.
struct Known {};
// Is thrown when a worker has nothing left to do.
struct Over {};

// Returns what the work reports, or how its process ended.
Result in_a_process(const std::function<Result()>& work) {
  std::string text;
  try {
    text = base::in_child_process([&work] { return text_of(work()); });
  } catch (const base::Interrupted&) {
    throw;
  } catch (const std::exception& error) {
    Result stopped;
    stopped.outcome = Outcome::stopped;
    stopped.note = error.what();
    return stopped;
  }
  return result_of(text).value();
}

// Keeps only the first line, because the list of who waits for whom fills pages.
std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

class ClockedRuns {
 public:
  ClockedRuns(const Subject& subject, std::vector<Task> tasks, bool to_the_end,
              const std::function<void(int number, const Result&)>& done)
      : subject_(subject), tasks_(std::move(tasks)), to_the_end_(to_the_end), done_(done), verdict_(subject) {
    std::stable_sort(tasks_.begin(), tasks_.end(),
                     [](const Task& a, const Task& b) { return a.drawn.fault.cycle < b.drawn.fault.cycle; });
  }

  void run() {
    platform::MachineOptions options;
    options.stop_requested = base::interrupted;
    options.on_layer = [this](const contract::LayerPlan& plan, const std::uint8_t* ddr, contract::LayerResult&) {
      layer_done(plan, ddr);
    };
    machine_ = subject_.accelerator().machine(subject_.program(), std::move(options));
    machine_->injector();
    for (const Task& task : tasks_)
      machine_->at(task.drawn.fault.cycle, [this, &task] {
        done_(task.number, in_a_process([&] { return inject(task); }));
        if (&task == &tasks_.back()) throw Over{};
      });
    try {
      machine_->run();
    } catch (const Over&) {
    }
    base::stop_if_interrupted();
  }

 private:
  // Runs in a process of its own.
  Result inject(const Task& task) {
    constexpr int kTimes = 8;  // ends a machine that stays busy, which the watchdog does not notice
    constexpr sim::Edge kMore = 50'000'000;
    current_ = &task.drawn.fault;
    std::optional<Result> ended;
    try {
      machine_->run_on(*current_, machine_->now() + kTimes * subject_.cycles() + kMore);
    } catch (const Known&) {
    } catch (const sim::Hang& hang) {
      ended = Result{};
      ended->outcome = Outcome::hang;
      ended->note = first_line(hang.what());
    } catch (const sim::Violation& violation) {
      ended = Result{};
      ended->outcome = Outcome::stopped;
      ended->note = first_line(violation.what());
    }
    base::stop_if_interrupted();
    Result result = verdict_.result(machine_->fault_log());
    if (!ended) return result;
    result.outcome = ended->outcome;
    result.note = ended->note;
    return result;
  }

  // Returns whether the rest of the run is known once a layer has ended. A flip, or a burst or interrupt that went
  // wrong, can affect later layers only through memory, because a layer relies on nothing that the one before it left
  // on the chip. A repeated interrupt and a halted channel stay effective until the driver has started a layer again.
  bool may_end_early() const {
    if (to_the_end_ || current_->kind == Fault::Kind::stuck) return false;
    const bool stays = current_->kind == Fault::Kind::repeat || current_->kind == Fault::Kind::halt;
    if (stays) return machine_->fault_log().attempts > 0;
    const auto& events = machine_->fault_log().events;
    return std::any_of(events.begin(), events.end(),
                       [](const auto& event) { return event.source == contract::FaultEvent::Source::fault; });
  }

  void layer_done(const contract::LayerPlan& plan, const std::uint8_t* ddr) {
    const bool differs = verdict_.layer_done(plan, ddr);
    if (!current_) return;
    verdict_.ended(machine_->now());
    if (!may_end_early()) return;
    if (differs) verdict_.compute_rest(ddr);
    throw Known{};
  }

  const Subject& subject_;
  std::vector<Task> tasks_;
  const bool to_the_end_;
  const std::function<void(int number, const Result&)>& done_;
  Verdict verdict_;
  std::unique_ptr<platform::ClockedMachine> machine_;
  const Fault* current_ = nullptr;  // none: the run without a fault
};

}  // namespace

void run_clocked(const Subject& subject, std::vector<Task> tasks, bool to_the_end,
                 const std::function<void(int number, const Result&)>& done) {
  if (tasks.empty()) return;
  ClockedRuns(subject, std::move(tasks), to_the_end, done).run();
}

void run_fast(const Subject& subject, const std::vector<Task>& tasks,
              const std::function<void(int number, const Result&)>& done) {
  Verdict golden(subject);
  timing::EngineOptions options;
  options.timing = false;
  options.stop_requested = base::interrupted;
  options.on_layer = [&](const contract::LayerPlan& plan, const std::uint8_t* ddr, contract::LayerResult&) {
    golden.layer_done(plan, ddr);
  };
  options.before_layer = [&](const contract::LayerPlan&, std::int64_t, std::uint8_t* ddr) {
    for (const Task& task : tasks) {
      const Fault& fault = task.drawn.fault;
      if (subject.layer_at(fault.cycle) != golden.layers()) continue;
      done(task.number, in_a_process([&] {
             ddr[fault.word] ^= static_cast<std::uint8_t>(1 << fault.bit);
             golden.compute_rest(ddr);
             return golden.result({});
           }));
    }
  };
  subject.accelerator().run(subject.program(), options);
  base::stop_if_interrupted();
}

}  // namespace fansim::inject
