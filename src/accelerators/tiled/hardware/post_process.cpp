// SPDX-License-Identifier: Apache-2.0
#include "accelerators/tiled/hardware/post_process.h"

#include <algorithm>

namespace fansim::tiled {

PostProcess::Layer::Layer(const TiledJob& from, const Config& config)
    : job(from),
      nest(from, config.engine(from.engine)),
      output(from, config.quantiser, config.quantisation.activation_bits) {}

Region PostProcess::Layer::out() const {
  const int place = tile % (nest.y_tiles() * nest.x_tiles());
  return nest.output(place / nest.x_tiles(), place % nest.x_tiles());
}

// The channels of an entry take ceil(channels / lanes) reads.
int PostProcess::Layer::reads(int lanes) const {
  if (!nest.fc_engine()) return base::ceil_div(nest.out_channels(m()), lanes) * nest.sums(out()).size();
  const int whole = job.instruction.out_channels / nest.tm(), rest = job.instruction.out_channels % nest.tm();
  return whole * base::ceil_div(nest.tm(), lanes) + base::ceil_div(rest, lanes);
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
      maps_(static_cast<std::size_t>(config.store.lanes)),
      pipeline_(StoreConfig::post_latency(config.float_sum())) {
  for (std::size_t i = 0; i < sums.size(); ++i)
    if (sums[i]) engines_[i] = std::make_unique<EnginePort>(Config::kEngineNames[i]);
}

void PostProcess::step() {
  if (output_freed.can_pop()) output_freed.pop(), ++free_outputs_;
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
  if (!layer_ && pipeline_.empty() && job.empty() && output_freed.empty()) sleep();
}

PostProcess::State PostProcess::advance() {
  if (!layer_) {
    take_job();
    return State::idle;
  }
  const State next = prepare(engine(layer_->job.engine));
  if (next != State::read) return next;
  ++reads_;
  layer_->nest.fc_engine() ? read_vector() : read_map();
  if (--reads_left_ == 0) finish_tile();
  return State::read;
}

// Pops what the next read needs; `read` if nothing is missing.
PostProcess::State PostProcess::prepare(EnginePort& from) {
  if (!have_parameters_) {
    if (!parameters.can_pop()) return ++parameter_waits_, State::wait_parameters;
    parameters.pop();
    have_parameters_ = true;
  }
  if (reads_left_ == 0) {
    if (!from.sums.can_pop()) return ++sums_waits_, State::wait_sums;
    if (free_outputs_ == 0) return ++stalls_, State::wait_output;
    sums_half_ = from.sums.pop().index;
    --free_outputs_;
    reads_left_ = layer_->reads(config_.store.lanes);
    entry_ = channel_ = 0;
    if (!layer_->nest.fc_engine()) out_ = layer_->out(), part_ = layer_->nest.sums(out_);
  }
  if (reads_left_ == 1 && !from.freed.can_push()) return ++stalls_, State::wait_output;
  return State::read;
}

void PostProcess::take_job() {
  if (!job.can_pop()) return;
  const TiledJob& next = job.pop();
  const auto number = static_cast<std::size_t>(next.engine);
  if (number >= engines_.size() || !engines_[number]) violation("a job for an engine that does not exist");
  layer_.emplace(next, config_);
  have_parameters_ = false;
}

void PostProcess::finish_tile() {
  engine(layer_->job.engine).freed.push({sums_half_});
  pipeline_.enter().index = output_half_;
  output_half_ = output_half_ + 1 == StoreConfig::kHalves ? 0 : output_half_ + 1;
  ++tiles_;
  if (++layer_->tile == layer_->tiles()) layer_.reset();
}

void PostProcess::read_map() {
  std::vector<std::int16_t>& to = output_store_[output_half_];
  const int m = layer_->m(), channels = layer_->nest.out_channels(m);
  const int end = std::min(channel_ + config_.store.lanes, channels);
  const bool pool = layer_->job.instruction.pool(), complete = entry_ + 1 == part_.size();
  if (to.size() < static_cast<std::size_t>(channels * out_.size())) violation("a tile beyond the output half");
  for (int o = channel_; values_ && o < end; ++o) {
    std::int16_t* plane = to.data() + std::ptrdiff_t{o} * out_.size();
    std::vector<std::int16_t>& map = maps_[static_cast<std::size_t>(o - channel_)];
    if (pool) map.resize(static_cast<std::size_t>(part_.size()));
    (pool ? map.data() : plane)[entry_] = value(entry_, o, m * layer_->nest.tm() + o);
    if (pool && complete) layer_->output.pool(map.data(), part_, out_, plane);
  }
  entry_ = complete ? 0 : entry_ + 1;
  if (complete) channel_ = end;
}

void PostProcess::read_vector() {
  std::vector<std::int16_t>& to = output_store_[output_half_];
  const int first = entry_ * layer_->nest.tm();
  const int channels = std::min(layer_->nest.tm(), layer_->job.instruction.out_channels - first);
  const int end = std::min(channel_ + config_.store.lanes, channels);
  if (to.size() < static_cast<std::size_t>(first + end)) violation("a tile beyond the output half");
  for (int o = channel_; values_ && o < end; ++o) to[static_cast<std::size_t>(first + o)] = value(entry_, o, first + o);
  entry_ += end == channels;
  channel_ = end == channels ? 0 : end;
}

std::int16_t PostProcess::value(int entry, int channel, int output_channel) const {
  SumStore& sums = *sums_[static_cast<std::size_t>(layer_->job.engine)];
  const ChannelParameters& record = parameter_store_.channels[static_cast<std::size_t>(output_channel)];
  switch (sums.kind()) {
    case SumStore::Kind::int32:
      return layer_->output.value(std::int64_t{sums.int32(sums_half_, entry)[channel]}, record);
    case SumStore::Kind::int64:
      return layer_->output.value(sums.int64(sums_half_, entry)[channel], record);
    default:
      return layer_->output.value(sums.real(sums_half_, entry)[channel], record);
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
