// SPDX-License-Identifier: Apache-2.0
#include "accelerators/stream/hardware/mac_array.h"

#include <utility>

#include "kernels/mac.h"

namespace fansim::stream {

MacArray::MacArray(const sc_core::sc_module_name& name, const ArrayConfig& config, bool values, Taken taken)
    : sim::Module(name),
      config_(config),
      cells_(cells_of(config)),
      product_cells_(dynamic_cast<const ProductCells*>(cells_.get())),
      lanes_(cells_->lanes()),
      values_(values),
      taken_(taken),
      sums_early_(values && taken == Taken::by_adder_tree && product_cells_),
      reconfigurable_(config.reloads()),
      set_size_(static_cast<std::size_t>(lanes_ * config.output_channels)),
      set_count_(config.mac_latency() + 3),
      pipeline_(config.mac_latency()),
      sets_(set_size_ * static_cast<std::size_t>(set_count_)),
      tables_(config.shadow_luts),
      weight_bits_(*this, registers(), reconfigurable_ ? 1 : 2, cells_->products(), config.weight_bits(),
                   [this](int next) { return set(reconfigurable_ || next > 0 ? after(in_use_) : in_use_); }),
      product_bits_(*this, registers(), cells_->shape(), cells_->bits(), [this] { return pipeline_.out_valid(); }),
      table_bits_(*this, reconfigurable_ ? cells_->products() : blocks::ArrayShape{}, config.kernel().format,
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
  Terms& out = products.push();
  out.tag = operands.window.tag;
  if (!values_) return;
  if (sums_early_ || may_sum()) {
    out.kind = Terms::Kind::window_sums;
    if (sums_early_)
      kernels::copy_few(operands.sums.data(), sums_of(operands.window), out.sums.data());
    else
      product_cells_->sum(operands.window, set(operands.set), out.sums.data());
    return;
  }
  MacCells::TableFaults faults;
  if (!table_bits_.none()) faults = [&](const MacCells::Add& add) { each_table_fault(operands, add); };
  cells_->multiply(operands.window, set(operands.set), faults, out);
  if (product_bits_.none()) return;
  product_cells_ ? product_bits_.apply(out.products.data()) : product_bits_.apply(out.sums.data());
}

void MacArray::each_table_fault(const Operands& operands, const MacCells::Add& add) {
  table_bits_.each(
      operands.set, [&](int, int tap) { return cells_->activation(operands.window, tap); },
      [&](int output, int tap) { return set(operands.set)[output * lanes_ + tap]; }, add);
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
    product_cells_->sum(window, set(in_use_), operands.sums.data());
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
