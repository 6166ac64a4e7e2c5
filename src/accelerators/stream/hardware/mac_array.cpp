// SPDX-License-Identifier: Apache-2.0
#include "accelerators/stream/hardware/mac_array.h"

#include <algorithm>
#include <utility>

#include "kernels/mac.h"

namespace fansim::stream {

MacArray::MacArray(const sc_core::sc_module_name& name, const ArrayConfig& config, bool values, Taken taken)
    : sim::Module(name),
      config_(config),
      lanes_(base::round_up(config.window_values(), kernels::kLanes)),
      values_(values),
      taken_(taken),
      sums_early_(values && taken == Taken::by_adder_tree && !sums()),
      reconfigurable_(config.reloads()),
      set_size_(static_cast<std::size_t>(lanes_ * config.output_channels)),
      set_count_(config.mac_latency() + 3),
      pipeline_(config.mac_latency()),
      sets_(set_size_ * static_cast<std::size_t>(set_count_)),
      kernel_(config.kernel().format),
      tables_(config.shadow_luts),
      weight_bits_(*this, registers(), reconfigurable_ ? 1 : 2, products_shape(), config.weight_bits(),
                   [this](int next) { return set(reconfigurable_ || next > 0 ? after(in_use_) : in_use_); }),
      product_bits_(
          *this, registers(),
          sums() ? blocks::ArrayShape{config.output_channels, output_sums(), output_sums()} : products_shape(),
          sums() ? std::min(32, config.term_bits()) : config.operand_bits + config.weight_bits(),
          [this] { return pipeline_.out_valid(); }),
      table_bits_(*this, reconfigurable_ ? products_shape() : blocks::ArrayShape{}, config.kernel().format,
                  [this] { return in_use_; }) {}

[[gnu::flatten]] void MacArray::step() {
  if (can_sleep()) {
    show(state_, State::idle);
    sleep();
    return;
  }
  if (tables_.running()) tables_.shift();
  if (pipeline_.out_valid()) {
    if (!products.can_push()) {
      ++stalls_;
      show(state_, windows.can_pop() ? State::wait_output : State::idle);
      reload_tables(false);
      take_weights();
      return;
    }
    push_products(pipeline_.out());
  }
  if (!pipeline_.empty() || windows.can_pop()) {
    pipeline_.advance();
    const bool second = std::exchange(alone_, false);
    show(state_, !windows.can_pop() ? State::idle : take_window(second) ? State::compute : State::wait_weights);
  } else {
    show(state_, State::idle);
  }
  reload_tables(state_ == State::wait_weights);
  take_weights();
}

bool MacArray::can_sleep() const {
  const bool reloads = reconfigurable_ && (tables_.running() || (set_complete() && tables_.may_start(false)));
  return pipeline_.empty() && windows.empty() && weights.empty() && !reloads;
}

void MacArray::push_products(const Operands& operands) {
  Products& out = products.push();
  out.tag = operands.window.tag;
  if (!values_) return;
  if (sums())
    sum_rows(operands, out);
  else if ((out.summed = sums_early_)) {
    kernels::copy_few(operands.sums.data(), sums_of(operands.window), out.sums.data());
    return;
  } else if ((out.summed = may_sum())) {
    sum_products(operands.window, operands.set, out.sums.data());
    return;
  } else
    kernels::multiply(operands.window.taps.data(), set(operands.set), config_.output_channels, lanes_,
                      out.values.data());
  if (!table_bits_.none() && !config_.rounds()) apply_table_faults(operands, out);
  if (product_bits_.none()) return;
  sums() ? product_bits_.apply(out.sums.data()) : product_bits_.apply(out.values.data());
}

// Each parallel row has a window of its own, in which the other rows' taps are zero.
void MacArray::sum_products(const Window& window, int set_index, std::int32_t* out) {
  const Command& job = *window.tag.job;
  const std::int16_t *const taps = window.taps.data(), *const w = set(set_index);
  if (job.parallel == 1) {
    kernels::dot_rows(taps, w, config_.output_channels, lanes_, out);
    return;
  }
  const int column = config_.rows * config_.input_channels, part = job.kernel * config_.input_channels;
  for (int p = 0; p < job.parallel; ++p) {
    std::array<std::int16_t, kMaxWindow> own{};
    for (int c = 0; c < config_.cols; ++c)
      std::copy_n(taps + c * column + p * part, part, own.data() + c * column + p * part);
    kernels::dot_rows(own.data(), w, config_.output_channels, lanes_, out + p * config_.output_channels);
  }
}

// Adds what faults in the tables change. A kernel sends out only its sum, and products are held here instead of it.
void MacArray::apply_table_faults(const Operands& operands, Products& out) {
  const int channels = config_.input_channels, step = channels > 1 ? 1 : config_.rows;
  const bool summed = config_.kernels() && (channels > 1 || config_.cols > 1);
  each_table_fault(operands, [&](int output, int value, std::int64_t more) {
    if (config_.wide()) {
      std::int32_t& sum = out.sums[static_cast<std::size_t>(output * config_.rows + row_of(value))];
      sum = static_cast<std::int32_t>(sum + more);
      return;
    }
    const bool first = channels > 1 ? value % channels == 0 : value < step;
    std::int16_t* const product = out.values.data() + output * lanes_ + value;
    blocks::add_to_product(product, summed ? product + (first ? step : -step) : nullptr, more);
  });
}

// Returns what faults in the tables change in a row's sum, before a rounding kernel rounds it.
std::int64_t MacArray::table_faults(const Operands& operands, int output, int row) {
  std::int64_t sum = 0;
  each_table_fault(operands, [&](int of, int value, std::int64_t more) {
    if (of == output && row_of(value) == row) sum += more;
  });
  return sum;
}

void MacArray::each_table_fault(const Operands& operands, const std::function<void(int, int, std::int64_t)>& add) {
  table_bits_.each(
      operands.set, [&](int, int value) { return activation(operands.window, value); },
      [&](int output, int value) { return set(operands.set)[output * lanes_ + value]; }, add);
}

// A tap holds the bits of an activation of two bytes, which may be unsigned.
int MacArray::activation(const Window& window, int tap) const {
  const std::int16_t held = window.taps[static_cast<std::size_t>(tap)];
  return config_.value_bytes() == 2 && window.tag.job->input_unsigned ? static_cast<std::uint16_t>(held) : held;
}

// Sums tap rows chain by chain, or as a whole. Chains are exact, because the compiler refuses layers that a chain could
// not sum (contract::DualInt8Config::exact()). With a rounding kernel, this is what the compressor trees behind the
// tables make of a tap row's entries.
void MacArray::sum_rows(const Operands& operands, Products& out) {
  const int channels = config_.input_channels, row_products = config_.cols * channels;
  const int terms = config_.chains() ? config_.chain_terms() : row_products;
  const bool rounds = config_.rounds();
  std::int32_t* sum = out.sums.data();
  for (int o = 0; o < config_.output_channels; ++o) {
    const std::int16_t* const w = set(operands.set) + o * lanes_;
    for (int row = 0; row < config_.rows; ++row) {
      for (int first = 0; first < row_products; first += terms) {
        std::int64_t partial = rounds && !table_bits_.none() ? table_faults(operands, o, row) : 0;
        for (int k = first; k < std::min(first + terms, row_products); ++k) {
          const int at = (k / channels * config_.rows + row) * channels + k % channels;
          const int x = activation(operands.window, at);
          partial += rounds ? kernel_.kept(x, w[at]) : std::int64_t{x} * w[at];
        }
        *sum++ = static_cast<std::int32_t>(rounds ? kernel_.rounded(partial) : partial);
      }
    }
  }
}

bool MacArray::take_window(bool second_of_pair) {
  if (windows.front().tag.new_weights) {
    if (second_of_pair) {
      ++weight_waits_;
      return false;
    }
    if (!new_set_ready()) {
      ++weight_waits_;
      if (tables_.running() || set_complete()) ++reload_waits_;
      return false;
    }
    in_use_ = after(in_use_);
    if (reconfigurable_)
      tables_.take();
    else
      loaded_columns_ = 0;
  }
  const Window& window = windows.pop();
  Operands& operands = pipeline_.enter();
  operands.window.tag = window.tag;
  operands.set = in_use_;
  if (sums_early_)
    sum_products(window, in_use_, operands.sums.data());
  else if (values_)
    kernels::copy_few(window.taps.data(), config_.window_values(), operands.window.taps.data());
  alone_ = config_.pairs_windows() && !second_of_pair;
  ++beats_;
  return true;
}

// The reload's controllers keep the set that they send, so the next one can be shifted in.
void MacArray::reload_tables(bool window_waits) {
  if (!reconfigurable_ || !set_complete() || !tables_.may_start(window_waits)) return;
  tables_.start();
  ++reloads_;
  loaded_columns_ = 0;
}

void MacArray::take_weights() {
  if (set_complete() || !weights.can_pop()) return;
  const WeightColumn& column = weights.pop();
  const bool before_it = tables_.running() || tables_.loaded();
  const int shadow_set = before_it ? after(after(in_use_)) : after(in_use_);
  std::int16_t* shadow = set(shadow_set);
  if (loaded_columns_ == 0 && !table_bits_.none()) table_bits_.loaded(shadow_set);
  if (values_) {
    const int values = config_.rows * config_.input_channels, bytes = config_.weight_bytes();
    for (int o = 0; o < config_.output_channels; ++o)
      kernels::widen(column.bytes.data() + o * values * bytes, values, bytes, false,
                     shadow + o * lanes_ + loaded_columns_ * values);
  }
  ++loaded_columns_;
}

}  // namespace fansim::stream
