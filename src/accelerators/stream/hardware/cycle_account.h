// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "memory/ddr.h"
#include "platform/host.h"
#include "rules/array_buckets.h"
#include "sim/module.h"

namespace fansim::stream {

struct StreamBlocks;

// Puts every edge of a layer into exactly one bucket, from the state in which the blocks left it. It looks only at
// edges at which that state may have changed, and steps after all blocks.
class CycleAccount final : public sim::Module {
 public:
  CycleAccount(const sc_core::sc_module_name& name, StreamBlocks& blocks, memory::Ddr& ddr, platform::Host& host);

  // Is called at a layer's first edge, before its step.
  void begin_layer() {
    active_ = true;
    spans_.begin(now());
    wake();
  }
  // Returns the buckets of the layer so far. It may be called between edges.
  rules::ArrayBuckets buckets() const { return active_ ? spans_.before(now() + 1) : spans_.counted(); }
  // At the first edge that is not the layer's.
  void end_layer() {
    active_ = false;
    spans_.enter(rules::ArrayBucket::idle, now());
  }

 private:
  void step() override;
  rules::CycleSigns signs() const;
  void core_signs(rules::CycleSigns& s) const;
  void memory_signs(rules::CycleSigns& s) const;

  const StreamBlocks& blocks_;
  const memory::Ddr& ddr_;
  const platform::Host& host_;
  bool active_ = false;
  rules::BucketSpans spans_;
};

}  // namespace fansim::stream
