// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "contract/result.h"
#include "rules/array_buckets.h"
#include "sim/module.h"

namespace fansim::stream {

struct StreamBlocks;

// Puts every edge of a layer into exactly one bucket, from the state in which the blocks left the edge before.
class CycleAccount final : public sim::Module {
 public:
  CycleAccount(const sc_core::sc_module_name& name, const StreamBlocks& blocks);

  void begin_layer() { active_ = true, buckets_ = {}; }
  // Of the layer so far.
  const rules::ArrayBuckets& buckets() const { return buckets_; }
  rules::ArrayBuckets end_layer() {
    active_ = false;
    return buckets_;
  }

 private:
  void step() override;
  rules::CycleSigns signs() const;
  void core_signs(rules::CycleSigns& s) const;
  void memory_signs(rules::CycleSigns& s) const;

  const StreamBlocks& blocks_;
  bool active_ = false;
  rules::ArrayBuckets buckets_;
};

}  // namespace fansim::stream
