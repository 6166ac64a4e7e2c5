// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "arch/result.h"
#include "rules/buckets.h"
#include "sim/module.h"

namespace fansim::systems {

struct StreamBlocks;

// Puts every edge of a layer into exactly one bucket, from the state in which the blocks left the edge before.
class CycleAccount final : public sim::Module {
 public:
  CycleAccount(const sc_core::sc_module_name& name, const StreamBlocks& blocks);

  void begin_layer() { active_ = true, buckets_ = {}; }
  arch::Buckets end_layer() { return active_ = false, buckets_; }

 private:
  void step() override;
  rules::CycleSigns signs() const;
  void core_signs(rules::CycleSigns& s) const;
  void memory_signs(rules::CycleSigns& s) const;

  const StreamBlocks& blocks_;
  bool active_ = false;
  arch::Buckets buckets_{};
};

}  // namespace fansim::systems
