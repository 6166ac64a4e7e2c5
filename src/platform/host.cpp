// SPDX-License-Identifier: Apache-2.0
#include "platform/host.h"

#include <fmt/format.h>

#include <algorithm>

#include "contract/dma_map.h"
#include "sim/violation.h"

namespace fansim::platform {

namespace {

// Returns what counts the interrupts of a line.
std::function<std::int64_t()> counter(Interrupts::Line line) {
  if (line.empty()) return [] { return std::int64_t{0}; };
  return [line = std::move(line)] {
    std::int64_t least = line.front()->get();
    for (const auto* count : line) least = std::min(least, count->get());
    return least;
  };
}

}  // namespace

Host::Host(const sc_core::sc_module_name& name, const contract::HostConfig& config,
           const std::vector<contract::HostOp>& ops, Interrupts interrupts, LayerHooks hooks)
    : sim::Module(name),
      config_(config),
      ops_(ops),
      jobs_(counter(interrupts.jobs)),
      layers_(counter(interrupts.layers)),
      hooks_(std::move(hooks)),
      has_dma_(has(Kind::write_dma)),
      step_(*this, "step", step_words(), [this] {
        return at_ < ops_.size() ? static_cast<std::size_t>(ops_[at_].kind) : contract::HostOp::kWords.size();
      }) {
  for (const Interrupts::Line& line : {interrupts.jobs, interrupts.layers})
    for (const auto* count : line) count->wakes(*this);
}

const char* Host::word_of(const contract::HostOp& wait) {
  return wait.kind == Kind::wait_job ? "job interrupt" : "end-of-layer interrupt";
}

// Returns whether the program has a step of that kind.
bool Host::has(Kind kind) const {
  return std::any_of(ops_.begin(), ops_.end(), [kind](const auto& op) { return op.kind == kind; });
}

std::vector<std::string> Host::step_words() {
  std::vector<std::string> words(contract::HostOp::kWords.begin(), contract::HostOp::kWords.end());
  words.emplace_back("finished");
  return words;
}

void Host::step() {
  go_on();
  changed();
}

// Steps without a cost follow one another within an edge. Any other step takes at least its cost.
void Host::go_on() {
  if (busy()) {
    sleep();
    return;
  }
  if (now() == busy_until_) progress();
  if (recovery_ != Recovery::none) {
    recover();
    return;
  }
  while (at_ < ops_.size()) {
    const contract::HostOp& op = ops_[at_];
    if (!begun_) {
      begun_ = true;
      begun_at_ = now();
      if (!begin(op)) return;
    }
    if (!act(op)) return;
    begun_ = false;
    ++at_;
  }
  if (at_ == ops_.size()) {
    ++at_;
    hooks_.finished();
  }
}

bool Host::takes(sim::Edge cycles) {
  if (cycles == 0) return true;
  busy_until_ = now() + cycles;
  wake_at(busy_until_);
  return false;
}

// Charges the cost of a step before it has an effect. Returns false if that takes time.
bool Host::begin(const contract::HostOp& op) {
  switch (op.kind) {
    case Kind::software:
    case Kind::prepare_dma:
      software_ += op.value;
      preparing_dma_ = op.kind == Kind::prepare_dma;
      return takes(op.value);
    case Kind::align:
      return takes((op.value - now() % op.value) % op.value);
    case Kind::start_thread:
      thread_ends_ = now() + op.value;
      return true;
    case Kind::wait_thread:
      return takes(std::max<sim::Edge>(0, thread_ends_ - now()));
    case Kind::write_core:
      return takes(config_.register_write);
    case Kind::write_dma:
      preparing_dma_ = true;
      return takes(config_.register_write);
    case Kind::poll_mm2s:
      preparing_dma_ = false;
      return takes(config_.register_read);
    default:
      preparing_dma_ = false;
      return true;
  }
}

// Performs a step. Returns true when it is over.
bool Host::act(const contract::HostOp& op) {
  switch (op.kind) {
    case Kind::software:
    case Kind::prepare_dma:
    case Kind::align:
    case Kind::start_thread:
    case Kind::wait_thread:
      return true;
    case Kind::write_core:
    case Kind::write_dma:
    case Kind::poll_mm2s:
      return waiting_response_ ? receive(op) : send(op);
    case Kind::wait_job:
    case Kind::wait_output:
      return take_interrupt(op);
    case Kind::begin_layer:
      if (resume_at_ > 0) {
        at_ = std::exchange(resume_at_, 0) - 1;
        return true;
      }
      layer_at_ = at_;
      in_layer_ = true;
      attempts_ = 0;
      hooks_.begin(static_cast<int>(op.value));
      return true;
    case Kind::end_layer:
      hooks_.end(static_cast<int>(op.value));
      in_layer_ = false;
      return true;
  }
  return true;
}

bool Host::send(const contract::HostOp& op) {
  auto& port = op.kind == Kind::write_core ? core : dma;
  if (!port.can_push()) return false;
  const bool write = op.kind != Kind::poll_mm2s;
  port.push(axi::LiteRequest{write, write ? op.address : contract::dma_map::kMm2sDmasr, op.value});
  ++register_accesses_;
  waiting_response_ = true;
  return false;
}

bool Host::receive(const contract::HostOp& op) {
  auto& port = op.kind == Kind::write_core ? core_response : dma_response;
  if (port.empty()) sleep();
  if (!port.can_pop()) return false;
  const axi::LiteResponse response = port.pop();
  waiting_response_ = false;
  if (op.kind != Kind::poll_mm2s || (response.value & contract::dma_map::kSrIdle) != 0) return true;
  if ((response.value & (contract::dma_map::kSrErrors | contract::dma_map::kSrHalted)) != 0) {
    fail("MM2S has stopped");
    return false;
  }
  if (timed_out()) {
    fail(fmt::format("MM2S is busy after {} cycles", config_.timeout));
    return false;
  }
  if (now() - begun_at_ > kLongestPoll)
    throw sim::Hang(name(), now(), fmt::format("MM2S busy for {} cycles", kLongestPoll));
  return takes(config_.register_read) && send(op);
}

bool Host::take_interrupt(const contract::HostOp& op) {
  InterruptLine& line = op.kind == Kind::wait_job ? jobs_ : layers_;
  if (in_handler_) {
    in_handler_ = false;
    return true;
  }
  if (!line.pending()) {
    if (watches()) progress();
    if (timed_out())
      fail(fmt::format("no {} within {} cycles", word_of(op), config_.timeout));
    else if (!expects_faults_)
      sleep();
    return false;
  }
  line.take();
  ++interrupts_taken_;
  in_handler_ = !takes(config_.interrupt);
  return !in_handler_;
}

bool Host::waiting_for_output() const { return at_ < ops_.size() && ops_[at_].kind == Kind::wait_output && !busy(); }

std::string Host::waiting_for() const {
  if (at_ >= ops_.size() || busy()) return {};
  switch (ops_[at_].kind) {
    case Kind::wait_job:
    case Kind::wait_output:
      return std::string("the ") + word_of(ops_[at_]);
    case Kind::poll_mm2s:
      return "MM2S to become idle";
    default:
      return waiting_response_ ? "a register response" : "room for a register access";
  }
}

}  // namespace fansim::platform
