// SPDX-License-Identifier: Apache-2.0
#include "accelerators/stream/bounds/layer_time.h"

#include <utility>

#include "accelerators/layer_times.h"
#include "accelerators/stream/bounds/slots.h"
#include "accelerators/stream/compile/compile.h"
#include "accelerators/stream/compile/plan.h"
#include "accelerators/stream/replay/stream_engine.h"
#include "compile/memory.h"
#include "contract/host_steps.h"

namespace fansim::stream {
namespace {

// Line memories and multipliers affect time only through their latency and through the reload of their tables.
void add_array(const ArrayConfig& a, accelerators::KeyBytes& bytes) {
  const bool reloads = a.reloads();
  for (const int value :
       {a.rows, a.cols, a.input_channels, a.output_channels, a.operand_bits, a.weight_bits(), a.line_latency(),
        a.mac_latency(), a.adder_tree_latency(), a.cell_latency(), a.pairs_windows() ? 1 : 0, a.code_table ? 1 : 0,
        reloads ? 1 : 0, reloads && a.shadow_luts ? 1 : 0})
    bytes.add(std::int64_t{value});
}

void add_memory(const Config& c, accelerators::KeyBytes& bytes) {
  bytes.memory(c.ddr);
  if (c.ddr.fidelity == contract::DdrFidelity::banked) bytes.clock(c.clock_mhz);
}

}  // namespace

std::vector<int> timed_layers(const network::Network& network, const Config& config) {
  return compile::Fusion(network, {}, Plan::kinds(config.array)).running();
}

bool gaps_reach(const Config& c) { return c.dma.s2mm_gap > c.host.layer_setup; }

std::string steps_of(const HostTrace& trace) {
  accelerators::Digest digest;
  digest.add(trace.acts);
  digest.add(trace.commands);
  for (const Round& round : trace.rounds) digest.add(std::uint64_t{round.times} << 32 | round.acts);
  return digest.bytes();
}

// The compiler and the lower bound of a program's time do not depend on how products are made (except for what chains
// cannot sum, kernels cannot round and cells cannot scale), on what memories are made of, on the length of bursts, and
// on the timing of the memory.
std::string program_key(const Config& c) {
  accelerators::KeyBytes bytes;
  bytes.add(cut_key(c));
  for (const int value : {c.array.line_columns, c.array.accumulator_depth, c.dma.length_bits})
    bytes.add(std::int64_t{value});
  BufferConfig buffers = c.buffers;
  buffers.styles = {};
  bytes.block(buffers);
  bytes.block(c.pooling);
  bytes.block(c.schedule);
  return bytes.digest();
}

std::string cut_key(const Config& c) {
  accelerators::KeyBytes bytes;
  const ArrayConfig& a = c.array;
  for (const int value :
       {a.rows, a.cols, a.input_channels, a.output_channels, a.operand_bits, a.weight_bits(), c.axi.data_bits})
    bytes.add(std::int64_t{value});
  for (const bool fact : {a.sums_exactly(true), a.sums_exactly(false), a.rounds(), a.hidden_requantise, a.code_table})
    bytes.add(std::int64_t{fact});
  bytes.block(c.host);
  bytes.add(compile::object_alignment(c.ddr));
  bytes.add(compile::memory_capacity(c.ddr));
  return bytes.take();
}

std::string timing_key(const Config& c, const contract::Program& program, const accelerators::Gaps& gaps) {
  const HostTrace trace = timed_program(program, c).trace;
  return timing_key(machine_key(c), SlotsThatCount(c).with(trace.largest_write), steps_of(trace), gaps);
}

std::string array_key(const ArrayConfig& array) {
  accelerators::KeyBytes bytes;
  add_array(array, bytes);
  return bytes.take();
}

std::string transfers_key(const Config& c) {
  accelerators::KeyBytes bytes;
  for (const int value : {c.axi.data_bits, c.axi.burst_beats, c.axi.outstanding, c.array.word_bytes()})
    bytes.add(std::int64_t{value});
  bytes.block(c.dma);
  add_memory(c, bytes);
  return bytes.digest();
}

// The sizes of the buffers are visible in the steps, so they are left out.
std::string machine_key(const Config& c) {
  accelerators::KeyBytes bytes;
  add_array(c.array, bytes);
  for (const int value : {c.axi.data_bits, c.axi.burst_beats}) bytes.add(std::int64_t{value});
  bytes.block(c.dma);
  bytes.block(c.host);
  add_memory(c, bytes);
  return bytes.digest();
}

std::string timing_key(const std::string& machine, int slots, const std::string& steps,
                       const accelerators::Gaps& gaps) {
  accelerators::KeyBytes bytes(steps.size() + machine.size() + sizeof(std::int64_t) + sizeof gaps);
  bytes.bytes(steps);
  bytes.bytes(machine);
  bytes.add(std::int64_t{slots});
  bytes.gaps(gaps);
  return bytes.take();
}

TimedProgram timed_program(const contract::Program& program, const Config& config, const LeftOuts& left_out) {
  std::size_t at = 0;
  contract::LayerSteps layer;
  TimedProgram timed;
  timed.has_steps = contract::next_layer(program, at, layer);
  const contract::LayerPlan& plan = timed.has_steps ? *layer.plan : program.layers.front();
  timed.layer = plan.name;
  timed.macs = plan.macs;
  if (timed.has_steps) timed.trace = host_trace(program, layer, config, left_out);
  return timed;
}

std::variant<TimedProgram, std::string> timed_program(const network::Network& network, int layer, const Config& config,
                                                      const CutCache& known) {
  LeftOuts left_out;
  auto program = accelerators::program_of(network, layer, config, known, &left_out);
  if (auto* refusal = std::get_if<std::string>(&program)) return std::move(*refusal);
  return timed_program(std::get<contract::Program>(program), config, left_out);
}

contract::LayerResult time_layer(const Config& config, const TimedProgram& program, accelerators::Gaps& gaps,
                                 ReplayTables& tables) {
  if (!program.has_steps) return {};
  timing::Edge gap = accelerators::edge_of(gaps.outputs);
  contract::LayerResult result = time_stream_layer(config, program.trace, gap, tables);
  result.macs = program.macs;
  gaps.outputs = accelerators::reaching(gap, config.host);
  return result;
}

contract::LayerResult time_layer(const Config& config, const contract::Program& program, accelerators::Gaps& gaps) {
  ReplayTables none;
  return time_layer(config, timed_program(program, config), gaps, none);
}

}  // namespace fansim::stream
