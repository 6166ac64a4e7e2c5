// SPDX-License-Identifier: Apache-2.0
#include "timing/tiled/tiled_layer.h"

#include <algorithm>
#include <stdexcept>

#include "rules/buckets.h"

namespace fansim::timing {

using arch::Bucket;

namespace {

PathConfig input_path(const arch::TiledConfig& c) {
  return {c, c.load.input_bits, c.load.input_burst_beats, c.load.outstanding};
}
PathConfig weight_path(const arch::TiledConfig& c) {
  return {c, c.load.weight_bits, c.load.weight_burst_beats, c.load.outstanding};
}
PathConfig output_path(const arch::TiledConfig& c) {
  return {c, c.store.bits, c.store.burst_beats, c.store.outstanding};
}
int weight_port(const arch::TiledConfig& c) { return c.load.order == arch::LoadOrder::parallel ? 1 : 0; }
bool banked(const arch::TiledConfig& c) { return c.ddr.fidelity == arch::DdrFidelity::banked; }

bool hand_on(Queue<Edge>& from, Queue<Edge>& to, Edge later = 0) {
  if (from.empty()) return false;
  while (!from.empty()) to.push(from.pop() + later);
  return true;
}

// Edges of [from, to) that lie in one of the spans.
Edge covered(std::vector<Span>& spans, Edge from, Edge to) {
  std::sort(spans.begin(), spans.end(), [](const Span& a, const Span& b) { return a.from < b.from; });
  Edge count = 0;
  for (const Span& span : spans) {
    const Edge begin = std::max(from, span.from), end = std::min(to, span.to);
    if (begin >= end) continue;
    count += end - begin;
    from = end;
  }
  return count;
}

bool inside(const std::vector<Span>& spans, Edge edge) {
  return std::any_of(spans.begin(), spans.end(), [&](const Span& s) { return edge >= s.from && edge < s.to; });
}

Edge& at(arch::Buckets& buckets, Bucket bucket) { return buckets[static_cast<std::size_t>(bucket)]; }

}  // namespace

TiledLayer::TiledLayer(const arch::TiledConfig& config, const arch::LayerPlan& plan, const TiledGaps& gaps)
    : config_(config),
      plan_(plan),
      memory_(make_memory_ports(config)),
      inputs_(input_path(config), config.load.gap, *memory_, 0),
      weights_(weight_path(config), config.load.gap, *memory_, weight_port(config)),
      outputs_(output_path(config), config.output_encoding(), *memory_, banked(config)),
      input_loads_(config, inputs_),
      weight_loads_(config, weights_),
      output_flow_(config, outputs_),
      engine_(config, plan.jobs.front().engine) {
  inputs_.wait_gap(gaps.inputs);
  weights_.wait_gap(gaps.weights);
}

void TiledLayer::step(const arch::HostOp& op) {
  using Kind = arch::HostOp::Kind;
  switch (op.kind) {
    case Kind::software:
      host_.push_back({now_, now_ + op.value});
      now_ += op.value;
      return;
    case Kind::write_core:
      return write(op);
    case Kind::wait_output:
      now_ = std::max(now_, output_flow_.end() + 1);  // the interrupt line is a register
      host_.push_back({now_, now_ + config_.host.interrupt});
      now_ += config_.host.interrupt;
      return;
    default:
      throw std::logic_error("timing: a host step that the tiled accelerator does not know");
  }
}

// The request leaves after its cost; the instruction unit takes it one edge later, the host the response another.
void TiledLayer::write(const arch::HostOp& op) {
  const Edge taken = now_ + config_.host.register_write + 1;
  host_.push_back({now_, taken + 1});
  now_ = taken + 1;
  if (op.address == arch::TiledJob::kStart) run(plan_.jobs.at(jobs_++), taken);
}

void TiledLayer::run(const arch::TiledJob& job, Edge pushed) {
  quiet(quiet_from_, pushed + 1);
  at(buckets_, Bucket::wait_weights) += 1;  // the parameters, before the walker knows of the job
  drains_.clear();
  const std::int64_t points = engine_.points_taken();
  input_loads_.begin(job, pushed);
  weight_loads_.begin(job, pushed);
  engine_.begin(job, pushed);
  output_flow_.begin(job, pushed);
  while (true) {
    advance();
    if (output_flow_.done()) break;
    if (!memory_->next()) throw std::logic_error("timing: the layer does not get on");
  }
  at(buckets_, Bucket::compute) += engine_.points_taken() - points;
  quiet_from_ = engine_.last_taken() + 1;
  account_job();
}

// Tokens to those who wait for them, until nobody gets on.
void TiledLayer::advance() {
  for (bool more = true; more;) {
    more = inputs_.advance();
    more |= weights_.advance();
    more |= input_loads_.advance();
    more |= weight_loads_.advance();
    hand_on(input_loads_.turn_over, weight_loads_.turns);
    hand_on(weight_loads_.turn_over, input_loads_.turns);
    bool engine = hand_on(input_loads_.filled, engine_.inputs_filled);
    engine |= hand_on(weight_loads_.filled, engine_.weights_filled);
    engine |= hand_on(output_flow_.sums_freed, engine_.sums_freed);
    if (engine) more |= engine_.advance();
    hand_on(engine_.inputs_freed, input_loads_.freed);
    hand_on(engine_.weights_freed, weight_loads_.freed);
    for (std::size_t i = 0; i < engine_.sums_complete.size(); ++i)
      drains_.push_back({engine_.sums_complete[i], engine_.sums_complete[i] + engine_.latency()});
    bool outputs = hand_on(engine_.sums_complete, output_flow_.sums_complete, engine_.latency());
    outputs |= hand_on(weight_loads_.parameters, output_flow_.parameters);
    outputs |= outputs_.advance();
    if (outputs) more |= output_flow_.advance();
    more |= outputs;
  }
}

// The edge between a job's last points, at which the walker has none.
void TiledLayer::account_job() {
  drains_.insert(drains_.end(), output_flow_.post_spans.begin(), output_flow_.post_spans.end());
  drains_.insert(drains_.end(), output_flow_.account.spans.begin(), output_flow_.account.spans.end());
  const Edge edge = engine_.waits.quiet;
  if (edge == kLongAgo) return;
  engine_.waits.quiet = kLongAgo;
  const Span& parameters = weight_loads_.parameters_span;
  if (inside(drains_, edge))
    at(buckets_, Bucket::drain) += 1;
  else if (inside(weight_loads_.account.spans, edge) || (edge >= parameters.from && edge < parameters.to))
    engine_.waits.weights.push_back({edge, edge + 1});
  else if (inside(input_loads_.account.spans, edge))
    engine_.waits.input.push_back({edge, edge + 1});
  else
    quiet(edge, edge + 1);
}

// Edges at which engine and walker have nothing to do.
void TiledLayer::quiet(Edge from, Edge to) {
  const Edge drained = covered(drains_, from, to), worked = covered(host_, from, to);
  at(buckets_, Bucket::drain) += drained;
  at(buckets_, Bucket::host) += worked;
  at(buckets_, Bucket::idle) += to - from - drained - worked;
}

// Splits waits by what the oldest read of the port waited for. The fabric sees the port as it was an edge of the port
// before the last one.
void TiledLayer::refine(std::vector<Span>& waits, int port, Bucket bucket) {
  const EdgeRatio to_fabric(config_.port_mhz, config_.clock_mhz);
  std::sort(waits.begin(), waits.end(), [](const Span& a, const Span& b) { return a.from < b.from; });
  const std::vector<PortWait>& reads = memory_->waits(port);
  std::size_t next = 0;
  for (const Span& wait : waits) {
    at(buckets_, bucket) += wait.to - wait.from;
    while (next < reads.size() && to_fabric.ceil(reads[next].span.to + 1) <= wait.from) ++next;
    for (std::size_t i = next; i < reads.size(); ++i) {
      const Edge from = std::max(wait.from, to_fabric.ceil(reads[i].span.from + 1));
      if (from >= wait.to) break;
      const Edge count = std::min(wait.to, to_fabric.ceil(reads[i].span.to + 1)) - from;
      if (count <= 0) continue;
      at(buckets_, bucket) -= count;
      at(buckets_, rules::data_wait(reads[i].why, bucket)) += count;
    }
  }
}

void TiledLayer::finish(arch::LayerResult& result) {
  quiet(quiet_from_, now_);
  at(buckets_, Bucket::fill) += engine_.waits.fill;
  at(buckets_, Bucket::wait_output) += engine_.waits.wait_output;
  refine(engine_.waits.weights, weight_port(config_), Bucket::wait_weights);
  refine(engine_.waits.input, 0, Bucket::wait_input);
  result.cycles = now_;
  result.buckets = buckets_;
  result.bytes_read =
      inputs_.beats_taken() * config_.load.input_bits / 8 + weights_.beats_taken() * config_.load.weight_bits / 8;
  result.bytes_written = outputs_.bytes();
  const TileAccount &inputs = input_loads_.account, &weights = weight_loads_.account, &outputs = output_flow_.account;
  result.stages = {{"load_input", inputs.tiles, inputs_.beats_taken(), inputs.cycles},
                   {"load_weights", weights.tiles, weights_.beats_taken(), weights.cycles},
                   {"compute", weights.tiles, 0, engine_.points_taken()},
                   {"post_process", outputs.tiles, 0, output_flow_.reads},
                   {"store", outputs.tiles, outputs_.beats_sent(), outputs.cycles}};
}

}  // namespace fansim::timing
