// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "accelerators/stream/config/array.h"
#include "accelerators/stream/hardware/types.h"
#include "sim/memory_port.h"
#include "sim/module.h"
#include "sim/pipeline.h"
#include "sim/port_budget.h"
#include "sim/stream.h"

namespace fansim::stream {

// Holds partial sums in banks of block RAM, which parallel output rows share
// (stream::ArrayConfig::accumulator_entries). A first sum starts from the bias, a later one from what is stored. A last
// one leaves as a total instead of being stored. Going beyond a row's entries is a violation. Sums are kept to 32 bits.
// That equals wrapping at accumulator_bits on every addition, because the quantiser wraps the total. The banks have
// accumulator_bits, `bits`.
// Throughput: one beat of sums per cycle; on the last round `parallel` cycles per beat, one total each.
// Latency:    stream::ArrayConfig::accumulator_latency() from sums to total.
// Stall:      holds every stage while `totals` is full; takes no job's last beat while `done` is full.
class Accumulator final : public sim::Module {
 public:
  sim::StreamIn<Sums> sums{"sums"};
  sim::StreamOut<Totals> totals{"totals"};
  sim::StreamOut<JobDone> done{"done"};

  Accumulator(const sc_core::sc_module_name& name, const ArrayConfig& config, sim::ReadPort& bias, bool values = true,
              int bits = 32);

  bool empty() const { return pipeline_.empty(); }

 private:
  void reset() override {
    row_ = 0;
    pipeline_.clear();
  }
  void step() override;
  void accept();
  void add_row(const Sums& in, int row);
  void read_bias(const Tag& tag);

  const ArrayConfig config_;
  sim::ReadPort& bias_;
  const bool values_;
  std::vector<std::int32_t> stored_;  // [bank][entry][channel]
  sim::Memory bits_;
  std::vector<sim::PortBudget> bank_ports_;
  std::array<std::int32_t, kMaxChannels> bias_now_{};
  sim::Pipeline<Totals> pipeline_;
  int row_ = 0;  // next parallel row of the beat at the head, on the last round

  sim::Counter beats_{*this, "beats", "windows", "windows accumulated"};
  sim::Counter totals_out_{*this, "totals", "pixels", "totals sent to the quantiser"};
  sim::Counter stalls_{*this, "stalls", "cycles", "cycles held because the quantiser was full"};
};

}  // namespace fansim::stream
