// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <memory>

#include "accelerators/tiled/config/account.h"
#include "accelerators/tiled/config/code_book.h"
#include "accelerators/tiled/config/config.h"
#include "accelerators/tiled/hardware/engine_chain.h"
#include "accelerators/tiled/hardware/input_loader.h"
#include "accelerators/tiled/hardware/instruction_unit.h"
#include "accelerators/tiled/hardware/map_decoder.h"
#include "accelerators/tiled/hardware/map_encoder.h"
#include "accelerators/tiled/hardware/memory_path.h"
#include "accelerators/tiled/hardware/post_process.h"
#include "accelerators/tiled/hardware/store_unit.h"
#include "accelerators/tiled/hardware/tiled_account.h"
#include "accelerators/tiled/hardware/weight_decoder.h"
#include "accelerators/tiled/hardware/weight_loader.h"
#include "axi/extent_reader.h"
#include "axi/extent_writer.h"
#include "platform/clocked_machine.h"

namespace fansim::tiled {

// Holds what the tiled accelerator keeps on chip besides its engines' own stores.
struct TiledStores {
  explicit TiledStores(const Config& config);

  TileStore<std::uint16_t> conv_weights, fc_weights;  // level 1
  ParameterStore parameters;
  TileStore<std::int16_t> outputs;
  CodeBook book;
};

// Holds the boxes of the tiled accelerator's block diagram (docs/tiled.md), in signal-flow order.
struct TiledBlocks {
  TiledBlocks(const Config& config, contract::MemoryImage&& memory, bool values, sim::ClockDomain& pl,
              sim::ClockDomain& port);

  TiledStores stores;
  MemoryPath memory;
  InstructionUnit instructions;

  InputLoader input_loader;
  axi::ExtentReader input_reader;
  std::array<std::unique_ptr<EngineChain>, Config::kEngines> engines;  // null: there is none
  MapDecoder input_decoder;

  WeightLoader weight_loader;
  axi::ExtentReader weight_reader;
  WeightDecoder weight_decoder;

  PostProcess post_process;

  StoreUnit store_unit;
  MapEncoder encoder;
  axi::ExtentWriter writer;
};

// Holds the blocks and the streams between them.
class TiledAccelerator final : public platform::Shell {
 public:
  TiledAccelerator(const sc_core::sc_module_name& name, const Config& config, Frame& frame);

  TiledBlocks blocks;  // to look at, or to break

 private:
  const contract::Account& account() const override { return tiled::account(); }
  void begin(const contract::LayerPlan& plan) override;
  void end() override { cycles_->end_layer(); }
  void count(contract::LayerResult& result) const override { cycles_->count(result); }
  std::optional<arith::Saturation> take_saturation() override { return blocks.post_process.take_saturation(); }
  std::vector<base::Cycles> buckets() const override { return {cycles_->buckets().begin(), cycles_->buckets().end()}; }

  // Holds the streams between one engine and what feeds and empties it.
  struct EngineStreams {
    explicit EngineStreams(const std::string& name);
    sim::Stream<TiledJob> walker_job, feeder_job;
    sim::Stream<Half> inputs_filled, inputs_freed, weights_filled, weights_freed, sums_complete, sums_freed;
  };

  void connect_control();
  void connect_inputs();
  void connect_weights();
  void connect_engine(std::size_t number);
  void connect_outputs();

  // These carry jobs.
  sim::Stream<axi::LiteRequest> table_{"table"};
  sim::Stream<TiledJob> input_job_{"input_job"}, weight_job_{"weight_job"}, post_job_{"post_job"},
      store_job_{"store_job"};
  // These carry loads.
  sim::Stream<Extent> input_requests_{"input_requests"}, weight_requests_{"weight_requests"};
  sim::Stream<MapExtent> input_commands_{"input_commands"};
  sim::Stream<WeightExtent> weight_commands_{"weight_commands"};
  sim::Stream<ExtentBeat> input_beats_{"input_beats"}, weight_beats_{"weight_beats"};
  sim::Stream<Turn> input_done_{"input_done"}, weight_done_{"weight_done"}, to_weights_{"to_weights"},
      to_inputs_{"to_inputs"}, parameters_{"parameters"};
  std::array<std::unique_ptr<EngineStreams>, Config::kEngines> engine_streams_;
  // These carry stores.
  sim::Stream<Half> tile_complete_{"tile_complete"}, tile_{"tile"}, tile_freed_{"tile_freed"};
  sim::Stream<Extent> output_requests_{"output_requests"}, output_commands_{"output_commands"};
  sim::Stream<ExtentBeat> output_beats_{"output_beats"};
  sim::Stream<TileWritten> written_{"written"};

  std::unique_ptr<TiledAccount> cycles_;  // behind all blocks and the host
};

using TiledMachine = platform::MachineOf<TiledAccelerator, Config>;

}  // namespace fansim::tiled
