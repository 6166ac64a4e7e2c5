// SPDX-License-Identifier: Apache-2.0
#include "accelerators/stream/compile/matrix.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "accelerators/stream/compile/requantisation.h"
#include "accelerators/stream/compile/weights.h"
#include "base/units.h"
#include "compile/text.h"

namespace fansim::stream {

namespace {

// Describes how a matrix is cut into jobs: `groups` output groups by `blocks` column blocks. `chunk` column blocks of
// the vector are in the input half at a time.
struct MatrixTiling {
  int groups = 0, blocks = 0, chunk = 0;
};

struct MatrixSize {
  int words, blocks, groups;
};

template <class Visit>
void for_each_job(const MatrixTiling& tiling, const MatrixSize& size, Visit&& visit) {
  for (int group = 0; group < size.groups; group += tiling.groups)
    for (int chunk = 0; chunk < size.blocks; chunk += tiling.chunk) {
      const int chunk_end = std::min(size.blocks, chunk + tiling.chunk);
      for (int block = chunk; block < chunk_end; block += tiling.blocks)
        visit(group, chunk, block, std::min(tiling.blocks, chunk_end - block));
    }
}

// Weights are transferred once in any tiling, so the traffic is least if the vector is loaded least often.
compile::Fit<MatrixTiling> choose(const MatrixSize& size, int record_bytes, const Config& config,
                                  const Capacity& capacity) {
  const ArrayConfig& array = config.array;
  const int most_chunk =
      std::min(capacity.input_bytes / capacity.word_bytes, capacity.input_words) / capacity.column_words;
  if (most_chunk == 0)
    return compile::Misfit{fmt::format(
        "{}: a column block of {} words needs {} B of {}", Limits(config).input, capacity.column_words,
        compile::grouped(capacity.column_words * capacity.word_bytes), compile::grouped(capacity.input_bytes))};
  const int sets = capacity.weight_rows / array.cols;
  if (sets == 0)
    return compile::Misfit{fmt::format("{}: a weight set needs {} B of {}", Limits(config).weight,
                                       compile::grouped(array.cols * capacity.weight_row_bytes),
                                       compile::grouped(capacity.weight_rows * capacity.weight_row_bytes))};
  const int by_bias = capacity.bias_bytes / (record_bytes * array.output_channels);
  const int by_output = capacity.output_bytes / array.pixel_bytes();
  const int most_groups = std::min({size.groups, sets, by_bias, by_output, capacity.accumulators});
  if (most_groups == 0)
    return compile::Misfit{fmt::format("{} and {}: {} channels need {} of {} B and {} of {} B", Limits(config).bias,
                                       Limits(config).output, array.output_channels,
                                       record_bytes * array.output_channels, compile::grouped(capacity.bias_bytes),
                                       array.pixel_bytes(), compile::grouped(capacity.output_bytes))};
  std::optional<MatrixTiling> best;
  std::int64_t least_loads = 0, least_jobs = 0;
  for (int pieces = base::ceil_div(size.groups, most_groups); pieces <= size.groups; ++pieces) {
    MatrixTiling t;
    t.groups = base::ceil_div(size.groups, pieces);
    const int blocks = std::min(sets / t.groups, size.blocks);
    if (size.blocks <= most_chunk) {
      t.blocks = blocks;
      t.chunk = size.blocks;
    } else {
      t.blocks = std::min(blocks, most_chunk);
      t.chunk = most_chunk / t.blocks * t.blocks;
    }
    const std::int64_t loads = t.chunk == size.blocks ? 1 : pieces;
    std::int64_t jobs = 0;
    for (int chunk = 0; chunk < size.blocks; chunk += t.chunk)
      jobs += pieces * base::ceil_div(std::min(t.chunk, size.blocks - chunk), t.blocks);
    if (best && (loads > least_loads || (loads == least_loads && jobs >= least_jobs))) continue;
    best = t;
    least_loads = loads;
    least_jobs = jobs;
  }
  return *best;
}

// Returns how many groups are drawn together; few enough that their rows stay in the cache while they are packed.
int groups_at_once(std::int64_t group_bytes) {
  constexpr std::int64_t kNear = std::int64_t{1} << 18;
  return static_cast<int>(std::max<std::int64_t>(1, kNear / group_bytes));
}

}  // namespace

void set_matrix(Command& command, const ArrayConfig& array, int pieces, int piece_step) {
  command.matrix = 1;
  command.stride = array.cols;
  command.columns = array.cols * pieces;
  command.windows = pieces;
  command.fill_columns = array.cols;
  command.fill_pieces = pieces;
  command.fill_piece_step = piece_step;
  command.fill_line_step = array.cols;
  command.fill_block_step = array.taps();
}

compile::Fit<Jobs> fully_connected_jobs(const network::Layer& layer, const Place& in, const Place& out,
                                        const Config& config, compile::Memory& memory, const CutCache& known) {
  const ArrayConfig& array = config.array;
  const Capacity capacity(config);
  const Requantisation q = requantisation(layer);
  const int record = q.record_bytes() * array.output_channels;
  MatrixSize size;
  size.words = static_cast<int>(in.used_words());
  size.blocks = base::ceil_div(size.words, capacity.column_words);
  size.groups = base::ceil_div(layer.outputs(), array.output_channels);
  const compile::Fit<MatrixTiling> fit = choose(size, q.record_bytes(), config, capacity);
  if (const auto* misfit = std::get_if<compile::Misfit>(&fit)) return *misfit;
  const MatrixTiling tiling = std::get<MatrixTiling>(fit);

  const std::int64_t inputs = layer.in.elements();
  const std::int64_t set_bytes = std::int64_t{array.cols} * capacity.weight_row_bytes;
  const std::uint32_t weights = memory.reserve(size.groups * size.blocks * set_bytes, [=, &layer](std::uint8_t* to) {
    const int channels = array.output_channels;
    const auto rows_of = [&](LayerWeights& own, int first, int count) -> MatrixRow {
      const int unit = first * channels, units = std::min(count * channels, layer.outputs() - unit);
      return [=, rows = own.some(unit * inputs, units * inputs)](int group, int channel) {
        const int row = (group - first) * channels + channel;
        return row < units ? rows.from(row * inputs) : Weights{};
      };
    };
    pack_matrix(layer, rows_of, groups_at_once(channels * inputs), {in.elements(), size.groups, tiling.groups}, array,
                capacity.weight_row_bytes, to);
  });
  const int zero_point = in.zero_point;
  const std::uint32_t bias = memory.reserve(std::int64_t{size.groups} * record, [=, &layer](std::uint8_t* to) {
    std::vector<std::int32_t> values(static_cast<std::size_t>(size.groups * array.output_channels));
    LayerWeights own(&layer);
    const std::vector<std::int64_t>& biases = layer.parameters().bias;
    for (std::size_t unit = 0; unit < biases.size(); ++unit) {
      const Weights row = zero_point == 0 ? Weights{} : own.some(static_cast<std::int64_t>(unit) * inputs, inputs);
      values[unit] = folded(biases[unit], zero_point, zero_point == 0 ? 0 : sum(row, inputs));
    }
    q.pack(values, to);
  });
  const bool bias_once = record * size.groups <= capacity.bias_bytes;
  const auto bytes32 = [](std::int64_t bytes) { return static_cast<std::uint32_t>(bytes); };

  Command common;
  set_matrix(common, array, 1, 0);
  common.start_conv = 1;
  common.input_unsigned = in.is_unsigned;
  common.row_pitch = out.row_bytes();
  common.plane_pitch = static_cast<int>(out.plane_bytes());
  q.write(common);
  Cut cut(common);
  cut.add({size.words, size.blocks, size.groups, tiling.groups, tiling.blocks, tiling.chunk, bias_once, weights, bias});
  if (known.cut && known.cut(cut.add(in).add(out).take())) return Jobs{};
  Jobs jobs;
  for_each_job(tiling, size, [&](int group, int chunk, int block, int blocks) {
    const int groups = std::min(tiling.groups, size.groups - group);
    Job job;
    Command& command = job.command = common;
    command.add_bias = block == 0;
    command.accumulate = !command.add_bias;
    command.last_round = command.send_output = block + blocks == size.blocks;
    command.blocks = blocks;
    command.groups = groups;
    command.fill_base = (block - chunk) * capacity.column_words;
    command.output_base = out.inside(group * array.output_channels / array.input_channels, 0);
    const int first_word = chunk * capacity.column_words;
    const int last_word = std::min(size.words, (chunk + tiling.chunk) * capacity.column_words);
    job.input = {in.address + bytes32(first_word * capacity.word_bytes),
                 bytes32((last_word - first_word) * capacity.word_bytes)};
    const std::int64_t first_set = std::int64_t{group} * size.blocks + std::int64_t{block} * groups;
    job.weights = {weights + bytes32(first_set * set_bytes), bytes32(std::int64_t{blocks} * groups * set_bytes)};
    if (bias_once) {
      job.bias = {bias, bytes32(record * size.groups)};
      command.bias_base = group;
    } else {
      job.bias = {bias + bytes32(group * record), bytes32(groups * record)};
    }
    jobs.push_back({job});
  });
  return jobs;
}

}  // namespace fansim::stream
