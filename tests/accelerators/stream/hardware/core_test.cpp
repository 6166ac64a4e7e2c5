// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "accelerators/stream/hardware/accumulator.h"
#include "accelerators/stream/hardware/adder_tree.h"
#include "accelerators/stream/hardware/core_outputs.h"
#include "accelerators/stream/hardware/line_buffer.h"
#include "accelerators/stream/hardware/mac_array.h"
#include "accelerators/stream/hardware/output_store.h"
#include "accelerators/stream/hardware/pooling.h"
#include "accelerators/stream/hardware/quantiser.h"
#include "accelerators/stream/hardware/recurrent_cell.h"
#include "accelerators/stream/hardware/sequencer.h"
#include "accelerators/stream/hardware/sliding_window.h"
#include "accelerators/stream/hardware/weight_reader.h"
#include "arith/requantise.h"
#include "support/blocks.h"

// From the sequencer to the output store, on hand-made commands: whatever the compiler makes of it, the core computes
// convolutions and matrix-vector products.
namespace fansim::core_test {

using namespace stream;

namespace {

constexpr std::uint64_t kSeed = 60;

std::size_t at(int i) { return static_cast<std::size_t>(i); }

struct Core final : sc_core::sc_module {
  Core(const sc_core::sc_module_name& instance, const stream::ArrayConfig& config, const arith::QuantiserFormat& format)
      : sc_module(instance),
        cell("cell", config),
        sequencer("sequencer", config, input, weights, bias, output, cell),
        lines("lines", config, input, cell),
        window("window", config),
        reader("reader", config, contract::AxiConfig{}, weights),
        array("array", config),
        tree("tree", config),
        accumulator("accumulator", config, bias),
        quantiser("quantiser", config, format, bias),
        pooling("pooling", {}, config.output_channels),
        store("store", config, output) {
    source.out(command);
    sequencer.command(command);
    sequencer.lines(line);
    lines.command(line);
    sequencer.passes(pass);
    window.pass(pass);
    sequencer.weights(weight);
    reader.command(weight);
    lines.columns(column);
    window.columns(column);
    reader.columns(weight_column);
    array.weights(weight_column);
    window.windows(windows);
    array.windows(windows);
    array.products(products);
    tree.products(products);
    tree.sums(sums);
    accumulator.sums(sums);
    accumulator.done(done);
    sequencer.done(done);
    accumulator.totals(totals);
    quantiser.totals(totals);
    quantiser.pixels(pixels);
    pooling.in(pixels);
    quantiser.gates(gates);
    cell.gates(gates);
    pooling.out(pooled);
    store.map(pooled);
    cell.out(hidden);
    store.hidden(hidden);
    store.tiles(tiles);
    sink.in(tiles);
  }
  test::Memory input, weights{1 << 18}, bias, output;
  sim::Stream<stream::Command> command{"command"};
  sim::Stream<stream::LineCommand> line{"line"};
  sim::Stream<stream::Pass> pass{"pass"};
  sim::Stream<stream::WeightCommand> weight{"weight"};
  sim::Stream<stream::Column> column{"column"};
  sim::Stream<stream::WeightColumn> weight_column{"weight_column"};
  sim::Stream<stream::Window> windows{"windows"};
  sim::Stream<stream::Terms> products{"products"};
  sim::Stream<stream::Sums> sums{"sums"};
  sim::Stream<stream::JobDone> done{"done"};
  sim::Stream<stream::Totals> totals{"totals"};
  sim::Stream<stream::Pixel> pixels{"pixels"}, pooled{"pooled"}, hidden{"hidden"};
  sim::Stream<stream::Gate> gates{"gates"};
  sim::Stream<stream::Tile> tiles{"tiles"};
  stream::RecurrentCell cell;
  stream::Sequencer sequencer;
  stream::LineBuffer lines;
  stream::SlidingWindow window;
  stream::WeightReader reader;
  stream::MacArray array;
  stream::AdderTree tree;
  stream::Accumulator accumulator;
  stream::Quantiser quantiser;
  stream::Pooling pooling;
  stream::OutputStore store;
  test::Source<stream::Command> source{"source"};
  test::Sink<stream::Tile> sink{"sink"};
};

// Holds one layer: tensors, the jobs that compute it, and the expected output.
struct Layer {
  Layer(const stream::ArrayConfig& array, base::Random& random) : config(array) {
    matrix = random.chance(25);
    kernel = random.uniform(1, 11);
    stride = random.uniform(1, 3);
    rows = random.uniform(1, 5);
    columns = random.uniform(1, 6);
    input_groups = random.uniform(1, 2);
    output_groups = random.uniform(1, 3);
    is_unsigned = random.uniform(0, 1);
    relu = random.uniform(0, 1);
    zero_point = random.uniform(0, 30);
    scale = random.uniform(1, 200);
    parallel = random.uniform(1, config.windows_in_parallel(kernel, stride));
    height = (rows - 1) * stride + kernel;
    width = (columns - 1) * stride + kernel;
    // A matrix-vector product is a convolution of one window over a vector of words.
    if (matrix) {
      rows = columns = parallel = input_groups = 1;
      words = random.uniform(1, 40);
    }
    const int inputs = matrix ? words * config.input_channels : input_groups * height * width * config.input_channels;
    const int taps = matrix ? words : input_groups * kernel * kernel;
    const int outputs = output_groups * config.output_channels;
    // The shift reduces a sum of random products, about sqrt(n) x 74 x 74 (or x 148), to a few tens.
    shift = base::ceil_log2(static_cast<std::int64_t>(std::sqrt(taps * config.input_channels) * 200 * scale));
    for (int i = 0; i < inputs; ++i) x.push_back(static_cast<std::uint8_t>(random.uniform(0, 255)));
    for (int i = 0; i < outputs * taps * config.input_channels; ++i)
      w.push_back(static_cast<std::int8_t>(random.uniform(-128, 127)));
    for (int i = 0; i < outputs; ++i) bias.push_back(random.uniform(-20000, 20000));
  }

  int input(int i) const { return is_unsigned || x[at(i)] < 128 ? x[at(i)] : x[at(i)] - 256; }

  // Returns the weight of output channel o for tap t (a position of the kernel, or a word) and channel i of its group.
  std::int8_t& weight(int o, int t, int i) {
    const int taps = matrix ? words : input_groups * kernel * kernel;
    return w[at((o * taps + t) * config.input_channels + i)];
  }

  int expected(int o, int y, int c) {
    std::int64_t sum = bias[at(o)];
    if (matrix) {
      for (int t = 0; t < words; ++t)
        for (int i = 0; i < config.input_channels; ++i) sum += input(t * config.input_channels + i) * weight(o, t, i);
    } else {
      for (int g = 0; g < input_groups; ++g)
        for (int kr = 0; kr < kernel; ++kr)
          for (int kc = 0; kc < kernel; ++kc)
            for (int i = 0; i < config.input_channels; ++i) {
              const int pixel = (g * height + y * stride + kr) * width + c * stride + kc;
              sum += input(pixel * config.input_channels + i) * weight(o, (g * kernel + kr) * kernel + kc, i);
            }
    }
    int value = arith::requantise(sum, {scale, shift, zero_point, false}, {});
    ++outputs_seen;
    unsaturated += value > -128 && value < 127;
    return relu ? std::max(value, zero_point) : value;
  }

  // One job per group of input channels, its map at `word` of the half, its sets from row `row` of the weight buffer.
  std::vector<stream::Command> jobs(Core& core, int select, int& word, int& row, int& record) {
    std::vector<stream::Command> all;
    const int bias_group = (record + config.output_channels - 1) / config.output_channels;
    record = bias_group * config.output_channels;
    for (int g = 0; g < input_groups; ++g) {
      stream::Command job;
      job.start_conv = 1;
      job.input_select = job.weight_select = job.bias_select = job.output_select = select;
      job.add_bias = g == 0;
      job.accumulate = g > 0;
      job.last_round = job.send_output = g + 1 == input_groups;
      job.input_unsigned = is_unsigned;
      job.relu = relu;
      job.zero_point = zero_point;
      job.scale = scale;
      job.shift = shift;
      job.groups = output_groups;
      job.windows = columns;
      job.output_columns = columns;
      job.tile_rows = rows;
      job.fill_base = word;
      job.weight_base = row;
      job.bias_base = bias_group;
      if (matrix) {
        job.matrix = 1;
        job.stride = config.cols;
        job.blocks = (words + config.rows * config.cols - 1) / (config.rows * config.cols);
        job.columns = job.fill_columns = job.fill_line_step = config.cols;
        job.fill_block_step = config.rows * config.cols;
      } else {
        job.kernel = kernel;
        job.stride = stride;
        job.parallel = parallel;
        job.blocks = (kernel + config.rows - 1) / config.rows;
        job.x_blocks = (kernel + config.cols - 1) / config.cols;
        job.rows = (rows + parallel - 1) / parallel;
        job.columns = job.fill_columns = job.fill_line_step = width;
        job.fill_block_step = config.rows * width;
      }
      const auto from = x.begin() + g * height * width * config.input_channels * !matrix;
      const int bytes = (matrix ? words : height * width) * config.input_channels;
      std::copy(from, from + bytes, core.input.bytes[at(select)].begin() + word * config.input_channels);
      word += bytes / config.input_channels;
      place_weights(job, g, core.weights.bytes[at(select)], row);
      all.push_back(job);
    }
    for (int b : bias) std::memcpy(&core.bias.bytes[at(select)][at(4 * record++)], &b, 4);
    return all;
  }

  // Sets in the order block, kernel-column block, group; a buffer row is a tap column [output][tap row][input].
  void place_weights(const stream::Command& job, int g, std::vector<std::uint8_t>& buffer, int& row) {
    const int ci = config.input_channels, co = config.output_channels;
    const int pitch = (config.rows * ci * co + 15) / 16 * 16;
    for (int block = 0; block < job.blocks; ++block)
      for (int xb = 0; xb < job.x_blocks; ++xb)
        for (int group = 0; group < output_groups; ++group)
          for (int c = 0; c < config.cols; ++c, ++row)
            for (int o = 0; o < co; ++o)
              for (int m = 0; m < config.rows; ++m)
                for (int i = 0; i < ci; ++i) {
                  const int tap = tap_at(block, xb, m, c, g);
                  buffer[at(row * pitch + (o * config.rows + m) * ci + i)] =
                      tap < 0 ? std::uint8_t{0} : static_cast<std::uint8_t>(weight(group * co + o, tap, i));
                }
  }

  // Returns the tap that array position (m, c) holds, or -1.
  int tap_at(int block, int xb, int m, int c, int g) const {
    if (matrix) {
      const int t = (block * config.rows + m) * config.cols + c;
      return t < words ? t : -1;
    }
    const int kh = std::min(config.rows, kernel - block * config.rows);
    const int kw = std::min(config.cols, kernel - xb * config.cols);
    const int column = c - (config.cols - kw);
    const int line = parallel > 1 ? (m < parallel * kernel ? m % kernel : -1) : m - (config.rows - kh);
    if (column < 0 || line < 0) return -1;
    return (g * kernel + block * config.rows + line) * kernel + xb * config.cols + column;
  }

  void require(const std::vector<std::uint8_t>& half) {
    const int ci = config.input_channels, channels = output_groups * config.output_channels;
    for (int y = 0; y < rows; ++y)
      for (int o = 0; o < channels; ++o)
        for (int c = 0; c < columns; ++c) {
          const int word = (y * (channels / ci) + o / ci) * columns + c;
          REQUIRE(int{static_cast<std::int8_t>(half[at(word * ci + o % ci)])} == expected(o, y, c));
        }
  }

  stream::ArrayConfig config;
  bool matrix;
  int kernel, stride, rows, columns, input_groups, output_groups, parallel;
  int height, width, words = 0;
  int is_unsigned, relu, zero_point, scale, shift;
  std::vector<std::uint8_t> x;
  std::vector<std::int8_t> w;
  std::vector<int> bias;
  int outputs_seen = 0, unsaturated = 0;
};

}  // namespace

TEST_CASE("the core computes convolutions of any kernel and stride and rows in parallel and matrix-vector products") {
  INFO("seed " << kSeed);
  base::Random random(kSeed);
  test::Bench bench;
  struct Run {
    std::unique_ptr<Core> core;
    std::vector<Layer> layers;  // one per half
    std::size_t jobs = 0;
  };
  std::vector<Run> runs;
  for (const stream::ArrayConfig& config :
       {test::array_of(3, 3, 8, 8), test::array_of(5, 5, 4, 8), test::array_of(2, 2, 8, 8), test::array_of(1, 1, 8, 16),
        test::array_of(6, 6, 8, 8), test::array_of(12, 3, 2, 4), test::array_of(1, 1, 1, 2)})
    for (int n = 0; n < 10; ++n) {
      runs.emplace_back();
      Run& run = runs.back();
      run.core = std::make_unique<Core>(fmt::format("core{}", runs.size()).c_str(), config, arith::QuantiserFormat{});
      for (int select = 0; select < 2; ++select) {
        run.layers.emplace_back(config, random);
        int word = random.uniform(0, 20), row = random.uniform(0, 9), record = random.uniform(0, 9);
        for (const stream::Command& job : run.layers.back().jobs(*run.core, select, word, row, record)) {
          run.core->source.add(job);
          ++run.jobs;
        }
      }
    }
  REQUIRE(bench.run_until([&] {
    return std::all_of(runs.begin(), runs.end(), [](const Run& run) { return run.core->sink.count() == 2; });
  }));
  int outputs = 0, unsaturated = 0;
  for (Run& run : runs) {
    REQUIRE(run.core->sequencer.jobs_done() == static_cast<std::int64_t>(run.jobs));
    for (int select = 0; select < 2; ++select) {
      Layer& layer = run.layers[at(select)];
      INFO(layer.config.rows << "x" << layer.config.cols << (layer.matrix ? " matrix" : "") << " kernel "
                             << layer.kernel << " stride " << layer.stride << " parallel " << layer.parallel);
      layer.require(run.core->output.bytes[at(select)]);
      outputs += layer.outputs_seen;
      unsaturated += layer.unsaturated;
    }
  }
  CHECK(unsaturated > outputs * 8 / 10);  // a check on saturated data proves little
}

TEST_CASE("the led blinks once in 2^27 edges") {
  CHECK_FALSE(CoreOutputs::led(0));
  CHECK_FALSE(CoreOutputs::led((1 << 26) - 1));
  CHECK(CoreOutputs::led(1 << 26));
  CHECK(CoreOutputs::led((1 << 27) - 1));
  CHECK_FALSE(CoreOutputs::led(1 << 27));
}

}  // namespace fansim::core_test
