// SPDX-License-Identifier: Apache-2.0
#include "accelerators/stream/hardware/line_buffer.h"

#include <cstring>

namespace fansim::stream {

namespace {
// These are the targets of the hidden state's port.
constexpr int kLastState = 0;
constexpr int kZeroState = 1;
}  // namespace

LineBuffer::LineBuffer(const sc_core::sc_module_name& name, const ArrayConfig& config, sim::ReadPort& input,
                       sim::ReadPort& hidden)
    : sim::Module(name),
      config_(config),
      line_bytes_(config.line_columns * config.word_bytes()),
      input_(input),
      hidden_(hidden),
      lines_(static_cast<std::size_t>(config.rows * line_bytes_)),
      bits_(*this, "lines", config.line_latency() > 0 ? sim::Storage::Of::block_ram : sim::Storage::Of::shift_registers,
            [this] { return sim::StoredWords::all(lines_); }) {}

[[gnu::flatten]] void LineBuffer::step() {
  const bool empty = !busy();
  go_on(empty);
  if (busy() == empty) changed();
}

void LineBuffer::go_on(bool empty) {
  advance();
  if (fill_left_ > 0) {
    fill_one();
    return;
  }
  if (!passing_) {
    if (command.empty() && empty) {
      sleep();
      return;
    }
    if (!command.can_pop() || (command.front().fill && !empty)) return;
    take(command.pop());
    if (fill_left_ > 0) {
      fill_one();
      return;
    }
  }
  if (place_free()) {
    present();
  } else if (!out_) {
    ++stalls_;
  }
}

void LineBuffer::take(const LineCommand& next) {
  now_ = next;
  columns_per_line_ = next.job->columns;
  if (columns_per_line_ > config_.line_columns) violation("a line is longer than the line buffers are deep");
  if (next.fill) {
    words_left_ = next.lines * columns_per_line_;
    fill_left_ = words_left_ + ArrayConfig::bram_read_latency();
    line_ = next.line;
    start_line();
  } else {
    passing_ = true;
    column_ = 0;
  }
}

// The cascade moves every line up by one while a new one enters. A ring of lines does so by renaming.
void LineBuffer::start_line() {
  piece_ = word_ = fill_column_ = 0;
  oldest_ = oldest_ + 1 == config_.rows ? 0 : oldest_ + 1;
}

void LineBuffer::fill_one() {
  --fill_left_;
  if (words_left_ == 0) return;
  const Command& job = *now_.job;
  const int address = job.fill_base + now_.block * job.fill_block_step + line_ * job.fill_line_step +
                      piece_ * job.fill_piece_step + word_;
  const int bytes = config_.word_bytes();
  const std::uint8_t* word = job.hidden_input
                                 ? hidden_.read(now_.zero_state ? kZeroState : kLastState, address * bytes, bytes)
                                 : input_.read(job.input_select, address * bytes, bytes);
  const int newest = oldest_ == 0 ? config_.rows - 1 : oldest_ - 1;
  std::memcpy(line(newest, fill_column_), word, static_cast<std::size_t>(bytes));
  ++words_filled_;
  ++fill_column_;
  if (++word_ == job.fill_columns) {
    word_ = 0;
    ++piece_;
  }
  --words_left_;
  if (fill_column_ == columns_per_line_ && words_left_ > 0) {
    ++line_;
    start_line();
  }
}

// Each register moves on as soon as the next is free.
void LineBuffer::advance() {
  if (out_) {
    if (columns.can_push()) {
      columns.push() = *out_;
      out_.reset();
      ++columns_out_;
    } else {
      ++stalls_;
    }
  }
  if (!out_) out_.swap(read_);
}

void LineBuffer::present() {
  if (config_.line_latency() == 0) {
    read_column(columns.push());
    ++columns_out_;
  } else {
    read_column(read_.emplace());
  }
  passing_ = ++column_ < columns_per_line_;
}

void LineBuffer::read_column(Column& column) {
  const int bytes = config_.word_bytes();
  const std::uint8_t *const first = line(0, column_), *const behind = line(config_.rows, column_);
  const std::uint8_t* from = line(oldest_, column_);
  std::uint8_t* to = column.bytes.data();
  for (std::uint8_t* const end = to + config_.rows * bytes; to != end; to += bytes) {
    if (bytes == 8) {
      std::memcpy(to, from, 8);
    } else {
      std::memcpy(to, from, static_cast<std::size_t>(bytes));
    }
    from += line_bytes_;
    if (from == behind) from = first;
  }
}

}  // namespace fansim::stream
