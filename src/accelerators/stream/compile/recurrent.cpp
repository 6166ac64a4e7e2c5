// SPDX-License-Identifier: Apache-2.0
#include "accelerators/stream/compile/recurrent.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "accelerators/stream/compile/capacity.h"
#include "accelerators/stream/compile/matrix.h"
#include "accelerators/stream/compile/requantisation.h"
#include "accelerators/stream/compile/weights.h"
#include "base/units.h"
#include "compile/text.h"

namespace fansim::stream {

namespace {

constexpr int kGates = 4;  // i, f, g, o of an LSTM; r, z and both halves of n of a GRU

// Orders the rows of the layer's weight matrix as the hardware's groups: units in blocks, with four gates per block.
class GateRows {
 public:
  GateRows(const network::Layer& layer, int channels)
      : layer_(layer), own_(&layer), weights_(own_.all()), channels_(channels), recurrent_(layer.recurrent()) {}

  // Return the weights of x, or of h; empty where the hardware's row has none.
  Weights of_x(int group, int channel) const { return row(group, channel, recurrent_.gru ? 3 : -1, 0); }
  Weights of_h(int group, int channel) const {
    return row(group, channel, recurrent_.gru ? 2 : -1, layer_.in.features);
  }

  std::int32_t bias(int group, int channel, int zero_point) const {
    const int u = unit(group, channel), gate = group % kGates;
    if (u >= recurrent_.hidden) return 0;
    const auto at = [&](int row_of) {
      return recurrent_.parameters.bias[static_cast<std::size_t>(row_of * recurrent_.hidden + u)];
    };
    const std::int64_t value = !recurrent_.gru ? at(gate)
                               : gate < 2      ? at(gate) + at(3 + gate)
                               : gate == 2     ? at(2)
                                               : at(5);
    const Weights x = of_x(group, channel);
    return folded(value, zero_point, x ? sum(x, layer_.in.features) : 0);
  }

 private:
  int unit(int group, int channel) const { return group / kGates * channels_ + channel; }
  Weights row(int group, int channel, int without, int offset) const {
    const int u = unit(group, channel), gate = group % kGates;
    if (u >= recurrent_.hidden || gate == without) return {};
    const std::int64_t index = std::int64_t{std::min(gate, recurrent_.gru ? 2 : 3)} * recurrent_.hidden + u;
    return weights_.from(index * (layer_.in.features + recurrent_.hidden) + offset);
  }

  const network::Layer& layer_;
  LayerWeights own_;
  const Weights weights_;
  int channels_;
  const network::Recurrent& recurrent_;
};

// Returns the columns of a vector of `features` features in words; padding meets no weight.
std::vector<std::int32_t> vector_columns(int features, int words, int word_bytes) {
  std::vector<std::int32_t> columns(static_cast<std::size_t>(words * word_bytes), -1);
  for (int f = 0; f < features; ++f) columns[static_cast<std::size_t>(f)] = f;
  return columns;
}

struct Sizes {
  int x_words, h_words;
  int x_blocks, h_blocks;
  int groups;
  int records;  // bytes of the bias records
  int block_steps;
  int tile_blocks;  // column blocks of W_x in one job
};

// The steps of a block that one of the machine's stores holds.
struct StepLimit {
  int steps;
  std::string key;
};

// Who asks for more steps than the machine holds is told; a file may, because it serves many layers.
compile::Fit<Sizes> with_block_steps(Sizes s, int steps, const std::vector<StepLimit>& limits,
                                     const ScheduleConfig& schedule) {
  const StepLimit& least = *std::min_element(limits.begin(), limits.end(),
                                             [](const StepLimit& a, const StepLimit& b) { return a.steps < b.steps; });
  const int wanted = schedule.lstm_block_steps;
  if (schedule.block_steps_by_hand && std::min(wanted, steps) > least.steps)
    return compile::Misfit{
        fmt::format("schedule.lstm_block_steps {}: {} holds {} of this layer's steps; allowed: 1..{}", wanted,
                    least.key, least.steps, least.steps)};
  s.block_steps = std::min({wanted, steps, least.steps});
  return s;
}

compile::Fit<Sizes> choose(const network::Layer& layer, const Place& in, const Place& out, const Config& config,
                           const Capacity& capacity, int record_bytes) {
  if (!config.array.hidden_requantise && (layer.recurrent().hidden_scale != 1 || layer.recurrent().hidden_shift != 0))
    return compile::Misfit{"array.hidden_requantise false: the cell has no multiplier for the hidden state's scale"};
  Sizes s;
  s.x_words = in.row_words();
  s.h_words = out.row_words();
  s.x_blocks = base::ceil_div(s.x_words, capacity.column_words);
  s.h_blocks = base::ceil_div(s.h_words, capacity.column_words);
  s.groups = kGates * base::ceil_div(layer.recurrent().hidden, config.array.output_channels);
  const int channels = s.groups * config.array.output_channels;
  s.records = channels * record_bytes;
  s.tile_blocks = std::min(s.x_blocks, capacity.weight_rows / (s.groups * config.array.cols));

  const std::int64_t set_bytes = std::int64_t{config.array.cols} * capacity.weight_row_bytes;
  const std::int64_t resident = std::int64_t{s.h_blocks} * s.groups * set_bytes;
  if (std::int64_t{s.h_blocks} * s.groups * config.array.cols > capacity.resident_rows)
    return compile::Misfit{fmt::format("{}: recurrent weights of {} units need {} B of {}", Limits(config).resident,
                                       layer.recurrent().hidden, compile::grouped(resident),
                                       compile::grouped(capacity.resident_bytes))};
  if (s.tile_blocks == 0)
    return compile::Misfit{
        fmt::format("{}: a column block of {} rows needs {} B of {}", Limits(config).weight, channels,
                    compile::grouped(s.groups * set_bytes),
                    compile::grouped(std::int64_t{capacity.weight_rows} * capacity.weight_row_bytes))};
  if (s.records > capacity.bias_bytes)
    return compile::Misfit{fmt::format("{}: {} records need {} B of {}", Limits(config).bias, channels,
                                       compile::grouped(s.records), compile::grouped(capacity.bias_bytes))};

  // The last vector of a block is read up to a whole number of column blocks.
  const int tail_words = s.x_blocks * capacity.column_words - s.x_words;
  const int by_words = (capacity.input_words - tail_words) / s.x_words;
  const int by_transfer = capacity.input_bytes / in.row_bytes();
  if (by_words < 1)
    return compile::Misfit{fmt::format("{}: a time step of {} words needs {} B of {}", Limits(config).input,
                                       s.x_words + tail_words,
                                       compile::grouped((s.x_words + tail_words) * capacity.word_bytes),
                                       compile::grouped(capacity.input_words * capacity.word_bytes))};
  if (by_transfer < 1)
    return compile::Misfit{fmt::format("{}: a time step needs {} B of {}", Limits(config).input,
                                       compile::grouped(in.row_bytes()), compile::grouped(capacity.input_bytes))};
  const int by_sums = capacity.accumulators / s.groups;
  if (by_sums < 1)
    return compile::Misfit{fmt::format("{}: {} groups of outputs need an entry each", Limits(config).sum, s.groups)};
  const int by_line = capacity.line_columns / config.array.cols;
  if (by_line < 1)
    return compile::Misfit{fmt::format("{}: {} columns are read", Limits(config).line, config.array.cols)};
  const int by_output = capacity.output_bytes / out.row_bytes();
  if (by_output < 1)
    return compile::Misfit{fmt::format("{}: a time step needs {} B of {}", Limits(config).output,
                                       compile::grouped(out.row_bytes()), compile::grouped(capacity.output_bytes))};
  const Limits limits(config);
  const std::vector<StepLimit> all{{by_words, limits.input},
                                   {by_transfer, limits.input},
                                   {by_sums, limits.sum},
                                   {by_line, limits.line},
                                   {by_output, limits.output}};
  return with_block_steps(s, layer.recurrent().steps, all, config.schedule);
}

}  // namespace

compile::Fit<Jobs> recurrent_jobs(const network::Layer& layer, const Place& in, const Place& out, const Config& config,
                                  compile::Memory& memory) {
  const ArrayConfig& array = config.array;
  const Capacity capacity(config);
  Requantisation q = requantisation(layer);
  q.scale.resize(1);
  q.shift.resize(1);
  const compile::Fit<Sizes> fit = choose(layer, in, out, config, capacity, q.record_bytes());
  if (const auto* misfit = std::get_if<compile::Misfit>(&fit)) return *misfit;
  const Sizes s = std::get<Sizes>(fit);

  const std::int64_t set_bytes = std::int64_t{array.cols} * capacity.weight_row_bytes;
  const std::int64_t x_bytes = std::int64_t{s.x_blocks} * s.groups * set_bytes;
  const std::int64_t h_bytes = std::int64_t{s.h_blocks} * s.groups * set_bytes;
  // The rows of the gates are scattered over the weights.
  const auto pack = [=, &layer](Weights (GateRows::*row)(int, int) const, int features, int words, std::uint8_t* to) {
    const GateRows rows(layer, array.output_channels);
    const auto rows_of = [&](LayerWeights&, int, int) -> MatrixRow {
      return [&](int group, int channel) { return (rows.*row)(group, channel); };
    };
    pack_matrix(layer, rows_of, 1, {vector_columns(features, words, capacity.word_bytes), s.groups, s.groups}, array,
                capacity.weight_row_bytes, to);
  };
  const std::uint32_t w_x = memory.reserve(
      x_bytes, [=, &layer](std::uint8_t* to) { pack(&GateRows::of_x, layer.in.features, s.x_words, to); });
  const std::uint32_t w_h = memory.reserve(
      h_bytes, [=, &layer](std::uint8_t* to) { pack(&GateRows::of_h, layer.recurrent().hidden, s.h_words, to); });
  const int zero_point = in.zero_point;
  const std::uint32_t bias = memory.reserve(s.records, [=, &layer](std::uint8_t* to) {
    const GateRows rows(layer, array.output_channels);
    std::vector<std::int32_t> values;
    for (int group = 0; group < s.groups; ++group)
      for (int o = 0; o < array.output_channels; ++o) values.push_back(rows.bias(group, o, zero_point));
    q.pack(values, to);
  });
  const auto bytes32 = [](std::int64_t bytes) { return static_cast<std::uint32_t>(bytes); };

  const network::Recurrent& recurrent = layer.recurrent();
  Command common;
  common.gru = recurrent.gru;
  common.row_pitch = out.row_bytes();
  common.plane_pitch = array.input_channels;
  common.groups = s.groups;
  q.write(common);
  Jobs jobs;
  for (int step = 0; step < recurrent.steps; step += s.block_steps) {
    const int steps = std::min(s.block_steps, recurrent.steps - step);
    for (int block = 0; block < s.x_blocks; block += s.tile_blocks) {
      Job job;
      job.command = common;
      set_matrix(job.command, array, steps, s.x_words);
      job.command.start_conv = 1;
      job.command.add_bias = block == 0;
      job.command.accumulate = block != 0;
      job.command.input_unsigned = in.is_unsigned;
      job.command.blocks = std::min(s.tile_blocks, s.x_blocks - block);
      job.command.windows = steps;
      job.command.fill_base = block * capacity.column_words;
      job.command.tile_rows = job.command.steps = steps;
      job.command.output_base = out.row_address(0, step);
      job.input = {in.row_address(0, step), bytes32(std::int64_t{steps} * in.row_bytes())};
      job.bias = {bias, bytes32(s.records)};
      job.weights = {w_x + bytes32(block * s.groups * set_bytes), bytes32(job.command.blocks * s.groups * set_bytes)};
      jobs.push_back({job});
    }
    Job job;
    job.command = common;
    set_matrix(job.command, array, 1, 0);
    job.command.start_recurrent = 1;
    job.command.hidden_input = job.command.weights_resident = 1;
    job.command.recurrent_output = job.command.last_round = job.command.send_output = 1;
    job.command.add_bias = step == 0;
    job.command.accumulate = step != 0;
    job.command.hidden_scale = recurrent.hidden_scale - 1;
    job.command.hidden_shift = recurrent.hidden_shift;
    job.command.blocks = s.h_blocks;
    job.command.windows = steps;
    job.command.tile_rows = job.command.steps = steps;
    job.command.output_base = out.row_address(0, step);
    job.resident = {w_h, bytes32(h_bytes)};
    jobs.push_back({job});
  }
  jobs.front().first.resident = jobs.back().first.resident;
  return jobs;
}

}  // namespace fansim::stream
