// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "accelerators/decoupled/compile/scheduler.h"

namespace fansim::decoupled {
namespace {

// Describes a tile of outputs: rows, columns and channels of a group.
struct Outputs {
  int group = 0, channels_tile = 0;
  Span channels, rows, columns;
};

class TileScheduler : Scheduler {
 public:
  TileScheduler(const Work& work, const TileLimits& limits, const TileSize& tile, const Config& config)
      : Scheduler(work, limits, tile, config) {}

  std::vector<Job> run() {
    if (config_.schedule.parameters == Parameters::layer && !work_.pools)
      load_parameters(0, work_.groups * work_.outputs);
    for (int group = 0; group < work_.groups; ++group) loop(group);
    cut();
    return std::move(jobs_);
  }

 private:
  int row_tiles() const { return base::ceil_div(work_.out.rows, tile_.rows); }
  int column_tiles() const { return base::ceil_div(work_.out.columns, tile_.columns); }

  // Walks over the tiles in the schedule's order. With threads it takes two tiles of one direction at once.
  void loop(int group) {
    struct Loop {
      int tiles, at_once;
    };
    const Loop rows{row_tiles(), limits_.threads == Threads::rows ? 2 : 1}, columns{column_tiles(), 1};
    const Loop outputs{output_tiles(), limits_.threads == Threads::outputs ? 2 : 1};
    enum { kRows, kColumns, kOutputs };
    std::array<int, 3> order{kRows, kColumns, kOutputs};
    if (config_.schedule.order == LoopOrder::rows_outputs_columns) order = {kRows, kOutputs, kColumns};
    if (config_.schedule.order == LoopOrder::outputs_rows_columns) order = {kOutputs, kRows, kColumns};
    const std::array<Loop, 3> loops{rows, columns, outputs};
    const auto of = [&](int nth) { return loops[static_cast<std::size_t>(order[static_cast<std::size_t>(nth)])]; };
    std::array<int, 3> at{};
    const auto place = [&](int nth) -> int& {
      return at[static_cast<std::size_t>(order[static_cast<std::size_t>(nth)])];
    };
    for (place(0) = 0; place(0) < of(0).tiles; place(0) += of(0).at_once)
      for (place(1) = 0; place(1) < of(1).tiles; place(1) += of(1).at_once)
        for (place(2) = 0; place(2) < of(2).tiles; place(2) += of(2).at_once) {
          std::vector<Outputs> tiles{tile(group, at[kRows], at[kColumns], at[kOutputs])};
          if (rows.at_once == 2 && at[kRows] + 1 < rows.tiles)
            tiles.push_back(tile(group, at[kRows] + 1, at[kColumns], at[kOutputs]));
          if (outputs.at_once == 2 && at[kOutputs] + 1 < outputs.tiles)
            tiles.push_back(tile(group, at[kRows], at[kColumns], at[kOutputs] + 1));
          compute_tiles(tiles);
        }
  }

  Outputs tile(int group, int row, int column, int channels) const {
    const auto span = [](int at, int size, int all) { return Span{at * size, std::min(size, all - at * size)}; };
    return {group, channels, outputs_of(channels), span(row, tile_.rows, work_.out.rows),
            span(column, tile_.columns, work_.out.columns)};
  }

  // Computes tiles, each in its own half of the buffers, and alternates between them from one input tile to the next.
  void compute_tiles(const std::vector<Outputs>& tiles) {
    const bool threads = limits_.threads != Threads::none;
    std::array<int, 2> halves{}, sums{};
    for (std::size_t t = 0; t < tiles.size(); ++t)
      sums[t] = threads ? static_cast<int>(t) : next_sums_++ % sum_halves(limits_, config_);
    for (int n = 0; n < input_tiles(); ++n) {
      for (std::size_t t = 0; t < tiles.size(); ++t) {
        halves[t] = threads ? static_cast<int>(t) : next_inputs_++ % input_halves(limits_, config_);
        load(tiles[t], n, halves[t]);
      }
      for (std::size_t t = 0; t < tiles.size(); ++t) multiply(tiles[t], n, halves[t], sums[t]);
      if (config_.schedule.calls && n + 1 < input_tiles()) cut();
    }
    for (std::size_t t = 0; t < tiles.size(); ++t)
      post(sums_of(tiles[t], sums[t]), {Place::Of::sums, sums[t]}, positions(tiles[t]), tiles[t].channels.count);
    for (std::size_t t = 0; t < tiles.size(); ++t) store(tiles[t], sums[t]);
    if (config_.schedule.calls) cut();
  }

  static std::int64_t positions(const Outputs& tile) { return std::int64_t{tile.rows.count} * tile.columns.count; }
  Tile sums_of(const Outputs& tile, int half) const {
    return sums_tile(half, tile.channels.count, tile.rows.count, tile.columns.count);
  }
  // Returns the tile as it lies in the buffer, including its border.
  Tile inputs_tile(const Outputs& tile, int n, int half) const {
    Tile inputs;
    inputs.first = static_cast<int>(half * room_.inputs);
    inputs.planes = base::ceil_div(input_channels(tile, n).count, work_.in.block);
    inputs.rows = inputs.ring = (tile.rows.count - 1) * work_.stride + work_.kernel;
    inputs.columns = (tile.columns.count - 1) * work_.stride + work_.kernel;
    inputs.plane = inputs.rows * inputs.columns;
    return inputs;
  }
  // Returns channels of the map.
  Span input_channels(const Outputs& tile, int n) const {
    const Span in = work_.pools ? tile.channels : inputs_of(n);
    return {tile.group * work_.inputs + in.first, in.count};
  }

  void load(const Outputs& tile, int n, int half) {
    if (n == 0 && config_.schedule.parameters == Parameters::tile && !work_.pools)
      load_parameters(tile.group * work_.outputs + tile.channels.first, tile.channels.count);
    const Reach rows = reach(tile.rows, work_.kernel, work_.stride, work_.top, work_.in.rows);
    const Reach columns = reach(tile.columns, work_.kernel, work_.stride, work_.left, work_.in.columns);
    Command load;
    load.action = Action::load_inputs;
    load.inputs = inputs_tile(tile, n, half);
    const Span channels = input_channels(tile, n);
    const bool nothing = rows.empty() || columns.empty();
    load.planes = work_.in.planes_of(channels, nothing ? Span{} : rows.inside, columns.inside);
    load.border =
        nothing ? Border{load.inputs.rows, 0, 0, 0} : Border{rows.before, rows.after, columns.before, columns.after};
    if (work_.in.rows * work_.in.columns == 1 && load.inputs.plane == 1 && !nothing) {
      load.planes = work_.in.row_of(channels);
      std::swap(load.inputs.planes, load.inputs.columns);
      load.inputs.plane = load.inputs.columns;
    }
    std::vector<Place> writes{{Place::Of::inputs, half}};
    if (n == 0 && drains()) writes.push_back(kInputGate);
    list_.add(load, {}, writes);
    if (!work_.pools) load_weights(tile.group, tile.channels_tile, n, weight_half(half), pieces(), n == 0 && drains());
  }

  void multiply(const Outputs& tile, int n, int half, int sums) {
    const int weight_half = this->weight_half(half);
    Command whole = compute(tile.channels_tile, n, weight_half);
    whole.inputs = inputs_tile(tile, n, half);
    whole.sums = sums_of(tile, sums);
    std::vector<Place> reads{{Place::Of::inputs, half}};
    if (n + 1 == input_tiles() && drains()) reads.insert(reads.end(), {kInputGate, kWeightGate});
    if (pieces() == 1) {
      if (!work_.pools) reads.push_back({Place::Of::weights, weight_half});
      add(whole, positions(tile), reads, sums);
      return;
    }
    // The first column is computed piece by piece as its weights arrive, and the other columns after it.
    Command first = whole;
    first.sums.columns = 1;
    for (int piece = 0; piece < pieces(); ++piece) {
      first.first_tap = static_cast<int>(piece_begin(n, piece));
      first.taps = static_cast<int>(piece_begin(n, piece + 1)) - first.first_tap;
      if (first.taps == 0) continue;
      const Place weights{Place::Of::weights, weight_half, piece};
      reads.push_back(weights);
      first.steps = steps_of(1, first.taps, 1, config_);
      list_.add(first, {reads.front(), weights}, {{Place::Of::sums, sums}});
      first.fresh = false;
    }
    if (tile.columns.count == 1) return;
    whole.inputs.first += work_.stride;
    whole.sums.first += 1;
    whole.sums.columns -= 1;
    add(whole, tile.columns.count - 1, reads, sums);
  }

  void add(Command& command, std::int64_t positions, const std::vector<Place>& reads, int sums) {
    command.steps = steps(command, positions) + lost_steps(command);
    list_.add(command, reads, {{Place::Of::sums, sums}});
  }

  // Counts the steps lost where loops start again: of the two outermost loops with more than one round, each round
  // starts the inner ones anew.
  std::int64_t lost(const std::vector<int>& loops) const {
    std::int64_t rounds = 1;
    int outermost = 2;
    for (const int count : loops)
      if (count > 1 && outermost > 0) {
        rounds *= count;
        --outermost;
      }
    return rounds * config_.array.refill;
  }
  std::int64_t lost_steps(const Command& command) const {
    if (work_.pools) return 0;
    const Tile& out = command.sums;
    std::int64_t steps =
        lost({command.input_blocks, out.columns, command.kernel, command.kernel, command.output_blocks, out.rows});
    if (command.fresh && config_.array.clear)
      steps += std::int64_t{command.output_blocks} * out.rows * out.columns +
               lost({out.columns, command.output_blocks, out.rows}) + config_.array.setup;
    return steps;
  }

  // Inputs are double-buffered only within a tile of outputs.
  bool drains() const { return config_.schedule.drain && input_tiles() > 1; }
  int weight_half(int half) const { return weight_halves(limits_, config_) == 1 ? 0 : half; }

  void store(const Outputs& tile, int sums) {
    Command store;
    store.unit = Unit::store;
    store.action = Action::store;
    const int first = tile.group * work_.outputs + tile.channels.first;
    store.sums = sums_of(tile, sums);
    store.planes = work_.out.planes_of({first, tile.channels.count}, tile.rows, tile.columns);
    store.parameters = first;
    store.channels = tile.channels.count;
    list_.add(store, {{Place::Of::sums, sums}}, {});
  }

  int next_inputs_ = 0, next_sums_ = 0;
};

}  // namespace

std::vector<Job> tile_jobs(const Work& work, const TileLimits& limits, const TileSize& tile, const Config& config) {
  return TileScheduler(work, limits, tile, config).run();
}

}  // namespace fansim::decoupled
