// SPDX-License-Identifier: Apache-2.0
#include "accelerators/tiled/values/job_values.h"

#include <algorithm>

#include "accelerators/tiled/config/map_runs.h"
#include "accelerators/tiled/config/packing.h"
#include "accelerators/tiled/values/run_codes.h"

namespace fansim::tiled {

namespace {

// All steps of a weight tile are added to sums of about this number of bytes before the next sums follow.
constexpr std::ptrdiff_t kBandBytes = 1 << 16;
// Points whose sums are finished together, one channel after another.
constexpr int kPoints = 256;

std::size_t size(std::ptrdiff_t n) { return static_cast<std::size_t>(n); }

}  // namespace

template <class Arithmetic>
JobValues<Arithmetic>::JobValues(const Config& config, const TiledJob& job, const LayerJobs& layer,
                                 std::uint8_t* memory)
    : config_(config),
      job_(job),
      values_(Arithmetic::values(layer.codes)),
      memory_(memory),
      nest_(job, config.engine(job.engine)),
      weight_runs_(job, config.engine(job.engine), config.weight_encoding(), config.load.reorganise),
      output_(job, config.quantiser, config.quantisation.activation_bits, layer.look_up),
      conv_rows_(nest_.conv_rows()),
      conv_columns_(nest_.conv_columns()),
      inputs_(config, job, memory) {}

template <class Arithmetic>
arith::Saturation JobValues<Arithmetic>::run(const contract::ProgressCallback& progress) {
  codes_.assign(size(nest_.tile_values()), 0);
  if (nest_.fc_engine()) {
    connect(progress);
    return saturation_;
  }
  find_read();
  for (int m = 0; m < nest_.m_tiles(); ++m) {
    if (progress) progress();
    convolve(m);
    finish_maps(m);
    store_maps(m);
  }
  return saturation_;
}

// Pooling may leave out sums at the map's end, or between its windows. The machine does not compute these.
template <class Arithmetic>
void JobValues<Arithmetic>::find_read() {
  if (!job_.instruction.pool()) return;
  std::vector<bool> rows(size(conv_rows_)), columns(size(conv_columns_));
  for (int y = 0; y < nest_.y_tiles(); ++y) {
    const Region part = nest_.sums(nest_.output(y, 0));
    std::fill_n(rows.begin() + part.row, part.rows, true);
  }
  for (int x = 0; x < nest_.x_tiles(); ++x) {
    const Region part = nest_.sums(nest_.output(0, x));
    std::fill_n(columns.begin() + part.column, part.columns, true);
  }
  for (const bool row : rows)
    for (const bool column : columns) read_.push_back(row && column);
  if (std::find(read_.begin(), read_.end(), false) == read_.end()) read_.clear();
}

template <class Arithmetic>
void JobValues<Arithmetic>::read_tile(const WeightTile& tile) {
  for (int i = 0; i < weight_runs_.count(tile); ++i)
    read_codes(memory_, weight_runs_.run(tile, i), config_.weight_encoding(), codes_);
}

template <class Arithmetic>
void JobValues<Arithmetic>::convolve(int m) {
  const int channels = nest_.out_channels(m), tn = nest_.tn(), tm = nest_.tm();
  const int pitch = base::round_up(channels, kernels::kTileChannels);
  const std::ptrdiff_t set = set_size(tn, pitch);
  sums_.assign(size(std::ptrdiff_t{conv_rows_} * conv_columns_ * pitch), 0);
  excess_.assign(size(pitch), 0);
  sets_.assign(size(job_.steps() * set), 0);
  for (int n = 0; n < nest_.n_tiles(); ++n) {
    read_tile(weight_runs_.conv_tile(m, n));
    for (int step = 0; step < job_.steps(); ++step) {
      load_set<Arithmetic>(codes_.data() + std::ptrdiff_t{step} * tn * tm, tn, tm, channels, pitch, values_,
                           &sets_[size(step * set)]);
      add_raise(&sets_[size(step * set)], pitch, excess_.data());
    }
    add_tile(n, pitch);
  }
}

template <class Arithmetic>
void JobValues<Arithmetic>::add_tile(int n, int pitch) {
  const int tn = nest_.tn(), stride = job_.instruction.stride;
  const std::ptrdiff_t set = set_size(tn, pitch), row_sums = std::ptrdiff_t{conv_columns_} * pitch;
  const int band = std::max(1, static_cast<int>(kBandBytes / (row_sums * static_cast<int>(sizeof(Sum)))));
  for (int top = 0; top < conv_rows_; top += band) {
    const int bottom = std::min(top + band, conv_rows_);
    for (int step = 0; step < job_.steps(); ++step) {
      const int kr = step / job_.kernel_columns(), kc = step % job_.kernel_columns();
      for (int row = top; row < bottom; ++row) {
        const Input* x = inputs_.at(row * stride + kr, kc, n * tn);
        Sum* sums = sums_.data() + row * row_sums;
        for (int column = 0; column < conv_columns_; ++column)
          add(x + std::ptrdiff_t{column} * stride * inputs_.column_step(), &sets_[size(step * set)], pitch,
              sums + std::ptrdiff_t{column} * pitch);
      }
    }
  }
}

template <class Arithmetic>
void JobValues<Arithmetic>::add(const Input* x, const Weight* set, int pitch, Sum* sums) const {
  Arithmetic::add(x, set, base::ceil_div(nest_.tn(), Arithmetic::kGroup), pitch, sums);
}

// Adds what a set contributes to a point whose inputs are all zero.
template <class Arithmetic>
void JobValues<Arithmetic>::add_raise(const Weight* set, int pitch, Sum* excess) const {
  if (inputs_.zero() == 0) return;
  Input x[EngineConfig::kMaxFactor + kSlack];
  std::fill_n(x, nest_.tn() + kSlack, inputs_.zero());
  add(x, set, pitch, excess);
}

// The FC engine's whole layer is a single output tile.
template <class Arithmetic>
void JobValues<Arithmetic>::connect(const contract::ProgressCallback& progress) {
  const int pitch = base::round_up(nest_.tm(), kernels::kTileChannels);
  sums_.assign(size(std::ptrdiff_t{nest_.fc_m_tiles()} * job_.fc_groups * pitch), 0);
  excess_.assign(sums_.size(), 0);
  sets_.assign(size(set_size(nest_.tn(), pitch)), 0);
  for (int block = 0; block < nest_.fc_blocks(); ++block) {
    if (progress) progress();
    for (int m = 0; m < nest_.fc_m_tiles(); ++m)
      for (int k = 0; k < nest_.fc_k_tiles(block); ++k) add_vector_tile(block, m, k);
  }
  finish_vector();
  store({0, 0, 1, 1}, 0, job_.instruction.out_channels);
}

// Inputs beyond those of the block are zero, so their steps change no sum.
template <class Arithmetic>
void JobValues<Arithmetic>::add_vector_tile(int block, int m, int k) {
  const int tn = nest_.tn(), tm = nest_.tm(), pitch = base::round_up(tm, kernels::kTileChannels);
  Input x[EngineConfig::kMaxFactor + kSlack] = {};
  read_tile(weight_runs_.fc_tile(block, m, k));
  const int groups = std::min(job_.fc_groups, base::ceil_div(job_.instruction.out_channels, tm) - m * job_.fc_groups);
  for (int step = 0; step < job_.fc_steps; ++step) {
    const int first = (k * job_.fc_steps + step) * tn, lanes = std::min(tn, nest_.fc_inputs(block) - first);
    if (lanes <= 0) return;
    std::fill_n(std::copy_n(inputs_.at(0, 0, block * job_.fc_block + first), lanes, x), tn - lanes, inputs_.zero());
    const std::uint16_t* codes = codes_.data() + std::ptrdiff_t{step} * job_.fc_groups * tn * tm;
    for (int group = 0; group < groups; ++group, codes += tn * tm) {
      const std::ptrdiff_t entry = (std::ptrdiff_t{m} * job_.fc_groups + group) * pitch;
      load_set<Arithmetic>(codes, tn, tm, tm, pitch, values_, sets_.data());
      add(x, sets_.data(), pitch, &sums_[size(entry)]);
      add_raise(sets_.data(), pitch, &excess_[size(entry)]);
    }
  }
}

template <class Arithmetic>
ChannelParameters JobValues<Arithmetic>::parameters(int channel) const {
  return parameters_of(memory_ + job_.parameter_address + std::ptrdiff_t{channel} * WeightExtents::kParameterBytes);
}

template <class Arithmetic>
void JobValues<Arithmetic>::finish_maps(int m) {
  const int channels = nest_.out_channels(m), pitch = base::round_up(channels, kernels::kTileChannels);
  const int plane = conv_rows_ * conv_columns_;
  maps_.resize(size(std::ptrdiff_t{channels} * plane));
  std::vector<ChannelParameters> records;
  for (int o = 0; o < channels; ++o) records.push_back(parameters(m * nest_.tm() + o));
  Total totals[kPoints];
  for (int first = 0; first < plane; first += kPoints) {
    const int points = std::min(kPoints, plane - first);
    for (int o = 0; o < channels; ++o) {
      const Sum* sums = &sums_[size(std::ptrdiff_t{first} * pitch + o)];
      for (int i = 0; i < points; ++i) totals[i] = Arithmetic::total(sums[std::ptrdiff_t{i} * pitch], excess_[size(o)]);
      finish_points(first, points, totals, records[size(o)], &maps_[size(std::ptrdiff_t{o} * plane + first)]);
    }
  }
  if (!job_.instruction.pool()) return;
  const Region part{0, 0, conv_rows_, conv_columns_}, out{0, 0, job_.out_rows, job_.out_columns};
  pooled_.resize(size(std::ptrdiff_t{channels} * out.size()));
  for (int o = 0; o < channels; ++o)
    output_.pool(&maps_[size(std::ptrdiff_t{o} * plane)], part, out, &pooled_[size(std::ptrdiff_t{o} * out.size())],
                 saturation_);
  maps_.swap(pooled_);
}

template <class Arithmetic>
void JobValues<Arithmetic>::finish_points(int first, int points, const Total* totals, const ChannelParameters& record,
                                          std::int16_t* to) {
  if (read_.empty()) return output_.values(totals, points, record, to, saturation_);
  arith::Saturation not_read;
  for (int i = 0; i < points; ++i)
    to[i] = output_.value(totals[i], record, read_[size(first + i)] ? saturation_ : not_read);
}

template <class Arithmetic>
void JobValues<Arithmetic>::finish_vector() {
  const int channels = job_.instruction.out_channels, tm = nest_.tm();
  const int pitch = base::round_up(tm, kernels::kTileChannels);
  maps_.resize(size(channels));
  for (int o = 0; o < channels; ++o) {
    const std::size_t at = size(std::ptrdiff_t{o / tm} * pitch + o % tm);
    maps_[size(o)] = output_.value(Arithmetic::total(sums_[at], excess_[at]), parameters(o), saturation_);
  }
}

template <class Arithmetic>
void JobValues<Arithmetic>::store_maps(int m) {
  for (int y = 0; y < nest_.y_tiles(); ++y)
    for (int x = 0; x < nest_.x_tiles(); ++x) store(nest_.output(y, x), m * nest_.tm(), nest_.out_channels(m));
}

// Stores a tile of outputs, in the runs of the store stage.
template <class Arithmetic>
void JobValues<Arithmetic>::store(const Region& region, int first, int channels) {
  const Encoding encoding = config_.output_encoding();
  std::vector<std::uint16_t> codes(size(std::ptrdiff_t{channels} * region.size()));
  std::uint16_t* to = codes.data();
  for (int row = 0; row < channels * region.rows; ++row) {
    const int channel = row / region.rows, y = region.row + row % region.rows;
    const std::int16_t* from =
        &maps_[size((std::ptrdiff_t{channel} * job_.out_rows + y) * job_.out_columns + region.column)];
    for (int x = 0; x < region.columns; ++x) *to++ = code_of(from[x], config_.quantisation.activation_bits);
  }
  MapExtents runs(output_place(job_), encoding, first, channels, region);
  for (const std::uint16_t* from = codes.data(); !runs.done();) {
    const Extent run = runs.next();
    write_codes(from, run, encoding, memory_);
    from += run.values;
  }
}

template class JobValues<ByteArithmetic>;
template class JobValues<WordArithmetic>;
template class JobValues<WideArithmetic>;
template class JobValues<FloatArithmetic>;

}  // namespace fansim::tiled
