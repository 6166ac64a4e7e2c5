// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "arith/exchanges.h"
#include "arith/quantiser.h"
#include "base/effect.h"
#include "base/units.h"
#include "contract/axi.h"
#include "contract/config_file.h"
#include "contract/ddr.h"
#include "contract/dma.h"
#include "contract/dual_int8.h"
#include "contract/host.h"
#include "contract/idle_keys.h"

namespace fansim::vision {

// Describes what flows through the units: `samples` neighbouring samples of a row per cycle, with the channels of a
// pixel one after another.
struct PixelsConfig {
  int samples = 4;
  int line_samples = 2048;
  int fifo_beats = 64;

  // The latency consists of block RAM with its output register, the window's registers, and the multiplexers of the
  // border.
  static constexpr int kLines = 2, kWindow = 1, kBorder = 1;
  static constexpr int window_latency() { return kLines + kWindow + kBorder; }

  template <class V>
  void visit(V&& v) {
    v.field("samples", samples, 1, 8, {"samples a cycle", base::Effect{}, "1 | 2 | 4 | 8"});
    v.field("line_samples", line_samples, 64, 1 << 15,
            {"samples that a line memory holds; wider images are cut into stripes", base::grows()});
    v.field("fifo_beats", fifo_beats, 2, 1024, {"results that wait for the packer, in cycles' worth", base::grows()});
  }
};

enum class Scaler { shift, reciprocal };

// Describes packed chains (WP490): two neighbouring samples share a coefficient, and a cascade sums `terms` products.
struct FilterConfig {
  int kernel = 3;
  int banks = 2;
  int terms = 7;
  bool rebase = true;
  Scaler scaler = Scaler::reciprocal;

  static constexpr int kMaxKernel = 7, kMaxWeights = kMaxKernel * kMaxKernel, kMaxBanks = 2;
  bool exists() const { return kernel > 0; }
  int window() const { return kernel * kernel; }
  // These are the terms of a chain, and the chains of a bank and a pair of samples. Without re-base slices a single
  // cascade sums all products.
  int terms_of_chain() const { return rebase ? std::min(terms, window()) : window(); }
  int chains() const { return exists() ? base::ceil_div(window(), terms_of_chain()) : 0; }
  int slices_of_pair() const { return window() + (rebase ? chains() : 0); }
  // The first slice takes A/D, AD, M and P, each further slice one P, and the slice that separates the sums A:B and P.
  // If there is no such slice, a register separates them.
  int chain_latency() const { return terms_of_chain() + (rebase ? 5 : 4); }
  // The tree adds the sums of the chains, and the term that compensates the samples' offset of 128.
  int tree_latency() const { return base::ceil_log2(chains() + 1); }
  int scaler_latency() const { return scaler == Scaler::reciprocal ? 3 : 1; }
  static constexpr int kSaturate = 1;
  int latency() const {
    return PixelsConfig::window_latency() + chain_latency() + tree_latency() + scaler_latency() + kSaturate;
  }

  template <class V>
  void visit(V&& v) {
    v.field("kernel", kernel, 0, kMaxKernel,
            {"rows and columns of the largest window; 0: no filter engine", base::Effect{}, "0 | 3 | 5 | 7"});
    v.field("banks", banks, 1, kMaxBanks, {"filters of one window at once; sobel3x3 needs two", base::grows()});
    v.field("terms", terms, 2, 7, "products that a chain sums before a slice takes its two sums apart");
    v.field("rebase", rebase,
            "a slice for each chain takes its sums apart; false: one cascade for the whole window, for filters whose "
            "magnitudes add up to 1,023 at most");
    v.choice("scaler", scaler, {{Scaler::shift, "shift"}, {Scaler::reciprocal, "reciprocal"}},
             "divides the sum: shift: by powers of two; reciprocal: by 9 too, with a multiplier for each sample");
  }
};

enum class SimdMode { two24, four12 };

// Describes the unit for the median, the largest and the smallest value of a window. It exchanges values on the slices'
// ALUs.
struct MedianConfig {
  int kernel = 3;
  arith::MedianNetwork network = arith::MedianNetwork::exchange19;
  SimdMode mode = SimdMode::four12;

  // An exchange passes A:B and C, then P (subtract), then the register behind the multiplexers that the sign controls.
  static constexpr int kExchange = 3;
  bool exists() const { return kernel > 0; }
  arith::ExchangeNetwork exchanges() const { return arith::median_network(network, kernel * kernel); }
  int latency() const { return PixelsConfig::window_latency() + kExchange * exchanges().depth; }
  int lanes() const { return mode == SimdMode::four12 ? 4 : 2; }

  template <class V>
  void visit(V&& v) {
    v.field("kernel", kernel, 0, 5,
            {"rows and columns of the largest window; 0: no such unit", base::Effect{}, "0 | 3 | 5"});
    v.choice("network", network,
             {{arith::MedianNetwork::exchange19, "exchange19"},
              {arith::MedianNetwork::sorting, "sorting"},
              {arith::MedianNetwork::bubble, "bubble"}},
             "exchange19: the median of nine alone (a pruned merge sort of twenty-five); sorting: all values in order; "
             "bubble: as many passes of a bubble sort as the median needs");
    v.choice("mode", mode, {{SimdMode::two24, "two24"}, {SimdMode::four12, "four12"}},
             "exchanges of one slice at once (UG579, USE_SIMD): two of up to 16 bits, or four of up to 8");
  }
};

// Describes the unit for functions of one pixel of one or two images, on the slices' ALUs.
struct SimdConfig {
  bool enabled = true;
  SimdMode mode = SimdMode::two24;
  bool multipliers = true;

  // A result passes A:B and C, P, the selection by signs, and saturation. A multiplier in front of it adds A and B, M,
  // P.
  static constexpr int kAlu = 2, kSelect = 1, kSaturate = 1, kMultiply = 3;
  int latency() const { return kAlu + kSelect + kSaturate + (multipliers ? kMultiply : 0); }
  int lanes() const { return mode == SimdMode::four12 ? 4 : 2; }

  template <class V>
  void visit(V&& v) {
    v.field("enabled", enabled, "there is a unit for functions of single pixels");
    v.choice("mode", mode, {{SimdMode::two24, "two24"}, {SimdMode::four12, "four12"}},
             "operations of one slice at once (UG579, USE_SIMD): two of up to 16 bits, or four of up to 8");
    v.field("multipliers", multipliers, "a multiplier for each sample: multiply, accumulate_square and _weighted");
  }
};

// Holds the costs of functions that have no unit and that the processing system computes itself.
struct SoftwareConfig {
  base::Cost cycles_per_sample = base::Cost::nanoseconds(16);

  template <class V>
  void visit(V&& v) {
    v.field("cycles_per_sample", cycles_per_sample, 1, 10000,
            {"time, or fabric cycles, in which the host computes a sample of a function that fits no slices",
             base::times()});
  }
};

// Describes the complete vision accelerator, with one struct per box of its diagram.
struct Config : contract::ConfigBase {
  static constexpr const char* kSystem = "vision";

  // Reads a configuration file with `--set key.path=value` overrides. Throws base::UserError.
  static Config read(const std::string& path, const std::vector<std::string>& overrides);

  Config() { clock_mhz = {300, 1}; }

  PixelsConfig pixels;
  FilterConfig filter;
  MedianConfig median;
  SimdConfig simd;
  contract::DmaConfig dma;
  contract::AxiConfig axi;
  contract::DdrConfig ddr;
  contract::HostConfig host;
  SoftwareConfig software;
  arith::QuantiserFormat quantiser;  // of the reference executor; the machine has none

  // Returns the number of samples of which a row in memory is a multiple. It makes whole beats of the port, and enough
  // cycles that a place of a line memory is written before it is read again.
  int row_multiple() const { return std::max(axi.beat_bytes(), 4 * pixels.samples); }

  int pairs() const { return base::ceil_div(pixels.samples, 2); }
  int macs_per_cycle() const { return std::max(1, pixels.samples * filter.window() * filter.banks); }

  // Lists keys of shared blocks that have no effect on this machine.
  static constexpr std::array<base::InertKey, 9> kInert{
      {{"dma.mode", "rows come from registers, and another mode is refused"},
       {"host.register_read", "the host waits for an interrupt, it polls nothing"},
       {"host.dma_setup", "the machine's registers describe its transfers"},
       {"axi.pins", "no port of this machine is carried on wires yet"},
       {"dma.sg_start", "rows come from registers, not from descriptors"},
       {"dma.sg_command", "rows come from registers, not from descriptors"},
       {"dma.sg_queue", "rows come from registers, not from descriptors"},
       {"dma.address_bits", "addresses are words of the registers"},
       {"dma.delay_resolution", "rows come from registers, not from descriptors"}}};

  contract::MemoryPorts memory_ports() const { return {2, axi.data_bits, clock_hz()}; }

  template <class F>
  void visit_clocks(F&& f) {
    f("clock_mhz", clock_mhz);
  }
  template <class F>
  void visit_blocks(F&& f) {
    f("pixels", pixels);
    f("filter", filter);
    f("median", median);
    f("simd", simd);
    f("dma", dma);
    f("axi", axi);
    f("ddr", ddr);
    f("host", host);
    f("software", software);
  }
};

// Returns why the reader of a file would refuse the configuration; empty: it would not.
std::string refusal(const Config& config);

// Adds keys that change nothing because of what others say.
void add_idle(contract::IdleKeys& idle, const Config& config);

}  // namespace fansim::vision
