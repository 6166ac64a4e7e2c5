// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "accelerators/stream/estimate/lut_array.h"
#include "base/data.h"
#include "base/file.h"
#include "base/temporary_folder.h"
#include "contract/lut_kernel.h"
#include "papers/papers.h"
#include "papers/timed.h"

namespace fansim::papers {
namespace {

using report::Row;

constexpr int kOperandBits[] = {8, 12, 16};
constexpr int kInputs[] = {9, 25, 49};

const char* const kGenerator =
    "derived: N K ceil((Bc + 4) / 2) tables' LUTs by the rule of the same group's public generator, which cuts with "
    "floor(log2(N K)) guard bits";
const char* const kLost = "the paper's table of LUTs per kernel: an image that no copy shows any more";

std::string size(int inputs, int bits, bool faithful) {
  return fmt::format("N={}, B={}, {}", inputs, bits, faithful ? "faithful" : "full");
}

// Adds the size of the tables by the generator's rule. It applies to the model with the generator's guard bits.
void add_tables(std::vector<Row>& rows, int inputs, int bits, bool faithful, double published,
                const report::Source& source) {
  arith::LutKernelFormat format{inputs, bits, bits, faithful};
  format.guard_bits = static_cast<int>(std::log2(inputs * arith::LutKernel(format).slices()));
  const double luts = arith::LutKernel(format).table_luts();
  rows.push_back({"kassel", "table LUTs, " + size(inputs, bits, faithful), "LUTs", published, luts, 0, source});
}

void add_kernel(std::vector<Row>& rows, int inputs, int bits, bool faithful, bool shadow) {
  const contract::LutKernelConfig config{{inputs, bits, bits, faithful}, shadow};
  const double luts = config.table_luts() + config.tree_luts();
  rows.push_back(
      {"kassel",
       fmt::format("LUTs with compressor tree, {}{}", size(inputs, bits, faithful), shadow ? ", shadow" : ""),
       "LUTs",
       {},
       luts,
       10,
       kLost});
}

// Returns the LUTs of a binary tree that sums products of two's complement numbers of `bits` bits.
double binary_tree_luts(int inputs, int bits) {
  int luts = 0, width = 2 * bits;
  for (int terms = inputs; terms > 1; terms = base::ceil_div(terms, 2)) luts += terms / 2 * ++width;
  return luts;
}

// Returns the LUTs of a product with a constant, on average over all constants. It needs an adder for every digit but
// one of the constant's canonical signed form. A digit is worth more than the sum of all digits below it, so an adder
// has as many bits as the input, and a carry.
double fixed_product_luts(int bits) {
  double adders = 0;
  for (int constant = -(1 << (bits - 1)); constant < 1 << (bits - 1); ++constant) {
    int digits = 0;
    for (int rest = constant; rest != 0; rest /= 2) {
      if (rest % 2 == 0) continue;
      rest -= (rest & 3) == 1 ? 1 : -1;
      ++digits;
    }
    adders += std::max(0, digits - 1);
  }
  return adders / (1 << bits) * (bits + 1);
}

// Adds what the paper's figure compares.
void add_baseline(std::vector<Row>& rows, int inputs, int bits) {
  const double tree = binary_tree_luts(inputs, bits);
  const double soft = inputs * stream::soft_product_luts(bits, bits) + tree;
  const auto add = [&](const std::string& what, const char* unit, double value, const char* source) {
    rows.push_back({"kassel", fmt::format("{}, N={}, B={}", what, inputs, bits), unit, {}, value, {}, source});
  };
  const auto kernel = [&](bool faithful) {
    const contract::LutKernelConfig config{{inputs, bits, bits, faithful}, false};
    return config.table_luts() + config.tree_luts();
  };
  add("LUTs of soft multipliers and a binary tree", "LUTs", soft,
      "derived: pairs of rows, then pairs of sums (docs/lut_kernels.md); new coefficients with every vector");
  const char* const ratio = "derived: LUTs over those of soft multipliers and a binary tree (docs/lut_kernels.md)";
  add("fixed constants over soft multipliers", "ratio", (inputs * fixed_product_luts(bits) + tree) / soft, ratio);
  add("kernel, full, over soft multipliers", "ratio", kernel(false) / soft, ratio);
  add("kernel, faithful, over soft multipliers", "ratio", kernel(true) / soft, ratio);
  const double controller = inputs * 2 * (bits + arith::kSliceBits + 1);  // two accumulators for each coefficient
  add("kernel, faithful, with its reload controller, over soft multipliers", "ratio",
      (kernel(true) + controller) / soft, ratio);
}

// Returns the cycles per weight set that a convolution with 64 windows per set waits for its weights.
double waits_per_set(const std::vector<std::string>& settings) {
  constexpr int kSets = 8;
  const base::TemporaryFolder folder;
  const std::string network = folder.path() + "/network.yaml";
  base::write_file(network, fmt::format("version: 1\nname: passes\ninput: {{shape: [8, 3, 66], type: int8}}\nlayers:\n"
                                        "  - {{name: conv, type: conv, filters: {}, kernel: 3}}\n",
                                        8 * kSets));
  const runs::Run run = timed("configs/systems/lut_kernel.yaml", network, settings);
  return static_cast<double>(run.cycles_of(run.total(), "wait_weights")) / kSets;
}

// Returns the wait in excess of that of multipliers that need no reload.
double reload_cycles(const std::vector<std::string>& settings) {
  return waits_per_set(settings) - waits_per_set({"array.multiplier=lut"});
}

}  // namespace

Reproduction reproduce_kassel() {
  // The rows are for B = 8, 12, 16; the columns for N = 9, 25, 49.
  constexpr double kFull[3][3] = {{108, 300, 588}, {216, 600, 1176}, {360, 1000, 1960}};
  constexpr double kFaithful[3][3] = {{54, 150, 294}, {108, 375, 735}, {216, 600, 1176}};
  std::vector<Row> rows;
  for (int b = 0; b < 3; ++b) {
    for (int n = 0; n < 3; ++n) {
      add_tables(rows, kInputs[n], kOperandBits[b], false, kFull[b][n], report::derived(kGenerator));
      add_tables(rows, kInputs[n], kOperandBits[b], true, kFaithful[b][n], report::derived(kGenerator));
    }
  }
  add_tables(rows, 3, 12, false, 72,
             report::derived("the paper's figure of 3 inputs of 12 bits, with the generator's rule"));
  add_tables(rows, 3, 12, true, 45,
             report::derived("the paper's figure of 3 inputs of 12 bits, rounded to 12, with the generator's rule"));
  for (const int bits : kOperandBits) {
    for (const int inputs : kInputs) {
      for (const bool faithful : {false, true})
        for (const bool shadow : {false, true}) add_kernel(rows, inputs, bits, faithful, shadow);
    }
  }
  for (const int bits : kOperandBits)
    for (const int inputs : kInputs) add_baseline(rows, inputs, bits);
  rows.push_back({"kassel", "reload without shadow LUTs", "cycles", 32, reload_cycles({"array.shadow_luts=false"}), 0,
                  "stated: CFGLUTs are reloaded in 32 cycles; measured: wait_weights per weight set of a convolution"});
  rows.push_back({"kassel",
                  "reload with shadow LUTs, after a pass of 64 windows",
                  "cycles",
                  {},
                  reload_cycles({}),
                  {},
                  "the paper swaps two sets of LUTs; it states no cycles"});
  return {rows, {}, {}};
}

}  // namespace fansim::papers
