// SPDX-License-Identifier: Apache-2.0
#include "accelerators/tiled/hardware/post_process.h"

#include <algorithm>

namespace fansim::tiled {
namespace {

// Returns the words of a line memory. No tile is wider than the output store is deep.
int line_words(const StoreConfig& store) { return std::min(StoreConfig::kPoolColumns, store.words); }

}  // namespace

PostProcess::Layer::Layer(const TiledJob& from, const Config& config, const LookUp& look_up)
    : job(from),
      nest(from, config.engine(from.engine)),
      output(from, config.quantiser, config.quantisation.activation_bits, look_up) {}

Region PostProcess::Layer::out() const {
  const int place = tile % (nest.y_tiles() * nest.x_tiles());
  return nest.output(place / nest.x_tiles(), place % nest.x_tiles());
}

PostProcess::PostProcess(const sc_core::sc_module_name& name, const Config& config,
                         const std::array<SumStore*, Config::kEngines>& sums, const ParameterStore& parameter_store,
                         TileStore<std::int16_t>& output_store, bool values)
    : sim::Module(name),
      config_(config),
      sums_(sums),
      parameter_store_(parameter_store),
      output_store_(output_store),
      values_(values),
      terms_(static_cast<std::size_t>(config.store.lanes)),
      windows_(config.store.pool_lines, config.store.pool_lines, line_words(config.store), config.store.lanes),
      pipeline_(config.store.post_latency(config.float_sum())) {
  for (std::size_t i = 0; i < sums.size(); ++i)
    if (sums[i]) engines_[i] = std::make_unique<EnginePort>(Config::kEngineNames[i]);
}

[[gnu::flatten]] void PostProcess::step() {
  if (output_freed.can_pop()) {
    output_freed.pop();
    ++free_outputs_;
  }
  if (table.can_pop()) write_table(table.pop());
  if (pipeline_.out_valid()) {
    if (!output.can_push()) {
      ++stalls_;
      state_ = State::wait_output;
      return;
    }
    output.push(pipeline_.out());
  }
  pipeline_.advance();
  state_ = advance();
  if (!layer_ && pipeline_.empty() && job.empty() && output_freed.empty() && table.empty()) sleep();
}

PostProcess::State PostProcess::advance() {
  if (!layer_) {
    take_job();
    return State::idle;
  }
  const State next = prepare(engine(layer_->job.engine));
  if (next != State::read) return next;
  ++reads_;
  const bool last = last_read();
  layer_->nest.fc_engine() ? read_vector() : read_map();
  if (last) finish_tile();
  return State::read;
}

// Pops what the next read needs. Returns State::read if nothing is missing.
PostProcess::State PostProcess::prepare(EnginePort& from) {
  if (!have_parameters_) {
    if (!parameters.can_pop()) {
      ++parameter_waits_;
      return State::wait_parameters;
    }
    parameters.pop();
    have_parameters_ = true;
  }
  if (!open_) {
    if (!from.sums.can_pop()) {
      ++sums_waits_;
      return State::wait_sums;
    }
    if (free_outputs_ == 0) {
      ++stalls_;
      return State::wait_output;
    }
    --free_outputs_;
    open_tile(from.sums.pop().index);
  }
  if (last_read() && !from.freed.can_push()) {
    ++stalls_;
    return State::wait_output;
  }
  return State::read;
}

void PostProcess::write_table(const axi::LiteRequest& request) {
  if (layer_) violation("the code table is written while a layer is processed");
  look_up_.write(request.address, request.value);
}

void PostProcess::take_job() {
  if (!job.can_pop()) return;
  const TiledJob& next = job.pop();
  const auto number = static_cast<std::size_t>(next.engine);
  if (number >= engines_.size() || !engines_[number]) violation("a job for an engine that does not exist");
  layer_.emplace(next, config_, look_up_);
  have_parameters_ = false;
}

void PostProcess::open_tile(int sums_half) {
  open_ = true;
  sums_half_ = sums_half;
  entry_ = channel_ = edge_ = 0;
  if (layer_->nest.fc_engine()) return;
  out_ = layer_->out();
  rows_ = layer_->nest.pool_rows(out_);
  columns_ = layer_->nest.pool_columns(out_);
  const TileNest& nest = layer_->nest;
  const Region part = nest.sums(out_);
  const int x = layer_->tile % nest.x_tiles(), y = layer_->tile / nest.x_tiles() % nest.y_tiles();
  const auto overlap = [](int end, int begin) { return std::max(0, end - begin); };
  const Region above = nest.sums(nest.output(std::max(0, y - 1), x)),
               left = nest.sums(nest.output(y, std::max(0, x - 1)));
  new_row_ = y == 0 ? 0 : overlap(above.row + above.rows, part.row);
  new_column_ = x == 0 ? 0 : overlap(left.column + left.columns, part.column);
  if (layer_->job.instruction.pool() && out_.columns > line_words(config_.store))
    violation("a tile beyond the line memories");
}

void PostProcess::finish_tile() {
  open_ = false;
  engine(layer_->job.engine).freed.push({sums_half_});
  pipeline_.enter().index = output_half_;
  output_half_ = output_half_ + 1 == StoreConfig::kHalves ? 0 : output_half_ + 1;
  ++tiles_;
  if (++layer_->tile == layer_->tiles()) layer_.reset();
}

int PostProcess::entries() const {
  return layer_->nest.fc_engine() ? layer_->nest.m_tiles() : rows_.size * columns_.size;
}

// Returns the number of the entry's output channels.
int PostProcess::channels() const { return layer_->nest.out_channels(layer_->nest.fc_engine() ? entry_ : layer_->m()); }

// Returns the edges that the entry takes: one for each column of windows that it closes or, if that completes outputs,
// one for each of these; at least one.
int PostProcess::edges() const {
  if (layer_->nest.fc_engine()) return 1;
  const int rows = rows_.closed(entry_ / columns_.size), columns = columns_.closed(entry_ % columns_.size);
  return std::max(1, columns * std::max(1, rows));
}

bool PostProcess::last_read() const {
  return entry_ + 1 == entries() && channel_ + config_.store.lanes >= channels() && edge_ + 1 == edges();
}

void PostProcess::read_map() {
  std::vector<std::int16_t>& to = output_store_[output_half_];
  const int first = layer_->m() * layer_->nest.tm(), end = std::min(channel_ + config_.store.lanes, channels());
  if (to.size() < static_cast<std::size_t>(channels() * out_.size())) violation("a tile beyond the output half");
  if (edge_ == 0) use_sums();
  if (layer_->job.instruction.pool()) {
    pool(to.data(), end);
  } else {
    use_outputs(end - channel_);
    for (int o = channel_; values_ && o < end; ++o)
      to[static_cast<std::size_t>(o * out_.size() + entry_)] = value(entry_, o, first + o);
  }
  if (++edge_ < edges()) return;
  edge_ = 0;
  if (++entry_ == entries()) {
    entry_ = 0;
    channel_ = end;
  }
}

void PostProcess::pool(std::int16_t* to, int end) {
  const TileOutput& rule = layer_->output;
  const int y = entry_ / columns_.size, x = entry_ % columns_.size;
  const int lanes = values_ ? end - channel_ : 0;
  const auto join = [&](bool first, const std::int64_t* from, std::int64_t* into) {
    for (int i = 0; i < lanes; ++i) into[i] = first ? from[i] : rule.joined(into[i], from[i]);
  };
  if (edge_ == 0) {
    const int first = layer_->m() * layer_->nest.tm() + channel_;
    for (int i = 0; i < lanes; ++i)
      terms_[static_cast<std::size_t>(i)] = rule.term(value(entry_, channel_ + i, first + i));
    windows_.take(columns_, x, terms_.data(), join);
  }
  if (columns_.closed(x) == 0) return;
  const int rows = rows_.closed(y), per_column = std::max(1, rows);
  const int row = rows_.first_covering(y) + edge_ % per_column;
  const int column = columns_.first_covering(x) + edge_ / per_column;
  if (edge_ % per_column == 0 && !windows_.close(rows_, y, column, column, now(), join))
    violation("line memory used twice at an edge");
  if (rows == 0) return;
  use_outputs(end - channel_);
  const std::int64_t* result = windows_.result(row, column);
  to += std::ptrdiff_t{channel_} * out_.size() + row * out_.columns + column;
  for (int i = 0; i < lanes; ++i) to[std::ptrdiff_t{i} * out_.size()] = rule.pooled(result[i], saturation_);
}

void PostProcess::read_vector() {
  std::vector<std::int16_t>& to = output_store_[output_half_];
  const int first = entry_ * layer_->nest.tm();
  const int channels = std::min(layer_->nest.tm(), layer_->job.instruction.out_channels - first);
  const int end = std::min(channel_ + config_.store.lanes, channels);
  if (to.size() < static_cast<std::size_t>(first + end)) violation("a tile beyond the output half");
  use_sums();
  use_outputs(end - channel_);
  for (int o = channel_; values_ && o < end; ++o) to[static_cast<std::size_t>(first + o)] = value(entry_, o, first + o);
  entry_ += end == channels;
  channel_ = end == channels ? 0 : end;
}

void PostProcess::use_sums() {
  if (!sums_[static_cast<std::size_t>(layer_->job.engine)]->port(sums_half_).read(1, now()))
    violation("more is read at an edge than the half's ports move");
}

void PostProcess::use_outputs(int values) {
  if (!output_store_.port(output_half_).write(values, now()))
    violation("more is written at an edge than the half's ports move");
}

// Windows that overlap at a tile's edge need the same sums in both tiles, where each counts once.
bool PostProcess::computed_before() const {
  return !layer_->nest.fc_engine() && (entry_ / columns_.size < new_row_ || entry_ % columns_.size < new_column_);
}

std::int16_t PostProcess::value(int entry, int channel, int output_channel) {
  arith::Saturation& seen = computed_before() ? seen_before_ : saturation_;
  SumStore& sums = *sums_[static_cast<std::size_t>(layer_->job.engine)];
  const ChannelParameters& record = parameter_store_.channels[static_cast<std::size_t>(output_channel)];
  switch (sums.kind()) {
    case SumStore::Kind::int32:
      return layer_->output.value(std::int64_t{sums.int32(sums_half_, entry)[channel]}, record, seen);
    case SumStore::Kind::int64:
      return layer_->output.value(sums.int64(sums_half_, entry)[channel], record, seen);
    default:
      return layer_->output.value(sums.real(sums_half_, entry)[channel], record, seen);
  }
}

std::string PostProcess::waiting_for() const {
  switch (state_) {
    case State::wait_sums:
      return "complete sums";
    case State::wait_parameters:
      return "a layer's parameters";
    case State::wait_output:
      return "a free output half";
    default:
      return {};
  }
}

}  // namespace fansim::tiled
