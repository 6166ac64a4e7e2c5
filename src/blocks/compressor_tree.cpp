// SPDX-License-Identifier: Apache-2.0
#include "blocks/compressor_tree.h"

namespace fansim::blocks {

CompressorTree::CompressorTree(const sc_core::sc_module_name& name, const contract::LutKernelConfig& config)
    : sim::Module(name), kernel_(config.format), pipeline_(config.tree_latency()) {}

void CompressorTree::step() {
  if (pipeline_.empty() && entries.empty()) {
    sleep();
    return;
  }
  if (pipeline_.out_valid()) {
    if (!sums.can_push()) {
      ++stalls_;
      return;
    }
    sums.push() = pipeline_.out();
  }
  pipeline_.advance();
  if (!entries.can_pop()) return;
  const TableEntries& in = entries.pop();
  pipeline_.enter() = {in.index, sum(in)};
  ++beats_;
}

std::int64_t CompressorTree::sum(const TableEntries& in) const {
  const auto n = static_cast<std::size_t>(kernel_.format().inputs);
  std::int64_t total = 0;
  for (int s = 0; s < kernel_.slices(); ++s) {
    std::int64_t slice = 0;
    for (std::size_t i = 0; i < n; ++i) slice += in.bits[static_cast<std::size_t>(s) * n + i];
    total += slice << arith::kSliceBits * s;
  }
  return kernel_.output(total);
}

}  // namespace fansim::blocks
