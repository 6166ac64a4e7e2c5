// SPDX-License-Identifier: Apache-2.0
#include "accelerators/stream/timing/stream_layer.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "contract/buffer_target.h"
#include "contract/dma_map.h"

namespace fansim::stream {

namespace {

constexpr int kActs = contract::HostConfig::kActs, kAnswered = contract::HostConfig::kAnswered;

}  // namespace

StreamLayer::StreamLayer(const Config& config, bool buckets, KnownJobs known)
    : host_(config.host), core_(config.array, buckets, std::move(known)), data_(config, buckets), account_(buckets) {}

void StreamLayer::software(std::uint32_t cycles, bool prepares_dma) {
  preparing_dma_ = prepares_dma;
  work(cycles);
}

void StreamLayer::work(timing::Edge cycles) {
  account_.host(now_, true, preparing_dma_, false);
  now_ += cycles;
  account_.host(now_, false, preparing_dma_, false);
}

void StreamLayer::write_core(std::uint32_t address, std::uint32_t value) {
  command_.write(address, value);
  if (address == register_offset(1)) act(*command_, now_ + host_.register_write + kActs);
  work(host_.register_write + kAnswered);
}

void StreamLayer::act(const Command& command, timing::Edge edge) {
  if (command.receive_input) receiver_ = {kInput, 1 - command.input_select, edge};
  if (command.receive_weights)
    receiver_ = {kWeights, command.receive_resident ? contract::kResident : 1 - command.weight_select, edge};
  if (command.receive_bias) receiver_ = {kBias, 1 - command.bias_select, edge};
  if (!command.start_conv && !command.start_recurrent) return;
  if (pending_) throw std::logic_error(fmt::format("timing: a job is started while another one waits, edge {}", now_));
  pending_ = {command, edge};
  start_job();
}

void StreamLayer::write_dma(std::uint32_t address, std::uint32_t value) {
  preparing_dma_ = true;
  if (address == contract::dma_map::kMm2sSa) source_ = value;
  if (address == contract::dma_map::kMm2sLength) transfer_ = {value, now_ + host_.register_write + kActs};
  work(host_.register_write + kAnswered);
}

// Reads until one of them finds the channel idle, as the registers know an edge after its last beat was streamed.
void StreamLayer::poll_mm2s() {
  preparing_dma_ = false;
  if (transfer_) idle_ = transfer();
  const timing::Edge period = host_.register_read + kAnswered;
  const timing::Edge first = now_ + host_.register_read;
  const timing::Edge reads = first >= idle_ ? 0 : (idle_ - first + period - 1) / period;
  work(host_.register_read + reads * period + kAnswered);
}

// The receiver pops the last beat an edge later; FINISH, wr_done and what others see of it follow.
timing::Edge StreamLayer::transfer() {
  if (!receiver_) throw std::logic_error(fmt::format("timing: a transfer without receiver, edge {}", now_));
  const timing::Edge last = data_.read(transfer_->written, source_, transfer_->bytes, [this] {
    note_fetched();
    start_job();
  });
  bytes_read_ += transfer_->bytes;
  readable_[receiver_->buffer][static_cast<std::size_t>(receiver_->target)] = last + 4;
  if (receiver_->buffer != kInput) account_.receives_weights({receiver_->armed + 2, last + 3});
  account_.mm2s_busy({transfer_->written + 1, last});
  transfer_.reset();
  receiver_.reset();
  return last;
}

void StreamLayer::note_fetched() { fetched_.push_back(data_.output().fetched()); }

void StreamLayer::wait_job() {
  preparing_dma_ = false;
  while (pending_) {
    if (!data_.send_tile()) throw std::logic_error(fmt::format("timing: a job that never starts, edge {}", now_));
    note_fetched();
    start_job();
  }
  interrupt(finished_ + 1, false);
}

void StreamLayer::wait_output() {
  preparing_dma_ = false;
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
  const Command& job = pending_->command;
  const auto select = [](int half) { return static_cast<std::size_t>(half); };
  const timing::Edge seen = std::max(pending_->pushed, finished_) + 1;
  const timing::Edge input = job.hidden_input ? seen : std::max(seen, readable_[kInput][select(job.input_select)]);
  const timing::Edge weights =
      std::max({input, readable_[kWeights][select(job.weights_resident ? contract::kResident : job.weight_select)],
                readable_[kBias][select(job.bias_select)]});
  const std::optional<timing::Edge> start = output_free(job, weights);
  if (!start) return;
  account_.job_waits({seen, input}, LayerAccount::JobWait::input);
  account_.job_waits({input, weights}, LayerAccount::JobWait::weights);
  account_.job_waits({weights, *start}, LayerAccount::JobWait::output);
  const StreamCore::Job done = core_.run(job, *start);
  finished_ = done.finished;
  account_.job_runs({*start, finished_});
  if (done.tile != timing::kNever) {
    claims_[select(job.output_select)] = {tiles_++, done.tile};
    data_.tile(job, done.tile);
  }
  pending_.reset();
}

// From `edge` on; none while it is not known when the half's tile leaves.
std::optional<timing::Edge> StreamLayer::output_free(const Command& command, timing::Edge edge) const {
  const Claim& claim = claims_[static_cast<std::size_t>(command.output_select)];
  if (!command.send_output || claim.tile < 0 || edge <= claim.edge) return edge;
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
