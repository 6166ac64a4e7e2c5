// SPDX-License-Identifier: Apache-2.0
#include "accelerators/stream/hardware/code_table.h"

namespace fansim::stream {

CodeTableUnit::CodeTableUnit(const sc_core::sc_module_name& name, const ArrayConfig& config, bool values)
    : sim::Module(name), channels_(config.output_channels), values_(values) {}

void CodeTableUnit::step() {
  if (pipeline_.empty() && in.empty() && entries.empty()) {
    sleep();
    return;
  }
  const bool writes = entries.can_pop();
  if (writes) {
    entries.pop().apply(table_);
    ++writes_;
  }
  if (pipeline_.out_valid()) {
    if (!out.can_push()) {
      ++stalls_;
      return;
    }
    out.push(pipeline_.out());
  }
  pipeline_.advance();
  if (writes || !in.can_pop()) return;
  const Pixel& from = in.pop();
  Pixel& to = pipeline_.enter();
  to.tag = from.tag;
  ++pixels_;
  if (values_) look_up(from, to);
}

void CodeTableUnit::look_up(const Pixel& from, Pixel& to) const {
  if (!from.tag.job->by_table) {
    to.bytes = from.bytes;
    return;
  }
  for (std::size_t o = 0; o < static_cast<std::size_t>(channels_); ++o) to.bytes[o] = table_[from.bytes[o]];
}

}  // namespace fansim::stream
