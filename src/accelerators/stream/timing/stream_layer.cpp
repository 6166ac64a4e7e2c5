// SPDX-License-Identifier: Apache-2.0
#include "accelerators/stream/timing/stream_layer.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace fansim::stream {

namespace {

constexpr int kActs = contract::HostConfig::kActs, kAnswered = contract::HostConfig::kAnswered;
constexpr std::size_t kActsPerPulse = 256;

}  // namespace

StreamLayer::StreamLayer(const Config& config, const Script& script, bool buckets, KnownJobs known)
    : host_(config.host),
      script_(script),
      core_(config.array, buckets, std::move(known)),
      data_(config, buckets),
      account_(buckets),
      known_(script.commands.size()) {}

void StreamLayer::follow(const contract::Pulse& pulse) {
  std::size_t acts = 0;
  for (const Act& act : script_.acts) {
    if (pulse && acts++ % kActsPerPulse == 0) pulse();
    follow(act);
  }
}

void StreamLayer::follow(const Act& act) {
  work(act.works);
  if (act.prepares > 0) work(act.prepares, true);
  switch (act.kind) {
    case Act::Kind::transfer:
      return transfer(act);
    case Act::Kind::job:
      return start(act);
    case Act::Kind::wait_job:
      return wait_job();
    case Act::Kind::wait_output:
      return wait_output();
    case Act::Kind::nothing:
      return;
  }
}

void StreamLayer::work(timing::Edge cycles, bool prepares_dma) {
  account_.host(now_, true, prepares_dma, false);
  now_ += cycles;
  account_.host(now_, false, prepares_dma, false);
}

// The edge at which the last register that was written acts.
timing::Edge StreamLayer::last_act() const { return now_ - kAnswered + kActs; }

// The host reads until one read finds the channel idle, as the registers know an edge after its last beat was streamed.
void StreamLayer::transfer(const Act& act) {
  const timing::Edge idle = read(act);
  const timing::Edge period = host_.register_read + kAnswered;
  const timing::Edge first = now_ + host_.register_read;
  const timing::Edge reads = first >= idle ? 0 : (idle - first + period - 1) / period;
  work(host_.register_read + reads * period + kAnswered);
}

// The receiver pops the last beat an edge later; FINISH, wr_done and what others see of it follow.
timing::Edge StreamLayer::read(const Act& act) {
  const timing::Edge written = last_act();
  const timing::Edge last = data_.read(written, act.address, act.bytes, [this] {
    note_fetched();
    start_job();
  });
  bytes_read_ += act.bytes;
  readable_[act.buffer][act.halves[act.buffer]] = last + 4;
  if (act.buffer != Act::kInput) account_.receives_weights({written - act.armed + 2, last + 3});
  account_.mm2s_busy({written + 1, last});
  return last;
}

void StreamLayer::start(const Act& act) {
  if (pending_) throw std::logic_error(fmt::format("timing: a job is started while another one waits, edge {}", now_));
  pending_ = {&act, last_act()};
  start_job();
}

void StreamLayer::note_fetched() { fetched_.push_back(data_.output().fetched()); }

void StreamLayer::wait_job() {
  while (pending_) {
    if (!data_.send_tile()) throw std::logic_error(fmt::format("timing: a job that never starts, edge {}", now_));
    note_fetched();
    start_job();
  }
  interrupt(finished_ + 1, false);
}

void StreamLayer::wait_output() {
  while (static_cast<std::int64_t>(fetched_.size()) < tiles_) {
    if (!data_.send_tile()) throw std::logic_error(fmt::format("timing: a tile that never leaves, edge {}", now_));
    note_fetched();
  }
  interrupt(fetched_.back() + 1, true);
}

void StreamLayer::interrupt(timing::Edge visible, bool output) {
  account_.host(now_, false, false, output);
  now_ = std::max(now_, visible);
  work(host_.interrupt);
}

// Takes the job when what it reads is there and what it writes is free; that may not be known yet.
void StreamLayer::start_job() {
  if (!pending_) return;
  const Act& act = *pending_->act;
  const Command& job = script_.commands[act.command];
  const auto readable = [&](Act::Buffer buffer) { return readable_[buffer][act.halves[buffer]]; };
  const timing::Edge seen = std::max(pending_->pushed, finished_) + 1;
  const timing::Edge input = job.hidden_input ? seen : std::max(seen, readable(Act::kInput));
  const timing::Edge weights = std::max({input, readable(Act::kWeights), readable(Act::kBias)});
  const std::optional<timing::Edge> start = output_free(act, job, weights);
  if (!start) return;
  account_.job_waits({seen, input}, LayerAccount::JobWait::input);
  account_.job_waits({input, weights}, LayerAccount::JobWait::weights);
  account_.job_waits({weights, *start}, LayerAccount::JobWait::output);
  const StreamCore::Job done = core_.run(job, *start, known_[act.command]);
  finished_ = done.finished;
  account_.job_runs({*start, finished_});
  if (done.tile != timing::kNever) {
    claims_[act.halves[Act::kOutput]] = {tiles_++, done.tile};
    data_.tile(job, act.address, done.tile);
  }
  pending_.reset();
}

// From `edge` on; none while it is not known when the half's tile leaves.
std::optional<timing::Edge> StreamLayer::output_free(const Act& act, const Command& job, timing::Edge edge) const {
  const Claim& claim = claims_[act.halves[Act::kOutput]];
  if (!job.send_output || claim.tile < 0 || edge <= claim.edge) return edge;
  if (claim.tile >= static_cast<std::int64_t>(fetched_.size())) return std::nullopt;
  return std::max(edge, fetched_[static_cast<std::size_t>(claim.tile)] + 1);
}

void StreamLayer::finish(contract::LayerResult& result) const {
  result.cycles = now_;
  result.bytes_read = bytes_read_;
  result.bytes_written = data_.output().bytes();
  if (!account_.kept()) return;
  const rules::ArrayBuckets buckets = account_.buckets(now_, core_, data_.read_waits());
  result.buckets.assign(buckets.begin(), buckets.end());
}

}  // namespace fansim::stream
