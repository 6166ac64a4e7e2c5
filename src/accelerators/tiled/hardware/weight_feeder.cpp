// SPDX-License-Identifier: Apache-2.0
#include "accelerators/tiled/hardware/weight_feeder.h"

namespace fansim::tiled {

WeightFeeder::WeightFeeder(const sc_core::sc_module_name& name, const EngineConfig& config, int engine, int per_word,
                           TileStore<std::uint16_t>& level1, bool values)
    : sim::Module(name),
      config_(config),
      engine_(engine),
      words_per_set_(engine == Config::kFc ? 1 : config.tn * base::ceil_div(config.tm, per_word)),
      per_word_(per_word),
      codes_(static_cast<std::size_t>(config.tm * config.tn)),
      level1_(level1),
      values_(values) {}

[[gnu::flatten]] void WeightFeeder::step() {
  if (tiles_left_ == 0 && job.empty()) {
    state_ = State::idle;
    sleep();
    return;
  }
  state_ = advance();
}

WeightFeeder::State WeightFeeder::advance() {
  if (tiles_left_ == 0) {
    take_job();
    return State::idle;
  }
  if (!have_half_) {
    if (!weights.can_pop()) {
      ++weight_waits_;
      return State::wait_weights;
    }
    half_ = weights.pop().index;
    have_half_ = true;
  }
  const bool last_word = word_ + 1 == words_per_set_;
  const bool last_set = set_ + 1 == sets_per_tile_;
  if ((word_ == 0 && !sets.can_push()) || (last_word && last_set && !freed.can_push())) {
    ++stalls_;
    return State::wait_output;
  }
  if (!level1_.port(half_).read(per_word_, now())) violation("more is read at an edge than the half's ports move");
  ++words_;
  ++word_;
  if (last_word) push_set();
  if (last_word && last_set) finish_tile();
  return State::read;
}

void WeightFeeder::take_job() {
  if (!job.can_pop()) return;
  const TiledJob& next = job.pop();
  if (next.engine != engine_) return;
  const TileNest nest(next, config_);
  if (nest.fc_engine()) {
    for (int block = 0; block < nest.fc_blocks(); ++block)
      tiles_left_ += std::int64_t{nest.fc_m_tiles()} * nest.fc_k_tiles(block);
    sets_per_tile_ = next.fc_steps * next.fc_groups;
  } else {
    tiles_left_ = std::int64_t{nest.output_tiles()} * nest.n_tiles();
    sets_per_tile_ = next.steps();
  }
}

void WeightFeeder::push_set() {
  WeightSet& set = sets.push();
  if (values_) {
    const std::vector<std::uint16_t>& half = level1_[half_];
    const std::size_t first = static_cast<std::size_t>(set_) * codes_;
    if (first + codes_ > half.size()) violation("read beyond the weight half");
    set.codes.assign(half.data() + first, half.data() + first + codes_);
  }
  word_ = 0;
  ++set_;
}

void WeightFeeder::finish_tile() {
  freed.push({half_});
  have_half_ = false;
  set_ = 0;
  --tiles_left_;
}

std::string WeightFeeder::waiting_for() const {
  return state_ == State::wait_weights ? "a filled weight half" : std::string{};
}

}  // namespace fansim::tiled
