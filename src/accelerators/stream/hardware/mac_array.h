// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "accelerators/stream/config/array.h"
#include "accelerators/stream/hardware/mac_cells.h"
#include "accelerators/stream/hardware/types.h"
#include "blocks/array_bits.h"
#include "blocks/table_reload.h"
#include "sim/module.h"
#include "sim/pipeline.h"
#include "sim/reg.h"
#include "sim/stream.h"

namespace fansim::stream {

// Multiplies rows x cols taps of every input channel by the weights of every output channel, in cells of one kind
// (MacCells). One weight set is in use while the next is being shifted in, a tap column per cycle; a pass's first
// window takes the new set. With lut_reconfigurable and lut_kernel a complete set goes on into the tables
// (TableReload), and the window waits for those. Where chains share a weight, two windows of a pass that enter one
// after the other are a pair: the chains multiply them with half of the output channels, then with the others, and a
// window alone takes as long.
// Throughput: one window per cycle; a pass's first window comes two cycles after one that is alone.
// Latency:    stream::ArrayConfig::mac_latency().
// Stall:      holds every stage while `products` is full; a pass's first window waits for its complete set.
class MacArray final : public sim::Module {
 public:
  sim::StreamIn<Window> windows{"windows"};
  sim::StreamIn<WeightColumn> weights{"weights"};
  sim::StreamOut<Terms> products{"products"};

  // If only an adder tree takes the products, their sums stand for them.
  enum class Taken { by_anyone, by_adder_tree };
  MacArray(const sc_core::sc_module_name& name, const ArrayConfig& config, bool values = true,
           Taken taken = Taken::by_anyone);

  enum class State { idle, compute, wait_weights, wait_output };
  State state() const { return state_; }
  bool empty() const { return pipeline_.empty(); }
  void expect_faults() override { sums_early_ = false; }

 private:
  struct Operands {
    Window window;
    std::array<std::int32_t, kMaxColumn> sums;  // sums of the window's products; replace taps if they are computed
                                                // early
    int set = 0;
  };

  void reset() override {
    pipeline_.clear();
    tables_.reset();
    loaded_columns_ = 0;
    alone_ = false;
  }
  void step() override;
  void push_products(const Operands& operands);
  bool may_sum() const {
    return product_cells_ && taken_ == Taken::by_adder_tree && product_bits_.none() && table_bits_.none();
  }
  int sums_of(const Window& window) const { return window.tag.job->parallel * config_.output_channels; }
  sim::Storage::Of registers() const {
    return config_.uses_dsp() ? sim::Storage::Of::dsp_registers : sim::Storage::Of::flip_flops;
  }
  void each_table_fault(const Operands& operands, const MacCells::Add& add);
  bool can_sleep() const;
  bool take_window(bool second_of_pair);
  bool set_complete() const { return loaded_columns_ == config_.cols; }
  bool new_set_ready() const { return reconfigurable_ ? tables_.loaded() : set_complete(); }
  void reload_tables(bool window_waits);
  void take_weights();
  int after(int set) const { return set + 1 == set_count_ ? 0 : set + 1; }
  std::int16_t* set(int index) { return sets_.data() + static_cast<std::size_t>(index) * set_size_; }

  const ArrayConfig config_;
  const std::unique_ptr<const MacCells> cells_;
  const ProductCells* const product_cells_;  // the same cells if every product leaves them, else null
  const int lanes_;                          // products per output channel, padded
  const bool values_;
  const Taken taken_;
  bool sums_early_;  // a window's sums are computed as it enters; no fault can change it on its way
  const bool reconfigurable_;
  const std::size_t set_size_;
  const int set_count_;

  sim::Pipeline<Operands> pipeline_;
  // Holds a ring of weight sets: those in flight, the one in use, the next one for the tables, and the one being
  // shifted in.
  std::vector<std::int16_t> sets_;
  blocks::TableReload tables_;
  blocks::WeightBits weight_bits_;
  blocks::ProductBits product_bits_;
  blocks::TableBits table_bits_;
  int in_use_ = 0;
  int loaded_columns_ = 0;
  bool alone_ = false;  // the window that entered last, if the next one is not its second
  State state_ = State::idle;
  sim::Word state_word_{*this, "state", {"idle", "compute", "wait_weights", "wait_output"}, state_};

  sim::Counter beats_{*this, "windows", "windows", "windows multiplied"};
  sim::Counter stalls_{*this, "stalls", "cycles", "cycles held because the adder tree was full"};
  sim::Counter weight_waits_{*this, "weight_waits", "cycles", "cycles a window waited for its weight set"};
  sim::Counter reloads_{*this, "reloads", "sets", "weight sets loaded into reconfigurable tables"};
  sim::Counter reload_waits_{*this, "reload_waits", "cycles",
                             "of weight_waits, cycles in which only its tables were missing"};
};

}  // namespace fansim::stream
