// SPDX-License-Identifier: Apache-2.0
#include "accelerators/stream/compile/weights.h"

#include <algorithm>
#include <cstring>

#include "base/interrupt.h"
#include "base/units.h"
#include "network/random_tensors.h"

namespace fansim::stream {

namespace {

// Holds a filter's input channels in `input_group`: their place in a word, and the first weight of the first one.
struct Channels {
  int begin = 0, count = 0;
  std::int64_t from = 0;

  Channels(const Kernels& k, int lanes, int input_group, int filter) {
    const int own = k.channels / k.groups;
    const int first = filter / (k.filters / k.groups) * own;
    begin = std::max(first, input_group * lanes);
    count = std::max(0, std::min(first + own, (input_group + 1) * lanes) - begin);
    from = (std::int64_t{filter} * own + begin - first) * k.kernel * k.kernel;
    begin -= input_group * lanes;
  }
};

// Packs one kernel row and column of a filter, with its input channels one after another.
void pack_tap(const Kernels& k, const Channels& channels, int bytes, int y, int x, std::uint8_t* to) {
  const std::int64_t area = std::int64_t{k.kernel} * k.kernel;
  std::int64_t from = channels.from + y * k.kernel + x;
  to += channels.begin * bytes;
  for (int i = 0; i < channels.count; ++i, from += area, to += bytes)
    if (k.values && bytes == 1)
      *to = static_cast<std::uint8_t>(k.values.bytes[from]);
    else
      put(to, k.values ? k.values[from] : k.constant, bytes);
}

}  // namespace

Weights LayerWeights::some(std::int64_t first, std::int64_t count) {
  const network::Parameters& parameters = layer_->parameters();
  if (parameters.later) {
    network::later_weights(*layer_, first, count, drawn_);
    return {drawn_.data(), parameters.weight_bits};
  }
  if (parameters.weights.empty()) return {};
  return Weights{parameters.weights.data(), parameters.weight_bits}.from(first);
}

KernelBlocks::KernelBlocks(const ArrayConfig& array, int kernel)
    : rows(base::ceil_div(kernel, array.rows)), columns(base::ceil_div(kernel, array.cols)) {}

void pack_kernels(const Kernels& kernels, const ArrayConfig& array, int row_bytes, int parallel, int input_group,
                  int first_group, int groups, std::uint8_t* to) {
  const int kernel = kernels.kernel;
  const KernelBlocks blocks(array, kernel);
  const int word_bytes = array.input_channels * array.weight_bytes();
  for (int block = 0; block < blocks.rows; ++block) {
    const int kernel_rows = std::min(array.rows, kernel - block * array.rows);
    // With one window the kernel is in the last tap rows. The kernels of parallel windows follow one another.
    const int first_tap = parallel == 1 ? array.rows - kernel_rows : 0;
    for (int x_block = 0; x_block < blocks.columns; ++x_block) {
      const int kernel_columns = std::min(array.cols, kernel - x_block * array.cols);
      for (int group = first_group; group < first_group + groups; ++group) {
        base::stop_if_interrupted();
        for (int column = array.cols - kernel_columns; column < array.cols; ++column) {
          const std::int64_t set = std::int64_t{block * blocks.columns + x_block} * groups + group - first_group;
          std::uint8_t* row = to + (set * array.cols + column) * row_bytes;
          const int x = x_block * array.cols + column - (array.cols - kernel_columns);
          for (int o = 0; o < array.output_channels; ++o) {
            const int filter = group * array.output_channels + o;
            if (filter >= kernels.filters) break;
            const Channels channels(kernels, array.input_channels, input_group, filter);
            std::uint8_t* tap = row + (o * array.rows + first_tap) * word_bytes;
            for (int window = 0; window < parallel; ++window)
              for (int y = 0; y < kernel_rows; ++y, tap += word_bytes)
                pack_tap(kernels, channels, array.weight_bytes(), block * array.rows + y, x, tap);
          }
        }
      }
    }
  }
}

}  // namespace fansim::stream
