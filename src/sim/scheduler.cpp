// SPDX-License-Identifier: Apache-2.0
#include "sim/scheduler.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "sim/violation.h"

namespace fansim::sim {

namespace {
__extension__ using Wide = __int128;

constexpr Edge kBatch = 4096;  // edges per activation if nobody else uses SystemC time
constexpr std::size_t kWord = ClockDomain::kWord;

AwakeBits bit_of(ClockDomain& domain, std::size_t module) {
  return {&domain.awake[module / kWord], std::uint64_t{1} << module % kWord};
}

bool asleep(const ClockDomain& domain) {
  std::uint64_t any = 0;
  for (const std::uint64_t word : domain.awake) any |= word;
  return any == 0;
}

// The unused bits behind the last block stay clear.
void wake_all(ClockDomain& domain) {
  for (std::size_t i = 0; i < domain.modules.size(); ++i) bit_of(domain, i).raise();
}

constexpr std::size_t kEight = 8;

// Steps eight blocks in order, each if its bit is set when its turn comes. Each of them has a call instruction of its
// own, so that the processor's branch predictor learns which block that instruction nearly always calls.
template <std::size_t First, std::size_t... I>
void step_eight(const std::uint64_t& awake, Module* const* modules, std::index_sequence<I...>) {
  if ((awake >> First & 0xff) == 0) return;
  ((awake >> (First + I) & 1 ? modules[First + I]->step() : void()), ...);
}
template <std::size_t... Eight>
void step_word(const std::uint64_t& awake, Module* const* modules, std::index_sequence<Eight...>) {
  (step_eight<Eight * kEight>(awake, modules, std::make_index_sequence<kEight>()), ...);
}
}  // namespace

Scheduler::Scheduler(const sc_core::sc_module_name& name) : sc_core::sc_module(name) {
  SC_HAS_PROCESS(Scheduler);
  SC_METHOD(activate);
}

Scheduler::~Scheduler() = default;

ClockDomain& Scheduler::domain(const std::string& name, base::Rational mhz) {
  domains_.push_back(std::make_unique<ClockDomain>(name, mhz));
  return *domains_.back();
}

void Scheduler::end_of_elaboration() {
  if (domains_.empty()) throw Violation(name(), 0, "a scheduler without a clock: domain() makes one");
  measure_periods();
  collect(sc_core::sc_get_top_level_objects());
  if (waveform_) waveform_->check_scope(scene_);
  bool toggles = waveform_ != nullptr;
  for (auto& domain : domains_) {
    domain->awake.assign((domain->modules.size() + kWord - 1) / kWord, 0);
    wake_all(*domain);
    for (std::size_t i = 0; i < domain->modules.size(); ++i) join(*domain->modules[i], bit_of(*domain, i));
    for (PinModule* pins : domain->pins) join(*pins, {&pins_awake_, 1});
    toggles = toggles || domain->exported();
    wired_ = wired_ || domain->exported() || !domain->pins.empty();
    scene_.domains.push_back(domain.get());
  }
  for (Module* module : scene_.modules) {
    toggles = toggles || module->timed();
    wired_ = wired_ || module->timed();
    module->reset();
  }
  scene_.wired = wired_;
  toggles_ = wired_ && toggles;
}

// A common multiple of the numerators of all frequencies makes every period a whole number, so the order of edges is
// exact.
void Scheduler::measure_periods() {
  Wide multiple = 1;
  for (const auto& domain : domains_) {
    const std::int64_t numerator = domain->mhz.numerator;
    multiple *= numerator / std::gcd(numerator, static_cast<std::int64_t>(multiple % numerator));
  }
  for (auto& domain : domains_)
    domain->period = domain->left = multiple / domain->mhz.numerator * domain->mhz.denominator;
}

void Scheduler::collect(const std::vector<sc_core::sc_object*>& objects) {
  for (sc_core::sc_object* object : objects) {
    if (auto* stream = dynamic_cast<StreamBase*>(object)) scene_.streams.push_back(stream);
    if (auto* module = dynamic_cast<Module*>(object)) enlist(*module);
    if (auto* wires = dynamic_cast<Wires*>(object)) scene_.wires.push_back(wires);
    collect(object->get_child_objects());
  }
}

void Scheduler::enlist(Module& module) {
  const bool ours = std::any_of(domains_.begin(), domains_.end(), [&](auto& d) { return d.get() == module.domain_; });
  if (!ours && module.domain_ != &Module::unclocked())
    throw Violation(module.name(), 0,
                    fmt::format("clocked by {}, which is no clock of {}", module.domain_->name, name()));
  if (!ours) module.clock(*domains_.front());
  if (auto* pins = dynamic_cast<PinModule*>(&module)) module.domain_->pins.push_back(pins);
  if (!module.passive()) module.domain_->modules.push_back(&module);
  scene_.modules.push_back(&module);
}

void Scheduler::join(Module& module, const AwakeBits& awake) {
  module.awake_ = awake;
  for (sc_core::sc_object* child : module.get_child_objects()) {
    auto* port = dynamic_cast<StreamPortBase*>(child);
    if (!port) continue;
    if (!port->channel().join(module.domain()))
      throw Violation(module.name(), 0, std::string(child->name()) + " joins two clock domains without a converter");
    port->wakes(awake);
  }
}

void Scheduler::reset(const std::vector<Module*>& modules) {
  for (Module* module : modules) module->reset();
  for (StreamBase* stream : scene_.streams) stream->clear();
  for (auto& domain : domains_) wake_all(*domain);
}

void Scheduler::run() {
  running_ = true;
  sc_core::sc_start();
  running_ = false;
  if (waveform_) waveform_->settle();
  if (failure_) std::rethrow_exception(failure_);
}

// If a block wakes one that steps after it, that one steps at this edge; one that steps before it steps at the next
// edge.
[[gnu::always_inline]] inline void Scheduler::step_modules(ClockDomain& domain) {
  domain.ring();
  Module* const* modules = domain.modules.data();
  for (const std::uint64_t& awake : domain.awake) {
    step_word(awake, modules, std::make_index_sequence<kWord / kEight>());
    modules += kWord;
  }
}

void Scheduler::step_all(ClockDomain& domain) {
  for (PinModule* pins : domain.pins) pins->sample();
  step_modules(domain);
  for (PinModule* pins : domain.pins) pins->drive();
}

// Handles one instant of several clocks.
inline void Scheduler::instant() {
  Wide passed = domains_.front()->left;
  for (const auto& domain : domains_) passed = std::min(passed, domain->left);
  for (const auto& domain : domains_)
    if ((domain->left -= passed) == 0) ++domain->edge;
  // The watchdog counts the first domain's edges.
  ClockDomain& lead = *domains_.front();
  for (const auto& domain : domains_) {
    if (domain->left > 0) continue;
    step_all(*domain);
    domain->left = domain->period;
    if (domain->last_move == domain->edge) lead.last_move = lead.edge;
  }
}

// Skips edges at which every block sleeps, `most` at most, and returns how many. It is called if there is one clock
// that nobody looks at.
Edge Scheduler::leap(Edge most) {
  ClockDomain& lead = *domains_.front();
  Edge before = lead.next_alarm();
  if (!waits()) before = std::min(before, lead.last_move + watchdog + 1);
  if (!actions_.empty()) before = std::min(before, actions_.begin()->first);
  const Edge edges = std::clamp<Edge>(before - 1 - lead.edge, 0, most);
  lead.edge += edges;
  return edges;
}

// Returns whether a block waits for an edge on purpose.
bool Scheduler::waits() const {
  return std::any_of(domains_.begin(), domains_.end(), [](const auto& domain) { return domain->waits(); });
}

// Returns a domain that has an edge at the next instant.
const ClockDomain& Scheduler::next() const {
  return **std::min_element(domains_.begin(), domains_.end(),
                            [](const auto& a, const auto& b) { return a->left < b->left; });
}

// An action may ask for further actions.
void Scheduler::act(Edge next) {
  while (!actions_.empty() && actions_.begin()->first <= next) {
    const std::function<void()> action = std::move(actions_.begin()->second);
    actions_.erase(actions_.begin());
    action();
  }
}

void Scheduler::run_on() {
  if (wired_ || sc_core::sc_pending_activity_at_future_time())
    throw Violation(name(), domains_.front()->edge, "others share SystemC's time");
  while (!finished_ && !(stop_requested && stop_requested())) run_batch();
}

void Scheduler::run_batch() {
  ClockDomain& lead = *domains_.front();
  const bool shared = sc_core::sc_pending_activity_at_future_time() || sc_core::sc_pending_activity_at_current_time();
  const bool recording = waveform_ && waveform_->looks(lead.edge + 1);
  if (waveform_) waveform_->close_past(lead.edge + 1);
  if (recording) waveform_->before();
  Edge limit = shared || recording || wired_ ? 1 : kBatch;
  if (waveform_ && !recording) limit = std::min(limit, waveform_->edges_until(lead.edge + 1));
  if (!wired_ && !waveform_ && !each_edge) {
    run_unseen(lead, limit);
    return;
  }
  for (Edge n = 0; n < limit && !finished_; ++n) {
    if (n > 0 && waveform_ && waveform_->looks(lead.edge + 1)) break;
    if (!actions_.empty()) act(lead.edge + 1);
    const Edge before = lead.edge;
    instant();
    if (each_edge && lead.edge != before) each_edge(lead.edge);
    check_watchdog(lead);
  }
  if (recording) waveform_->after(scene_, lead.edge);
}

// Runs edges that nobody looks at.
void Scheduler::run_unseen(ClockDomain& lead, Edge limit) {
  const bool alone = domains_.size() == 1;
  for (Edge n = 0; n < limit && !finished_; ++n) {
    if (!actions_.empty()) act(lead.edge + 1);
    if (alone) {
      ++lead.edge;
      step_modules(lead);
      if (asleep(lead) && !finished_) n += leap(limit - n - 1);
    } else {
      instant();
    }
    check_watchdog(lead);
  }
}

inline void Scheduler::check_watchdog(const ClockDomain& lead) const {
  if (lead.edge - lead.last_move > watchdog && !waits())
    throw Hang("watchdog", lead.edge, fmt::format("nothing moved for {} cycles\n{}", watchdog, who_waits()));
}

void Scheduler::activate() {
  try {
    // Time zero comes before every edge.
    if (sc_core::sc_time_stamp() == sc_core::SC_ZERO_TIME) {
      next_trigger(time_of_next());
      return;
    }
    if (toggles_ && clk_ != Clk::rising) {
      toggle();
      return;
    }
    run_batch();
    if (finished_ || (stop_requested && stop_requested())) return;
    const sc_core::sc_time left = time_of_next() - sc_core::sc_time_stamp();
    next_trigger(clk_ == Clk::rising ? sc_core::sc_time::from_value(left.value() / 2) : left);
    if (clk_ == Clk::rising) clk_ = Clk::high;
  } catch (...) {
    // If sc_start() was called instead of run(), SystemC reports the failure.
    if (!running_) throw;
    failure_ = std::current_exception();
  }
}

// Drives the exported clocks. Those that are due rise at their instant, one delta cycle before their blocks step. All
// fall halfway to the next instant.
void Scheduler::toggle() {
  if (waveform_) waveform_->settle();
  const bool rise = clk_ == Clk::low && sc_core::sc_time_stamp() == time_of_next();
  for (auto& domain : domains_)
    if (rise && domain->left == next().left && domain->exported()) domain->clk().write(true);
  if (clk_ == Clk::high) {
    if (waveform_) waveform_->fall();
    for (auto& domain : domains_)
      if (domain->exported()) domain->clk().write(false);
  }
  clk_ = rise ? Clk::rising : Clk::low;
  next_trigger(rise ? sc_core::SC_ZERO_TIME : time_of_next() - sc_core::sc_time_stamp());
}

// Returns picoseconds, rounded down. Only waveforms and foreign models see them; no block counts from them.
sc_core::sc_time Scheduler::time_of_next() {
  const ClockDomain& first = next();
  const auto ps = static_cast<std::uint64_t>(static_cast<Wide>(first.edge + 1) * 1'000'000 * first.mhz.denominator /
                                             first.mhz.numerator);
  return sc_core::sc_time::from_value(ps);
}

std::string Scheduler::who_waits() const {
  std::string text;
  for (const StreamBase* stream : scene_.streams)
    if (stream->occupancy() > 0)
      text += fmt::format("  {} is {} after {} beats\n", stream->name(), stream->state(), stream->pops());
  for (const Module* module : scene_.modules) {
    const std::string waits = module->waiting_for();
    if (!waits.empty()) text += fmt::format("  {} waits for {}\n", module->name(), waits);
  }
  return text;
}

}  // namespace fansim::sim
