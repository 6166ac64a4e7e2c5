// SPDX-License-Identifier: Apache-2.0
#include "cli/explore_timing.h"

#include <algorithm>
#include <utility>

#include "arch/result_of.h"
#include "base/fields.h"
#include "base/units.h"
#include "compile/memory.h"
#include "timing/stream_layer.h"
#include "timing/tiled/tiled_engine.h"

namespace fansim::cli {
namespace {

// Appends values as bytes.
class Bytes {
 public:
  void add(std::int64_t value) { text_.append(reinterpret_cast<const char*>(&value), sizeof value); }
  void add(double value) { text_.append(reinterpret_cast<const char*>(&value), sizeof value); }
  void add(const std::string& value) { add(static_cast<std::int64_t>(value.size())), text_ += value; }

  void field(const char*, int& value, int, int, const char*) { add(std::int64_t{value}); }
  void field(const char*, double& value, double, double, const char*) { add(value); }
  void field(const char*, bool& value, const char*) { add(std::int64_t{value}); }
  void field(const char*, std::string& value, const char*) { add(value); }
  template <class Enum>
  void choice(const char*, Enum& value, base::Choices<Enum>, const char*) {
    add(static_cast<std::int64_t>(value));
  }

  template <class Block>
  void block(Block block) {
    block.visit(*this);
  }
  void clock(const base::Rational& mhz) { add(mhz.numerator), add(mhz.denominator); }
  void memory(const arch::DdrConfig& ddr) {
    block(ddr);
    if (ddr.fidelity != arch::DdrFidelity::banked) return;
    block(ddr.part);
    clock(ddr.part.clock_mhz);
    add(ddr.part.mapping.layout());
  }
  void steps(const arch::Program& program) {
    add(static_cast<std::int64_t>(program.ops.size()));
    for (const arch::HostOp& op : program.ops)
      add(static_cast<std::int64_t>(op.kind)), add(std::int64_t{op.address}), add(std::int64_t{op.value});
  }
  void gaps(const Gaps& gaps) { add(gaps.inputs), add(gaps.weights), add(gaps.outputs); }
  std::string take() { return std::move(text_); }

 private:
  std::string text_;
};

// The steps of the streaming accelerator are thousands: of them 128 bits, in two lanes that mix words differently.
class Digest {
 public:
  void add(std::uint64_t word) {
    // The constants of splitmix64 (Steele, Lea, Flood 2014) and of MurmurHash3's finaliser (Appleby).
    first_ = mixed(first_ ^ word, 0xbf58476d1ce4e5b9u, 0x94d049bb133111ebu);
    second_ = mixed(second_ + word, 0xff51afd7ed558ccdu, 0xc4ceb9fe1a85ec53u);
  }
  std::int64_t first() const { return static_cast<std::int64_t>(first_); }
  std::int64_t second() const { return static_cast<std::int64_t>(second_); }

 private:
  static std::uint64_t mixed(std::uint64_t value, std::uint64_t a, std::uint64_t b) {
    value = (value ^ (value >> 30)) * a;
    value = (value ^ (value >> 27)) * b;
    return value ^ (value >> 31);
  }
  std::uint64_t first_ = 1, second_ = 2;
};

Digest digest_of(const arch::Program& program) {
  Digest digest;
  for (const arch::HostOp& op : program.ops) {
    digest.add(static_cast<std::uint64_t>(op.kind));
    digest.add(std::uint64_t{op.address} << 32 | op.value);
  }
  return digest;
}

// A gap that ends while the host prepares the layer delays nothing.
base::Cycles reaching(timing::Edge gap, const arch::HostConfig& host) { return gap > host.layer_setup ? gap : 0; }
timing::Edge edge_of(base::Cycles gap) { return gap > 0 ? gap : timing::kLongAgo; }

}  // namespace

bool gaps_reach(const arch::StreamConfig& c) { return c.dma.s2mm_gap > c.host.layer_setup; }
bool gaps_reach(const arch::TiledConfig& c) { return c.load.gap > c.host.layer_setup; }

std::string steps_of(const arch::Program& program) {
  Bytes bytes;
  const Digest steps = digest_of(program);
  bytes.add(static_cast<std::int64_t>(program.ops.size()));
  bytes.add(steps.first()), bytes.add(steps.second());
  return bytes.take();
}

// How products are made, how long bursts are and what memory takes is nothing to the compiler, nor to the bound of a
// program's time.
std::string program_key(const arch::StreamConfig& c) {
  Bytes bytes;
  const arch::ArrayConfig& a = c.array;
  for (const int value : {a.rows, a.cols, a.input_channels, a.output_channels, a.line_columns, a.accumulator_depth,
                          c.axi.data_bits, c.dma.length_bits})
    bytes.add(std::int64_t{value});
  bytes.block(c.buffers), bytes.block(c.schedule), bytes.block(c.host);
  bytes.add(compile::object_alignment(c.ddr)), bytes.add(compile::memory_capacity(c.ddr));
  return bytes.take();
}

std::string timing_key(const arch::StreamConfig& c, const arch::Program& program, const Gaps& gaps) {
  return timing_key(c, steps_of(program), gaps);
}

// The sizes of buffers show in the steps; the array's multipliers in their latency, and in the reload of their tables.
std::string timing_key(const arch::StreamConfig& c, const std::string& steps, const Gaps& gaps) {
  Bytes bytes;
  bytes.add(steps);
  const arch::ArrayConfig& a = c.array;
  const bool reloads = a.multiplier == arch::Multiplier::lut_reconfigurable;
  for (const int value : {a.rows, a.cols, a.input_channels, a.output_channels, a.mac_latency(), reloads ? 1 : 0,
                          reloads && a.shadow_luts ? 1 : 0})
    bytes.add(std::int64_t{value});
  for (const int value : {c.axi.data_bits, c.axi.burst_beats, c.axi.outstanding}) bytes.add(std::int64_t{value});
  bytes.block(c.dma), bytes.block(c.host);
  bytes.memory(c.ddr);
  if (c.ddr.fidelity == arch::DdrFidelity::banked) bytes.clock(c.clock_mhz);
  bytes.gaps(gaps);
  return bytes.take();
}

// The sizes of stores, and where weights are kept, show in the job's tiles; where MACs are made, and what codes mean,
// in no time at all.
std::string timing_key(const arch::TiledConfig& c, const arch::Program& program, const Gaps& gaps) {
  Bytes bytes;
  bytes.steps(program);
  bytes.clock(c.clock_mhz), bytes.clock(c.port_mhz);
  for (const arch::LayerPlan& plan : program.layers) {
    if (plan.jobs.empty()) continue;
    const int engine = plan.jobs.front().engine;
    const arch::EngineConfig& e = c.engine(engine);
    for (const int value : {engine, e.tm, e.tn, e.halves()}) bytes.add(std::int64_t{value});
    if (engine != arch::TiledConfig::kFc) bytes.add(std::int64_t{c.weights.halves()});
  }
  for (const int value : {c.quantisation.weight_bits, c.quantisation.activation_bits, c.float_sum() ? 1 : 0})
    bytes.add(std::int64_t{value});
  bytes.block(c.load), bytes.block(c.store), bytes.block(c.clock_converter), bytes.block(c.port), bytes.block(c.host);
  bytes.memory(c.ddr);
  bytes.gaps(gaps);
  return bytes.take();
}

arch::LayerResult time_layer(const arch::StreamConfig& config, const arch::Program& program, Gaps& gaps) {
  using Kind = arch::HostOp::Kind;
  timing::StreamLayer layer(config);
  layer.wait_gap(edge_of(gaps.outputs));
  const auto begin = std::find_if(program.ops.begin(), program.ops.end(),
                                  [](const arch::HostOp& op) { return op.kind == Kind::begin_layer; });
  for (auto op = begin; op != program.ops.end(); ++op) layer.step(*op);
  const arch::LayerPlan& plan = program.layers.front();
  arch::LayerResult result = arch::result_of(plan);
  layer.finish(result);
  gaps.outputs = reaching(layer.gap_until(), config.host);
  return result;
}

// The next layer begins where the clocks meet again.
arch::LayerResult time_layer(const arch::TiledConfig& config, const arch::Program& program, Gaps& gaps) {
  using Kind = arch::HostOp::Kind;
  std::vector<arch::HostOp> steps;
  timing::Edge period = 1;
  for (const arch::HostOp& op : program.ops) {
    if (op.kind == Kind::align) period = op.value;
    if (op.kind != Kind::align && op.kind != Kind::begin_layer && op.kind != Kind::end_layer) steps.push_back(op);
  }
  timing::TiledGaps edges{edge_of(gaps.inputs), edge_of(gaps.weights)};
  arch::LayerResult result = timing::run_tiled_layer(config, program.layers.front(), steps, edges);
  const timing::Edge idle = base::round_up(result.cycles, period) - result.cycles;
  gaps.inputs = reaching(edges.inputs - idle, config.host);
  gaps.weights = reaching(edges.weights - idle, config.host);
  return result;
}

}  // namespace fansim::cli
