// SPDX-License-Identifier: Apache-2.0
#include "accelerators/tiled/values/padded_map.h"

#include <algorithm>

#include "accelerators/tiled/config/map_runs.h"
#include "accelerators/tiled/config/packing.h"
#include "accelerators/tiled/values/run_codes.h"

namespace fansim::tiled {

namespace {

// Returns the rows or columns that lie in memory or under a window.
int padded(int extent, int border, int points, int stride, int kernel) {
  return std::max(border + extent, (points - 1) * stride + kernel);
}

// Returns the codes in the order [channel][row][column].
std::vector<std::uint16_t> codes_of(const TiledJob& job, const Encoding& encoding, const std::uint8_t* memory) {
  const Instruction& layer = job.instruction;
  const Region all{0, 0, layer.height, layer.width};
  std::vector<std::uint16_t> codes(static_cast<std::size_t>(std::ptrdiff_t{layer.in_channels} * all.size()));
  MapExtents runs(input_place(job), encoding, 0, layer.in_channels, all);
  for (std::uint16_t* to = codes.data(); !runs.done();) {
    const Extent run = runs.next();
    read_codes(memory, run, encoding, to);
    to += run.values;
  }
  return codes;
}

}  // namespace

template <class Arithmetic>
PaddedMap<Arithmetic>::PaddedMap(const Config& config, const TiledJob& job, const std::uint8_t* memory)
    : border_(job.instruction.fc() ? 0 : job.instruction.padding),
      raised_(job.in_unsigned != 0 ? 0 : Arithmetic::kRaised) {
  const Instruction& layer = job.instruction;
  const TileNest nest(job, config.engine(job.engine));
  rows_ = padded(layer.height, border_, nest.conv_rows(), layer.stride, job.kernel_rows());
  columns_ = padded(layer.width, border_, nest.conv_columns(), layer.stride, job.kernel_columns());
  channels_ = nest.n_tiles() * nest.tn();
  inputs_.assign(static_cast<std::size_t>(std::ptrdiff_t{rows_} * columns_ * channels_ + kSlack), zero());
  if (border_ > 0 && job.in_zero != 0) fill_border(job);
  const std::vector<std::uint16_t> codes = codes_of(job, config.input_encoding(), memory);
  for (int y = 0; y < layer.height; ++y) set_row(job, y, codes, config.quantisation.activation_bits);
}

// Fills all points; the map is then written over them.
template <class Arithmetic>
void PaddedMap<Arithmetic>::fill_border(const TiledJob& job) {
  Input* point = inputs_.data();
  for (int i = 0; i < rows_ * columns_; ++i, point += channels_)
    std::fill_n(point, job.instruction.in_channels, static_cast<Input>(job.in_zero + raised_));
}

template <class Arithmetic>
void PaddedMap<Arithmetic>::set_row(const TiledJob& job, int y, const std::vector<std::uint16_t>& codes,
                                    int value_bits) {
  const Instruction& layer = job.instruction;
  Input* row = inputs_.data() + (std::ptrdiff_t{y + border_} * columns_ + border_) * channels_;
  for (int c = 0; c < layer.in_channels; ++c) {
    const std::uint16_t* from = codes.data() + (std::ptrdiff_t{c} * layer.height + y) * layer.width;
    for (int x = 0; x < layer.width; ++x)
      row[std::ptrdiff_t{x} * channels_ + c] =
          static_cast<Input>(value_of(from[x], value_bits, job.in_unsigned != 0) + raised_);
  }
}

template class PaddedMap<ByteArithmetic>;
template class PaddedMap<WordArithmetic>;
template class PaddedMap<WideArithmetic>;
template class PaddedMap<FloatArithmetic>;

}  // namespace fansim::tiled
