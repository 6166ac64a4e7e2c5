// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>
#include <vector>

#include "arith/float/arithmetic.h"
#include "arith/float/divide.h"
#include "arith/float/exponential.h"
#include "arith/float/format.h"
#include "arith/quantiser.h"
#include "base/effect.h"
#include "contract/axi.h"
#include "contract/config_file.h"
#include "contract/ddr.h"
#include "contract/dma.h"
#include "contract/host.h"
#include "contract/idle_keys.h"

namespace fansim::trainer {

// These are the widths of single precision, because words in memory and in files have that format. No other format may
// be wider.
constexpr int kMostExponent = 8, kMostMantissa = 23;

struct FormatNames {
  const char *exponent, *mantissa, *of;
};
template <class V>
void visit_format(V&& v, arith::FloatFormat& format, const FormatNames& names) {
  v.field(names.exponent, format.exponent_bits, 2, kMostExponent, {names.of, base::grows()});
  v.field(names.mantissa, format.mantissa_bits, 1, kMostMantissa, {names.of, base::grows()});
}

// These are the cycles of a unit's registers, in the order in which a word passes them.
constexpr int kReadLatency = 2;  // block RAM with its output register
constexpr int kConvertLatency = arith::FloatArithmetic::kConvertLatency;
constexpr int kMacLatency = kReadLatency + kConvertLatency + arith::FloatArithmetic::kMultiplyLatency +
                            arith::FloatArithmetic::kAddLatency + kConvertLatency;
constexpr int kPoolLatency = kReadLatency + kConvertLatency + 1;  // compares
constexpr int kUpdateLatency =
    kReadLatency + kConvertLatency + arith::FloatArithmetic::kMultiplyLatency + arith::FloatArithmetic::kAddLatency;

// Describes a block with weights: it has a multiplier and an adder for each direction, and a multiplier and a
// subtractor for the update.
struct WeightedConfig {
  arith::FloatFormat forward = arith::kCustom24, sum = arith::kCustom24, backward = arith::kCustom24,
                     weights = arith::kCustom24;
  int accumulators = 16;

  template <class V>
  void visit(V&& v) {
    visit_format(v, forward, {"forward_exponent", "forward_mantissa", "products and results on the way forward"});
    visit_format(v, sum, {"sum_exponent", "sum_mantissa", "the sums of products, in both directions"});
    visit_format(v, backward, {"backward_exponent", "backward_mantissa", "products and gradients on the way back"});
    visit_format(v, weights, {"weights_exponent", "weights_mantissa", "the weights, and their update"});
    v.field("accumulators", accumulators, 1, 256,
            {"sums that take turns in the adder; fewer than its three stages leave it idle", base::grows()});
  }
};

struct PoolingConfig {
  arith::FloatFormat format = arith::kBrain16;

  template <class V>
  void visit(V&& v) {
    visit_format(v, format, {"exponent", "mantissa", "what is compared"});
  }
};

enum class Divider { array, reciprocal };

// Describes the softmax unit: one exponential, one adder and one divider.
struct SoftmaxConfig {
  arith::FloatFormat format = arith::kBrain16;
  Divider divider = Divider::array;
  arith::ArrayDividerConfig array;
  arith::ReciprocalConfig reciprocal;

  int divider_latency(arith::FloatRounding rounding) const {
    return divider == Divider::array ? arith::ArrayDivider(format, rounding, array).latency()
                                     : arith::ReciprocalDivider(format, reciprocal, rounding).latency();
  }

  template <class V>
  void visit(V&& v) {
    visit_format(v, format, {"exponent", "mantissa", "exponentials, their sum, quotients and the gradient"});
    v.choice("divider", divider, {{Divider::array, "array"}, {Divider::reciprocal, "reciprocal"}},
             "array: a row of units for each bit of the quotient; reciprocal: Newton's iteration");
    array.visit(v);
    reciprocal.visit(v);
  }
};

struct ArithmeticConfig {
  arith::FloatRounding rounding = arith::FloatRounding::truncate;

  template <class V>
  void visit(V&& v) {
    v.choice("rounding", rounding,
             {{arith::FloatRounding::truncate, "truncate"}, {arith::FloatRounding::nearest_even, "nearest_even"}},
             "of every operation");
  }
};

// Holds the rule of the update, which each job receives: theta - learning_rate * gradient.
struct UpdateConfig {
  double learning_rate = 0.01;

  template <class V>
  void visit(V&& v) {
    v.field("learning_rate", learning_rate, 1e-6, 1.0, {"eta of theta - eta * gradient", base::times()});
  }
};

// Holds the sizes of the on-chip memories in words. Each word is as wide as the widest format.
struct MemoriesConfig {
  int activations = 2048;
  int weights = 4096;

  template <class V>
  void visit(V&& v) {
    v.field("activations", activations, 64, 1 << 20,
            {"words of the input and of every layer's output; as many of their gradients", base::grows()});
    v.field("weights", weights, 64, 1 << 22, {"words of the weights; as many of their gradients", base::grows()});
  }
};

// Describes the complete trainer, with one struct per box of its diagram.
struct Config : contract::ConfigBase {
  static constexpr const char* kSystem = "float_trainer";

  // Reads a configuration file with `--set key.path=value` overrides. Throws base::UserError.
  static Config read(const std::string& path, const std::vector<std::string>& overrides);

  Config() { clock_mhz = {100, 1}; }

  WeightedConfig convolution, fc1, fc2;
  PoolingConfig pooling;
  SoftmaxConfig softmax;
  ArithmeticConfig arithmetic;
  UpdateConfig update;
  MemoriesConfig memories;
  contract::DmaConfig dma;
  contract::AxiConfig axi;
  contract::DdrConfig ddr;
  contract::HostConfig host;
  arith::QuantiserFormat quantiser;  // of the reference executor; the machine has none

  // Lists keys of shared blocks that have no effect on this machine.
  static constexpr std::array<base::InertKey, 11> kInert{
      {{"dma.mode", "transfers come from the controller, and another mode is refused"},
       {"host.register_read", "the host waits for an interrupt, it polls nothing"},
       {"host.dma_setup", "the controller describes its transfers"},
       {"ddr.turnaround", "a transfer has long ended when the next begins"},
       {"ddr.arbitration", "one port alone moves data"},
       {"axi.pins", "no port of this machine is carried on wires yet"},
       {"dma.sg_start", "transfers come from the controller, not from descriptors"},
       {"dma.sg_command", "transfers come from the controller, not from descriptors"},
       {"dma.sg_queue", "transfers come from the controller, not from descriptors"},
       {"dma.address_bits", "addresses are words of the registers"},
       {"dma.delay_resolution", "transfers come from the controller, not from descriptors"}}};

  contract::MemoryPorts memory_ports() const { return {1, axi.data_bits, clock_hz()}; }

  template <class F>
  void visit_clocks(F&& f) {
    f("clock_mhz", clock_mhz);
  }
  template <class F>
  void visit_blocks(F&& f) {
    f("convolution", convolution);
    f("fc1", fc1);
    f("fc2", fc2);
    f("pooling", pooling);
    f("softmax", softmax);
    f("arithmetic", arithmetic);
    f("update", update);
    f("memories", memories);
    f("dma", dma);
    f("axi", axi);
    f("ddr", ddr);
    f("host", host);
  }
};

// Returns why the reader of a file would refuse the configuration; empty: it would not.
std::string refusal(const Config& config);

// Adds keys that change nothing because of what others say.
void add_idle(contract::IdleKeys& idle, const Config& config);

}  // namespace fansim::trainer
