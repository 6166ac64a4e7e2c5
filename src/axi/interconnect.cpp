// SPDX-License-Identifier: Apache-2.0
#include "axi/interconnect.h"

#include <fmt/format.h>

#include <algorithm>

#include "rules/arbitration.h"

namespace fansim::axi {

namespace {
constexpr int kIdBits = contract::InterconnectConfig::kManagerIdBits;
constexpr std::uint8_t kIdMask = (1U << kIdBits) - 1;

bool several(std::uint32_t requests) { return (requests & (requests - 1)) != 0; }
}  // namespace

Interconnect::ManagerPort::ManagerPort(const std::string& name)
    : ar((name + "_ar").c_str()),
      r((name + "_r").c_str()),
      aw((name + "_aw").c_str()),
      w((name + "_w").c_str()),
      b((name + "_b").c_str()) {}

Interconnect::SubordinatePort::SubordinatePort(const std::string& name)
    : ar((name + "_ar").c_str()),
      r((name + "_r").c_str()),
      aw((name + "_aw").c_str()),
      w((name + "_w").c_str()),
      b((name + "_b").c_str()) {}

Interconnect::Interconnect(const sc_core::sc_module_name& name, const contract::InterconnectConfig& config)
    : Module(name),
      config_(config),
      beat_bytes_(config.data_bits / 8),
      manager_state_(static_cast<std::size_t>(config.managers)),
      subordinate_state_(config.subordinates.size(),
                         Subordinate{-1, -1, Ring<int>(config.managers * config.outstanding)}) {
  for (int i = 0; i < config.managers; ++i) managers_.push_back(std::make_unique<ManagerPort>(fmt::format("s{}", i)));
  for (std::size_t i = 0; i < config.subordinates.size(); ++i)
    subordinates_.push_back(std::make_unique<SubordinatePort>(fmt::format("m{}", i)));
}

[[gnu::flatten]] void Interconnect::step() {
  if (idle()) {
    sleep();
    return;
  }
  for (std::size_t i = 0; i < subordinates_.size(); ++i) {
    return_reads(*subordinates_[i]);
    return_responses(*subordinates_[i]);
    pass_data(*subordinates_[i], subordinate_state_[i]);
  }
  bool reads = false, writes = false;  // whether there are bursts to grant
  for (std::size_t i = 0; i < managers_.size(); ++i) {
    answer_lost(*managers_[i], manager_state_[i]);
    reads = lose_read(*managers_[i], manager_state_[i]) || reads;
    writes = lose_write(*managers_[i], manager_state_[i]) || writes;
  }
  for (int target = 0; target < nowhere() && (reads || writes); ++target) {
    if (reads) grant_read(target);
    if (writes) grant_write(target);
  }
}

// Returns whether nothing has come that could be passed on and nothing is left to answer.
bool Interconnect::idle() const {
  for (const auto& port : subordinates_)
    if (!port->r.empty() || !port->b.empty()) return false;
  for (const auto& port : managers_)
    if (!port->ar.empty() || !port->aw.empty() || !port->w.empty()) return false;
  return std::none_of(manager_state_.begin(), manager_state_.end(),
                      [](const Manager& state) { return state.lost_read.beats > 0 || state.lost_answer; });
}

void Interconnect::return_reads(SubordinatePort& port) {
  if (!port.r.can_pop()) return;
  const auto manager = static_cast<std::size_t>(port.r.front().id >> kIdBits);
  if (!managers_[manager]->r.can_push()) return;
  ReadBeat& beat = managers_[manager]->r.push();
  beat = port.r.pop();
  beat.id &= kIdMask;
  manager_state_[manager].reads.in_flight -= beat.last;
}

void Interconnect::return_responses(SubordinatePort& port) {
  if (!port.b.can_pop()) return;
  const auto manager = static_cast<std::size_t>(port.b.front().id >> kIdBits);
  if (!managers_[manager]->b.can_push()) return;
  const WriteResponse response = port.b.pop();
  managers_[manager]->b.push({response.resp, static_cast<std::uint8_t>(response.id & kIdMask)});
  --manager_state_[manager].writes.in_flight;
}

void Interconnect::pass_data(SubordinatePort& port, Subordinate& state) {
  if (state.data_order.empty() || !port.w.can_push()) return;
  auto& from = managers_[static_cast<std::size_t>(state.data_order.front())]->w;
  if (!from.can_pop()) return;
  const WriteBeat& beat = from.pop();
  port.w.push(beat);
  if (beat.last) state.data_order.pop();
}

// Returns the subordinate that holds the whole burst.
template <class Burst>
int Interconnect::decode(const Burst& burst) const {
  const std::uint64_t last = burst.address + static_cast<std::uint64_t>(burst.beats * beat_bytes_) - 1;
  for (int i = 0; i < nowhere(); ++i) {
    const contract::AddressRange& range = config_.subordinates[static_cast<std::size_t>(i)];
    if (range.holds(burst.address) && range.holds(last)) return i;
  }
  return nowhere();
}

template <class Burst>
bool Interconnect::wants(const sim::StreamIn<Burst>& channel, const Traffic& traffic, int target) const {
  if (!channel.can_pop() || traffic.in_flight == config_.outstanding) return false;
  if (traffic.in_flight > 0 && traffic.target != target) return false;
  return decode(channel.front()) == target;
}

std::uint8_t Interconnect::outer_id(int manager, std::uint8_t id) const {
  if (id > kIdMask) violation(fmt::format("ID {} of manager {} has more than {} bits", id, manager, kIdBits));
  return static_cast<std::uint8_t>(manager << kIdBits | id);
}

void Interconnect::grant_read(int target) {
  SubordinatePort& port = subordinate(target);
  if (!port.ar.can_push()) return;
  std::uint32_t requests = 0;
  for (std::size_t i = 0; i < managers_.size(); ++i)
    if (wants(managers_[i]->ar, manager_state_[i].reads, target)) requests |= 1U << i;
  int& last = subordinate_state_[static_cast<std::size_t>(target)].last_read;
  const int granted = rules::arbitrate(config_.arbitration, requests, config_.managers, last);
  if (granted < 0) return;
  contended_ += several(requests);
  last = granted;
  Traffic& traffic = manager_state_[static_cast<std::size_t>(granted)].reads;
  traffic = {target, traffic.in_flight + 1};
  ReadBurst& burst = port.ar.push();
  burst = manager(granted).ar.pop();
  burst.id = outer_id(granted, burst.id);
  ++reads_;
}

void Interconnect::grant_write(int target) {
  SubordinatePort& port = subordinate(target);
  Subordinate& state = subordinate_state_[static_cast<std::size_t>(target)];
  if (!port.aw.can_push() || state.data_order.full()) return;
  std::uint32_t requests = 0;
  for (std::size_t i = 0; i < managers_.size(); ++i)
    if (wants(managers_[i]->aw, manager_state_[i].writes, target)) requests |= 1U << i;
  const int granted = rules::arbitrate(config_.arbitration, requests, config_.managers, state.last_write);
  if (granted < 0) return;
  contended_ += several(requests);
  state.last_write = granted;
  state.data_order.push(granted);
  Traffic& traffic = manager_state_[static_cast<std::size_t>(granted)].writes;
  traffic = {target, traffic.in_flight + 1};
  WriteBurst& burst = port.aw.push();
  burst = manager(granted).aw.pop();
  burst.id = outer_id(granted, burst.id);
  ++writes_;
}

void Interconnect::answer_lost(ManagerPort& port, Manager& state) {
  if (state.lost_read.beats > 0 && port.r.can_push()) {
    port.r.push({{}, --state.lost_read.beats == 0, Resp::decerr, state.lost_read.id});
    state.reads.in_flight -= state.lost_read.beats == 0;
  }
  if (state.lost_answer && port.b.can_push()) {
    port.b.push({Resp::decerr, state.lost_write.id});
    state.lost_answer = false;
    --state.writes.in_flight;
  }
}

// Returns whether the port has a read burst that some subordinate may hold. A burst that none holds is taken here and
// answered with an error.
bool Interconnect::lose_read(ManagerPort& port, Manager& state) {
  if (!port.ar.can_pop()) return false;
  if (state.reads.in_flight > 0 || !wants(port.ar, state.reads, nowhere())) return true;
  state.lost_read = port.ar.pop();
  state.reads = {nowhere(), 1};
  ++lost_;
  return false;
}

bool Interconnect::lose_write(ManagerPort& port, Manager& state) {
  if (state.lost_write.beats > 0 && port.w.can_pop()) {
    --state.lost_write.beats;
    if (port.w.pop().last) state.lost_write.beats = 0;
    state.lost_answer = state.lost_write.beats == 0;
  }
  if (!port.aw.can_pop()) return false;
  if (state.writes.in_flight > 0 || !wants(port.aw, state.writes, nowhere())) return true;
  state.lost_write = port.aw.pop();
  state.writes = {nowhere(), 1};
  ++lost_;
  return false;
}

}  // namespace fansim::axi
