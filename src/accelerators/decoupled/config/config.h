// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "accelerators/decoupled/config/tile_table.h"
#include "arith/quantiser.h"
#include "base/effect.h"
#include "base/units.h"
#include "contract/axi.h"
#include "contract/config_file.h"
#include "contract/ddr.h"
#include "contract/dma.h"
#include "contract/host.h"
#include "contract/idle_keys.h"

namespace fansim::decoupled {

enum class DataType { int8, int16, float32 };

// Describes the numbers in memory and in the buffers.
struct DataConfig {
  DataType type = DataType::int8;

  int bytes() const { return type == DataType::int8 ? 1 : type == DataType::int16 ? 2 : 4; }
  int bits() const { return 8 * bytes(); }

  template <class V>
  void visit(V&& v) {
    v.choice("type", type, {{DataType::int8, "int8"}, {DataType::int16, "int16"}, {DataType::float32, "float32"}},
             {"weights and activations", base::Effect{base::Effect::Resources::shape, true, true}});
  }
};

// Describes the compute unit's multipliers. A step covers `batch` images, `tm` output channels, `tn` input channels and
// a window of `window` x `window`; a step begins every `interval` edges.
struct ArrayConfig {
  int batch = 1;
  int tm = 16;
  int tn = 16;
  int window = 1;
  int interval = 1;
  int latency = 8;
  int setup = 0;
  int refill = 0;
  bool clear = false;
  int pool_interval = 1;

  int macs_per_step() const { return batch * tm * tn * window * window; }

  template <class V>
  void visit(V&& v) {
    v.field("batch", batch, 1, 16, {"pictures computed at once", base::grows()});
    v.field("tm", tm, 1, 512, {"output channels computed at once", base::grows()});
    v.field("tn", tn, 1, 512, {"input channels multiplied at once", base::grows()});
    v.field("window", window, 1, 7, {"rows and columns of a window that are multiplied at once", base::grows()});
    v.field("interval", interval, 1, 64, {"initiation interval: edges from step to step", base::times()});
    v.field("latency", latency, 0, 1000, {"edges from a step to its sums in their buffer", base::times()});
    v.field("setup", setup, 0, 100000, {"edges before the first step of a command", base::times()});
    v.field("refill", refill, 0, 1000,
            {"steps lost whenever the loops inside a command's two outermost begin anew; 0: all are one pipeline",
             base::times()});
    v.field("clear", clear, {"sums are set to 0 before a tile's first products, a step a vector", base::times()});
    v.field("pool_interval", pool_interval, 1, 64, {"edges from step to step of a pooling", base::times()});
  }
};

enum class PostPlace { array, store };

// Describes what happens to sums before they are stored: bias, scale, shift and activation.
struct PostConfig {
  PostPlace where = PostPlace::store;
  int lanes = 8;
  int passes = 1;
  int interval = 1;
  int setup = 0;

  template <class V>
  void visit(V&& v) {
    v.choice("where", where, {{PostPlace::array, "array"}, {PostPlace::store, "store"}},
             {"array: commands of the compute unit, which multiplies nothing meanwhile; store: on the way out",
              base::times()});
    v.field("lanes", lanes, 1, 512, {"values at once", base::grows()});
    v.field("passes", passes, 1, 16, {"array: operations, each a pass over all values", base::times()});
    v.field("interval", interval, 1, 64, {"edges from `lanes` values to the next", base::times()});
    v.field("setup", setup, 0, 100000, {"array: edges before the first values of a pass", base::times()});
  }
};

enum class Rows { merged, single };

// Describes a unit that moves tiles between memory and the buffers. Each of its `ports` ports moves every `ports`-th
// plane of a tile.
struct MoverConfig {
  int ports = 1;
  int setup = 0;
  Rows rows = Rows::merged;
  int row_setup = 0;

  template <class V>
  void visit(V&& v) {
    v.field("ports", ports, 1, 4, {"ports of the memory, each with every so-manieth plane of a tile", base::grows()});
    v.field("setup", setup, 0, 100000, {"edges before a command's first transfer", base::times()});
    v.choice(
        "rows", rows, {{Rows::merged, "merged"}, {Rows::single, "single"}},
        {"merged: rows without a gap between them are one transfer; single: a transfer for each row", base::times()});
    v.field("row_setup", row_setup, 0, 10000, {"edges before each transfer", base::times()});
  }
};

enum class LoadOrder { serial, parallel };

struct LoadConfig : MoverConfig {
  LoadOrder order = LoadOrder::serial;
  int pad_interval = 1;
  int weight_ports = 1;

  template <class V>
  void visit(V&& v) {
    MoverConfig::visit(v);
    v.choice("order", order, {{LoadOrder::serial, "serial"}, {LoadOrder::parallel, "parallel"}},
             {"serial: one load unit; parallel: a second one, with ports of its own, for weights",
              base::Effect{base::Effect::Resources::shape, true}});
    v.field("pad_interval", pad_interval, 0, 16,
            {"edges for each position of a tile's border; 0: it is there", base::times()});
    v.field("weight_ports", weight_ports, 1, 4, {"parallel: ports of the second unit", base::grows()});
  }
  bool two_units() const { return order == LoadOrder::parallel; }
  int all_ports() const { return ports + (two_units() ? weight_ports : 0); }
};

struct StoreConfig : MoverConfig {};

// Describes the on-chip buffers, which hold the values of all images of a batch.
struct BufferConfig {
  int input_kib = 32;
  int weight_kib = 32;
  int sum_kib = 32;
  int halves = 2;
  int sum_halves = 2;
  int weight_halves = 0;

  template <class V>
  void visit(V&& v) {
    v.field("input_kib", input_kib, 1, 1 << 16, {"input tiles, all halves, KiB", base::grows()});
    v.field("weight_kib", weight_kib, 1, 1 << 16, {"weight tiles, all halves, KiB", base::grows()});
    v.field("sum_kib", sum_kib, 1, 1 << 16, {"partial sums, all halves, KiB", base::grows()});
    v.field("halves", halves, 1, 2, {"2: a tile is loaded while the one before is computed", base::grows()});
    v.field("sum_halves", sum_halves, 1, 2, {"2: a tile is computed while the one before is stored", base::grows()});
    v.field("weight_halves", weight_halves, 0, 2, {"of weights alone; 0: as `halves`", base::grows()});
  }
};

enum class LoopOrder { rows_outputs_columns, rows_columns_outputs, outputs_rows_columns };
enum class Parameters { command, layer, tile };
enum class Inputs { tiles, lines };

// Limits the compiler's tiles, unless a tile table says otherwise: rows and columns of outputs, and input and output
// channels; 0: as many as the buffers hold.
struct ScheduleConfig {
  LoopOrder order = LoopOrder::rows_columns_outputs;
  int rows = 0;
  int columns = 0;
  int inputs = 0;
  int outputs = 0;
  Threads threads = Threads::none;
  Inputs maps = Inputs::tiles;
  int block = 0;
  Parameters parameters = Parameters::layer;
  int weight_pieces = 1;
  bool weight_rows = false;
  bool calls = false;
  bool drain = false;
  int fill_rows = 0;
  std::string tiles;

  template <class V>
  void visit(V&& v) {
    v.choice("order", order,
             {{LoopOrder::rows_outputs_columns, "rows_outputs_columns"},
              {LoopOrder::rows_columns_outputs, "rows_columns_outputs"},
              {LoopOrder::outputs_rows_columns, "outputs_rows_columns"}},
             {"loops over tiles, the outermost first; input channels are the innermost", base::times()});
    v.field("rows", rows, 0, 1 << 16, {"rows of outputs of a tile at most; 0: what fits", base::times()});
    v.field("columns", columns, 0, 1 << 16, {"columns of a tile at most; 0: what fits", base::times()});
    v.field("inputs", inputs, 0, 1 << 16, {"input channels of a tile at most; 0: tn", base::times()});
    v.field("outputs", outputs, 0, 1 << 16, {"output channels of a tile at most; 0: tm", base::times()});
    v.choice(
        "threads", threads, {{Threads::none, "none"}, {Threads::outputs, "outputs"}, {Threads::rows, "rows"}},
        {"two tiles, neighbours in output channels or rows, are computed in turns, each in its half of the buffers",
         base::times()});
    v.choice("maps", maps, {{Inputs::tiles, "tiles"}, {Inputs::lines, "lines"}},
             {"tiles: input tiles with their borders; lines: a layer flows through line buffers, row by row, once for "
              "each tile of input and output channels, partial sums through memory",
              base::times()});
    v.field("block", block, 0, 512, {"channels of a position that lie side by side in memory; 0: tn", base::times()});
    v.choice("parameters", parameters,
             {{Parameters::command, "command"}, {Parameters::layer, "layer"}, {Parameters::tile, "tile"}},
             {"biases and scales: command: in the commands; layer, tile: loaded before a layer's, a tile's first sums",
              base::times()});
    v.field("weight_pieces", weight_pieces, 1, 1024,
            {"a weight tile is loaded in so many pieces, each multiplied as soon as it is there", base::times()});
    v.field("weight_rows", weight_rows,
            {"a transfer for the weights of each tm output channels of a tile; false: a tile's weights are one",
             base::times()});
    v.field("calls", calls, {"the host starts each tile of input and output channels by itself", base::times()});
    v.field(
        "drain", drain,
        {"of several input tiles the first is loaded behind the last products of the outputs before", base::times()});
    v.field("fill_rows", fill_rows, 0, 16,
            {"lines: rows of steps before a pass's first outputs, which fill the lines, and behind its last",
             base::times()});
    v.field("tiles", tiles,
            {"a CSV file of tiles by layer, beside the configuration; empty: none",
             base::Effect{base::Effect::Resources::none, true, false, true}});
  }
};

// Describes the processing system: bare metal or with an operating system, and the driver that makes the commands.
struct DriverConfig : contract::ComputingHostConfig {
  base::Cost call = 0;
  base::Cost command = 0;
  base::Cost flush_per_kib = 0;
  base::Cost clear_per_kib = 0;

  template <class V>
  void visit(V&& v) {
    ComputingHostConfig::visit(v);
    v.field("call", call, 0, 10000000,
            {"time, or fabric cycles, of software before each start of the accelerator", base::times()});
    v.field("command", command, 0, 1000000,
            {"time, or fabric cycles, of software to make a command, before the start", base::times()});
    v.field("flush_per_kib", flush_per_kib, 0, 1000000,
            {"time, or fabric cycles, of cache maintenance for each KiB that a call reads or writes", base::times()});
    v.field("clear_per_kib", clear_per_kib, 0, 1000000,
            {"lines: time, or fabric cycles, of software for each KiB of partial sums before the first call that makes "
             "them",
             base::times()});
  }
};

// Describes the complete machine: units that load, compute and store, coupled only by tokens.
struct Config : contract::ConfigBase {
  static constexpr const char* kSystem = "decoupled";

  // Reads a configuration file with `--set key.path=value` overrides. Throws base::UserError.
  static Config read(const std::string& path, const std::vector<std::string>& overrides);

  Config() { clock_mhz = {100, 1}; }

  DataConfig data;
  ArrayConfig array;
  PostConfig post;
  LoadConfig load;
  StoreConfig store;
  BufferConfig buffers;
  ScheduleConfig schedule;
  contract::DmaConfig dma;
  contract::AxiConfig axi;
  contract::DdrConfig ddr;
  DriverConfig host;
  arith::QuantiserFormat quantiser;
  TileTable tiles;  // the content of the file schedule.tiles

  TileLimits limits_of(const std::string& layer) const {
    const auto own = tiles.find(layer);
    if (own != tiles.end()) return own->second;
    return {schedule.rows, schedule.columns, schedule.inputs, schedule.outputs, schedule.threads};
  }

  static constexpr int kMostPorts = 4;
  int ports() const { return std::max(load.all_ports(), store.ports); }
  int weight_halves() const { return buffers.weight_halves > 0 ? buffers.weight_halves : buffers.halves; }
  int block() const { return schedule.block > 0 ? schedule.block : array.tn; }
  int sum_bytes() const { return data.type == DataType::float32 ? 4 : (quantiser.accumulator_bits + 7) / 8; }

  // Lists keys of shared blocks that have no effect on this machine.
  static constexpr std::array<base::InertKey, 9> kInert{
      {{"dma.mode", "units give the movers their transfers, and another mode is refused"},
       {"host.register_read", "the host waits for an interrupt, it polls nothing"},
       {"host.dma_setup", "the machine's units move its data"},
       {"axi.pins", "no port of this machine is carried on wires yet"},
       {"dma.sg_start", "transfers come from the units, not from descriptors"},
       {"dma.sg_command", "transfers come from the units, not from descriptors"},
       {"dma.sg_queue", "transfers come from the units, not from descriptors"},
       {"dma.address_bits", "addresses are words of commands"},
       {"dma.delay_resolution", "transfers come from the units, not from descriptors"}}};

  contract::MemoryPorts memory_ports() const { return {ports(), axi.data_bits, clock_hz()}; }

  template <class F>
  void visit_clocks(F&& f) {
    f("clock_mhz", clock_mhz);
  }
  template <class F>
  void visit_blocks(F&& f) {
    f("data", data);
    f("array", array);
    f("post", post);
    f("load", load);
    f("store", store);
    f("buffers", buffers);
    f("schedule", schedule);
    f("dma", dma);
    f("axi", axi);
    f("ddr", ddr);
    f("host", host);
    f("quantiser", quantiser);
  }
};

// Returns why the reader of a file would refuse the configuration; empty: it would not.
std::string refusal(const Config& config);

// Adds keys that change nothing because of what others say.
void add_idle(contract::IdleKeys& idle, const Config& config);

}  // namespace fansim::decoupled
