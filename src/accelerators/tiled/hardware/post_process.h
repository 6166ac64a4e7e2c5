// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "accelerators/tiled/config/look_up.h"
#include "accelerators/tiled/config/tile_output.h"
#include "accelerators/tiled/hardware/sum_store.h"
#include "accelerators/tiled/hardware/types.h"
#include "axi/types.h"
#include "blocks/pool_windows.h"
#include "sim/module.h"
#include "sim/pipeline.h"
#include "sim/reg.h"
#include "sim/stream.h"

namespace fansim::tiled {

// Adds the bias to complete sums, requantises them, and applies ReLU, code table and pooling. The sums come from the
// engine that the job names. Results go to the output store as a dense [channel][row][column] of a tile after pooling;
// with the FC engine, the layer's whole output is one tile. A job waits for its parameters, and a tile for complete
// sums and a free output half. Halves are taken in turn.
// Throughput: the sums of one entry in `lanes` channels per cycle, so a tile takes ceil(channels / lanes) x points: all
//             points in the first channels, then in the next ones. Of each its output is stored, at most one per lane.
//             With pooling an entry takes a cycle for each output that it completes: a column of windows that closes
//             meets the line memories by itself, and one output can be stored.
// Latency:    StoreConfig::post_latency() from the last of those cycles, which frees the half of the sums, to the token
//             in `output`. Tokens may be popped at the edge of the first read; a job is popped one edge before.
// Stall:      holds every stage while `output` is full; reads no last sums of a half while that engine's `freed` is.
class PostProcess final : public sim::Module {
 public:
  struct EnginePort {
    explicit EnginePort(const std::string& name) : sums((name + "_sums").c_str()), freed((name + "_freed").c_str()) {}
    sim::StreamIn<Half> sums;    // halves that are complete
    sim::StreamOut<Half> freed;  // halves that have been read
  };

  sim::StreamIn<TiledJob> job{"job"};
  sim::StreamIn<axi::LiteRequest> table{"table"};    // writes to the code table's registers, between layers
  sim::StreamIn<Turn> parameters{"parameters"};      // a token when a layer's are complete
  sim::StreamIn<Half> output_freed{"output_freed"};  // halves that the store stage has written
  sim::StreamOut<Half> output{"output"};             // halves that are complete

  // sums[i] is null where engine i does not exist.
  PostProcess(const sc_core::sc_module_name& name, const Config& config,
              const std::array<SumStore*, Config::kEngines>& sums, const ParameterStore& parameter_store,
              TileStore<std::int16_t>& output_store, bool values = true);

  EnginePort& engine(int i) { return *engines_[static_cast<std::size_t>(i)]; }

  enum class State { idle, read, wait_sums, wait_parameters, wait_output };
  State state() const { return state_; }
  bool empty() const { return pipeline_.empty(); }
  // Returns what saturated since the last call.
  arith::Saturation take_saturation() { return std::exchange(saturation_, {}); }
  std::int64_t tiles() const { return tiles_.value(); }
  std::int64_t reads() const { return reads_.value(); }
  std::string waiting_for() const override;

 private:
  // Holds a layer and which of its tiles is being post-processed. With the FC engine there is only one tile.
  struct Layer {
    Layer(const TiledJob& from, const Config& config, const LookUp& look_up);
    int tiles() const { return nest.fc_engine() ? 1 : nest.output_tiles(); }
    int m() const { return tile / (nest.y_tiles() * nest.x_tiles()); }
    Region out() const;

    TiledJob job;
    TileNest nest;
    TileOutput output;
    int tile = 0;
  };

  void step() override;
  State advance();
  State prepare(EnginePort& from);
  void write_table(const axi::LiteRequest& request);
  void take_job();
  void open_tile(int sums_half);
  void finish_tile();
  void read_map();
  void pool(std::int16_t* to, int end);
  void use_sums();
  void use_outputs(int values);
  void read_vector();
  int entries() const;
  int channels() const;
  int edges() const;
  bool last_read() const;
  std::int16_t value(int entry, int channel, int output_channel);
  bool computed_before() const;

  const Config config_;
  const std::array<SumStore*, Config::kEngines> sums_;
  const ParameterStore& parameter_store_;
  TileStore<std::int16_t>& output_store_;
  const bool values_;
  std::array<std::unique_ptr<EnginePort>, Config::kEngines> engines_;

  LookUp look_up_;
  std::optional<Layer> layer_;
  bool have_parameters_ = false;
  bool open_ = false;            // within a tile
  int entry_ = 0, channel_ = 0;  // entry of the next read, and the first of its channels
  int edge_ = 0;                 // next edge of the entry
  Region out_;                   // for a tile of a map: its outputs
  contract::PoolAxis rows_{}, columns_{};
  int new_row_ = 0, new_column_ = 0;  // what lies before them is part of a tile before this one too
  arith::Saturation saturation_, seen_before_;
  int sums_half_ = 0;
  int output_half_ = 0;
  int free_outputs_ = StoreConfig::kHalves;
  std::vector<std::int64_t> terms_;  // terms of the entry, by lane
  blocks::PoolWindows<std::int64_t> windows_;
  sim::Pipeline<Half> pipeline_;
  State state_ = State::idle;
  sim::Word state_word_{*this, "state", {"idle", "read", "wait_sums", "wait_parameters", "wait_output"}, state_};

  sim::Counter tiles_{*this, "tiles", "tiles", "tiles post-processed"};
  sim::Counter reads_{*this, "reads", "cycles",
                      "cycles in which sums were read, or outputs that one completed were stored"};
  sim::Counter stalls_{*this, "stalls", "cycles", "cycles held because the store stage took no half"};
  sim::Counter sums_waits_{*this, "sums_waits", "cycles", "cycles a tile waited for its sums"};
  sim::Counter parameter_waits_{*this, "parameter_waits", "cycles", "cycles a layer waited for its parameters"};
};

}  // namespace fansim::tiled
