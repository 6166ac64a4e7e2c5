// SPDX-License-Identifier: Apache-2.0
#include "accelerators/stream/values/stream_values.h"

#include <algorithm>
#include <cstring>
#include <tuple>
#include <utility>

#include "base/units.h"
#include "contract/buffer.h"
#include "contract/dma_map.h"

namespace fansim::stream {

namespace {

using kernels::kChannels;
using kernels::kQuad;

// A job may read this many bytes beyond what was received; they meet zero weights.
constexpr std::size_t kMargin = 4096;
// A job may also read this many bytes before it, where a quad spans taps that the kernel does not use; they meet zero
// weights too.
constexpr std::size_t kFront = kQuad;
// The kernels multiply activations as unsigned bytes or as signed 16-bit values. So int8 activations are raised, and
// uint16 activations lowered, and the weights' sums correct the result.
constexpr int kRaised = 128, kRaisedWide = -32768;

// Returns the bytes of a channel's record: the bias alone, or with its own scale.
int bias_bytes(const Command& job) { return job.scale_per_channel ? 8 : 4; }

std::size_t size(int n) { return static_cast<std::size_t>(n); }

}  // namespace

StreamValues::StreamValues(const Config& config, contract::MemoryImage& memory, const std::uint8_t* parameters,
                           const std::shared_ptr<contract::KeptValues>& kept)
    : config_(config),
      array_(config_.array),
      kernel_(array_.kernel().format),
      wide_(array_.wide()),
      word_bytes_(array_.input_channels * (wide_ ? 2 : 1)),
      by_rows_(word_bytes_ < kQuad || (wide_ && array_.weight_bytes() == 1)),
      slices_(base::ceil_div(array_.output_channels, kChannels)),
      column_pitch_(base::round_up(array_.weight_column_bytes(), config.axi.beat_bytes())),
      memory_(memory),
      parameters_(parameters ? parameters : memory.data()),
      set_cache_(std::dynamic_pointer_cast<PackedSetCache>(kept)),
      sums_(size(array_.rows * array_.accumulator_depth * slices_ * kChannels)),
      sink_(config, memory),
      hidden_(config) {
  if (!set_cache_) set_cache_ = std::make_shared<PackedSetCache>();
}

void StreamValues::write_core(std::uint32_t address, std::uint32_t value) {
  if (address == kTableOffset) {
    sink_.write(TableWrite::of(value));
    return;
  }
  command_.write(address, value);
  if (address == register_offset(1)) act(*command_);
}

void StreamValues::write_dma(std::uint32_t address, std::uint32_t value) {
  if (address == contract::dma_map::kMm2sSa) source_ = value;
  if (address == contract::dma_map::kMm2sLength) *receiver_ = {source_, value, ++received_};
}

void StreamValues::act(const Command& command) {
  if (command.receive_input) receiver_ = &inputs_[size(1 - command.input_select)];
  if (command.receive_weights)
    receiver_ = &weights_[size(command.receive_resident ? contract::kResident : 1 - command.weight_select)];
  if (command.receive_bias) receiver_ = &biases_[size(1 - command.bias_select)];
  if (command.start_conv || command.start_recurrent) run(command);
}

void StreamValues::run(const Command& job) {
  if (round_count_ == kMostRounds || (round_count_ > 0 && !goes_on(job))) {
    add_up(0);
    round_count_ = 0;
  }
  if (round_count_ == 0) {
    job_ = job;
    bias_ = bias_records(job) + std::ptrdiff_t{job.bias_base} * array_.output_channels * bias_bytes(job);
    find_taps(job);
  }
  Round& round = rounds_[size(round_count_++)];
  round.input = inputs_[size(job.input_select)];
  round.sets = &packed(job, round.once);
  if (job.start_conv && !job.last_round) return;
  sink_.begin_job(job);
  for (int step = 0; step < (job.start_recurrent ? job.steps : 1); ++step) {
    add_up(step);
    if (!job.last_round) continue;
    for (int row = 0; row < job.rows; ++row)
      for (int group = 0; group < job.groups; ++group) finish(job, row, group, step);
  }
  round_count_ = 0;
}

// Returns whether a job only adds to the sums of the jobs before it.
bool StreamValues::goes_on(const Command& job) const {
  const auto shape = [](const Command& c) {
    return std::tie(c.start_conv, c.hidden_input, c.input_unsigned, c.blocks, c.rows, c.x_blocks, c.groups, c.windows,
                    c.kernel, c.stride, c.parallel, c.matrix, c.fill_piece_step, c.fill_line_step, c.fill_block_step,
                    c.fill_base);
  };
  return job.start_conv && !job.add_bias && shape(job) == shape(job_);
}

// Adds the products of all rounds to the sums.
void StreamValues::add_up(int step) {
  for (int i = 0; i < round_count_; ++i) rounds_[size(i)].x = input_of(rounds_[size(i)], step);
  for (int block = 0; block < job_.blocks; ++block)
    for (int x_block = 0; x_block < job_.x_blocks; ++x_block)
      for (int parallel = 0; parallel < job_.parallel; ++parallel) products(block, x_block, parallel, step);
}

const std::uint8_t* StreamValues::input_of(Round& round, int step) {
  if (!job_.hidden_input) return copied(round);
  round.raised = kRaised;
  round.copied = -1;  // the copy may be raised differently
  const int bytes = (job_.fill_base + job_.blocks * array_.taps() + array_.taps()) * word_bytes_;
  return hidden_.raised(job_.add_bias && step == 0, size(bytes) + kMargin);
}

// Returns a copy of what was received. int8 is copied as bytes raised by 128, unless no value is negative. uint16 is
// copied as int16 lowered by 32768.
const std::uint8_t* StreamValues::copied(Round& round) const {
  const Received& received = round.input;
  const int bytes = array_.value_bytes();
  round.copy.resize(kFront + size(config_.buffers.input_half_bytes()) / size(bytes) * size(wide_ ? 2 : 1) + kMargin);
  std::uint8_t* const to = round.copy.data() + kFront;
  if (round.copied == received.serial) return to;
  round.copied = received.serial;
  if (wide_) {
    round.raised = job_.input_unsigned ? kRaisedWide : 0;
    copy_wide(received, to);
    return to;
  }
  const std::uint8_t* from = memory_.data() + received.address;
  const std::size_t count = received.bytes;
  std::uint8_t all = 0;
  for (std::size_t i = 0; i < count; ++i) all |= from[i];
  round.low = all < 0x80;
  round.raised = job_.input_unsigned || (round.low && !array_.rounds()) ? 0 : kRaised;
  if (round.raised == 0)
    std::copy_n(from, count, to);
  else
    std::transform(from, from + count, to, [](std::uint8_t x) { return static_cast<std::uint8_t>(x ^ kRaised); });
  return to;
}

void StreamValues::copy_wide(const Received& received, std::uint8_t* to) const {
  const auto bytes = static_cast<std::uint32_t>(array_.value_bytes());
  const std::uint8_t* from = memory_.data() + received.address;
  for (std::uint32_t i = 0; i < received.bytes; i += bytes, to += 2) {
    std::int16_t value = static_cast<std::int8_t>(from[i]);
    if (bytes == 2) std::memcpy(&value, from + i, 2);
    if (job_.input_unsigned) value = static_cast<std::int16_t>((bytes == 2 ? value : from[i]) + kRaisedWide);
    std::memcpy(to, &value, 2);
  }
}

void StreamValues::find_taps(const Command& job) {
  const std::array<int, 6> of{job.blocks, job.x_blocks,       job.parallel,
                              job.kernel, job.fill_line_step, job.matrix || job.hidden_input};
  if (of == taps_of_ && !taps_.empty()) return;
  taps_of_ = of;
  taps_.clear();
  for (int block = 0; block < job.blocks; ++block)
    for (int x_block = 0; x_block < job.x_blocks; ++x_block)
      for (int parallel = 0; parallel < job.parallel; ++parallel)
        taps_.push_back(taps_of(job, block, x_block, parallel));
  packed_bytes_ = 0;
  for (const Taps& taps : taps_) packed_bytes_ = std::max(packed_bytes_, taps.x.size() * kChannels * kQuad);
}

// The kernel is in the last tap columns. Its rows are in the last tap rows or, if rows are computed in parallel, one
// row lower for each of them.
StreamValues::Taps StreamValues::taps_of(const Command& job, int block, int x_block, int parallel) const {
  const bool whole = job.matrix || job.hidden_input;
  const int rows = whole ? array_.rows : std::min(array_.rows, job.kernel - block * array_.rows);
  const int columns = whole ? array_.cols : std::min(array_.cols, job.kernel - x_block * array_.cols);
  const int first_row = job.parallel > 1 ? parallel * rows : array_.rows - rows;
  const int row_bytes = by_rows_ ? base::round_up(array_.cols * word_bytes_, kQuad) : word_bytes_;
  Taps taps;
  taps.rows = rows;
  for (int row = 0; row < rows; ++row) {
    const int x = row * job.fill_line_step * word_bytes_;
    if (by_rows_) {
      const int skipped = (array_.cols - columns) * word_bytes_;  // bytes of taps that the kernel does not use
      for (int byte = skipped / kQuad * kQuad; byte < row_bytes; byte += kQuad) {
        taps.x.push_back(x + byte - skipped);
        taps.weights.push_back((first_row + row) * row_bytes + byte);
      }
      continue;
    }
    for (int column = 0; column < columns; ++column) {
      for (int byte = 0; byte < word_bytes_; byte += kQuad) {
        taps.x.push_back(x + column * word_bytes_ + byte);
        taps.weights.push_back((array_.cols - columns + column) * column_pitch_ + (first_row + row) * word_bytes_ +
                               byte);
      }
    }
  }
  return taps;
}

// `once` receives the sets if they are not kept.
const PackedSets& StreamValues::packed(const Command& job, PackedSets& once) {
  const Received& received = weights_[size(job.weights_resident ? contract::kResident : job.weight_select)];
  const std::int64_t first = received.address + std::int64_t{job.weight_base} * column_pitch_;
  const int whole = job.matrix || job.hidden_input;
  const PackedSetCache::Key key{first, job.blocks, job.x_blocks, job.groups, job.kernel, job.parallel, whole};
  return set_cache_->sets(
      key, [&](PackedSets& sets) { pack(job, parameters_ + first, sets); }, once);
}

void StreamValues::pack(const Command& job, const std::uint8_t* first_set, PackedSets& sets) {
  const std::size_t slices = size(job.blocks * job.x_blocks * job.groups * job.parallel * slices_);
  sets.weights.resize(slices * packed_bytes_);
  sets.sums.resize(slices * kChannels);
  std::size_t slice = 0;
  for (int blocks = 0; blocks < job.blocks * job.x_blocks; ++blocks) {
    for (int parallel = 0; parallel < job.parallel; ++parallel) {
      const Taps& taps = taps_[size(blocks * job.parallel + parallel)];
      for (int group = 0; group < job.groups; ++group, slice += size(slices_)) {
        const int column = (blocks * job.groups + group) * array_.cols;
        pack_set(taps, first_set + std::ptrdiff_t{column} * column_pitch_, sets.weights.data() + slice * packed_bytes_,
                 sets.sums.data() + slice * kChannels);
      }
    }
  }
}

void StreamValues::pack_set(const Taps& taps, const std::uint8_t* set, std::int8_t* weights,
                            std::int32_t* weight_sums) {
  kernels::QuadPack pack;
  pack.weights = by_rows_ ? widened(set) : set;
  pack.offsets = taps.weights.data();
  pack.quads = static_cast<int>(taps.x.size());
  pack.channel_step = array_.rows * (by_rows_ ? base::round_up(array_.cols * word_bytes_, kQuad) : word_bytes_);
  for (int slice = 0; slice < slices_; ++slice) {
    pack.channels = std::min(kChannels, array_.output_channels - slice * kChannels);
    wide_ ? kernels::pack_pairs(pack, weights, weight_sums) : kernels::pack_quads(pack, weights, weight_sums);
    pack.weights += kChannels * pack.channel_step;
    weights += packed_bytes_;
    weight_sums += kChannels;
  }
}

// Returns a set as [output channel][tap row][tap column][input channel]. Its rows are padded to whole quads, and its
// weights have as many bytes as activations.
const std::uint8_t* StreamValues::widened(const std::uint8_t* set) {
  const int channels = array_.input_channels, bytes = array_.weight_bytes();
  const int row_bytes = base::round_up(array_.cols * word_bytes_, kQuad);
  wide_set_.assign(size(array_.output_channels * array_.rows * row_bytes), 0);
  for (int column = 0; column < array_.cols; ++column)
    for (int line = 0; line < array_.output_channels * array_.rows; ++line) {
      std::uint8_t* to = wide_set_.data() + line * row_bytes + column * word_bytes_;
      const std::uint8_t* from = set + column * column_pitch_ + line * channels * bytes;
      if (bytes * channels == word_bytes_) {
        std::memcpy(to, from, size(word_bytes_));
      } else {
        for (int i = 0; i < channels; ++i) {
          const std::int16_t weight = static_cast<std::int8_t>(from[i]);
          std::memcpy(to + 2 * i, &weight, 2);
        }
      }
    }
  return wide_set_.data();
}

const std::uint8_t* StreamValues::bias_records(const Command& job) const {
  return parameters_ + biases_[size(job.bias_select)].address;
}

// The entries are those of the accumulator, but in another order: the sums of a window are adjacent.
std::int32_t* StreamValues::sums(const Command& job, int bank, int row, int group, int step) {
  const int window = job.start_recurrent ? job.step_offset + step : row * job.windows;
  const std::ptrdiff_t entry = std::ptrdiff_t{bank} * array_.accumulator_depth + window * job.groups + group;
  return sums_.data() + entry * slices_ * kChannels;
}

// Computes the initial value of every window's sums: the bias, less what raised activations add to the sums.
void StreamValues::find_starts(std::size_t first_slice, bool first) {
  const std::size_t count = size(job_.groups * slices_ * kChannels);
  start_.assign(count, 0);
  for (int r = 0; r < round_count_ && !array_.rounds(); ++r) {
    const Round& round = rounds_[size(r)];
    const auto raised = static_cast<std::uint32_t>(round.raised);
    if (raised == 0) continue;
    const std::int32_t* weights = round.sets->sums.data() + first_slice * kChannels;
    for (std::size_t c = 0; c < count; ++c) start_[c] -= raised * static_cast<std::uint32_t>(weights[c]);
  }
  if (!first) return;
  const std::uint8_t* bias = bias_;
  for (int group = 0; group < job_.groups; ++group) {
    for (int c = 0; c < array_.output_channels; ++c, bias += bias_bytes(job_)) {
      std::uint32_t value;
      std::memcpy(&value, bias, 4);
      start_[size(group * slices_ * kChannels + c)] += value;
    }
  }
}

// Adds the products of one block of taps. It takes four slices of output channels at a time, whose weights stay in the
// cache from row to row.
void StreamValues::products(int block, int x_block, int parallel, int step) {
  const bool whole = job_.matrix || job_.hidden_input;
  const int slices = job_.groups * slices_;
  const std::size_t first_slice = size(((block * job_.x_blocks + x_block) * job_.parallel + parallel) * slices);
  const Taps& taps = taps_[first_slice / size(slices)];
  std::array<kernels::DotRound, kMostRounds> rounds;
  kernels::WindowDot dot;
  dot.rounds = rounds.data();
  dot.round_count = round_count_;
  dot.window_step = (whole ? job_.fill_piece_step : job_.stride) * word_bytes_;
  dot.windows = job_.hidden_input ? 1 : job_.windows;
  dot.offsets = taps.x.data();
  dot.quads = static_cast<int>(taps.x.size());
  dot.sum_step = sum_step(job_);
  dot.add = job_.start_recurrent || !job_.add_bias || block > 0 || x_block > 0;
  dot.low = std::all_of(rounds_.begin(), rounds_.begin() + round_count_,
                        [](const Round& r) { return r.raised == 0 && r.low; });
  find_starts(first_slice, !dot.add);
  for (int slice = 0; slice < slices; slice += dot.slice_count) {
    dot.slice_count = std::min(kernels::kMostSlices, slices - slice);
    for (int row = 0; row < job_.rows; ++row) {
      const int line = (row * job_.parallel + parallel) * job_.stride;
      const int word = job_.fill_base + block * job_.fill_block_step +
                       (whole ? 0 : line * job_.fill_line_step + x_block * array_.cols);
      for (int r = 0; r < round_count_; ++r) {
        const Round& round = rounds_[size(r)];
        rounds[size(r)] = {round.x + std::ptrdiff_t{word} * word_bytes_,
                           round.sets->weights.data() + first_slice * packed_bytes_};
      }
      for (int i = 0; i < dot.slice_count; ++i) {
        const int now = slice + i;
        dot.slices[i] = {now * static_cast<std::ptrdiff_t>(packed_bytes_),
                         reinterpret_cast<const std::int32_t*>(start_.data()) + now * kChannels,
                         sums(job_, parallel, row, now / slices_, step) + now % slices_ * kChannels};
      }
      if (array_.rounds())
        wide_ ? rounded_dot<std::int16_t, std::int16_t>(dot, taps.rows, rounds_[0].raised)
              : rounded_dot<std::uint8_t, std::int8_t>(dot, taps.rows, rounds_[0].raised);
      else
        wide_ ? kernels::window_dot_pairs(dot) : kernels::window_dot(dot);
    }
  }
}

// Does the same as window_dot() for tap rows that a kernel sums and rounds each. Activations are `raised` too high.
template <class Activation, class Weight>
void StreamValues::rounded_dot(const kernels::WindowDot& dot, int rows, int raised) {
  const int row_quads = dot.quads / rows;
  for (int i = 0; i < dot.slice_count; ++i) {
    const kernels::DotSlice& slice = dot.slices[i];
    for (int w = 0; w < dot.windows; ++w) {
      for (int c = 0; c < kChannels; ++c) {
        std::int64_t sum = slice.start[c];
        for (int row = 0; row < rows * dot.round_count; ++row) {
          const kernels::DotRound& round = dot.rounds[row / rows];
          std::int64_t kept = 0;
          for (int q = row % rows * row_quads; q < (row % rows + 1) * row_quads; ++q) {
            const std::uint8_t* const x = round.x + w * dot.window_step + dot.offsets[q];
            const std::int8_t* const weights = round.weights + slice.weights + (q * kChannels + c) * kQuad;
            for (std::size_t at = 0; at < kQuad; at += sizeof(Weight)) {
              Activation activation;
              Weight weight;
              std::memcpy(&activation, x + at, sizeof(Activation));
              std::memcpy(&weight, weights + at, sizeof(Weight));
              kept += kernel_.kept(activation - raised, weight);
            }
          }
          sum += kernel_.rounded(kept);
        }
        std::int32_t& total = slice.sums[w * dot.sum_step + c];
        total = static_cast<std::int32_t>((dot.add ? total : 0) + sum);
      }
    }
  }
}

void StreamValues::finish(const Command& job, int row, int group, int step) {
  if (job.recurrent_output) {
    const bool fresh = job.add_bias && step == 0;
    if (hidden_.gate(job, group, sums(job, 0, row, group, step), fresh))
      sink_.store(job, step, group / 4, 0, hidden_.pixel());
    return;
  }
  for (int parallel = 0; parallel < job.parallel; ++parallel)
    sink_.row(job, row * job.parallel + parallel, group, sums(job, parallel, row, group, step), sum_step(job),
              bias_records(job));
}

}  // namespace fansim::stream
