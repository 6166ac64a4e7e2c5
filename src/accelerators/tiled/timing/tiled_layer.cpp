// SPDX-License-Identifier: Apache-2.0
#include "accelerators/tiled/timing/tiled_layer.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "rules/array_buckets.h"

namespace fansim::tiled {

using Bucket = rules::ArrayBucket;

namespace {

constexpr int kDecisionsPerCall = 1024;  // of the memory

bool hand_on(timing::Queue<timing::Edge>& from, timing::Queue<timing::Edge>& to, timing::Edge later = 0) {
  if (from.empty()) return false;
  while (!from.empty()) to.push(from.pop() + later);
  return true;
}

// Returns how many edges of [from, to) lie in one of the spans.
timing::Edge covered(std::vector<timing::Span>& spans, timing::Edge from, timing::Edge to) {
  std::sort(spans.begin(), spans.end(), [](const timing::Span& a, const timing::Span& b) { return a.from < b.from; });
  timing::Edge count = 0;
  for (const timing::Span& span : spans) {
    const timing::Edge begin = std::max(from, span.from), end = std::min(to, span.to);
    if (begin >= end) continue;
    count += end - begin;
    from = end;
  }
  return count;
}

bool inside(const std::vector<timing::Span>& spans, timing::Edge edge) {
  return std::any_of(spans.begin(), spans.end(), [&](const timing::Span& s) { return edge >= s.from && edge < s.to; });
}

}  // namespace

TiledLayer::TiledLayer(const Config& config, const contract::LayerPlan& plan, const TiledGaps& gaps, TiledParts parts,
                       const contract::ProgressCallback& progress, bool keeps_buckets)
    : config_(config),
      planned_(layer_jobs_of(plan).jobs),
      progress_(progress),
      keeps_buckets_(keeps_buckets),
      parts_(std::move(parts)),
      memory_(*parts_.memory),
      inputs_(parts_.configs.inputs, *parts_.inputs, memory_, 0, stirred_),
      weights_(parts_.configs.weights, *parts_.weights, memory_, weight_port(config), stirred_),
      outputs_(parts_.configs.outputs, config.output_encoding(), *parts_.outputs, memory_, stirred_),
      input_loads_(config, inputs_),
      weight_loads_(config, weights_),
      output_flow_(config, outputs_),
      engine_(config, planned_.empty() ? 0 : planned_.front().engine, parts_.closed_forms) {
  memory_.keep_read_waits(keeps_buckets_ ? timing::ReadWaits::Kept::for_something : timing::ReadWaits::Kept::none);
  inputs_.wait_gap(gaps.inputs);
  weights_.wait_gap(gaps.weights);
}

void TiledLayer::software(std::uint32_t cycles, bool) {
  host_.push_back({now_, now_ + cycles});
  now_ += cycles;
}

// The request leaves after its cost. Then the instruction unit acts on it, and the host takes the response.
void TiledLayer::write_core(std::uint32_t address, std::uint32_t) {
  using contract::HostConfig;
  const timing::Edge taken = now_ + config_.host.register_write + HostConfig::kActs;
  const timing::Edge answered = now_ + config_.host.register_write + HostConfig::kAnswered;
  host_.push_back({now_, answered});
  now_ = answered;
  if (address == TiledJob::kStart) run(planned_.at(jobs_++), taken);
}

// The interrupt line is a register.
void TiledLayer::wait_output() {
  now_ = std::max(now_, output_flow_.end() + 1);
  host_.push_back({now_, now_ + config_.host.interrupt});
  now_ += config_.host.interrupt;
}

void TiledLayer::run(const TiledJob& job, timing::Edge pushed) {
  quiet(quiet_from_, pushed + 1);
  host_.erase(host_.begin(), std::find_if(host_.begin(), host_.end(), [&](const timing::Span& worked) {
                return worked.to > pushed + 1;
              }));                         // nobody asks for what ended before
  buckets_.of(Bucket::wait_weights) += 1;  // the parameters, before the walker knows of the job
  drains_.clear();
  const std::int64_t points = engine_.points_taken();
  input_loads_.begin(job, pushed);
  weight_loads_.begin(job, pushed);
  engine_.begin(job, pushed);
  output_flow_.begin(job, pushed);
  news_ = {true, true, true, true};
  while (true) {
    advance();
    if (output_flow_.done()) break;
    decide();
  }
  buckets_.of(Bucket::compute) += engine_.points_taken() - points;
  quiet_from_ = engine_.last_taken() + 1;
  account_job();
}

// The memory decides until that concerns somebody else.
void TiledLayer::decide() {
  const int made = memory_.decide(stirred_, kDecisionsPerCall);
  if (made == 0) throw std::logic_error(fmt::format("timing: job {} does not get on, edge {}", jobs_ - 1, now_));
  if (!progress_ || (decisions_ += made) < kDecisionsPerCall) return;
  decisions_ = 0;
  progress_();
}

// Hands tokens to those who wait for them, until nobody gets on.
void TiledLayer::advance() {
  while (true) {
    stirred_ = false;
    news_.inputs |= inputs_.advance();
    news_.weights |= weights_.advance();
    news_.outputs |= outputs_.advance();
    if (std::exchange(news_.inputs, false))
      advance_inputs();
    else if (std::exchange(news_.weights, false))
      advance_weights();
    else if (std::exchange(news_.engine, false))
      advance_engine();
    else if (std::exchange(news_.outputs, false))
      advance_outputs();
    else
      return;
  }
}

void TiledLayer::advance_inputs() {
  input_loads_.advance();
  news_.weights |= hand_on(input_loads_.turn_over, weight_loads_.turns);
  news_.engine |= hand_on(input_loads_.filled, engine_.inputs_filled);
}

void TiledLayer::advance_weights() {
  weight_loads_.advance();
  news_.inputs |= hand_on(weight_loads_.turn_over, input_loads_.turns);
  news_.engine |= hand_on(weight_loads_.filled, engine_.weights_filled);
  news_.outputs |= hand_on(weight_loads_.parameters, output_flow_.parameters);
}

void TiledLayer::advance_engine() {
  engine_.advance();
  news_.inputs |= hand_on(engine_.inputs_freed, input_loads_.freed);
  news_.weights |= hand_on(engine_.weights_freed, weight_loads_.freed);
  for (std::size_t i = 0; i < engine_.sums_complete.size(); ++i)
    drains_.push_back({engine_.sums_complete[i], engine_.sums_complete[i] + engine_.latency()});
  news_.outputs |= hand_on(engine_.sums_complete, output_flow_.sums_complete, engine_.latency());
}

void TiledLayer::advance_outputs() {
  output_flow_.advance();
  news_.engine |= hand_on(output_flow_.sums_freed, engine_.sums_freed);
}

// Accounts the edge between a job's last points at which the walker has none.
void TiledLayer::account_job() {
  if (!keeps_buckets_) return;
  drains_.insert(drains_.end(), output_flow_.post_spans.begin(), output_flow_.post_spans.end());
  drains_.insert(drains_.end(), output_flow_.account.spans.begin(), output_flow_.account.spans.end());
  const timing::Edge edge = engine_.waits.quiet;
  if (edge == timing::kLongAgo) return;
  engine_.waits.quiet = timing::kLongAgo;
  const timing::Span& parameters = weight_loads_.parameters_span;
  if (inside(drains_, edge))
    buckets_.of(Bucket::drain) += 1;
  else if (inside(weight_loads_.account.spans, edge) || (edge >= parameters.from && edge < parameters.to))
    engine_.waits.weights.push_back({edge, edge + 1});
  else if (inside(input_loads_.account.spans, edge))
    engine_.waits.input.push_back({edge, edge + 1});
  else
    quiet(edge, edge + 1);
}

// Accounts edges at which engine and walker have nothing to do.
void TiledLayer::quiet(timing::Edge from, timing::Edge to) {
  const timing::Edge drained = covered(drains_, from, to), worked = covered(host_, from, to);
  buckets_.of(Bucket::drain) += drained;
  buckets_.of(Bucket::host) += worked;
  buckets_.of(Bucket::idle) += to - from - drained - worked;
}

// Splits waits by what the oldest read of the port waited for. The fabric sees the port as it was an edge of the port
// before the last one.
void TiledLayer::refine(std::vector<timing::Span>& waits, int port, Bucket bucket) {
  const timing::EdgeRatio to_fabric(config_.port_mhz, config_.clock_mhz);
  std::sort(waits.begin(), waits.end(), [](const timing::Span& a, const timing::Span& b) { return a.from < b.from; });
  const std::vector<timing::ReadWaits::Wait>& reads = memory_.read_waits(port).all();
  std::size_t next = 0;
  for (const timing::Span& wait : waits) {
    buckets_.of(bucket) += wait.to - wait.from;
    while (next < reads.size() && to_fabric.ceil(reads[next].span.to + 1) <= wait.from) ++next;
    for (std::size_t i = next; i < reads.size(); ++i) {
      const timing::Edge from = std::max(wait.from, to_fabric.ceil(reads[i].span.from + 1));
      if (from >= wait.to) break;
      const timing::Edge count = std::min(wait.to, to_fabric.ceil(reads[i].span.to + 1)) - from;
      if (count <= 0) continue;
      buckets_.of(bucket) -= count;
      buckets_.of(rules::data_wait(reads[i].why, bucket)) += count;
    }
  }
}

void TiledLayer::finish(contract::LayerResult& result) {
  result.cycles = now_;
  result.bytes_read = inputs_.beats() * config_.load.input_bits / 8 + weights_.beats() * config_.load.weight_bits / 8;
  result.bytes_written = outputs_.bytes();
  const TileAccount &inputs = input_loads_.account, &weights = weight_loads_.account, &outputs = output_flow_.account;
  result.stages = {{"load_input", inputs.tiles, inputs_.beats(), inputs.cycles},
                   {"load_weights", weights.tiles, weights_.beats(), weights.cycles},
                   {"compute", weights.tiles, 0, engine_.points_taken()},
                   {"post_process", outputs.tiles, 0, output_flow_.reads},
                   {"store", outputs.tiles, outputs_.beats(), outputs.cycles}};
  if (!keeps_buckets_) return;
  quiet(quiet_from_, now_);
  buckets_.of(Bucket::fill) += engine_.waits.fill;
  buckets_.of(Bucket::wait_output) += engine_.waits.wait_output;
  refine(engine_.waits.weights, weight_port(config_), Bucket::wait_weights);
  refine(engine_.waits.input, 0, Bucket::wait_input);
  const rules::ArrayBuckets buckets = buckets_;
  result.buckets.assign(buckets.begin(), buckets.end());
}

}  // namespace fansim::tiled
