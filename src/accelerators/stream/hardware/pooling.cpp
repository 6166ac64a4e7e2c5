// SPDX-License-Identifier: Apache-2.0
#include "accelerators/stream/hardware/pooling.h"

#include <algorithm>

#include "accelerators/stream/config/pool_axis.h"

namespace fansim::stream {

Pooling::Pooling(const sc_core::sc_module_name& name, const ArrayConfig& config, bool values)
    : sim::Module(name), channels_(config.output_channels), values_(values) {}

void Pooling::step() {
  if (sent_ < pending_.size()) {
    if (!send()) return;
    if (sent_ < pending_.size()) return;
  }
  if (!in.can_pop()) {
    if (in.empty()) sleep();
    return;
  }
  pending_.clear();
  sent_ = 0;
  const Pixel& pixel = in.pop();
  ++pixels_in_;
  if (pixel.tag.job->pool) {
    pool(pixel);
  } else {
    pending_.push_back(pixel);
  }
}

bool Pooling::send() {
  const std::optional<Pixel>& finished = pending_[sent_];
  if (finished) {
    if (!out.can_push()) {
      ++stalls_;
      return false;
    }
    out.push(*finished);
    ++pixels_out_;
  }
  ++sent_;
  return true;
}

void Pooling::pool(const Pixel& pixel) {
  const Command& job = *pixel.tag.job;
  const PoolAxis columns = pool_columns(job);
  const int x = pixel.tag.x;
  for (int ox = columns.first_covering(x); ox <= columns.last_covering(x); ++ox) {
    keep_larger(job, columns.opens(ox, x), pixel.bytes.data(), column_of(ox % job.pool_kernel));
    if (columns.closing(ox) == x) close_column(pixel, ox);
  }
}

void Pooling::close_column(const Pixel& pixel, int pooled_column) {
  const Command& job = *pixel.tag.job;
  const PoolAxis rows = pool_rows(job);
  const int y = job.output_row + pixel.tag.row;
  const std::size_t before = pending_.size();
  for (int oy = rows.first_covering(y); oy <= rows.last_covering(y); ++oy) {
    std::uint8_t* line = line_of(pixel.tag, oy, pooled_column);
    keep_larger(job, rows.opens(oy, y), column_of(pooled_column % job.pool_kernel), line);
    if (rows.closing(oy) != y) continue;
    Pixel done;
    done.tag = pixel.tag;
    done.tag.x = pooled_column;
    done.tag.row = oy - first_pooled_row(job);
    std::copy_n(line, channels_, done.bytes.data());
    pending_.push_back(done);
  }
  if (pending_.size() == before) pending_.emplace_back();
}

void Pooling::keep_larger(const Command& job, bool first, const std::uint8_t* from, std::uint8_t* to) const {
  if (!values_) return;
  // Flipping the sign bit orders int8 as uint8.
  const std::uint8_t flip = job.output_unsigned ? 0 : 0x80;
  for (int o = 0; o < channels_; ++o)
    if (first || (from[o] ^ flip) > (to[o] ^ flip)) to[o] = from[o];
}

std::uint8_t* Pooling::column_of(int slot) {
  const auto at = static_cast<std::size_t>(slot * channels_);
  if (columns_.size() < at + static_cast<std::size_t>(channels_))
    columns_.resize(at + static_cast<std::size_t>(channels_));
  return columns_.data() + at;
}

std::uint8_t* Pooling::line_of(const Tag& tag, int pooled_row, int pooled_column) {
  const Command& job = *tag.job;
  const int slot = pooled_row % job.pool_kernel;
  const auto at =
      static_cast<std::size_t>(((slot * job.groups + tag.group) * job.pool_columns + pooled_column) * channels_);
  if (lines_.size() < at + static_cast<std::size_t>(channels_)) lines_.resize(at + static_cast<std::size_t>(channels_));
  return lines_.data() + at;
}

}  // namespace fansim::stream
