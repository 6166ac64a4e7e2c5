// SPDX-License-Identifier: Apache-2.0
#include "accelerators/stream/hardware/sliding_window.h"

#include <algorithm>

namespace fansim::stream {

SlidingWindow::SlidingWindow(const sc_core::sc_module_name& name, const ArrayConfig& config)
    : sim::Module(name),
      config_(config),
      column_values_(config.rows * config.input_channels),
      columns_(static_cast<std::size_t>((config.cols + kBehind) * column_values_)),
      bits_(*this, "taps", sim::Storage::Of::shift_registers, [this] {
        return sim::StoredWords{taps(), static_cast<std::size_t>(config_.cols * column_values_), sizeof(std::int16_t),
                                config_.operand_bits, config_.operand_bits < 16 && !unsigned_};
      }) {}

[[gnu::flatten]] void SlidingWindow::step() {
  if (columns.empty() && (active_ || pass.empty())) {
    sleep();
    return;
  }
  if (!active_) {
    if (!pass.can_pop()) return;
    begin(pass.pop());
  }
  if (!columns.can_pop()) return;
  const bool completes = column_ == due_ && window_ < windows_in_pass_;
  if (completes && !windows.can_push()) {
    ++stalls_;
    return;
  }
  shift(columns.pop());
  if (completes) emit();
  show(active_, ++column_ < now_.job->columns);
}

void SlidingWindow::begin(const Pass& next) {
  now_ = next;
  const Command& job = *next.job;
  show(active_, true);
  unsigned_ = job.input_unsigned && !job.hidden_input;
  column_ = window_ = 0;
  int kernel_rows = config_.rows;
  int kernel_columns = config_.cols;
  step_ = config_.cols;
  windows_in_pass_ = job.hidden_input ? 1 : job.windows;
  if (!job.matrix && !job.hidden_input) {
    kernel_rows = std::min(config_.rows, job.kernel - next.block * config_.rows);
    kernel_columns = std::min(config_.cols, job.kernel - next.x_block * config_.cols);
    step_ = job.stride;
  }
  due_ = next.x_block * config_.cols + kernel_columns - 1;
  const int lines = (job.parallel - 1) * job.stride + kernel_rows;
  for (int m = 0; m < config_.rows; ++m) {
    const int window = m / kernel_rows;
    const bool used = job.parallel > 1 && window < job.parallel;
    line_of_row_[static_cast<std::size_t>(m)] = used ? config_.rows - lines + window * job.stride + m % kernel_rows : m;
  }
}

// Columns stay where they are, and the registers move on over them, so that a window lies in one piece.
void SlidingWindow::shift(const Column& column) {
  const int kept = (config_.cols - 1) * column_values_;
  if (first_ == kBehind) std::copy_n(taps() + column_values_, kept, columns_.data());
  first_ = first_ == kBehind ? 0 : first_ + 1;
  std::int16_t* to = taps() + kept;
  if (now_.job->parallel == 1) {
    kernels::widen(column.bytes.data(), column_values_, config_.value_bytes(), unsigned_, to);
  } else {
    for (int m = 0; m < config_.rows; ++m) {
      const int line = line_of_row_[static_cast<std::size_t>(m)];
      kernels::widen(column.bytes.data() + line * config_.word_bytes(), config_.input_channels, config_.value_bytes(),
                     unsigned_, to + m * config_.input_channels);
    }
  }
  ++columns_in_;
}

void SlidingWindow::emit() {
  Window& out = windows.push();
  kernels::copy_few(taps(), config_.cols * column_values_, out.taps.data());
  Tag& tag = out.tag;
  tag.job = now_.job;
  tag.entry = now_.entry + window_;
  tag.x = window_;
  tag.row = now_.row;
  tag.group = now_.group;
  tag.new_weights = window_ == 0;
  tag.first = now_.first;
  tag.last = now_.last;
  tag.job_end = now_.job_end && window_ + 1 == windows_in_pass_;
  ++window_;
  due_ += step_;
  ++windows_out_;
}

}  // namespace fansim::stream
