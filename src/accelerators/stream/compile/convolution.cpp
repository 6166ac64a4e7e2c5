// SPDX-License-Identifier: Apache-2.0
#include "accelerators/stream/compile/convolution.h"

#include <algorithm>

#include "accelerators/stream/compile/tiling.h"
#include "accelerators/stream/compile/traffic.h"
#include "base/workers.h"

namespace fansim::stream {

namespace {

// Says where a layer's weights and bias lie in DDR.
struct Parameters {
  std::uint32_t weights = 0;
  std::uint32_t bias = 0;
  std::vector<int> first_row;  // first row of a subset's weights, by the subset's first output group
  int rows = 0;
};

std::vector<int> zero_points(const std::vector<const Place*>& sources) {
  std::vector<int> points;
  for (const Place* source : sources) points.push_back(source->zero_point);
  return points;
}

// `zero_points` are those of the sources, which may no longer exist when this runs.
std::vector<std::int32_t> folded_bias(const Convolution& c, const std::vector<int>& zero_points, const Weights& weights,
                                      int channels) {
  std::vector<std::int32_t> bias(static_cast<std::size_t>(channels));
  const std::int64_t fan_in = std::int64_t{c.kernels.channels / c.kernels.groups} * c.kernels.kernel * c.kernels.kernel;
  for (int filter = 0; filter < c.kernels.filters; ++filter) {
    const auto f = static_cast<std::size_t>(filter);
    if (c.bias) bias[f] = folded((*c.bias)[f], 0, 0);
    for (std::size_t i = 0; i < zero_points.size(); ++i) {
      if (zero_points[i] == 0) continue;
      const Kernels kernels = c.kernels_of(c.kernel_sets() > 1 ? static_cast<int>(i) : 0);
      const std::int64_t all = weights ? sum(weights.from(filter * fan_in), fan_in) : kernels.constant * fan_in;
      bias[f] = folded(bias[f], zero_points[i], all);
    }
  }
  return bias;
}

Parameters place_parameters(const Convolution& c, const Tiling& tiling, const ArrayConfig& array, int row_bytes,
                            compile::Memory& memory) {
  Parameters p;
  const int group_rows = weight_rows_per_group(c, array);
  p.first_row.resize(static_cast<std::size_t>(output_groups(c, array)));
  for (const Subset& subset : tiling.subsets) {
    p.first_row[static_cast<std::size_t>(subset.first_group)] = p.rows;
    p.rows += static_cast<int>(group_rows * subset.weights());
  }
  std::vector<Kernels> sets;
  for (int set = 0; set < c.kernel_sets(); ++set) sets.push_back(c.kernels_of(set));
  p.weights = memory.reserve(std::int64_t{p.rows} * row_bytes, [=, layer = c.weights_of](std::uint8_t* to) {
    LayerWeights weights(layer);
    const Weights all = weights.all();
    for (const Subset& subset : tiling.subsets)
      for (Kernels kernels : sets) {
        kernels.values = all;
        const std::int64_t bytes = std::int64_t{group_rows} * subset.groups * row_bytes;
        base::Workers(base::cores()).each(static_cast<std::size_t>(subset.input_groups()), [&](std::size_t group) {
          pack_kernels(kernels, array, row_bytes, tiling.parallel, subset.first_input + static_cast<int>(group),
                       subset.first_group, subset.groups, to + static_cast<std::int64_t>(group) * bytes);
        });
        to += subset.input_groups() * bytes;
      }
  });
  const int channels = output_groups(c, array) * array.output_channels;
  p.bias = memory.reserve(std::int64_t{channels} * c.requantisation.record_bytes(),
                          [c, points = zero_points(c.sources), channels](std::uint8_t* to) {
                            LayerWeights own(c.weights_of);
                            const bool folds = points != std::vector<int>(points.size());
                            c.requantisation.pack(folded_bias(c, points, folds ? own.all() : Weights{}, channels), to);
                          });
  return p;
}

// Returns what all jobs of the layer have in common.
Command layer_command(const Convolution& c, const Tiling& tiling, const ArrayConfig& array) {
  const KernelBlocks blocks(array, c.kernels.kernel);
  Command command;
  command.start_conv = 1;
  command.pool = c.pool.has_value();
  command.weights_resident = tiling.home != WeightHome::fetched;
  c.requantisation.write(command);
  command.blocks = blocks.rows;
  command.x_blocks = blocks.columns;
  command.columns = command.fill_columns = c.columns_read();
  command.windows = c.columns;
  command.kernel = c.kernels.kernel;
  command.stride = c.stride;
  command.parallel = tiling.parallel;
  command.output_rows = c.rows;
  command.output_columns = c.columns_sent();
  if (c.pool) {
    command.pool_kernel = c.pool->kernel;
    command.pool_stride = c.pool->stride;
    command.pool_top = c.pool->top;
    command.pool_left = c.pool->left;
    command.pool_rows = c.pool->rows;
    command.pool_columns = c.pool->columns;
  }
  command.row_pitch = c.output->row_bytes();
  command.plane_pitch = static_cast<int>(c.output->plane_bytes());
  return command;
}

Pool pool_of(const network::Layer& layer) {
  const network::Window& window = layer.window();
  return {window.kernel, window.stride, window.padding[0], window.padding[1], layer.out.height, layer.out.width};
}

std::string cut_of(const Convolution& c, const Tiling& t, const Command& common, const Parameters& parameters,
                   bool bias_once) {
  Cut cut(common);
  cut.add({c.kernels.filters, c.pad_top, c.pad_left, c.rows, c.columns, t.parallel, t.rows, t.tiles,
           static_cast<int>(t.home), t.tiles_outermost, bias_once, parameters.weights, parameters.bias});
  for (const Subset& s : t.subsets)
    cut.add({s.first_group, s.groups, s.sources, s.first_input, s.last_input, s.kernel_sets});
  for (const Place* source : c.sources) cut.add(*source);
  return cut.add(*c.output).take();
}

// Returns everything on which the choice of a tiling and its jobs depend, except the configuration. Parameters are
// placed from `end` on.
std::string uncut(const Convolution& c, std::int64_t end) {
  Command command;
  c.requantisation.write(command);
  Cut cut(command);
  cut.add({c.kernels.filters, c.kernels.channels, c.kernels.groups, c.kernels.kernel, c.kernel_sets(), c.stride,
           c.pad_top, c.pad_left, c.rows, c.columns, c.requantisation.record_bytes(), end});
  const Pool pool = c.pool.value_or(Pool());
  cut.add({c.pool.has_value(), pool.kernel, pool.stride, pool.top, pool.left, pool.rows, pool.columns});
  for (const Place* source : c.sources) cut.add(*source);
  return cut.add(*c.output).take();
}

std::uint32_t bytes32(std::int64_t bytes) { return static_cast<std::uint32_t>(bytes); }

}  // namespace

Kernels Convolution::kernels_of(int set) const {
  Kernels own = kernels;
  if (!constants.empty()) own.constant = constants[static_cast<std::size_t>(set)];
  return own;
}

int Pool::completed(int done, int rows_before) const {
  if (done == 0 || done >= rows_before) return done == 0 ? 0 : rows;
  const int below = done + top - kernel;  // the last row of the first window
  return below < 0 ? 0 : std::min(rows, below / stride + 1);
}

Convolution convolution(const network::Layer& layer, const network::Layer* fused_pool, const Place& in,
                        const Place& out) {
  Convolution c;
  c.sources = {&in};
  c.output = &out;
  c.weights_of = &layer;
  const network::Convolution& conv = layer.conv();
  c.kernels = {{}, conv.filters, layer.in.channels, conv.groups, conv.window.kernel};
  c.bias = &conv.parameters.bias;
  c.stride = conv.window.stride;
  c.pad_top = conv.window.padding[0];
  c.pad_left = conv.window.padding[1];
  c.rows = layer.out.height;
  c.columns = layer.out.width;
  c.requantisation = stream::requantisation(layer);
  if (fused_pool) c.pool = pool_of(*fused_pool);
  return c;
}

Convolution channelwise(const network::Layer& layer, const std::vector<const Place*>& in, const Place& out) {
  const bool average = layer.type() == network::LayerType::avgpool;
  const network::Window& window = layer.window();
  Convolution c;
  c.sources = in;
  c.output = &out;
  const int channels = in.front()->channels();
  c.kernels = {{}, channels, channels, channels, average ? window.kernel : 1};
  c.requantisation = identity(layer);
  c.rows = out.height;
  c.columns = out.width;
  if (layer.weighs()) {
    c.constants = {layer.addition().weights[0], layer.addition().weights[1]};
    c.requantisation = stream::requantisation(layer);
  }
  if (average) {
    const int area = window.area();
    if (area > 1) {
      c.requantisation.scale = {(65536 + area / 2) / area};
      c.requantisation.shift = {16};
    }
    c.stride = window.stride;
    c.pad_top = window.padding[0];
    c.pad_left = window.padding[1];
  }
  if (layer.type() == network::LayerType::maxpool) {
    c.pool = pool_of(layer);
    c.rows = std::min(layer.in.height, (layer.out.height - 1) * window.stride - c.pool->top + window.kernel);
    c.columns = std::min(layer.in.width, (layer.out.width - 1) * window.stride - c.pool->left + window.kernel);
  }
  return c;
}

compile::Fit<Jobs> convolution_jobs(const Convolution& c, const Config& config, compile::Memory& memory,
                                    const CutCache& known) {
  if (known.uncut && known.uncut(uncut(c, memory.size()))) return Jobs{};
  const compile::Fit<Tiling> fit = choose_tiling(c, config);
  if (const auto* misfit = std::get_if<compile::Misfit>(&fit)) return *misfit;
  const Tiling& tiling = std::get<Tiling>(fit);
  const ArrayConfig& array = config.array;
  const Capacity capacity(config);
  const int row_bytes = capacity.weight_row_bytes;
  const Parameters parameters = place_parameters(c, tiling, array, row_bytes, memory);
  const int group_rows = weight_rows_per_group(c, array);
  const int group_bias = array.output_channels * c.requantisation.record_bytes();
  const bool bias_once = group_bias * output_groups(c, array) <= capacity.bias_bytes;
  const int group_planes = array.output_channels / array.input_channels;
  const Command common = layer_command(c, tiling, array);
  if (known.cut && known.cut(cut_of(c, tiling, common, parameters, bias_once))) return Jobs{};

  const auto weights_at = [&](int row) { return parameters.weights + bytes32(std::int64_t{row} * row_bytes); };
  const RepeatedJob begun{{common, {}, {}, {}, {}}};
  Jobs jobs;
  const Totals totals(tiling.subsets);
  // With one source, a subset has the first slice, the last slice, and one run between them.
  jobs.reserve(static_cast<std::size_t>(tiling.tiles * std::min(totals.slices, 3 * totals.subsets)));
  for_each_run(tiling, [&](int tile, const Subset& subset, int index, int times) {
    const Slice slice = subset.slice(index);
    const Place& source = *c.sources[static_cast<std::size_t>(slice.source)];
    const bool first = index == 0, last = index + times == subset.slices();
    const int row = tile * tiling.tile_rows();
    const int rows = std::min(tiling.tile_rows(), c.rows - row);
    const int sent = c.rows_sent(row);

    RepeatedJob& repeated = jobs.emplace_back(begun);
    Job& job = repeated.first;
    Command& command = job.command;
    repeated.times = times;
    repeated.input_step = bytes32(source.plane_bytes());
    command.add_bias = first;
    command.accumulate = !first;
    command.last_round = last;
    command.input_unsigned = source.is_unsigned;
    command.rows = base::ceil_div(rows, tiling.parallel);
    command.groups = subset.groups;
    command.fill_line_step = source.row_words();
    command.fill_block_step = array.rows * source.row_words();
    command.fill_base = source.border.left - c.pad_left;
    command.output_row = row;
    command.tile_rows = c.rows_sent(row + rows) - sent;
    command.send_output = last && command.tile_rows > 0;
    command.output_base = c.output->inside(subset.first_group * group_planes, sent);

    job.input = {source.row_address(slice.input_group, row * c.stride - c.pad_top),
                 bytes32(std::int64_t{c.rows_read(rows)} * source.row_bytes())};
    const int subset_row = parameters.first_row[static_cast<std::size_t>(subset.first_group)];
    const int job_rows = group_rows * subset.groups;
    const int set = subset.kernel_sets > 1 ? slice.source : 0;
    const int row_in_subset = (set * subset.input_groups() + slice.input_group - subset.first_input) * job_rows;
    if (tiling.home == WeightHome::fetched) {
      job.weights = {weights_at(subset_row + row_in_subset), bytes32(std::int64_t{job_rows} * row_bytes)};
      repeated.weights_step = job.weights.bytes;
    } else if (tiling.home == WeightHome::layer_resident) {
      job.resident = {parameters.weights, bytes32(std::int64_t{parameters.rows} * row_bytes)};
      command.weight_base = subset_row + row_in_subset;
    } else {
      job.resident = {weights_at(subset_row), bytes32(group_rows * subset.weights() * row_bytes)};
      command.weight_base = row_in_subset;
    }
    if (tiling.home != WeightHome::fetched) repeated.weight_base_step = job_rows;
    if (bias_once) {
      job.bias = {parameters.bias, bytes32(group_bias * output_groups(c, array))};
      command.bias_base = subset.first_group;
    } else {
      job.bias = {parameters.bias + bytes32(subset.first_group * group_bias), bytes32(group_bias * subset.groups)};
    }
  });
  return jobs;
}

}  // namespace fansim::stream
