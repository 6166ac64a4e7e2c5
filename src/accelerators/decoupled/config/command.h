// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <stdexcept>
#include <vector>

#include "arith/quantiser.h"
#include "contract/job_registers.h"
#include "contract/program.h"
#include "contract/row_transfers.h"

namespace fansim::decoupled {

// Each unit executes its commands one after another; only tokens couple the units.
enum class Unit : std::uint8_t { load, load_weights, compute, store };
constexpr std::size_t kUnits = 4;

enum class Action : std::uint8_t {
  load_inputs,      // into the input buffer
  load_weights,     // into the weight buffer, plane after plane and row after row
  load_parameters,  // a record for each output channel, in the same way
  load_sums,        // partial sums, into the sum buffer
  multiply,         // sums += inputs * weights
  pool,             // sums = the maximum of a window of inputs
  post,             // a pass of the array over a tile's sums; it takes time, but the values change only when they are
                    // stored
  store,            // post-processed sums; a plane of `block` channels is a part of one of tm
  store_sums,       // sums without post-processing
};

// Describes what a transfer moves: `planes` planes of rows of bytes. The rows of a plane are a single transfer, or one
// transfer each.
struct Planes {
  contract::RowTransfers rows;  // the first plane
  std::uint32_t plane_pitch = 0;
  int planes = 0;
};

// Says where a tile lies in a buffer. The unit is a vector, [image][channel]: the channels of one position for all
// images of a batch. It has `block` channels for inputs, and `tm` for sums. Plane p, row r, column c is at first + p *
// plane + ((row + r) % ring) * columns + c. Channels after those of the tile's planes do not exist: they count as 0 and
// are not read.
struct Tile {
  int first = 0;
  int planes = 1, rows = 1, columns = 1;  // columns of a row in the buffer, including borders
  int plane = 1;                          // distance of planes, in vectors
  int ring = 1;                           // rows of a plane that the buffer holds
  int row = 0;                            // the tile's first row in the ring
};

// Describes positions around the loaded data that are filled with the zero point. They are, for each plane, the tile's
// first `top` rows, its last `bottom` rows, and `left` and `right` columns of the rows between.
struct Border {
  int top = 0, bottom = 0, left = 0, right = 0;
};

struct Command {
  Unit unit = Unit::load;
  Action action = Action::load_inputs;
  // Tokens for which the command waits before it begins, and which it gives when it ends. There is one bit for each
  // unit that they come from or go to.
  std::uint8_t waits = 0, gives = 0;

  Planes planes;       // for transfers
  Border border;       // for load_inputs
  Tile inputs;         // destination of load_inputs; source of multiply and pool
  Tile sums;           // place of the sums
  int weights = 0;     // first block of tm x tn weights
  int parameters = 0;  // the first output channel's record
  int channels = 0;    // load_parameters, store: number of output channels; 0 is stored for channels after them

  // These are for multiply and pool. Input blocks have tn channels, output blocks tm. The weights of a tile are ordered
  // [output block][input block][kernel row][kernel column][tm][tn].
  int kernel = 1, stride = 1, input_blocks = 1, output_blocks = 1;
  // These are for multiply: only `taps` blocks of the weights of each output block are used, from `first_tap` on; 0:
  // all.
  int first_tap = 0, taps = 0;
  bool fresh = false;  // sums start at 0; the maximum of a pool starts empty
  // For multiply and pool: steps of the array, including those that its loops lose. For post: groups of `lanes` values
  // of a pass.
  std::int64_t steps = 0;
};

// Describes one start of the accelerator. Its commands are in an order in which they could be executed one after
// another. A job starts without tokens.
struct Job {
  std::vector<Command> commands;
  std::int64_t clears = 0;  // bytes of partial sums that the host clears beforehand
};

// Holds the parameters by which post-processing changes the sum of a channel.
struct ChannelParameters {
  std::int64_t bias = 0;  // it includes the compensation of the input's zero point
  int scale = 1, shift = 0;
};

// Describes a layer to the machine.
struct DecoupledLayer final : contract::MachineLayer {
  std::vector<Job> jobs;
  std::int32_t zero_point = 0;  // of the input: value of the border, as the bits of a float if the numbers are floats
  bool in_unsigned = false;
  bool weighs = true;                         // it has weights and parameters; otherwise its sums are stored unchanged
  arith::Requantise out;                      // zero point and type of the output
  bool relu = false;                          // no output is below the zero point
  std::vector<ChannelParameters> parameters;  // of each output channel, if commands carry them; else empty
  // Hold the function that follows: a table indexed by code - lowest code, or a function of floats; both empty: there
  // is none.
  std::vector<std::int32_t> code_table;
  std::function<float(float)> float_function;
};

// These are the machine's registers: the number of the job in the layer, and the start.
struct JobRegisters : contract::JobRegisters {
  explicit JobRegisters(std::size_t job = 0) : contract::JobRegisters(2) {
    words = {static_cast<std::uint32_t>(job), 1};
  }
};
inline std::size_t job_of(const contract::JobRegisters& registers) { return registers.words[0]; }

// Returns an empty layer, without jobs, for what the host computes.
inline const DecoupledLayer& layer_of(const contract::LayerPlan& plan) {
  static const DecoupledLayer kNone;
  if (plan.on_host) return kNone;
  const auto* layer = dynamic_cast<const DecoupledLayer*>(plan.machine.get());
  if (!layer) throw std::logic_error("decoupled: a layer without its commands: " + plan.name);
  return *layer;
}

constexpr std::uint8_t bit(Unit unit) { return static_cast<std::uint8_t>(1U << static_cast<unsigned>(unit)); }
constexpr std::size_t index(Unit unit) { return static_cast<std::size_t>(unit); }

// A record of parameters in memory has a bias of 40 bits (bytes 0 to 3 and 7), a scale of 16 bits and a shift of 8
// bits.
constexpr int kParameterBytes = 8;

}  // namespace fansim::decoupled
