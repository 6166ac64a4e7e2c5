// SPDX-License-Identifier: Apache-2.0
#include "accelerators/tiled/hardware/tiled_accelerator.h"

#include <algorithm>

#include "accelerators/tiled/config/layer_jobs.h"

namespace fansim::tiled {
namespace {

// These number the stages that take a job, as the instruction unit does: first the stages of every layer, then two for
// each engine.
enum Stage : std::size_t { kInputLoader, kWeightLoader, kPostProcess, kStoreUnit, kEngineStages };

std::vector<int> stages(const Config& config) {
  std::vector<int> engines(kEngineStages, InstructionUnit::kEvery);
  for (int e = 0; e < Config::kEngines; ++e)
    if (config.engine(e).exists()) engines.insert(engines.end(), 2, e);
  return engines;
}

contract::ExtentPortConfig input_port(const Config& c) {
  return {c.load.input_bits, c.load.input_burst_beats, c.load.outstanding, c.load.gap};
}
contract::ExtentPortConfig weight_port(const Config& c) {
  return {c.load.weight_bits, c.load.weight_burst_beats, c.load.outstanding, c.load.gap};
}
contract::ExtentPortConfig output_port(const Config& c) {
  return {c.store.bits, c.store.burst_beats, c.store.outstanding, 0};
}

// Returns the codes in level 1, which holds at most one weight tile of a convolution. Their number depends on the bytes
// of an encoded value.
std::size_t codes_in(int bytes, const Config& c) {
  const Encoding e = c.weight_encoding();
  return static_cast<std::size_t>(bytes / e.beat_bytes()) * static_cast<std::size_t>(e.per_beat());
}
std::size_t fc_codes(const Config& c) {
  return static_cast<std::size_t>(c.weights.fc_half_bytes()) * 8 /
         static_cast<std::size_t>(c.weight_encoding().slot_bits);
}

// Returns the values of the largest tile of any engine. With the FC engine a tile is the whole output.
std::size_t output_values(const Config& c) {
  const int tile = std::max(c.conv.tm, c.first.tm) * c.store.words;
  return static_cast<std::size_t>(std::max(tile, c.fc.tm * c.fc.output_words));
}

std::array<std::unique_ptr<EngineChain>, Config::kEngines> make_engines(const Config& config, TiledStores& stores,
                                                                        bool values) {
  std::array<std::unique_ptr<EngineChain>, Config::kEngines> engines;
  for (int e = 0; e < Config::kEngines; ++e) {
    if (!config.engine(e).exists()) continue;
    auto& level1 = e == Config::kFc ? stores.fc_weights : stores.conv_weights;
    const auto i = static_cast<std::size_t>(e);
    engines[i] = std::make_unique<EngineChain>(Config::kEngineNames[i], config, e, level1, stores.book, values);
  }
  return engines;
}

template <class Store, class Pick>
std::array<Store*, Config::kEngines> each(std::array<std::unique_ptr<EngineChain>, Config::kEngines>& engines,
                                          Pick pick) {
  std::array<Store*, Config::kEngines> stores{};
  for (std::size_t i = 0; i < engines.size(); ++i) stores[i] = engines[i] ? pick(*engines[i]) : nullptr;
  return stores;
}

TileStores<std::uint16_t> level1(const Config& config, TiledStores& stores) {
  return {&stores.conv_weights, config.first.exists() ? &stores.conv_weights : nullptr,
          config.fc.exists() ? &stores.fc_weights : nullptr};
}

}  // namespace

TiledStores::TiledStores(const Config& c)
    : conv_weights(c.weights.halves(), codes_in(c.weights.half_bytes(), c), ram_ports(weight_ports(c))),
      fc_weights(2, c.fc.exists() ? fc_codes(c) : 0, ram_ports(fc_weight_ports(c))),
      outputs(StoreConfig::kHalves, output_values(c), ram_ports(output_ports(c))) {}

TiledBlocks::TiledBlocks(const Config& c, contract::MemoryImage&& image, bool values, sim::ClockDomain& pl,
                         sim::ClockDomain& port)
    : stores(c),
      memory("memory", c, std::move(image), pl, port),
      instructions("instructions", stages(c), c.store.code_table),
      input_loader("input_loader", c),
      input_reader("input_reader", input_port(c)),
      engines(make_engines(c, stores, values)),
      input_decoder("input_decoder", c.input_encoding(),
                    each<TileStore<std::int16_t>>(engines, [](EngineChain& e) { return &e.inputs; }), values),
      weight_loader("weight_loader", c),
      weight_reader("weight_reader", weight_port(c)),
      weight_decoder("weight_decoder", c.weight_encoding(), level1(c, stores), stores.parameters, values),
      post_process("post_process", c, each<SumStore>(engines, [](EngineChain& e) { return &e.sums; }),
                   stores.parameters, stores.outputs, values),
      store_unit("store_unit", c),
      encoder("encoder", c.output_encoding(), stores.outputs, values),
      writer("writer", output_port(c)) {}

TiledAccelerator::EngineStreams::EngineStreams(const std::string& name)
    : walker_job((name + "_walker_job").c_str()),
      feeder_job((name + "_feeder_job").c_str()),
      inputs_filled((name + "_inputs_filled").c_str()),
      inputs_freed((name + "_inputs_freed").c_str()),
      weights_filled((name + "_weights_filled").c_str()),
      weights_freed((name + "_weights_freed").c_str()),
      sums_complete((name + "_sums_complete").c_str()),
      sums_freed((name + "_sums_freed").c_str()) {}

TiledAccelerator::TiledAccelerator(const sc_core::sc_module_name& name, const Config& config, Frame& frame)
    : Shell(name, frame),
      blocks(config, std::move(frame.program.memory), frame.values, frame.clock,
             frame.scheduler.domain("port", config.port_mhz)) {
  for (memory::Ddr* port : blocks.memory.ddr_ports()) has_port(*port);
  make_host(config.host, {{&blocks.store_unit.layer_interrupt()}});
  cycles_ = std::make_unique<TiledAccount>("account", blocks, host());
  for (std::size_t e = 0; e < engine_streams_.size(); ++e)
    engine_streams_[e] = std::make_unique<EngineStreams>(Config::kEngineNames[e]);
  connect_control();
  connect_inputs();
  connect_weights();
  std::size_t stage = kEngineStages;
  for (std::size_t e = 0; e < engine_streams_.size(); ++e) {
    if (!blocks.engines[e]) continue;
    blocks.instructions.stage(stage++)(engine_streams_[e]->walker_job);
    blocks.instructions.stage(stage++)(engine_streams_[e]->feeder_job);
    connect_engine(e);
  }
  connect_outputs();
}

void TiledAccelerator::connect_control() {
  connect_registers(blocks.instructions);
  without_dma("no_dma", "no_dma_response");  // the accelerator moves its data itself
  blocks.instructions.stage(kInputLoader)(input_job_);
  blocks.input_loader.job(input_job_);
  blocks.instructions.stage(kWeightLoader)(weight_job_);
  blocks.weight_loader.job(weight_job_);
  blocks.instructions.stage(kPostProcess)(post_job_);
  blocks.post_process.job(post_job_);
  blocks.instructions.table(table_);
  blocks.post_process.table(table_);
  blocks.instructions.stage(kStoreUnit)(store_job_);
  blocks.store_unit.job(store_job_);
}

void TiledAccelerator::connect_inputs() {
  axi::PortStreams& port = blocks.memory.inputs.near;
  blocks.input_loader.requests(input_requests_);
  blocks.input_reader.runs(input_requests_);
  blocks.input_loader.commands(input_commands_);
  blocks.input_decoder.runs(input_commands_);
  port.join_reads(blocks.input_reader);
  blocks.input_reader.beats(input_beats_);
  blocks.input_decoder.beats(input_beats_);
  blocks.input_decoder.turn(input_done_);
  blocks.input_loader.done(input_done_);
  blocks.input_loader.turn_over(to_weights_);
  blocks.weight_loader.turn(to_weights_);
  blocks.input_loader.freed_conv(engine_streams_[Config::kConv]->inputs_freed);
  blocks.input_loader.freed_first(engine_streams_[Config::kFirst]->inputs_freed);
  blocks.input_loader.freed_fc(engine_streams_[Config::kFc]->inputs_freed);
}

void TiledAccelerator::connect_weights() {
  axi::PortStreams& port = blocks.memory.weights.near;
  blocks.weight_loader.requests(weight_requests_);
  blocks.weight_reader.runs(weight_requests_);
  blocks.weight_loader.commands(weight_commands_);
  blocks.weight_decoder.runs(weight_commands_);
  port.join_reads(blocks.weight_reader);
  blocks.weight_reader.beats(weight_beats_);
  blocks.weight_decoder.beats(weight_beats_);
  blocks.weight_decoder.turn(weight_done_);
  blocks.weight_loader.done(weight_done_);
  blocks.weight_loader.turn_over(to_inputs_);
  blocks.input_loader.turn(to_inputs_);
  blocks.weight_decoder.parameters(parameters_);
  blocks.post_process.parameters(parameters_);
  blocks.weight_loader.freed_conv(engine_streams_[Config::kConv]->weights_freed);
  blocks.weight_loader.freed_first(engine_streams_[Config::kFirst]->weights_freed);
  blocks.weight_loader.freed_fc(engine_streams_[Config::kFc]->weights_freed);
}

void TiledAccelerator::connect_engine(std::size_t number) {
  EngineChain& chain = *blocks.engines[number];
  EngineStreams& streams = *engine_streams_[number];
  const int e = static_cast<int>(number);
  chain.walker.job(streams.walker_job);
  chain.feeder.job(streams.feeder_job);
  blocks.input_decoder.filled(e)(streams.inputs_filled);
  chain.walker.inputs(streams.inputs_filled);
  chain.walker.freed(streams.inputs_freed);
  blocks.weight_decoder.filled(e)(streams.weights_filled);
  chain.feeder.weights(streams.weights_filled);
  chain.feeder.freed(streams.weights_freed);
  chain.engine.sums(streams.sums_complete);
  blocks.post_process.engine(e).sums(streams.sums_complete);
  blocks.post_process.engine(e).freed(streams.sums_freed);
  chain.walker.sums_freed(streams.sums_freed);
}

void TiledAccelerator::connect_outputs() {
  axi::PortStreams& port = blocks.memory.outputs.near;
  blocks.post_process.output(tile_complete_);
  blocks.store_unit.complete(tile_complete_);
  blocks.store_unit.half(tile_);
  blocks.encoder.filled(tile_);
  blocks.encoder.freed(tile_freed_);
  blocks.post_process.output_freed(tile_freed_);
  blocks.store_unit.requests(output_requests_);
  blocks.writer.runs(output_requests_);
  blocks.store_unit.commands(output_commands_);
  blocks.encoder.runs(output_commands_);
  blocks.encoder.beats(output_beats_);
  blocks.writer.beats(output_beats_);
  port.join_writes(blocks.writer);
  blocks.writer.written(written_);
  blocks.store_unit.written(written_);
}

void TiledAccelerator::begin(const contract::LayerPlan& plan) {
  const LayerJobs& layer = layer_jobs_of(plan);
  blocks.stores.book = layer.codes;
  cycles_->begin_layer(layer.jobs.empty() ? 0 : layer.jobs.front().engine);
}

}  // namespace fansim::tiled
