// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <memory>

#include "arch/program.h"
#include "arch/tiled_config.h"
#include "axi/instruction_unit.h"
#include "axi/run_reader.h"
#include "axi/run_writer.h"
#include "datapath/tiled/input_loader.h"
#include "datapath/tiled/map_decoder.h"
#include "datapath/tiled/map_encoder.h"
#include "datapath/tiled/post_process.h"
#include "datapath/tiled/store_unit.h"
#include "datapath/tiled/weight_decoder.h"
#include "datapath/tiled/weight_loader.h"
#include "systems/engine_chain.h"
#include "systems/host.h"
#include "systems/memory_path.h"
#include "systems/tiled_account.h"

namespace fansim::systems {

// What the tiled accelerator keeps on chip beside its engines' own stores.
struct TiledStores {
  explicit TiledStores(const arch::TiledConfig& config);

  datapath::TileStore<std::uint16_t> conv_weights, fc_weights;  // level 1
  datapath::ParameterStore parameters;
  datapath::TileStore<std::int16_t> outputs;
  datapath::CodeBook book;
};

// The boxes of the tiled accelerator's block diagram (docs/tiled.md), in signal-flow order.
struct TiledBlocks {
  TiledBlocks(const arch::TiledConfig& config, arch::Program& program, bool values, LayerHooks hooks,
              std::function<void()> finished, sim::ClockDomain& pl, sim::ClockDomain& port);

  TiledStores stores;
  MemoryPath memory;
  axi::InstructionUnit instructions;

  datapath::InputLoader input_loader;
  axi::RunReader input_reader;
  std::array<std::unique_ptr<EngineChain>, arch::TiledConfig::kEngines> engines;  // null: there is none
  datapath::MapDecoder input_decoder;

  datapath::WeightLoader weight_loader;
  axi::RunReader weight_reader;
  datapath::WeightDecoder weight_decoder;

  datapath::PostProcess post_process;

  datapath::StoreUnit store_unit;
  datapath::MapEncoder encoder;
  axi::RunWriter writer;
  Host host;
};

// The blocks, and the streams between them.
class TiledAccelerator final : public sc_core::sc_module {
 public:
  TiledAccelerator(const sc_core::sc_module_name& name, const arch::TiledConfig& config, arch::Program& program,
                   bool values, LayerHooks hooks, std::function<void()> finished, sim::ClockDomain& pl,
                   sim::ClockDomain& port);

  TiledBlocks blocks;
  TiledAccount account;

 private:
  // Between one engine and what feeds and empties it.
  struct EngineStreams {
    explicit EngineStreams(const std::string& name);
    sim::Stream<arch::TiledJob> walker_job, feeder_job;
    sim::Stream<datapath::Half> inputs_filled, inputs_freed, weights_filled, weights_freed, sums_complete, sums_freed;
  };

  void connect_control();
  void connect_inputs();
  void connect_weights();
  void connect_engine(std::size_t number);
  void connect_outputs();

  // Jobs.
  sim::Stream<axi::LiteRequest> request_{"request"}, no_dma_{"no_dma"};
  sim::Stream<axi::LiteResponse> response_{"response"}, no_dma_response_{"no_dma_response"};
  sim::Stream<arch::TiledJob> input_job_{"input_job"}, weight_job_{"weight_job"}, post_job_{"post_job"},
      store_job_{"store_job"};
  // Load.
  sim::Stream<arch::Run> input_requests_{"input_requests"}, weight_requests_{"weight_requests"};
  sim::Stream<arch::MapRun> input_commands_{"input_commands"};
  sim::Stream<arch::WeightRun> weight_commands_{"weight_commands"};
  sim::Stream<arch::RunBeat> input_beats_{"input_beats"}, weight_beats_{"weight_beats"};
  sim::Stream<datapath::Turn> input_done_{"input_done"}, weight_done_{"weight_done"}, to_weights_{"to_weights"},
      to_inputs_{"to_inputs"}, parameters_{"parameters"};
  std::array<std::unique_ptr<EngineStreams>, arch::TiledConfig::kEngines> engine_streams_;
  // Store.
  sim::Stream<datapath::Half> tile_complete_{"tile_complete"}, tile_{"tile"}, tile_freed_{"tile_freed"};
  sim::Stream<arch::Run> output_requests_{"output_requests"}, output_commands_{"output_commands"};
  sim::Stream<arch::RunBeat> output_beats_{"output_beats"};
  sim::Stream<arch::TileWritten> written_{"written"};
};

}  // namespace fansim::systems
