// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <stdexcept>
#include <vector>

#include "arith/formats/quantiser.h"
#include "contract/program.h"
#include "contract/row_transfers.h"

namespace fansim::decoupled {

// Each executes its commands one after the other; tokens alone couple them.
enum class Unit : std::uint8_t { load, load_weights, compute, store };
constexpr std::size_t kUnits = 4;

enum class Action : std::uint8_t {
  load_inputs,      // into the input buffer
  load_weights,     // into the weight buffer, plane behind plane and row behind row
  load_parameters,  // a record for each output channel, likewise
  load_sums,        // partial sums
  multiply,         // sums += inputs * weights
  pool,             // sums = the largest of a window of inputs
  post,             // a pass of the array over the sums of a tile: no value changes, they do when they are stored
  store,            // sums, post-processed: a plane of `block` channels is a part of one of tm
  store_sums,       // sums as they are
};

// What a transfer moves: `planes` planes of rows of bytes. A plane's rows are one transfer, or one each.
struct Planes {
  contract::RowTransfers rows;  // of the first plane
  std::uint32_t plane_pitch = 0;
  int planes = 0;
};

// Where a tile lies in a buffer, in vectors: `block` channels of a position of the pictures of a batch (inputs), `tm`
// of them (sums), [picture][channel]. Plane p, row r, column c: first + p * plane + ((row + r) % ring) * columns + c.
// Channels behind those of the tile's planes are not there: they count as 0 and are not read.
struct Tile {
  int first = 0;
  int planes = 1, rows = 1, columns = 1;  // a row of the buffer has so many columns, borders among them
  int plane = 1;                          // vectors from plane to plane
  int ring = 1;                           // rows that the buffer holds of a plane
  int row = 0;                            // the first one that is meant
};

// Positions around what is loaded that are filled with the zero point instead, of each plane: the tile's first `top`
// rows, its last `bottom` ones, and so many columns of those between.
struct Border {
  int top = 0, bottom = 0, left = 0, right = 0;
};

struct Command {
  Unit unit = Unit::load;
  Action action = Action::load_inputs;
  // Tokens that it waits for before it begins, and gives when it has ended: a bit for each unit they come from, go to.
  std::uint8_t waits = 0, gives = 0;

  Planes planes;       // of transfers
  Border border;       // of load_inputs
  Tile inputs;         // load_inputs: where to; multiply, pool: what of
  Tile sums;           // where sums are
  int weights = 0;     // first block of tm x tn weights
  int parameters = 0;  // the first output channel's record
  int channels = 0;    // load_parameters, store: output channels that count; what is stored behind them is 0

  // multiply, pool. Input blocks of tn channels, output blocks of tm; the weights of a tile lie [output block][input
  // block][kernel row][kernel column][tm][tn].
  int kernel = 1, stride = 1, input_blocks = 1, output_blocks = 1;
  // multiply: of each output block's weights only so many blocks from this one on; 0: all.
  int first_tap = 0, taps = 0;
  bool fresh = false;  // sums begin with 0, the largest of a pool with nothing
  // Steps of the array, those that its loops lose among them: multiply, pool; groups of `lanes` values of a pass: post.
  std::int64_t steps = 0;
};

// One start of the accelerator: its commands in an order in which they could be executed one after the other. It begins
// without tokens.
struct Job {
  std::vector<Command> commands;
  std::int64_t clears = 0;  // bytes of partial sums that the host prepares before
};

// What post-processing does to a sum of a channel.
struct ChannelParameters {
  std::int64_t bias = 0;  // the share of the input's zero point is in it
  int scale = 1, shift = 0;
};

// What a layer is to the machine.
struct DecoupledLayer final : contract::MachineLayer {
  std::vector<Job> jobs;
  std::int32_t zero_point = 0;  // of what is read: a border's value, a float's bits
  bool in_unsigned = false;
  bool weighs = true;                         // it has weights and parameters; else its sums are stored as they are
  arith::Requantise out;                      // zero point and type of what is stored
  bool relu = false;                          // nothing below the zero point
  std::vector<ChannelParameters> parameters;  // of each output channel, where commands bring them; else none
  // Of the function behind it, by code - lowest code, or of floats; none: no function.
  std::vector<std::int32_t> code_table;
  std::function<float(float)> float_function;
};

// The machine's registers: the job's number in the layer, and what starts it.
constexpr std::uint32_t kJobOffset = 0, kStartOffset = 4;

// What the host computes has no jobs.
inline const DecoupledLayer& layer_of(const contract::LayerPlan& plan) {
  static const DecoupledLayer kNone;
  if (plan.on_host) return kNone;
  const auto* layer = dynamic_cast<const DecoupledLayer*>(plan.machine.get());
  if (!layer) throw std::logic_error("decoupled: a layer without its commands: " + plan.name);
  return *layer;
}

constexpr std::uint8_t bit(Unit unit) { return static_cast<std::uint8_t>(1U << static_cast<unsigned>(unit)); }
constexpr std::size_t index(Unit unit) { return static_cast<std::size_t>(unit); }

// A record of parameters in memory: bias in 40 bits (bytes 0 to 3 and 7), scale in 16, shift in 8.
constexpr int kParameterBytes = 8;

}  // namespace fansim::decoupled
