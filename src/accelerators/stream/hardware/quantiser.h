// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>

#include "accelerators/stream/config/array.h"
#include "accelerators/stream/hardware/types.h"
#include "arith/requantise.h"
#include "sim/memory_port.h"
#include "sim/module.h"
#include "sim/pipeline.h"
#include "sim/stream.h"

namespace fansim::stream {

// Has the four stages of the thesis (Fig 4-13): wrap to accumulator_bits and saturate to operand_bits; multiply by M;
// shift right by n; saturate to the result, with zero point and ReLU. Pixels get operand_bits of the array, gates of
// recurrent layers 16.
// Throughput: one total per cycle.
// Latency:    kLatency.
// Stall:      holds every stage while the output in use is full.
class Quantiser final : public sim::Module {
 public:
  static constexpr int kLatency = ArrayConfig::quantiser_latency();

  sim::StreamIn<Totals> totals{"totals"};
  sim::StreamOut<Pixel> pixels{"pixels"};
  sim::StreamOut<Gate> gates{"gates"};

  Quantiser(const sc_core::sc_module_name& name, const ArrayConfig& config, const arith::QuantiserFormat& format,
            sim::ReadPort& bias, bool values = true);

  // Returns what saturated since the last call.
  arith::Saturation take_saturation() { return std::exchange(saturation_, {}); }
  bool empty() const { return pipeline_.empty(); }

 private:
  struct Result {
    Tag tag;
    std::array<std::int16_t, kMaxChannels> values;
  };

  void reset() override { pipeline_.clear(); }
  void step() override;
  bool leave();
  void quantise(const Totals& in, Result& out);
  arith::Requantise scale_of(const Tag& tag, int channel);

  const int channels_;
  const int bits_, value_bytes_;  // size of an output value
  const arith::QuantiserFormat format_;
  sim::ReadPort& bias_;
  const bool values_;
  sim::Pipeline<Result> pipeline_;
  arith::Saturation saturation_;

  sim::Counter beats_{*this, "beats", "pixels", "totals quantised"};
  sim::Counter stalls_{*this, "stalls", "cycles", "cycles held because the next stage was full"};
};

}  // namespace fansim::stream
