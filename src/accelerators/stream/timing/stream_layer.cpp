// SPDX-License-Identifier: Apache-2.0
#include "accelerators/stream/timing/stream_layer.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace fansim::stream {

namespace {

constexpr int kActs = contract::HostConfig::kActs, kAnswered = contract::HostConfig::kAnswered;
constexpr std::size_t kActsPerCall = 256;

}  // namespace

StreamLayer::StreamLayer(const Config& config, const HostTrace& trace, bool buckets)
    : StreamLayer(config, trace, buckets, std::make_unique<StreamCore>(config.array),
                  std::make_unique<DataPath>(config, buckets)) {}

StreamLayer::StreamLayer(const Config& config, const HostTrace& trace, bool buckets, std::unique_ptr<StreamCore> core,
                         std::unique_ptr<DataPath> data)
    : host_(config.host), trace_(trace), core_(std::move(core)), data_(std::move(data)), account_(buckets) {}

void StreamLayer::follow(const contract::ProgressCallback& progress) {
  std::size_t followed = 0;
  const auto follow_all = [&](const Act* acts, std::size_t count, std::uint32_t time) {
    for (const Act* act = acts; act != acts + count; ++act) {
      if (progress && followed++ % kActsPerCall == 0) progress();
      follow(act->at(time));
    }
  };
  const Act* acts = trace_.acts.data();
  for (const Round& round : trace_.rounds) {
    for (std::uint32_t time = 0; time < round.times;) {
      const std::uint32_t replayed = replay_rounds(acts, round, time);
      if (replayed == 0) follow_all(acts, round.acts, time);
      time += std::max(replayed, 1U);
    }
    acts += round.acts;
  }
  follow_all(acts, static_cast<std::size_t>(trace_.acts.data() + trace_.acts.size() - acts), 0);
}

void StreamLayer::follow(const Act& act) {
  work(act.works);
  if (act.prepares > 0) work(act.prepares, true);
  switch (act.kind) {
    case Act::Kind::transfer:
      transfer(act);
      break;
    case Act::Kind::job:
      start(act);
      break;
    case Act::Kind::wait_job:
      wait_job();
      break;
    case Act::Kind::wait_output:
      wait_output();
      break;
    case Act::Kind::nothing:
      break;
  }
}

void StreamLayer::work(timing::Edge cycles, bool prepares_dma) {
  account_.host(now_, true, prepares_dma, false);
  now_ += cycles;
  account_.host(now_, false, prepares_dma, false);
}

timing::Edge StreamLayer::last_act(timing::Edge now) const { return now - kAnswered + kActs; }

// The registers know that the channel is idle an edge after its last beat was streamed.
timing::Edge StreamLayer::polled(timing::Edge now, timing::Edge idle) const {
  const timing::Edge period = host_.register_read + kAnswered;
  const timing::Edge first = now + host_.register_read;
  const timing::Edge reads = first >= idle ? 0 : (idle - first + period - 1) / period;
  return first + reads * period + kAnswered;
}

void StreamLayer::transfer(const Act& act) { work(polled(now_, read(act)) - now_); }

// The receiver pops the last beat an edge later; FINISH, wr_done and what others see of it follow.
timing::Edge StreamLayer::read(const Act& act) {
  const timing::Edge written = last_act(now_);
  const timing::Edge last = data_->read(written, act.address, act.bytes, [this] {
    note_fetched();
    start_job();
  });
  bytes_read_ += act.bytes;
  if (act.weights) account_.receives_weights({written - act.armed + 2, last + 3});
  account_.mm2s_busy({written + 1, last});
  return last;
}

void StreamLayer::start(const Act& act) {
  if (pending_) throw std::logic_error(fmt::format("timing: a job is started while another one waits, edge {}", now_));
  pending_ = {act, last_act(now_)};
  start_job();
}

void StreamLayer::note_fetched() { fetched_.push_back(data_->output().fetched()); }

void StreamLayer::wait_job() {
  while (pending_) {
    if (!data_->send_tile()) throw std::logic_error(fmt::format("timing: a job that never starts, edge {}", now_));
    note_fetched();
    start_job();
  }
  interrupt(finished_ + 1, false);
}

void StreamLayer::wait_output() {
  while (static_cast<std::int64_t>(fetched_.size()) < tiles_) {
    if (!data_->send_tile()) throw std::logic_error(fmt::format("timing: a tile that never leaves, edge {}", now_));
    note_fetched();
  }
  interrupt(fetched_.back() + 1, true);
}

void StreamLayer::interrupt(timing::Edge visible, bool output) {
  account_.host(now_, false, false, output);
  now_ = std::max(now_, visible);
  work(host_.interrupt);
}

// Takes the job when what it writes is free; that may not be clear yet. What it reads is there (host_trace).
void StreamLayer::start_job() {
  if (!pending_) return;
  const Act act = pending_->act;
  const Command& job = trace_.commands[act.command];
  const timing::Edge seen = std::max(pending_->pushed, finished_) + 1;
  const std::optional<timing::Edge> start = output_free(act, job, seen);
  if (!start) return;
  account_.job_waits({seen, *start});
  const StreamCore::Job done = core_->run(job, *start);
  finished_ = done.finished;
  account_.job_runs({*start, finished_});
  if (done.tile != timing::kNever) {
    claims_[act.half] = {tiles_++, done.tile};
    data_->tile(job, act.address, done.tile);
  }
  pending_.reset();
}

// From `edge` on; none while it is not clear when the half's tile leaves.
std::optional<timing::Edge> StreamLayer::output_free(const Act& act, const Command& job, timing::Edge edge) const {
  const Claim& claim = claims_[act.half];
  if (!job.send_output || claim.tile < 0 || edge <= claim.edge) return edge;
  if (claim.tile >= static_cast<std::int64_t>(fetched_.size())) return std::nullopt;
  return std::max(edge, fetched_[static_cast<std::size_t>(claim.tile)] + 1);
}

void StreamLayer::finish(contract::LayerResult& result) const {
  result.cycles = now_;
  result.bytes_read = bytes_read_;
  result.bytes_written = data_->output().bytes();
  if (!account_.kept()) return;
  const rules::ArrayBuckets buckets = account_.buckets(now_, *core_, data_->read_waits());
  result.buckets.assign(buckets.begin(), buckets.end());
}

}  // namespace fansim::stream
