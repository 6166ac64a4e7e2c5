// SPDX-License-Identifier: Apache-2.0
#include "accelerators/stream/hardware/pooling.h"

#include <algorithm>
#include <cstring>

#include "accelerators/stream/config/pool_axis.h"

namespace fansim::stream {

namespace {

// Flipping the sign bit orders signed values as unsigned ones.
template <class T>
void keep_larger_values(bool is_unsigned, bool first, const std::uint8_t* from, std::uint8_t* to, int values) {
  const int flip = is_unsigned ? 0 : 1 << (8 * sizeof(T) - 1);
  for (int i = 0; i < values; ++i, from += sizeof(T), to += sizeof(T)) {
    T next, kept;
    std::memcpy(&next, from, sizeof(T));
    std::memcpy(&kept, to, sizeof(T));
    if (first || (next ^ flip) > (kept ^ flip)) std::memcpy(to, &next, sizeof(T));
  }
}

}  // namespace

Pooling::Pooling(const sc_core::sc_module_name& name, const PoolingConfig& config, int channels, bool values,
                 int value_bytes)
    : sim::Module(name),
      config_(config),
      channels_(channels),
      value_bytes_(value_bytes),
      pixel_bytes_(channels * value_bytes),
      values_(values),
      windows_(config.kernel, config.lines, config.line_words, pixel_bytes_) {}

[[gnu::flatten]] void Pooling::step() {
  if (sent_ < pending_.size()) {
    if (!send() || sent_ < pending_.size()) return;
    if (columns_left_ > 0) {
      close_column();
      return;
    }
  }
  if (!in.can_pop()) {
    if (in.empty()) sleep();
    return;
  }
  pending_.clear();
  sent_ = 0;
  pixel_ = in.pop();
  ++pixels_in_;
  if (pixel_.tag.job->pool) {
    pool();
  } else {
    pending_.push_back(pixel_);
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

void Pooling::pool() {
  const Command& job = *pixel_.tag.job;
  const PoolAxis columns = pool_columns(job);
  const int x = pixel_.tag.x;
  if (job.pool_kernel > config_.kernel) violation("pooling window beyond kernel");
  windows_.take(columns, x, pixel_.bytes.data(),
                [&](bool first, const std::uint8_t* from, std::uint8_t* to) { keep_larger(job, first, from, to); });
  next_column_ = columns.first_covering(x);
  columns_left_ = columns.closed(x);
  if (columns_left_ > 0) close_column();
}

void Pooling::close_column() {
  const Command& job = *pixel_.tag.job;
  const PoolAxis rows = pool_rows(job);
  const int y = job.output_row + pixel_.tag.row, column = next_column_++;
  const int first = rows.first_covering(y), closed = rows.closed(y);
  const int word = pixel_.tag.group * job.pool_columns + column;
  --columns_left_;
  if (rows.last_covering(y) - first >= config_.lines) violation("pooling windows beyond lines");
  if (word >= config_.line_words) violation("pooled pixel beyond line_words");
  const auto join = [&](bool opens, const std::uint8_t* from, std::uint8_t* to) { keep_larger(job, opens, from, to); };
  if (!windows_.close(rows, y, column, word, now(), join)) violation("line memory used twice at an edge");
  pending_.clear();
  sent_ = 0;
  for (int oy = first; oy < first + closed; ++oy) {
    Pixel done;
    done.tag = pixel_.tag;
    done.tag.x = column;
    done.tag.row = oy - first_pooled_row(job);
    std::copy_n(windows_.result(oy, word), pixel_bytes_, done.bytes.data());
    pending_.push_back(done);
  }
  if (pending_.empty()) pending_.emplace_back();
}

void Pooling::keep_larger(const Command& job, bool first, const std::uint8_t* from, std::uint8_t* to) const {
  if (!values_) return;
  const bool is_unsigned = job.output_unsigned != 0;
  value_bytes_ == 2 ? keep_larger_values<std::uint16_t>(is_unsigned, first, from, to, channels_)
                    : keep_larger_values<std::uint8_t>(is_unsigned, first, from, to, channels_);
}

}  // namespace fansim::stream
