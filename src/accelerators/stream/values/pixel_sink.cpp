// SPDX-License-Identifier: Apache-2.0
#include "accelerators/stream/values/pixel_sink.h"

#include <algorithm>
#include <cstring>

namespace fansim::stream {

PixelSink::PixelSink(const Config& config, contract::MemoryImage& memory)
    : channels_(config.array.output_channels),
      bits_(config.array.operand_bits),
      value_bytes_(config.array.value_bytes()),
      word_bytes_(config.array.word_bytes()),
      pixel_bytes_(config.array.pixel_bytes()),
      format_(config.quantiser),
      memory_(memory) {}

void PixelSink::begin_job(const Command& job) {
  if (job.pool) first_pooled_row_ = first_pooled_row(job);
}

void PixelSink::row(const Command& job, int row, int group, const std::int32_t* sums, int sum_step,
                    const std::uint8_t* bias) {
  if (job.pool ? job.output_row + row >= job.output_rows : row >= job.tile_rows) return;
  quantise(job, group, sums, sum_step, bias);
  if (job.by_table)
    for (std::uint8_t& code : pixels_) code = table_[code];
  job.pool ? pool(job, row, group) : store_row(job, row, group, job.windows, pixels_.data());
}

void PixelSink::quantise(const Command& job, int group, const std::int32_t* sums, int sum_step,
                         const std::uint8_t* bias) {
  pixels_.resize(static_cast<std::size_t>(job.windows * pixel_bytes_));
  kernels::RequantiseRow row;
  row.sum_step = sum_step;
  row.windows = job.windows;
  row.byte_step = pixel_bytes_;
  row.is_unsigned = job.output_unsigned != 0;
  row.zero_point = job.zero_point_of(bits_);
  row.relu = job.relu != 0;
  row.lowest = job.relu ? row.zero_point : -(1 << (bits_ - 1));
  for (int first = 0; first < channels_; first += kernels::kChannels) {
    row.channels = std::min(kernels::kChannels, channels_ - first);
    row.sums = sums + first;
    row.bytes = pixels_.data() + first * value_bytes_;
    for (int o = 0; o < row.channels; ++o) {
      const Scale scale = scale_of(job, bias, group * channels_ + first + o);
      row.scale[o] = scale.scale;
      row.shift[o] = scale.shift;
    }
    kernels::fits(format_) && bits_ == 8 ? kernels::requantise_row(row, format_, saturation_) : requantise_wide(row);
  }
}

// Bias records are int32, or 8 bytes with M and n if each channel has its own.
PixelSink::Scale PixelSink::scale_of(const Command& job, const std::uint8_t* bias, int channel) const {
  if (!job.scale_per_channel) return {job.scale, job.shift};
  const std::uint8_t* record = bias + (std::ptrdiff_t{job.bias_base} * channels_ + channel) * 8;
  std::int16_t scale;
  std::memcpy(&scale, record + 4, 2);
  return {scale, record[6]};
}

void PixelSink::requantise_wide(const kernels::RequantiseRow& row) {
  for (int o = 0; o < row.channels; ++o) {
    const arith::Requantise q{row.scale[o], row.shift[o], row.zero_point, row.is_unsigned, bits_};
    for (int x = 0; x < row.windows; ++x) {
      const std::int32_t sum = row.sums[x * row.sum_step + o];
      const int value = std::max(arith::requantise(sum, q, format_), row.lowest);
      arith::count(sum, q, format_, row.relu, saturation_);
      std::uint8_t* to = row.bytes + x * row.byte_step + o * value_bytes_;
      to[0] = static_cast<std::uint8_t>(value);
      if (value_bytes_ == 2) to[1] = static_cast<std::uint8_t>(value >> 8);
    }
  }
}

std::uint8_t* PixelSink::line(const Command& job, int pooled_row, int group) {
  const auto at = static_cast<std::size_t>(pooled_row % job.pool_kernel * job.groups + group) * pixels_.size();
  if (lines_.size() < at + pixels_.size()) lines_.resize(at + pixels_.size());
  return lines_.data() + at;
}

// Flipping the sign bit makes signed values compare as unsigned ones.
template <class T>
void PixelSink::keep_larger(bool is_unsigned, const std::uint8_t* from, std::uint8_t* to, int bytes) {
  const int flip = is_unsigned ? 0 : 1 << (8 * sizeof(T) - 1);
  for (const std::uint8_t* end = from + bytes; from != end; from += sizeof(T), to += sizeof(T)) {
    T next, kept;
    std::memcpy(&next, from, sizeof(T));
    std::memcpy(&kept, to, sizeof(T));
    const T larger = (next ^ flip) > (kept ^ flip) ? next : kept;
    std::memcpy(to, &larger, sizeof(T));
  }
}

// Pools down the rows first, which are long, and along the row once all its rows are there.
void PixelSink::pool(const Command& job, int row, int group) {
  const PoolAxis columns = pool_columns(job), rows = pool_rows(job);
  const auto larger = value_bytes_ == 2 ? keep_larger<std::uint16_t> : keep_larger<std::uint8_t>;
  const bool is_unsigned = job.output_unsigned != 0;
  pooled_.resize(static_cast<std::size_t>(columns.windows * pixel_bytes_));
  const int y = job.output_row + row;
  for (int oy = rows.first_covering(y); oy <= rows.last_covering(y); ++oy) {
    std::uint8_t* of_rows = line(job, oy, group);
    if (rows.opens(oy, y))
      std::copy(pixels_.begin(), pixels_.end(), of_rows);
    else
      larger(is_unsigned, pixels_.data(), of_rows, static_cast<int>(pixels_.size()));
    if (rows.closing(oy) != y) continue;
    for (int ox = 0; ox < columns.windows; ++ox) {
      std::uint8_t* to = pooled_.data() + ox * pixel_bytes_;
      const int first = std::max(0, ox * columns.stride - columns.before);
      std::copy_n(of_rows + first * pixel_bytes_, pixel_bytes_, to);
      for (int x = first + 1; x <= columns.closing(ox); ++x)
        larger(is_unsigned, of_rows + x * pixel_bytes_, to, pixel_bytes_);
    }
    store_row(job, oy - first_pooled_row_, group, columns.windows, pooled_.data());
  }
}

void PixelSink::store_row(const Command& job, int row, int group, int windows, const std::uint8_t* pixels) {
  if (pixel_bytes_ != word_bytes_) {
    for (int x = 0; x < windows; ++x) store(job, row, group, x, pixels + x * pixel_bytes_);
  } else if (row < job.tile_rows) {
    std::uint8_t* to =
        memory_.data() + job.output_base + static_cast<std::uint32_t>(row * job.row_pitch + group * job.plane_pitch);
    std::copy_n(pixels, windows * pixel_bytes_, to);
  }
}

// Stores the pixel as planes of input_channels values each.
void PixelSink::store(const Command& job, int row, int group, int x, const std::uint8_t* pixel) {
  if (row >= job.tile_rows) return;
  const int split = pixel_bytes_ / word_bytes_;
  for (int k = 0; k < split; ++k) {
    const int plane = group * split + k;
    std::uint8_t* to = memory_.data() + job.output_base +
                       static_cast<std::uint32_t>(row * job.row_pitch + plane * job.plane_pitch + x * word_bytes_);
    if (word_bytes_ == 8)
      std::memcpy(to, pixel + k * 8, 8);  // avoids a call
    else
      std::memcpy(to, pixel + k * word_bytes_, static_cast<std::size_t>(word_bytes_));
  }
}

}  // namespace fansim::stream
