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

StreamLayer::StreamLayer(const Config& config, const Script& script, bool buckets, Known known)
    : host_(config.host),
      script_(script),
      core_(config.array, buckets, std::move(known.jobs)),
      data_(config, buckets, std::move(known.transfers)),
      account_(buckets),
      known_(script.commands.size()) {}

void StreamLayer::follow(const contract::Pulse& pulse) {
  std::size_t followed = 0;
  const auto follow_all = [&](const Act* acts, std::size_t count, std::uint32_t time) {
    for (const Act* act = acts; act != acts + count; ++act) {
      if (pulse && followed++ % kActsPerPulse == 0) pulse();
      follow(act->at(time));
    }
  };
  const Act* acts = script_.acts.data();
  for (const Round& round : script_.rounds) {
    for (std::uint32_t time = 0; time < round.times;) {
      const std::uint32_t repeated = repeat(acts, round, time);
      if (repeated == 0) follow_all(acts, round.acts, time);
      time += std::max(repeated, 1U);
    }
    acts += round.acts;
  }
  follow_all(acts, static_cast<std::size_t>(script_.acts.data() + script_.acts.size() - acts), 0);
}

// A round on a machine at rest: no tile leaves, and the core knows its job. `read` says when a transfer from an address
// is streamed that LENGTH asks for at an edge. None: it is no such round.
template <class Read>
std::optional<StreamLayer::Rest> StreamLayer::at_rest(const Act* acts, const Round& round, std::uint32_t time,
                                                      Read&& read) const {
  Rest rest;
  timing::Edge now = now_;
  for (const Act* act = acts; act != acts + round.acts; ++act) {
    now += timing::Edge{act->works} + act->prepares;
    if (act->kind == Act::Kind::wait_output || (act->kind == Act::Kind::job && rest.known != nullptr)) return {};
    if (act->kind == Act::Kind::job) {
      rest.known = known_[act->command];
      if (rest.known == nullptr || rest.known->tile != timing::kNever) return {};
      rest.job = &script_.commands[act->command];
      rest.start = last_act(now) + 1;
    } else if (act->kind == Act::Kind::transfer) {
      now = polled(now, read(last_act(now), act->address + time * act->step, act->bytes));
      rest.bytes += act->bytes;
    }
  }
  if (rest.known == nullptr) return {};
  rest.end = std::max(now, rest.start + rest.known->finished + 1) + host_.interrupt;
  return rest;
}

// The times that a round comes from `time` on, as many as begin at rest. All those that no refresh meets do the same;
// of one that a refresh meets only the reads must be followed.
std::uint32_t StreamLayer::repeat(const Act* acts, const Round& round, std::uint32_t time) {
  if (account_.kept() || !data_.at_rest()) return 0;
  reads_.clear();
  const auto alone = at_rest(acts, round, time, [&](timing::Edge written, std::uint32_t address, std::uint32_t bytes) {
    reads_.push_back(data_.alone(written, address, bytes));
    return data_.streamed(reads_.back(), address, bytes);
  });
  if (!alone) return 0;
  const std::uint32_t most = round.alike ? round.times - time : 1;
  const timing::Edge begin = now_, period = alone->end - begin;
  std::uint32_t done = 0;
  while (done < most && core_.does_again(*alone->known, alone->start + now_ - begin, period)) {
    const timing::Edge before = now_;
    const std::int64_t times = data_.repeat(reads_, period, std::int64_t{most} - done);
    if (times > 0) {
      take(*alone, before - begin + (times - 1) * period, times);
    } else {
      take(*at_rest(acts, round, time + done,
                    [&](timing::Edge written, std::uint32_t address, std::uint32_t bytes) {
                      return data_.read_at_rest(written, address, bytes);
                    }),
           0, 1);
    }
    done += static_cast<std::uint32_t>(std::max(times, std::int64_t{1}));
    for (timing::Span& read : reads_) read.from += now_ - before, read.to += now_ - before;
  }
  return done;
}

// So many rounds of which the last comes `by` edges later.
void StreamLayer::take(const Rest& round, timing::Edge by, std::int64_t times) {
  finished_ = core_.again(*round.known, *round.job, round.start + by).finished;
  now_ = round.end + by;
  bytes_read_ += times * round.bytes;
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
timing::Edge StreamLayer::last_act(timing::Edge now) const { return now - kAnswered + kActs; }

// The host reads from `now` on until one read finds the channel idle, as the registers know an edge after its last beat
// was streamed.
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
  const timing::Edge last = data_.read(written, act.address, act.bytes, [this] {
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

// Takes the job when what it writes is free; that may not be known yet. What it reads is there (Script).
void StreamLayer::start_job() {
  if (!pending_) return;
  const Act act = pending_->act;
  const Command& job = script_.commands[act.command];
  const timing::Edge seen = std::max(pending_->pushed, finished_) + 1;
  const std::optional<timing::Edge> start = output_free(act, job, seen);
  if (!start) return;
  account_.job_waits({seen, *start});
  const StreamCore::Job done = core_.run(job, *start, known_[act.command]);
  finished_ = done.finished;
  account_.job_runs({*start, finished_});
  if (done.tile != timing::kNever) {
    claims_[act.half] = {tiles_++, done.tile};
    data_.tile(job, act.address, done.tile);
  }
  pending_.reset();
}

// From `edge` on; none while it is not known when the half's tile leaves.
std::optional<timing::Edge> StreamLayer::output_free(const Act& act, const Command& job, timing::Edge edge) const {
  const Claim& claim = claims_[act.half];
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
