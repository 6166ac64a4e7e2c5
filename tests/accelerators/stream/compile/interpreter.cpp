// SPDX-License-Identifier: Apache-2.0
#include "accelerators/stream/compile/interpreter.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "arith/requantise.h"
#include "contract/dma_map.h"
#include "network/reference/recurrent.h"

namespace fansim::test {

namespace {

void require(bool holds, const char* rule) {
  if (!holds) throw std::runtime_error(fmt::format("rule broken: {}", rule));
}

std::size_t index(std::int64_t i) {
  if (i < 0) throw std::runtime_error("negative index");
  return static_cast<std::size_t>(i);
}

std::int64_t little_endian(const std::uint8_t* bytes, int count) {
  std::uint32_t value = 0;
  for (int i = 0; i < count; ++i) value |= static_cast<std::uint32_t>(bytes[i]) << 8 * i;
  return static_cast<std::int32_t>(value);
}

std::uint32_t without_pulses(stream::Command c) {
  c.receive_input = c.receive_weights = c.receive_bias = c.receive_resident = c.start_conv = c.start_recurrent = 0;
  return encode(c).reg1;
}

}  // namespace

Interpreter::Interpreter(const contract::Program& program, const stream::Config& config)
    : program_(program),
      config_(config),
      ci_(config.array.input_channels),
      co_(config.array.output_channels),
      array_rows_(config.array.rows),
      array_cols_(config.array.cols),
      memory_(program.memory.begin(), program.memory.end()) {
  weight_pitch_ = index(base::round_up(config.array.weight_column_bytes(), config.axi.beat_bytes()));
  for (int half = 0; half < 2; ++half) {
    input_[half].bytes = garbage(index(config.buffers.input_half_bytes()));
    weights_[half].bytes = garbage(index(config.buffers.weight_half_bytes()));
    bias_[half].bytes = garbage(index(config.buffers.bias_half_bytes()));
  }
  resident_.bytes = garbage(index(config.buffers.resident_bytes()));
  sums_.resize(index(config.array.accumulator_depth * array_rows_));
}

Interpreter::Bytes Interpreter::garbage(std::size_t bytes) {
  Bytes result(bytes);
  for (std::uint8_t& byte : result) byte = static_cast<std::uint8_t>(random_.uniform(0, 255));
  return result;
}

void Interpreter::run() {
  using Kind = contract::HostOp::Kind;
  for (const contract::HostOp& op : program_.ops) {
    if (op.kind == Kind::begin_layer) {
      require(!running_ && plan_ < 0, "a layer begins when the machine is quiescent");
      plan_ = static_cast<int>(op.value);
      bytes_read_[plan_] = jobs_[plan_] = 0;
    }
    contract::follow(op, *this);
    if (op.kind == Kind::end_layer) {
      require(!running_ && !output_interrupt_ && plan_ == static_cast<int>(op.value), "a layer ends when it is done");
      plan_ = -1;
    }
  }
}

void Interpreter::poll_mm2s() { require(!armed_, "a receiver that was armed has received"); }

void Interpreter::wait_job() {
  require(running_.has_value(), "a job is waited for that was started");
  finish_job();
}

void Interpreter::wait_output() {
  require(!running_ && output_interrupt_, "the last output is waited for after the last job");
  output_interrupt_ = false;
}

void Interpreter::write_core(std::uint32_t address, std::uint32_t value) {
  if (address == stream::register_offset(1)) {
    write_register1(value);
    return;
  }
  require(!running_, "registers 2 to 6 do not change while a job runs");
  if (address == stream::register_offset(2)) registers_.reg2 = value;
  if (address == stream::register_offset(3)) registers_.geometry[value >> 28] = value & 0x0fffffff;
  if (address == stream::register_offset(4)) registers_.reg4 = value;
  if (address == stream::register_offset(5)) registers_.reg5 = value;
  if (address == stream::register_offset(6)) registers_.reg6 = value;
}

void Interpreter::write_register1(std::uint32_t value) {
  registers_.reg1 = value;
  const stream::Command c = decode(registers_);
  if (running_) {
    require(!c.start_conv && !c.start_recurrent, "no job starts while another runs");
    require(without_pulses(c) == without_pulses(*running_), "register 1 keeps its levels while a job runs");
  }
  if (c.receive_input + c.receive_weights + c.receive_bias > 0) {
    require(c.receive_input + c.receive_weights + c.receive_bias == 1 && !armed_, "one receiver at a time is armed");
    require(!(running_ && c.receive_resident && running_->weights_resident),
            "the resident store is not written in use");
    armed_ = c;
  }
  if (c.start_conv + c.start_recurrent > 0) {
    require(c.start_conv + c.start_recurrent == 1 && !armed_, "one job starts, after its data");
    running_ = c;
  }
}

void Interpreter::write_dma(std::uint32_t address, std::uint32_t value) {
  namespace map = contract::dma_map;
  if (address == map::kMm2sDmacr) mm2s_runs_ = (value & map::kCrRunStop) != 0;
  if (address == map::kS2mmDmacr) s2mm_runs_ = (value & map::kCrRunStop) != 0;
  require(address <= map::kS2mmDmacr, "the core alone starts S2MM transfers");
  if (address == map::kMm2sSa) source_ = value;
  if (address == map::kMm2sLength) receive(value);
}

void Interpreter::receive(std::uint32_t length) {
  require(mm2s_runs_ && armed_ && length > 0, "a transfer has a running DMA and an armed receiver");
  require(length < 1U << config_.dma.length_bits, "a transfer's length fits the DMA's register");
  require(std::uint64_t{source_} + length <= memory_.size(), "a transfer reads memory that exists");
  Half* half = armed_->receive_input      ? &input_[1 - armed_->input_select]
               : armed_->receive_bias     ? &bias_[1 - armed_->bias_select]
               : armed_->receive_resident ? &resident_
                                          : &weights_[1 - armed_->weight_select];
  require(length <= half->bytes.size(), "a transfer fits its buffer");
  half->bytes = garbage(half->bytes.size());
  std::copy_n(memory_.begin() + source_, length, half->bytes.begin());
  half->loaded = length;
  bytes_read_[plan_] += length;
  armed_.reset();
}

void Interpreter::finish_job() {
  const stream::Command c = *running_;
  ++jobs_[plan_];
  require(c.add_bias + c.accumulate == 1, "a job either adds the bias or accumulates");
  require(c.columns == c.fill_columns * c.fill_pieces && c.columns <= config_.array.line_columns, "lines fit");
  if (!c.pool || c.output_row == 0) rows_.clear();
  pooled_.clear();
  if (c.start_recurrent) {
    require(c.send_output && c.last_round && c.recurrent_output && c.hidden_input,
            "a recurrent job finishes its steps");
    if (c.add_bias) {
      hidden_.assign(index(c.groups / 4 * co_), 0);
      cell_ = hidden_;
    }
    for (int step = 0; step < c.steps; ++step) {
      // The store beyond the hidden state holds anything.
      hidden_words_ = garbage(index(base::round_up(c.groups / 4 * co_, c.blocks * array_rows_ * array_cols_ * ci_)));
      for (std::size_t u = 0; u < hidden_.size(); ++u) hidden_words_[u] = static_cast<std::uint8_t>(hidden_[u]);
      run_nest(c, step);
      update_cell(c, step);
    }
  } else {
    run_nest(c, 0);
    if (c.pool && c.last_round) pool(c);
  }
  if (c.send_output) send(c);
  running_.reset();
}

void Interpreter::run_nest(const stream::Command& c, int step) {
  lines_.clear();
  for (int line = 0; line < array_rows_; ++line) lines_.push_back(garbage(index(c.columns * ci_)));
  for (int block = 0; block < c.blocks; ++block) {
    const int kernel_rows = c.matrix ? array_rows_ : std::min(array_rows_, c.kernel - block * array_rows_);
    const int lines = (c.parallel - 1) * c.stride * !c.matrix + kernel_rows;
    require(lines <= array_rows_ && kernel_rows >= 1, "the lines of a window fit the array");
    next_line_ = 0;
    for (int row = 0; row < c.rows; ++row) {
      for (int line = 0; line < (row == 0 ? lines : c.parallel * c.stride); ++line) fill_line(c, block, next_line_++);
      for (int x_block = 0; x_block < c.x_blocks; ++x_block)
        for (int group = 0; group < c.groups; ++group) run_pass(c, block, row, x_block, group, step);
    }
  }
}

void Interpreter::fill_line(const stream::Command& c, int block, int line) {
  const Bytes& from = c.hidden_input ? hidden_words_ : input_[c.input_select].bytes;
  Bytes filled;
  for (int piece = 0; piece < c.fill_pieces; ++piece)
    for (int column = 0; column < c.fill_columns; ++column) {
      const std::int64_t word = std::int64_t{c.fill_base} + std::int64_t{block} * c.fill_block_step +
                                std::int64_t{line} * c.fill_line_step + std::int64_t{piece} * c.fill_piece_step +
                                column;
      require((word + 1) * ci_ <= static_cast<std::int64_t>(from.size()), "a line is filled from the input half");
      for (int i = 0; i < ci_; ++i) filled.push_back(from[index(word * ci_ + i)]);
    }
  lines_.erase(lines_.begin());
  lines_.push_back(filled);
}

int Interpreter::activation(std::uint8_t byte, bool is_unsigned) const {
  return is_unsigned ? byte : static_cast<std::int8_t>(byte);
}

void Interpreter::run_pass(const stream::Command& c, int block, int row, int x_block, int group, int step) {
  const int kernel_rows = c.matrix ? array_rows_ : std::min(array_rows_, c.kernel - block * array_rows_);
  const int kernel_columns = c.matrix ? array_cols_ : std::min(array_cols_, c.kernel - x_block * array_cols_);
  const int stride = c.matrix ? array_cols_ : c.stride;
  const int lines = (c.parallel - 1) * c.stride * !c.matrix + kernel_rows;
  const bool first = block == 0 && x_block == 0;
  const bool last = block == c.blocks - 1 && x_block == c.x_blocks - 1;
  const std::int64_t set = (std::int64_t{block} * c.x_blocks + x_block) * c.groups + group;
  const Half& weights = c.weights_resident ? resident_ : weights_[c.weight_select];
  require((index(c.weight_base + (set + 1) * array_cols_)) * weight_pitch_ <= weights.loaded, "weights are there");
  const int windows = c.start_recurrent ? 1 : c.windows;
  for (int x = 0; x < windows; ++x) {
    const int completes = x_block * array_cols_ + x * stride + kernel_columns - 1;
    require(completes < c.columns, "every window is completed by a column");
    for (int p = 0; p < c.parallel; ++p)
      for (int o = 0; o < co_; ++o) {
        std::int64_t total = 0;
        for (int tap = 0; tap < (c.parallel == 1 ? array_rows_ : kernel_rows); ++tap) {
          const int m = c.parallel == 1 ? tap : p * kernel_rows + tap;
          const int line = c.parallel == 1 ? tap : array_rows_ - lines + p * c.stride + tap;
          for (int t = 0; t < array_cols_; ++t) {
            const int column = completes - (array_cols_ - 1 - t);
            const std::size_t at = index(c.weight_base + set * array_cols_ + t) * weight_pitch_;
            for (int i = 0; i < ci_; ++i) {
              // Before the line's first column the window still holds what streamed before.
              const std::uint8_t a =
                  column < 0 ? static_cast<std::uint8_t>(random_.next()) : lines_[index(line)][index(column * ci_ + i)];
              const auto w = static_cast<std::int8_t>(weights.bytes[at + index((o * array_rows_ + m) * ci_ + i)]);
              total += activation(a, c.input_unsigned && !c.hidden_input) * w;
            }
          }
        }
        const std::int64_t entry = c.start_recurrent ? std::int64_t{group} * c.windows + c.step_offset + step
                                                     : (std::int64_t{row} * c.groups + group) * c.windows + x;
        require(entry < config_.array.accumulator_entries(c.parallel), "accumulators suffice");
        std::int64_t& stored = sums_[index(entry * array_rows_ + p)][index(o)];
        if (first && c.add_bias && !c.start_recurrent) {
          total += record(c, group * co_ + o).bias;
        } else {
          total += stored;
        }
        if (last && c.last_round) {
          finish(c, group, row * c.parallel + p, x, o, total);
        } else {
          stored = total;
        }
      }
  }
}

Interpreter::Record Interpreter::record(const stream::Command& c, int channel) const {
  const Half& half = bias_[c.bias_select];
  const std::size_t bytes = c.scale_per_channel ? 8 : 4;
  const std::size_t at = index(c.bias_base * co_ + channel) * bytes;
  require(at + bytes <= half.loaded, "bias records are there");
  const std::uint8_t* from = &half.bytes[at];
  if (!c.scale_per_channel) return {little_endian(from, 4), c.scale, c.shift};
  require(from[7] == 0, "the last byte of a bias record is zero");
  return {little_endian(from, 4), static_cast<int>(little_endian(from + 4, 2)), from[6]};
}

void Interpreter::finish(const stream::Command& c, int group, int row, int window, int output, std::int64_t sum) {
  const Record r = record(c, group * co_ + output);
  if (c.recurrent_output) {
    pre_.resize(index(c.groups * co_));
    pre_[index(group * co_ + output)] = arith::requantise16(sum, r.scale, r.shift, config_.quantiser);
    return;
  }
  if (c.output_row + row >= c.output_rows) return;
  const int zero = activation(static_cast<std::uint8_t>(c.zero_point), c.output_unsigned);
  int value = arith::requantise(sum, {r.scale, r.shift, zero, c.output_unsigned != 0}, config_.quantiser);
  if (c.relu) value = std::max(value, zero);
  Bytes& to = rows_[c.output_row + row];
  to.resize(index(c.groups * c.windows * co_));
  to[index((group * c.windows + window) * co_ + output)] = static_cast<std::uint8_t>(value);
}

void Interpreter::update_cell(const stream::Command& c, int step) {
  Bytes& to = rows_[step];
  to.resize(hidden_.size());
  for (int u = 0; u < c.groups / 4 * co_; ++u) {
    const auto pre = [&](int gate) { return static_cast<int>(pre_[index((u / co_ * 4 + gate) * co_ + u % co_)]); };
    const std::size_t unit = index(u);
    if (c.gru) {
      hidden_[unit] = network::gru_unit({pre(0), pre(1), pre(2), pre(3)}, hidden_[unit]);
    } else {
      const network::LstmState next = network::lstm_unit({pre(0), pre(1), pre(2), pre(3)}, cell_[unit]);
      cell_[unit] = next.c;
      hidden_[unit] = next.h;
    }
    to[unit] = static_cast<std::uint8_t>(hidden_[unit]);
  }
}

void Interpreter::pool(const stream::Command& c) {
  const stream::PoolingConfig& unit = config_.pooling;
  require(c.pool_kernel <= unit.kernel && c.groups * c.pool_columns <= unit.line_words, "the pooling unit is as large");
  const int done = std::min(c.output_rows, c.output_row + c.rows);
  for (int p = 0; p < c.pool_rows; ++p) {
    const int top = p * c.pool_stride - c.pool_top;
    const int last = std::min(top + c.pool_kernel, c.output_rows) - 1;
    if (last < c.output_row || last >= done) continue;
    Bytes& to = pooled_[p];
    for (int group = 0; group < c.groups; ++group)
      for (int x = 0; x < c.pool_columns; ++x)
        for (int o = 0; o < co_; ++o) {
          int largest = -1000;
          const int left = x * c.pool_stride - c.pool_left;
          for (int y = std::max(top, 0); y <= last; ++y)
            for (int w = std::max(left, 0); w < std::min(left + c.pool_kernel, c.windows); ++w)
              largest = std::max(
                  largest, activation(rows_.at(y).at(index((group * c.windows + w) * co_ + o)), c.output_unsigned));
          to.push_back(static_cast<std::uint8_t>(largest));
        }
  }
}

void Interpreter::send(const stream::Command& c) {
  require(s2mm_runs_ && c.last_round, "finished outputs are sent by a running DMA");
  require(c.output_select != last_output_select_, "output halves alternate");
  last_output_select_ = c.output_select;
  const std::map<int, Bytes>& rows = c.pool ? pooled_ : rows_;
  require(rows.size() == index(c.tile_rows) && c.tile_rows > 0, "a job sends the rows that it completes");
  const int planes = (c.start_recurrent ? c.groups / 4 : c.groups) * (co_ / ci_);
  require(c.tile_rows * planes * c.output_columns * ci_ <= config_.buffers.output_half_bytes(), "the tile fits");
  int r = 0;
  for (const auto& [row, bytes] : rows) {
    (void)row;
    for (int plane = 0; plane < planes; ++plane)
      for (int column = 0; column < c.output_columns; ++column)
        for (int i = 0; i < ci_; ++i) {
          const int channel = plane * ci_ + i;
          const std::size_t from = index((channel / co_ * c.output_columns + column) * co_ + channel % co_);
          const std::uint64_t to = std::uint64_t{c.output_base} + std::uint64_t(r) * std::uint64_t(c.row_pitch) +
                                   std::uint64_t(plane) * std::uint64_t(c.plane_pitch) + index(column * ci_ + i);
          memory_.at(to) = bytes.at(from);
        }
    ++r;
  }
  if (c.end_of_layer) {
    output_interrupt_ = true;
    last_output_select_ = -1;
  }
}

network::Tensor Interpreter::tensor(const stream::TensorPlace& place, const network::Layer& layer) const {
  network::Tensor tensor{layer.out, layer.out_format, {}};
  const auto put = [&](std::uint32_t address) { tensor.bytes.push_back(memory_.at(address)); };
  if (place.sequence) {
    for (int step = 0; step < place.height; ++step)
      for (int f = 0; f < place.channels; ++f) put(place.at(step, f));
  } else {
    for (int channel = 0; channel < place.channels; ++channel)
      for (int row = 0; row < place.height; ++row)
        for (int column = 0; column < place.width; ++column) put(place.at(channel, row, column));
  }
  return tensor;
}

}  // namespace fansim::test
